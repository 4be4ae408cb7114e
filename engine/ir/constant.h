#pragma once

#include <optional>

#include "engine/core/value.h"
#include "engine/ir/graph.h"

namespace assay::ir {

/// Whether a constant can hold the value: everything but futures and generators, and containers of
/// them. An object as a constant is shared, not copied: frozen modules hold some.
bool is_constant(const core::Value& value);
/// The value that a `prim::Constant` holds; nothing if `value` is made by another node.
std::optional<core::Value> constant_value(const Value* value);
/// The value of a `prim::Constant`; nothing for another node.
std::optional<core::Value> constant_value(const Node* node);
/// Whether it is the constant True: the condition of a loop that only counts.
bool always_true(const Value* value);
/// Makes a `prim::Constant` node hold this value, its type included.
void set_constant(Node* node, const core::Value& value);

/// Whether it is a tensor without dimensions: as a constant of a graph such a one is a number to
/// some operators (ops::Constants), as an attribute or a result it is a tensor.
inline bool may_become_number(const core::Value& value) {
  return value.is_tensor() && value.to_tensor().defined() && value.to_tensor().dim() == 0;
}

/// The complete type of a tensor: element type, sizes, strides, device, whether it needs gradients.
core::TypePtr exact_type(const core::Tensor& tensor);

}  // namespace assay::ir
