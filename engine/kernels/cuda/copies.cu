#include "engine/kernels/common/copies.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;

struct Conjugate {
  template <typename T>
  ASSAY_ANYWHERE Complex<T> operator()(Complex<T> v) const {
    return Complex<T>(v.real(), -v.imag());
  }
};

struct Copies {
  static void copy_elements(const ops::Call& c, const Tensor& to, const Tensor& from) {
    cuda::copy_elements(c, to, from);
  }
  static void conjugate_into(ops::Call& c, const Tensor& out, const Tensor& from) {
    Gpu::compute_over<common::complexes, 1>(c, out, from.dtype(), {from}, Conjugate{});
  }
};

}  // namespace

std::span<const ops::Kernel> copy_kernels() { return common::copies::copies_table<Copies>; }

}  // namespace assay::kernels::cuda
