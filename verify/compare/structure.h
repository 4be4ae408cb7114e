#pragma once

#include <string>
#include <vector>

#include "verify/compare/walk.h"

namespace assay::verify::compare_detail {

/// Walks two values in step: kinds, lengths, keys and their order go to the layer `structure`,
/// strings to the layer `values`; tensors and numbers are appended for the layers to come.
/// A named tuple equals a plain one; an object without attributes on both sides is passed over,
/// and so is a module.
void compare_structure(const std::string& place, const core::Value& subject,
                       const core::Value& reference, Collector& out, Pairs& pairs);

/// "f32[1, 7]", "list of 2", "dict with keys 'a', 'b'", "5": a value for people, short.
std::string value_text(const core::Value& value);
std::string tensor_text(const core::Tensor& tensor);

}  // namespace assay::verify::compare_detail
