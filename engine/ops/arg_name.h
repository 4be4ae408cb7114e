#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::ops {

/// The name of an argument in the schemas of the catalog. The constants of namespace `arg`
/// (`arg::weight`) are made from the catalog at build time, in engine/ops/argument_names.h: a
/// misspelt name does not compile.
struct ArgName {
  uint16_t id;  ///< Position in the sorted list of all names.

  bool operator==(const ArgName&) const = default;
  std::string_view text() const;
};

/// Nothing where no operator has an argument of this name.
std::optional<ArgName> find_argument_name(std::string_view text);

}  // namespace assay::ops
