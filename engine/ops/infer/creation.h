#pragma once

#include "engine/ops/rule.h"

/// Rules of operators that make tensors from sizes and numbers. dtype, layout, device and
/// memory_format are found by their names in the schema; what is None takes PyTorch's default.
namespace assay::ops::infer {

/// By the argument `size`: the default float type; left out, randint's dtype is int64
/// by the schema.
extern const Rule sized;
extern const Rule empty_strided;
/// (size, fill_value, ...): the dtype of the number.
extern const Rule full;
/// (self, ...): size, dtype and device of `self`; strides by memory_format.
extern const Rule like;
/// (self, size, ...): dtype and device of `self`.
extern const Rule new_sized, new_strided;
/// (n, ...): int64.
extern const Rule randperm;
/// A 0-dimensional tensor of a number: of the default float type (scalar_tensor), or of the
/// number's own type (tensor, as_tensor).
extern const Rule scalar_tensor, from_number;
/// A nested list of numbers: its shape and most general type.
extern const Rule from_list;
extern const Rule from_list_of_ints;  ///< As from_list, of int32.
/// The length is that of the range; int64 if all bounds are ints.
extern const Rule arange, range;
extern const Rule linspace;
extern const Rule eye, eye_m;
extern const Rule tril_indices, triu_indices;
/// One row of N powers per element.
extern const Rule linalg_vander;
extern const Rule window;
extern const Rule dim_arange, shape_as_tensor;
/// Complex from two real tensors.
extern const Rule complex_from_parts;

// The same with a trailing `out` argument, which is given the right size; its dtype counts.
extern const Rule sized_out, arange_out, range_out;
extern const Rule linspace_out, eye_out, eye_m_out;
extern const Rule randperm_out;
/// Fills its first argument (fill_, zero_, random fills): nothing to infer.
extern const Rule fill_in_place;
/// Rows of weights become rows of num_samples indices.
extern const Rule multinomial;

}  // namespace assay::ops::infer
