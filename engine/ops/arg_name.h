#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::ops {

/// The name of an argument in the schemas of the catalog. The constants of namespace `arg`
/// (`arg::weight`) are made from the catalog at build time, in engine/ops/argument_names.h: a
/// misspelt name does not compile.
struct ArgName {
  /// The FNV-1a hash of the name, so that further names leave it as it is. No two names of the
  /// catalog have the same (arg_name.cpp).
  uint32_t id = 0;

  constexpr ArgName() = default;
  explicit constexpr ArgName(std::string_view text) : id(2166136261u) {
    for (char c : text) id = (id ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  bool operator==(const ArgName&) const = default;
  std::string_view text() const;
};

/// Nothing where no operator has an argument of this name.
std::optional<ArgName> find_argument_name(std::string_view text);

}  // namespace assay::ops
