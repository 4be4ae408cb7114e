#include "verify/properties/property.h"

#include <array>

namespace assay::verify {

std::string_view verdict_name(Judgement::Verdict verdict) {
  constexpr std::array<std::string_view, 5> names{"holds", "violated", "discarded", "not_tested",
                                                  "errored"};
  return names[static_cast<size_t>(verdict)];
}

}  // namespace assay::verify
