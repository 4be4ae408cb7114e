#pragma once

#include "engine/base/error.h"
#include "engine/kernels/common/elements.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

// Copies on one device, for all devices. `On` is where they run: a class with
//   static void copy_elements(const ops::Call&, const core::Tensor& to, const core::Tensor& from);
//   static void conjugate_into(ops::Call&, const core::Tensor& out, const core::Tensor& from);
// of which the second is asked for complex tensors of one shape.
namespace assay::kernels::common::copies {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

// Copies between devices are the composites of ops/composite/transfer.cpp.
inline bool first_stays(const Call& c) {
  return c.first().to_tensor().device() == c.out().device();
}
inline bool second_stays(const Call& c) {
  return c.tensor(arg::self).device() == c.tensor(arg::src).device();
}

/// The first argument's elements, in order, as the result's shape, type and layout.
template <class On>
void copy_first(Call& c) {
  Tensor from = c.first().to_tensor(), to = c.out();
  // Reshaping results are row-major, so that the source's shape fits over them.
  if (!(to.sizes() == from.sizes())) to = ops::views::view(to, from.sizes());
  On::copy_elements(c, to, from);
}

template <class On>
void copy_in_place(Call& c) {
  Tensor to = c.tensor(arg::self), from = c.tensor(arg::src);
  if (common::may_overlap(to, from)) {
    bool dense = core::is_non_overlapping_and_dense(to.sizes(), to.strides()) &&
                 core::is_non_overlapping_and_dense(from.sizes(), from.strides());
    bool full = to.offset() == from.offset() && to.strides() == from.strides();
    base::check(!dense || full,
                "unsupported operation: some elements of the input tensor and the written-to "
                "tensor refer to a single memory location. Please clone() the tensor before "
                "performing the operation.");
    Tensor apart = Tensor::empty(from.sizes(), from.dtype(), from.device());
    On::copy_elements(c, apart, from);
    from = apart;
  }
  On::copy_elements(c, to, from);
  c.finish(c.value(arg::self));
}

template <class On>
void copy_functional(Call& c) {
  On::copy_elements(c, c.out(), c.tensor(arg::src));
}

template <class On>
void conjugate(Call& c) {
  On::conjugate_into(c, c.out(), c.tensor(arg::self));
}
template <class On>
void conjugate_transposed(Call& c) {
  Tensor self = c.tensor(arg::self);
  On::conjugate_into(c, c.out(), self.dim() == 0 ? self : ops::views::transpose(self, -2, -1));
}

template <class On>
inline constexpr ops::Kernel copies_table[] = {
    {"aten::copy_", copy_in_place<On>, second_stays},
    {"aten::copy", copy_functional<On>, second_stays},
    {"aten::clone", copy_first<On>},
    {"aten::contiguous", copy_first<On>},
    {"aten::reshape", copy_first<On>},
    {"aten::reshape_as", copy_first<On>},
    {"aten::flatten.using_ints", copy_first<On>},
    {"aten::ravel", copy_first<On>},
    {"aten::to.device", copy_first<On>, first_stays},
    {"aten::to.dtype", copy_first<On>},
    {"aten::_autocast_to_full_precision", copy_first<On>},
    {"aten::_autocast_to_reduced_precision", copy_first<On>},
    {"aten::to.other", copy_first<On>, first_stays},
    {"aten::to.dtype_layout", copy_first<On>, first_stays},
    {"aten::to.prim_Device", copy_first<On>, first_stays},
    {"aten::to.prim_dtype", copy_first<On>},
    {"aten::to.prim_other", copy_first<On>},
    {"aten::_to_copy", copy_first<On>, first_stays},
    {"aten::type_as", copy_first<On>, first_stays},
    {"aten::cpu", copy_first<On>, first_stays},
    {"aten::cuda", copy_first<On>, first_stays},
    {"aten::as_tensor", copy_first<On>, first_stays},
    {"aten::lift_fresh_copy", copy_first<On>},
    {"aten::_cast_Byte", copy_first<On>},
    {"aten::_cast_Char", copy_first<On>},
    {"aten::_cast_Double", copy_first<On>},
    {"aten::_cast_Float", copy_first<On>},
    {"aten::_cast_Half", copy_first<On>},
    {"aten::_cast_Int", copy_first<On>},
    {"aten::_cast_Long", copy_first<On>},
    {"aten::_cast_Short", copy_first<On>},
    {"aten::conj", conjugate<On>},
    {"aten::_conj", conjugate<On>},
    {"aten::mH", conjugate_transposed<On>},
    {"aten::matrix_H", conjugate_transposed<On>},
    {"aten::adjoint", conjugate_transposed<On>},
};

}  // namespace assay::kernels::common::copies
