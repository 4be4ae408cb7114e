#pragma once

#include <string>
#include <string_view>

#include "engine/core/tensor.h"
#include "engine/core/value.h"

namespace assay::core {

// PyTorch's C++ texts of values: what TorchScript's print() and str() show, and what constants look
// like in a graph's text.

/// `3.`, `1.5`, `1.0000000000000001e-05`, `inf`.
std::string float_text(double value);
/// `1.+2.j`.
std::string complex_text(Complex128 value);
/// Double quotes, with escapes. Bytes outside of printable ASCII become PyTorch's three-character
/// forms.
std::string quoted_text(std::string_view text);

/// In a graph: `{2.5}` for one element, ` 1  2 [ CPULongType{2} ]` for up to ten, else `<Tensor>`.
std::string tensor_text(const Tensor& tensor);
/// In a graph: `[1, 2]`, `annotate(List[int], [])`, `{"a": 1}`, `torch.device("cpu")`.
std::string repr(const Value& value);

/// A tensor on several lines with its type at the end, as print() shows it.
std::string display(const Tensor& tensor);
/// As print() and str() show it; strings stand as they are, also inside of lists.
std::string display(const Value& value);

}  // namespace assay::core
