#pragma once

#include "engine/ops/rule.h"

/// Rules of operators that rearrange, split, join and convert tensors. Rules named after a view
/// finish the call: the result shares the argument's storage, with the strides that
/// engine/ops/views.h gives. The `_in_place` ones change the tensor object itself.
namespace assay::ops::infer {

/// The first argument under new metadata, or itself.
extern const Rule alias, detach_in_place;
extern const Rule same_tensor;

// Shapes and orders of dimensions.
extern const Rule view, view_as, view_dtype, reshape_alias;
extern const Rule expand, expand_as, broadcast_to;
extern const Rule permute, transpose, transpose_in_place, t, t_in_place;
extern const Rule numpy_t, matrix_t, adjoint, matrix_h;
extern const Rule movedim, movedim_list;
extern const Rule squeeze, squeeze_in_place, squeeze_dim, squeeze_dim_in_place;
extern const Rule squeeze_dims, squeeze_dims_in_place;
extern const Rule unsqueeze, unsqueeze_in_place;
extern const Rule unflatten;
extern const Rule at_least_1d, at_least_2d, at_least_3d;
/// A view where one is possible, else a row-major copy.
extern const Rule reshape, reshape_as, flatten, ravel;

// Parts.
extern const Rule select, slice, narrow, diagonal, unfold;
extern const Rule as_strided, as_strided_in_place;
extern const Rule view_as_real, view_as_complex, real_part, imaginary_part;
/// The conjugate: real tensors are their own.
extern const Rule conjugate;

// Lists of parts.
extern const Rule chunk, split, split_with_sizes, unbind;
extern const Rule tensor_split_sections, tensor_split_indices;
extern const Rule hsplit_sections, hsplit_indices, vsplit_sections, vsplit_indices;
extern const Rule dsplit_sections, dsplit_indices;
extern const Rule broadcast_tensors, meshgrid, meshgrid_indexing;
extern const Rule at_least_1d_list, at_least_2d_list, at_least_3d_list;

// Copies and conversions. `to_*` and `contiguous` return the argument itself where nothing would
// change; otherwise they declare a copy laid out as memory_format says.
extern const Rule clone, contiguous;
extern const Rule autocast_to_full, autocast_to_reduced;
extern const Rule to_device, to_dtype, to_other, to_dtype_layout;
extern const Rule to_prim_device, to_prim_dtype, to_prim_other, to_copy;
extern const Rule type_as, to_cpu, to_cuda, as_tensor;
extern const Rule cast_uint8, cast_int8, cast_int16, cast_int32, cast_int64, cast_float16,
    cast_float32, cast_float64;
/// copy_: the source broadcasts to the target; devices may differ.
extern const Rule copy_in_place;
/// A copy laid out like the first argument, which is the only one.
extern const Rule copy_plain;
extern const Rule copy_functional;

// The tensor object itself: its size (storage grows where needed), or another tensor's bytes.
extern const Rule resize_in_place, resize_as_in_place;
extern const Rule set_empty, set_tensor, set_tensor_view, set_data;

// Joins and repetitions: sizes as the names say, dtype by promotion for joins.
extern const Rule cat, stack, repeat, flip, roll, fft_shift, tri;
extern const Rule diag, diag_embed, pad_constant;

}  // namespace assay::ops::infer
