#include "verify/run/reference.h"

#include <array>

namespace assay::verify {

std::string_view reference_kind_name(ReferenceKind kind) {
  constexpr std::array<std::string_view, 4> names{"host", "archive", "recording", "subject"};
  return names[static_cast<size_t>(kind)];
}

}  // namespace assay::verify
