#pragma once

#include "engine/ops/rule.h"

namespace assay::ops::infer {

// Questions about tensors that are answered without reading elements, so also for meta tensors.
// Each finishes the call.

extern const Rule tensor_sizes;           ///< size: list of ints.
extern const Rule tensor_size;            ///< size.int: one dimension.
extern const Rule tensor_strides;         ///< stride: list of ints.
extern const Rule tensor_stride;          ///< stride.int.
extern const Rule tensor_dim;             ///< dim.
extern const Rule tensor_numel;           ///< numel.
extern const Rule tensor_len;             ///< len: the first size.
extern const Rule tensor_storage_offset;  ///< storage_offset.
extern const Rule tensor_element_size;    ///< element_size, prim::itemsize.
extern const Rule tensor_is_contiguous;   ///< is_contiguous, with or without a memory format.
extern const Rule tensor_is_dense;        ///< is_non_overlapping_and_dense.
extern const Rule tensor_is_floating;     ///< is_floating_point.
extern const Rule tensor_is_complex;      ///< is_complex.
extern const Rule tensor_is_signed;       ///< is_signed.
extern const Rule tensor_is_same_size;    ///< is_same_size.
extern const Rule tensor_is_set_to;       ///< is_set_to: the same view of the same storage.
extern const Rule tensor_dtype;           ///< prim::dtype: PyTorch's number.
extern const Rule tensor_device;          ///< prim::device.
extern const Rule tensor_device_index;    ///< get_device: -1 on the CPU.
extern const Rule tensor_is_cpu;          ///< prim::is_cpu.
extern const Rule tensor_is_cuda;         ///< prim::is_cuda.
extern const Rule tensor_is_meta;         ///< prim::is_meta.
extern const Rule tensor_requires_grad;   ///< prim::requires_grad.
extern const Rule tensor_detached;        ///< prim::data, detach: a new handle on the same bytes.
extern const Rule set_requires_grad;      ///< requires_grad_: sets the flag, returns its argument.
extern const Rule none_of_tensor;         ///< prim::grad, prim::name: there is none.
extern const Rule false_of_tensor;     ///< Kinds that assay's tensors never are: sparse, quantized.
extern const Rule true_of_tensor;      ///< is_leaf: assay records no gradients.
extern const Rule zero_of_tensor;      ///< prim::layout: strided; _version.
extern const Rule tensor_result_type;  ///< result_type: PyTorch's number of the promoted dtype.

}  // namespace assay::ops::infer
