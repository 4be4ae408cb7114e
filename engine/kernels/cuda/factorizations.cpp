// Factorizations, and the solution of equations by them: checks, layouts and what surrounds the
// library's routines.

#include <algorithm>
#include <climits>

#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/factor_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/matrices.h"
#include "engine/kernels/cuda/product_elements.h"
#include "engine/kernels/cuda/solver.h"
#include "engine/ops/infer/factorization.h"

namespace assay::kernels::cuda {

void check_matrix_elements(const char* what, const core::Tensor& t) {
  for (int64_t size : t.sizes())
    base::check(size <= INT_MAX, "LAPACK counts to ", INT_MAX, ", and a size is ", size);
  bool known = t.dtype() == core::DType::float32 || t.dtype() == core::DType::float64 ||
               core::is_complex(t.dtype());
  base::check(known, what, ": expected a tensor of float32, float64, complex64 or complex128, got ",
              core::script_name(t.dtype()));
}

namespace {

namespace arg = ops::arg;
namespace views = ops::views;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;
using ops::infer::check_matrices;
using ops::infer::check_square;

void check_matrix(const char* what, const Tensor& t) {
  check_matrices(what, t);
  check_matrix_elements(what, t);
}
void check_square_matrix(const char* what, const Tensor& t) {
  check_square(what, t);
  check_matrix_elements(what, t);
}

/// What the solvers below require of a factor and a right side.
void check_system(const char* what, const Tensor& a, const Tensor& b, bool left) {
  check_square_matrix(what, a);
  check_matrices(what, b);
  base::check(a.dtype() == b.dtype(), what,
              ": the element types differ: ", core::script_name(a.dtype()), " and ",
              core::script_name(b.dtype()));
  check_matrix_elements(what, b);
  base::check(rows_of(a) == (left ? rows_of(b) : columns_of(b)), what,
              ": the sizes do not fit: ", a.sizes(), " and ", b.sizes());
}

Dims common_batch(const Tensor& a, const Tensor& b) {
  return core::broadcast(batch_and(a, {}), batch_and(b, {}));
}

/// Numbers for each matrix of a batch, 0 at first.
Tensor new_info(const Call& c, const Tensor& a) {
  Tensor info = c.new_empty(batch_and(a, {}), DType::int32);
  fill_elements(c, info, 0);
  return info;
}

Tensor conjugate(const Call& c, const Tensor& t) {
  return core::is_complex(t.dtype()) ? c.call_tensor("aten::conj", {t}) : t;
}

// LU

void lu_factor_ex(Call& c) {
  Tensor a = c.tensor(arg::A);
  check_matrix("linalg.lu_factor", a);
  base::check(c.boolean(arg::pivot),
              "linalg.lu_factor: LU without pivoting is not implemented on GPUs");
  Tensor lu = copied_matrices(c, a), info = new_info(c, a);
  Tensor pivots = c.new_empty(batch_and(a, {std::min(rows_of(a), columns_of(a))}), DType::int32);
  if (a.numel() > 0) factor_lu(c, lu, pivots, info);
  c.finish(core::Values{lu, pivots, info});
}

/// Pivots that a caller may have made up, for each matrix of a batch.
Tensor pivots_of(const Call& c, const Tensor& pivots, const Dims& batch, int64_t n,
                 const char* what) {
  base::check(pivots.dtype() == DType::int32, what, ": pivots are int32, not ",
              core::script_name(pivots.dtype()));
  base::check(pivots.dim() > 0, what, ": pivots need a dimension");
  Dims wanted = batch;
  wanted.push_back(pivots.sizes().back());
  Dims strides = core::broadcast_strides(pivots.sizes(), pivots.strides(), wanted);
  return checked_pivots(c, pivots.view(wanted, strides, pivots.offset()), n);
}

/// A X = B, or X A = B by (Aᴴ Xᴴ = Bᴴ).
void lu_solve(Call& c) {
  Tensor lu = c.tensor(arg::LU), b = c.tensor(arg::B);
  bool left = c.boolean(arg::left), adjoint = c.boolean(arg::adjoint);
  check_system("linalg.lu_solve", lu, b, left);
  Dims batch = common_batch(lu, b);
  lu = broadcast_batch(lu, batch);
  b = broadcast_batch(b, batch);
  int64_t n = rows_of(lu);
  Tensor pivots = pivots_of(c, c.tensor(arg::pivots), batch, n, "linalg.lu_solve");
  base::check(pivots.sizes().back() == n || core::numel(batch) == 0,
              "linalg.lu_solve: there must be a pivot for each row");
  Tensor right = copied_matrices(c, left ? b : turned_view(conjugate(c, b)));
  if (right.numel() > 0) solve_lu(c, as_matrices(c, lu), pivots, adjoint == left, right);
  if (left) return c.finish(right);
  Tensor out = c.new_empty(b.sizes(), b.dtype());
  copy_elements(c, out, turned_view(conjugate(c, right)));
  c.finish(out);
}

/// The permutation, and the factors that share a matrix.
void lu_unpack(Call& c) {
  Tensor lu = c.tensor(arg::LU_data);
  check_matrix("lu_unpack", lu);
  int64_t m = rows_of(lu), n = columns_of(lu), k = std::min(m, n);
  Tensor p = c.new_empty(Dims{0}, lu.dtype()), l = p, u = p;
  if (c.boolean(arg::unpack_data)) {
    l = c.new_empty(batch_and(lu, {m, k}), lu.dtype());
    u = c.new_empty(batch_and(lu, {k, n}), lu.dtype());
    take_part(c, lu, Part::unit_lower, l);
    take_part(c, lu, Part::upper, u);
  }
  if (c.boolean(arg::unpack_pivots)) {
    Dims batch = batch_and(lu, {});
    Tensor pivots = pivots_of(c, c.tensor(arg::LU_pivots), batch, m, "lu_unpack");
    base::check(pivots.sizes().back() == k || core::numel(batch) == 0,
                "lu_unpack: there must be a pivot for each step");
    p = c.new_empty(batch_and(lu, {m, m}), lu.dtype());
    fill_permutations(c, pivots, p);
  }
  c.finish(core::Values{p, l, u});
}

// QR

void geqrf(Call& c) {
  Tensor self = c.tensor(arg::self);
  check_matrix("geqrf", self);
  Tensor a = copied_matrices(c, self);
  Tensor tau = c.new_empty(batch_and(a, {std::min(rows_of(a), columns_of(a))}), a.dtype());
  if (a.numel() > 0) factor_qr(c, a, tau);
  c.finish(core::Values{a, tau});
}

/// The product of reflections in place of them.
void multiply_in_place(const Call& c, const Tensor& q, const Tensor& tau) {
  if (q.numel() == 0) return;
  if (tau.sizes().back() > 0) return multiply_reflections(c, q, contiguous(c, tau));
  fill_elements(c, q, 0);
  take_part(c, q, Part::unit_lower, q);
}

void qr(Call& c) {
  Tensor self = c.tensor(arg::A);
  const std::string& mode = c.string(arg::mode);
  check_matrix("linalg.qr", self);
  bool complete = mode == "complete", only_r = mode == "r";
  base::check(complete || only_r || mode == "reduced",
              "linalg.qr: mode is 'reduced', 'complete' or 'r', not '", mode, "'");
  int64_t m = rows_of(self), n = columns_of(self), least = std::min(m, n);
  int64_t k = complete ? m : least;
  Tensor a = copied_matrices(c, self), tau = c.new_empty(batch_and(self, {least}), self.dtype());
  if (a.numel() > 0) factor_qr(c, a, tau);
  Tensor r = new_matrices(batch_and(self, {k, n}), self.dtype(), self.device());
  take_part(c, a, Part::upper, r);
  Tensor q = c.new_empty(Dims{0}, self.dtype());
  if (!only_r) {
    q = new_matrices(batch_and(self, {m, k}), self.dtype(), self.device());
    if (k > n) fill_elements(c, q, 0);
    int64_t held = std::min(n, k);
    copy_elements(c, views::narrow(q, -1, 0, held), views::narrow(a, -1, 0, held));
    multiply_in_place(c, q, tau);
  }
  c.finish(core::Values{q, r});
}

/// What a set of reflections requires.
void check_reflections(const char* what, const Tensor& a, const Tensor& tau) {
  check_matrix(what, a);
  base::check(a.dtype() == tau.dtype(), what, ": the element types differ");
  base::check(tau.dim() == a.dim() - 1, what, ": tau must have one dimension less, and has ",
              tau.dim());
  for (size_t d = 0; d + 1 < tau.sizes().size(); ++d)
    base::check(tau.size(d) == a.size(d), what, ": the batches differ");
}

void householder_product(Call& c) {
  Tensor a = c.tensor(arg::input), tau = c.tensor(arg::tau);
  check_reflections("linalg.householder_product", a, tau);
  base::check(rows_of(a) >= columns_of(a) && columns_of(a) >= tau.sizes().back(),
              "linalg.householder_product: there must be at least as many rows as columns, and as "
              "columns as reflections: ",
              a.sizes(), " and ", tau.sizes());
  Tensor q = copied_matrices(c, a);
  multiply_in_place(c, q, tau);
  c.finish(q);
}

void ormqr(Call& c) {
  Tensor a = c.tensor(arg::self), tau = c.tensor(arg::input2), other = c.tensor(arg::input3);
  bool left = c.boolean(arg::left), transpose = c.boolean(arg::transpose);
  check_reflections("ormqr", a, tau);
  check_matrix("ormqr", other);
  base::check(other.dtype() == a.dtype(), "ormqr: the element types differ");
  base::check(batch_and(a, {}) == batch_and(other, {}), "ormqr: the batches differ");
  int64_t length = left ? rows_of(other) : columns_of(other), k = tau.sizes().back();
  base::check(rows_of(a) == length && k <= length && k <= columns_of(a),
              "ormqr: the sizes do not fit: ", a.sizes(), ", ", tau.sizes(), " and ",
              other.sizes());
  Tensor result = copied_matrices(c, other);
  if (result.numel() > 0 && k > 0) {
    apply_reflections(c, as_matrices(c, a), contiguous(c, tau), left, transpose, result);
  }
  c.finish(result);
}

// Positive definite matrices

Part triangle(bool upper) { return upper ? Part::upper : Part::lower; }

void cholesky_ex(Call& c) {
  Tensor self = c.tensor(arg::self);
  check_square_matrix("linalg.cholesky_ex", self);
  bool upper = c.boolean(arg::upper);
  Tensor a = copied_matrices(c, self), info = new_info(c, self);
  if (a.numel() > 0) {
    factor_cholesky(c, a, upper, info);
    take_part(c, a, triangle(upper), a);
  }
  c.finish(core::Values{a, info});
}

/// Raises where a matrix was not positive definite; waits for the device.
void check_positive(const Call& c, const Tensor& info, bool is_batch) {
  c.synchronized();
  Tensor there = core::to_host(info);
  const auto* minors = there.device_data<int32_t>();
  for (int64_t i = 0; i < there.numel(); ++i) {
    std::string which = is_batch ? base::message("(Batch element ", i, "): ") : "";
    base::check_matrix(minors[i] == 0, "linalg.cholesky: ", which,
                       "The factorization could not be completed because the input is not "
                       "positive-definite (the leading minor of order ",
                       minors[i], " is not positive-definite).");
  }
}

void cholesky(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  bool half = self.dtype() == DType::float16 || self.dtype() == DType::bfloat16;
  if (half) common::not_implemented_for(self.dtype(), "cholesky_cuda");
  if (self.numel() == 0) return;
  check_matrix_elements("linalg.cholesky", self);
  bool upper = c.boolean(arg::upper);
  Tensor a = copied_matrices(c, self), info = new_info(c, self);
  factor_cholesky(c, a, upper, info);
  take_part(c, a, triangle(upper), out);
  check_positive(c, info, self.dim() > 2);
}

void cholesky_solve(Call& c) {
  Tensor b = c.tensor(arg::self), factor = c.tensor(arg::input2);
  check_system("cholesky_solve", factor, b, true);
  Dims batch = common_batch(factor, b);
  Tensor right = copied_matrices(c, broadcast_batch(b, batch));
  if (right.numel() > 0) {
    factor = as_matrices(c, broadcast_batch(factor, batch));
    solve_cholesky(c, factor, c.boolean(arg::upper), right);
  }
  c.finish(right);
}

/// Of the matrix whose factor is given. Waits for the device.
void cholesky_inverse(Call& c) {
  Tensor self = c.tensor(arg::self);
  check_square_matrix("cholesky_inverse", self);
  bool upper = c.boolean(arg::upper);
  Tensor a = copied_matrices(c, self), info = new_info(c, self);
  if (a.numel() > 0) {
    invert_cholesky(c, a, upper, info);
    mirror_triangle(c, a, upper);
    c.synchronized();
    Tensor there = core::to_host(info);
    for (int64_t i = 0; i < there.numel(); ++i) {
      int32_t state = there.device_data<int32_t>()[i];
      base::check(state == 0, "cholesky_inverse: the diagonal element ", state,
                  " of the factor is zero, so that the matrix has no inverse");
    }
  }
  c.finish(a);
}

// Triangles

void solve_triangular(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::B);
  bool left = c.boolean(arg::left);
  check_system("linalg.solve_triangular", a, b, left);
  Dims batch = common_batch(a, b);
  Tensor right = copied_matrices(c, broadcast_batch(b, batch));
  if (right.numel() > 0) {
    a = broadcast_batch(a, batch);
    Triangle how{c.boolean(arg::upper), c.boolean(arg::unitriangular), a.is_contiguous()};
    solve_triangle(c, how.transposed ? a : as_matrices(c, a), how, left, right);
  }
  c.finish(right);
}

constexpr ops::Kernel factorization_table[] = {
    {"aten::linalg_lu_factor_ex", lu_factor_ex},
    {"aten::linalg_lu_solve", lu_solve},
    {"aten::lu_unpack", lu_unpack},
    {"aten::geqrf", geqrf},
    {"aten::linalg_qr", qr},
    {"aten::linalg_householder_product", householder_product},
    {"aten::ormqr", ormqr},
    {"aten::linalg_cholesky_ex", cholesky_ex},
    {"aten::linalg_cholesky", cholesky},
    {"aten::cholesky_solve", cholesky_solve},
    {"aten::cholesky_inverse", cholesky_inverse},
    {"aten::linalg_solve_triangular", solve_triangular},
};

}  // namespace

std::span<const ops::Kernel> factorization_kernels() { return factorization_table; }

}  // namespace assay::kernels::cuda
