// Copies on one device: elements moved, cast and laid out anew. Those between devices are
// composites of ops/composite/transfer.cpp.

#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

bool first_stays(const Call& c) { return c.first().to_tensor().device() == c.out().device(); }
bool second_stays(const Call& c) {
  return c.tensor(arg::self).device() == c.tensor(arg::src).device();
}

void copy_first(Call& c) {
  Tensor from = c.first().to_tensor(), to = c.out();
  // Reshaping results are row-major, so that the source's shape fits over them.
  if (!(to.sizes() == from.sizes())) to = ops::views::view(to, from.sizes());
  copy_elements(c, to, from);
}

void copy_in_place(Call& c) {
  Tensor to = c.tensor(arg::self), from = c.tensor(arg::src);
  if (to.storage() == from.storage()) {
    Tensor apart = Tensor::empty(from.sizes(), from.dtype(), from.device());
    copy_elements(c, apart, from);
    from = apart;
  }
  copy_elements(c, to, from);
  c.finish(c.value(arg::self));
}

void copy_functional(Call& c) { copy_elements(c, c.out(), c.tensor(arg::src)); }

struct Conjugate {
  template <typename T>
  ASSAY_ANYWHERE Complex<T> operator()(Complex<T> v) const {
    return Complex<T>(v.real(), -v.imag());
  }
};

void conjugate(Call& c) {
  Tensor self = c.tensor(arg::self);
  Gpu::compute_over<common::complexes, 1>(c, c.out(), self.dtype(), {self}, Conjugate{});
}
void conjugate_transposed(Call& c) {
  Tensor self = c.tensor(arg::self);
  Tensor turned = self.dim() == 0 ? self : ops::views::transpose(self, -2, -1);
  Gpu::compute_over<common::complexes, 1>(c, c.out(), self.dtype(), {turned}, Conjugate{});
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

}  // namespace assay::kernels::cuda
