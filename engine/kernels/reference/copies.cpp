#include "engine/base/error.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/common/strided_loop.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using common::copy_elements;
using core::Tensor;
using ops::Call;

// Copies between devices are the composites of ops/composite/transfer.cpp.
bool first_stays(const Call& c) { return c.first().to_tensor().device() == c.out().device(); }
bool second_stays(const Call& c) {
  return c.tensor(arg::self).device() == c.tensor(arg::src).device();
}

/// The first argument's elements, in order, as the result's shape, type and layout.
void copy_first(Call& c) {
  Tensor from = c.first().to_tensor(), to = c.out();
  // Reshaping results are row-major, so that the source's shape fits over them.
  if (!(to.sizes() == from.sizes())) to = ops::views::view(to, from.sizes());
  copy_elements(to, from);
}

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
    copy_elements(apart, from);
    from = apart;
  }
  copy_elements(to, from);
  c.finish(c.value(arg::self));
}

void copy_functional(Call& c) { copy_elements(c.out(), c.tensor(arg::src)); }

/// out = conjugate of `from`, which is complex and has out's shape.
void conjugate_into(const Tensor& out, const Tensor& from) {
  auto conjugate = [](auto v) { return std::conj(v); };
  if (from.dtype() == core::DType::complex64) {
    common::map<core::Complex64, core::Complex64>(conjugate, out, from);
  } else {
    common::map<core::Complex128, core::Complex128>(conjugate, out, from);
  }
}
void conjugate(Call& c) { conjugate_into(c.out(), c.tensor(arg::self)); }
void conjugate_transposed(Call& c) {
  Tensor self = c.tensor(arg::self);
  conjugate_into(c.out(), self.dim() == 0 ? self : ops::views::transpose(self, -2, -1));
}

constexpr ops::Kernel copies_table[] = {
    {"aten::copy_", copy_in_place, second_stays},
    {"aten::copy", copy_functional, second_stays},
    {"aten::clone", copy_first},
    {"aten::contiguous", copy_first},
    {"aten::reshape", copy_first},
    {"aten::reshape_as", copy_first},
    {"aten::flatten.using_ints", copy_first},
    {"aten::ravel", copy_first},
    {"aten::to.device", copy_first, first_stays},
    {"aten::to.dtype", copy_first},
    {"aten::_autocast_to_full_precision", copy_first},
    {"aten::_autocast_to_reduced_precision", copy_first},
    {"aten::to.other", copy_first, first_stays},
    {"aten::to.dtype_layout", copy_first, first_stays},
    {"aten::to.prim_Device", copy_first, first_stays},
    {"aten::to.prim_dtype", copy_first},
    {"aten::to.prim_other", copy_first},
    {"aten::_to_copy", copy_first, first_stays},
    {"aten::type_as", copy_first, first_stays},
    {"aten::cpu", copy_first, first_stays},
    {"aten::cuda", copy_first, first_stays},
    {"aten::as_tensor", copy_first, first_stays},
    {"aten::lift_fresh_copy", copy_first},
    {"aten::_cast_Byte", copy_first},
    {"aten::_cast_Char", copy_first},
    {"aten::_cast_Double", copy_first},
    {"aten::_cast_Float", copy_first},
    {"aten::_cast_Half", copy_first},
    {"aten::_cast_Int", copy_first},
    {"aten::_cast_Long", copy_first},
    {"aten::_cast_Short", copy_first},
    {"aten::conj", conjugate},
    {"aten::_conj", conjugate},
    {"aten::mH", conjugate_transposed},
    {"aten::matrix_H", conjugate_transposed},
    {"aten::adjoint", conjugate_transposed},
};

}  // namespace

std::span<const ops::Kernel> copy_kernels() { return copies_table; }

}  // namespace assay::kernels::reference
