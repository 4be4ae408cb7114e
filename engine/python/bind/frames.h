#pragma once

#include <string>

#include "engine/base/source_range.h"
#include "engine/core/tensor.h"
#include "engine/python/bind/python.h"

namespace assay::python {

/// The line of Python that runs now; the text of its source is the stack, innermost line first, as
/// PyTorch writes it into archives.
base::SourceRange python_place();
/// The line that called the function that runs now.
base::SourceRange python_place_of_caller();
/// "model.py:12": the innermost line outside of the folder (of torch itself) and of NumPy.
std::string place_outside(const std::string& folder);
/// Whether the function that runs now is the user's own.
bool innermost_place_is_outside(const std::string& folder);
/// The local variable of the innermost function that holds the tensor; "" if there is none or it is
/// `self`.
std::string variable_of(const core::Tensor& tensor);

}  // namespace assay::python
