#include "engine/kernels/common/copies.h"

#include "engine/kernels/common/strided_loop.h"
#include "engine/kernels/reference/families.h"

namespace assay::kernels::reference {
namespace {

using core::Tensor;

struct Copies {
  static void copy_elements(const ops::Call&, const Tensor& to, const Tensor& from) {
    common::copy_elements(to, from);
  }
  static void conjugate_into(ops::Call&, const Tensor& out, const Tensor& from) {
    auto conjugate = [](auto v) { return std::conj(v); };
    if (from.dtype() == core::DType::complex64) {
      common::map<core::Complex64, core::Complex64>(conjugate, out, from);
    } else {
      common::map<core::Complex128, core::Complex128>(conjugate, out, from);
    }
  }
};

}  // namespace

std::span<const ops::Kernel> copy_kernels() { return common::copies::copies_table<Copies>; }

}  // namespace assay::kernels::reference
