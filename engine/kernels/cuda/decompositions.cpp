// Eigenvalues of symmetric matrices, and singular values.

#include <algorithm>

#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "engine/kernels/cuda/factor_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/matrices.h"
#include "engine/kernels/cuda/solver.h"
#include "engine/ops/infer/factorization.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

/// The routines may come to no end with others.
void check_finite(const Call& c, const char* what, const Tensor& a) {
  base::check_matrix(
      all_finite(c, a), what,
      ": The algorithm failed to converge because the input matrix contained non-finite "
      "values.");
}

/// Waits for the device.
void check_converged(const Call& c, const char* what, const Tensor& info) {
  c.synchronized();
  Tensor there = core::to_host(info);
  for (int64_t i = 0; i < there.numel(); ++i) {
    int32_t state = there.device_data<int32_t>()[i];
    base::check_matrix(
        state == 0, what, ": (Batch element ", i,
        "): The algorithm failed to converge because the input matrix is ill-conditioned or "
        "has too many repeated values (error code: ",
        state, ").");
  }
}

void eigh(Call& c) {
  Tensor self = c.tensor(arg::A);
  ops::infer::check_square("linalg.eigh", self);
  const std::string& part = c.string(arg::UPLO);
  base::check(part.size() == 1 && std::string("LUlu").find(part) != std::string::npos,
              "linalg.eigh: UPLO is 'L' or 'U', not '", part, "'");
  check_matrix_elements("linalg.eigh", self);
  bool with_vectors = c.boolean(arg::compute_v), upper = part == "U" || part == "u";
  check_finite(c, "linalg.eigh", self);
  Tensor a = copied_matrices(c, self);
  Tensor values = c.new_empty(batch_and(self, {rows_of(self)}), core::real_of(self.dtype()));
  if (a.numel() > 0) {
    Tensor info = c.new_empty(batch_and(self, {}), DType::int32);
    find_eigenvalues(c, a, upper, with_vectors, values, info);
    check_converged(c, "linalg.eigh", info);
  }
  c.finish(core::Values{values, with_vectors ? a : c.new_empty(Dims{0}, self.dtype())});
}

/// Bases of spaces of which the matrix says nothing, since it has no elements: any will do.
void fill_bases(const Call& c, const Tensor& t) {
  if (t.numel() == 0) return;
  fill_elements(c, t, 0);
  take_part(c, t, Part::unit_lower, t);
}

void svd(Call& c) {
  Tensor self = c.tensor(arg::A);
  ops::infer::check_matrices("linalg.svd", self);
  check_matrix_elements("linalg.svd", self);
  if (!c.is_none(arg::driver)) {
    const std::string& driver = c.string(arg::driver);
    base::check(driver == "gesvd" || driver == "gesvdj" || driver == "gesvda",
                "torch.linalg.svd: unknown svd driver ", driver,
                " in svd_cusolver computation. Please choose from gesvd, gesvdj and gesvda");
  }
  bool full = c.boolean(arg::full_matrices), with_vectors = c.boolean(arg::compute_uv);
  check_finite(c, "linalg.svd", self);
  int64_t m = rows_of(self), n = columns_of(self), least = std::min(m, n);
  Tensor values = c.new_empty(batch_and(self, {least}), core::real_of(self.dtype()));
  Tensor u, vh;
  if (with_vectors) {
    u = new_matrices(batch_and(self, {m, full ? m : least}), self.dtype(), self.device());
    vh = new_matrices(batch_and(self, {full ? n : least, n}), self.dtype(), self.device());
  }
  if (self.numel() > 0) {
    Tensor info = c.new_empty(batch_and(self, {}), DType::int32);
    find_singular_values(c, copied_matrices(c, self), values, u, vh, info);
    check_converged(c, "linalg.svd", info);
  } else if (with_vectors) {
    fill_bases(c, u);
    fill_bases(c, vh);
  }
  Tensor nothing = with_vectors ? u : c.new_empty(Dims{0}, self.dtype());
  c.finish(core::Values{nothing, values, with_vectors ? vh : nothing});
}

constexpr ops::Kernel decomposition_table[] = {
    {"aten::_linalg_eigh", eigh},
    {"aten::_linalg_svd", svd},
};

}  // namespace

std::span<const ops::Kernel> decomposition_kernels() { return decomposition_table; }

}  // namespace assay::kernels::cuda
