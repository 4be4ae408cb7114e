#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/type.h"
#include "engine/core/value.h"

namespace assay::ops {

/// `(a)`, `(a!)`, `(a -> *)`: which alias set an argument or result belongs to.
struct AliasInfo {
  std::string set;        ///< "a"; "*" for the wildcard set.
  std::string set_after;  ///< What `->` names; equal to `set` where there is no arrow.
  bool writes = false;    ///< `!`
  bool on_list = false;   ///< Stands behind the brackets: `t[](a!)` rather than `Tensor(a!)[]`.
};

/// A parameter or a result of an operator or function.
struct Argument {
  std::string name;
  core::TypePtr type;
  std::optional<core::Value> default_value;
  bool kwarg_only = false;
  std::optional<AliasInfo> alias;
  /// `int[2]`: the length to which a single int is repeated.
  std::optional<int> list_size;
  /// What the schema's text says where TorchScript's type is just int: "ScalarType", "Layout",
  /// "MemoryFormat", else empty.
  std::string int_kind = {};
  /// Another keyword for it: "input" for the `self` of an operator, else empty.
  std::string other_name = {};
};

/// The signature of an operator (name `aten::add`, overload `Tensor`) or of a TorchScript function.
struct Schema {
  std::string name;
  std::string overload;
  std::vector<Argument> arguments;
  std::vector<Argument> returns;
  bool vararg = false;  ///< Takes any further arguments (`aten::format`, `...`).
  bool varret = false;

  /// "aten::add.Tensor", or "aten::neg" where there is no overload name.
  std::string qualified_name() const;
  std::optional<size_t> find_argument(std::string_view argument) const;
  /// Whether any argument is written to.
  bool is_mutable() const;
  /// ATen's text of the schema.
  std::string str() const;
};

}  // namespace assay::ops
