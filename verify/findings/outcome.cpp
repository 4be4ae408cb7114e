#include "verify/findings/outcome.h"

#include <array>

namespace assay::verify {

std::string_view status_name(Status status) {
  constexpr std::array<std::string_view, 6> names{"passed", "failed",  "gave_up",
                                                  "flaky",  "skipped", "error"};
  return names[static_cast<size_t>(status)];
}

}  // namespace assay::verify
