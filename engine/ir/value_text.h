#pragma once

#include <string>
#include <string_view>

#include "engine/core/tensor.h"
#include "engine/core/type.h"
#include "engine/core/value.h"

namespace assay::ir {

// The forms in which PyTorch writes constants and types in a graph's text.

/// A type as it stands after a value: core::Type::str, but with `Future[T]`, `RRef[T]`.
std::string type_text(const core::TypePtr& type);
/// `3.`, `1.5`, `1.0000000000000001e-05`, `inf`.
std::string float_text(double value);
/// `1.+2.j`.
std::string complex_text(core::Complex128 value);
/// Double quotes, with the escapes that read_quoted undoes. Bytes outside of printable ASCII become
/// PyTorch's three-character forms.
std::string quoted_text(std::string_view text);
/// `{2.5}` for one element, ` 1  2 [ CPULongType{2} ]` for up to ten, else `<Tensor>`.
std::string tensor_text(const core::Tensor& tensor);
/// `[1, 2]`, `annotate(List[int], [])`, `{"a": 1}`, `torch.device("cpu")`.
std::string value_text(const core::Value& value);

}  // namespace assay::ir
