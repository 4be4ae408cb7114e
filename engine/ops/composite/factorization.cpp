// What PyTorch makes of factorizations: determinants, inverses, solutions, norms, ranks.

#include "engine/ops/infer/factorization.h"

#include <cmath>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/core/epsilon.h"
#include "engine/ops/composite/algebra.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/views.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;
using infer::check_square;

Results all_of(const Call& c, const char* name, const core::Values& args) {
  return call(c.context, get_operator(name), args);
}

core::Values first(const Results& from, size_t n) {
  return core::Values(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(n));
}

Value list(std::initializer_list<int64_t> items) {
  return Value(core::make_int_list(std::span(items.begin(), items.size())));
}

int64_t columns_of(const Tensor& t) { return t.sizes().back(); }
int64_t rows_of(const Tensor& t) { return t.size(t.sizes().size() - 2); }

Tensor adjoint(const Call& c, const Tensor& t) {
  Tensor turned = views::transpose(t, -2, -1);
  return core::is_complex(t.dtype()) ? c.call_tensor("aten::conj", {turned}) : turned;
}

/// Raises where a factorization of the batch told of a failure.
void check_info(const Call& c, const char* what, const Tensor& info, const char* why) {
  if (info.numel() == 0) return;
  int64_t worst = c.call("aten::item", {c.call_tensor("aten::max", {info})}).to_int();
  base::check_matrix(worst == 0, what, ": ", why, " (diagonal element ", worst, ").");
}

constexpr const char* singular = "The computation failed because the input matrix is singular";
constexpr const char* not_positive =
    "The factorization could not be completed because the input is not positive-definite";

Tensor identity_like(const Call& c, const Tensor& t) {
  Tensor eye = c.call_tensor("aten::zeros_like", {t, {}, {}, {}, {}, {}});
  c.call("aten::fill_.Scalar", {views::diagonal(eye, 0, -2, -1), 1});
  return eye;
}

// LU

Results factors(const Call& c, const Value& a) {
  return all_of(c, "aten::linalg_lu_factor_ex", {a, Value(true), Value(false)});
}

void lu_factor(Call& c) {
  Results lu =
      all_of(c, "aten::linalg_lu_factor_ex", {c.value(arg::A), c.value(arg::pivot), Value(false)});
  check_info(c, "linalg.lu_factor", lu[2].to_tensor(), singular);
  c.finish(first(lu, 2));
}

void lu_with_info(Call& c) {
  Results lu = all_of(c, "aten::linalg_lu_factor_ex",
                      {c.value(arg::self), c.value(arg::pivot), Value(false)});
  if (c.boolean(arg::check_errors)) check_info(c, "torch.lu", lu[2].to_tensor(), singular);
  c.finish(first(lu, 3));
}

void lu(Call& c) {
  Results packed =
      all_of(c, "aten::linalg_lu_factor_ex", {c.value(arg::A), c.value(arg::pivot), Value(false)});
  c.finish(
      first(all_of(c, "aten::lu_unpack", {packed[0], packed[1], Value(true), Value(true)}), 3));
}

void lu_solve(Call& c) {
  c.finish(c.call("aten::linalg_lu_solve", {c.value(arg::LU_data), c.value(arg::LU_pivots),
                                            c.value(arg::self), Value(true), Value(false)}));
}

/// 1 or -1: whether the rows were exchanged an even number of times.
Tensor parity(const Call& c, const Tensor& pivots, DType dtype) {
  Algebra f(c);
  Tensor in_place = c.call_tensor("aten::arange.start", {1,
                                                         pivots.sizes().back() + 1,
                                                         static_cast<int64_t>(DType::int32),
                                                         {},
                                                         Value(pivots.device()),
                                                         {}});
  Tensor swaps = f.sum(f.ne(pivots, in_place), -1);
  Tensor odd = c.call_tensor("aten::remainder.Scalar", {swaps, 2});
  Tensor sign = c.call_tensor("aten::rsub.Scalar", {f.mul(odd, 2), 1, 1});
  return c.call_tensor("aten::to.dtype", {sign, static_cast<int64_t>(dtype)});
}

void det(Call& c) {
  check_square("linalg.det", c.first().to_tensor());
  Results lu = factors(c, c.first());
  Tensor diagonal = views::diagonal(lu[0].to_tensor(), 0, -2, -1);
  Tensor product = c.call_tensor("aten::prod.dim_int", {diagonal, -1});
  c.finish(Value(Algebra(c).mul(product, parity(c, lu[1].to_tensor(), diagonal.dtype()))));
}

core::Values sign_and_log(const Call& c, const Value& a) {
  Algebra f(c);
  check_square("linalg.slogdet", a.to_tensor());
  Results lu = factors(c, a);
  Tensor diagonal = views::diagonal(lu[0].to_tensor(), 0, -2, -1);
  Tensor signs = c.call_tensor("aten::prod.dim_int", {f.one("sgn", diagonal), -1});
  return {Value(f.mul(signs, parity(c, lu[1].to_tensor(), diagonal.dtype()))),
          Value(f.sum(f.one("log", f.one("abs", diagonal)), -1))};
}

void slogdet(Call& c) { c.finish(sign_and_log(c, c.first())); }

/// NaN for negative determinants.
void logdet(Call& c) {
  Algebra f(c);
  core::Values parts = sign_and_log(c, c.first());
  Tensor sign = parts[0].to_tensor();
  if (core::is_complex(sign.dtype())) return c.finish(Value(f.add(f.one("log", sign), parts[1])));
  Tensor negative = f.lt(sign, 0);
  c.finish(Value(f.where(negative, f.like(parts[1], NAN), parts[1])));
}

core::Values solved(const Call& c, const Tensor& a, const Tensor& b, bool left) {
  check_square("linalg.solve", a);
  Dims batch = a.sizes();
  batch.pop_back();
  bool vector = b.dim() == 1 || b.sizes() == batch;
  Results lu = factors(c, Value(a));
  Tensor right = vector ? views::unsqueeze(b, -1) : b;
  Tensor x = c.call_tensor("aten::linalg_lu_solve",
                           {lu[0], lu[1], right, Value(left || vector), Value(false)});
  return {Value(vector ? views::squeeze(x, -1) : x), lu[2]};
}

void solve_ex(Call& c) {
  core::Values x = solved(c, c.tensor(arg::A), c.tensor(arg::B), c.boolean(arg::left));
  if (c.boolean(arg::check_errors)) check_info(c, "linalg.solve_ex", x[1].to_tensor(), singular);
  c.finish(x);
}

void solve(Call& c) {
  core::Values x = solved(c, c.tensor(arg::A), c.tensor(arg::B), c.boolean(arg::left));
  check_info(c, "linalg.solve", x[1].to_tensor(), singular);
  c.finish(x[0]);
}

core::Values inverse_and_info(const Call& c, const char* what, const Tensor& a) {
  check_square(what, a);
  Results lu = factors(c, Value(a));
  Value x = c.call("aten::linalg_lu_solve",
                   {lu[0], lu[1], identity_like(c, lu[0].to_tensor()), Value(true), Value(false)});
  return {x, lu[2]};
}

void inv_ex(Call& c) {
  core::Values found = inverse_and_info(c, "linalg.inv_ex", c.tensor(arg::A));
  if (c.boolean(arg::check_errors)) check_info(c, "linalg.inv_ex", found[1].to_tensor(), singular);
  c.finish(found);
}

void inv(Call& c) {
  core::Values found = inverse_and_info(c, "linalg.inv", c.first().to_tensor());
  check_info(c, "linalg.inv", found[1].to_tensor(), singular);
  c.finish(found[0]);
}

void triangular_solve(Call& c) {
  Tensor a = c.tensor(arg::A);
  bool transpose = c.boolean(arg::transpose);
  infer::check_matrices("triangular_solve", a);
  Tensor used = transpose ? views::transpose(a, -2, -1) : a;
  Value upper(c.boolean(arg::upper) != transpose);
  Tensor x =
      c.call_tensor("aten::linalg_solve_triangular",
                    {used, c.value(arg::self), upper, Value(true), c.value(arg::unitriangular)});
  // The matrix comes back column after column.
  Tensor copy = c.call_tensor("aten::clone", {views::transpose(a, -2, -1), 0});
  c.finish(core::Values{x, views::transpose(copy, -2, -1)});
}

// Cholesky, QR, LDL

void cholesky(Call& c) {
  check_square("cholesky", c.tensor(arg::self));
  Results found = all_of(c, "aten::linalg_cholesky_ex",
                         {c.value(arg::self), c.value(arg::upper), Value(false)});
  check_info(c, "cholesky", found[1].to_tensor(), not_positive);
  c.finish(found[0]);
}

void qr(Call& c) {
  Value mode(std::string(c.boolean(arg::some) ? "reduced" : "complete"));
  c.finish(first(all_of(c, "aten::linalg_qr", {c.value(arg::self), mode}), 2));
}

void orgqr(Call& c) {
  c.finish(c.call("aten::linalg_householder_product", {c.first(), c.second()}));
}

void ldl_factor(Call& c) {
  Results found = all_of(c, "aten::linalg_ldl_factor_ex",
                         {c.value(arg::self), c.value(arg::hermitian), Value(false)});
  check_info(c, "torch.linalg.ldl_factor", found[2].to_tensor(), singular);
  c.finish(first(found, 2));
}

// Eigenvalues and singular values

void eigh(Call& c) {
  c.finish(first(
      all_of(c, "aten::_linalg_eigh", {c.value(arg::self), c.value(arg::UPLO), Value(true)}), 2));
}

Tensor eigenvalues(const Call& c, const Value& a, const Value& part) {
  return all_of(c, "aten::_linalg_eigh", {a, part, Value(false)})[0].to_tensor();
}

void eigvalsh(Call& c) { c.finish(Value(eigenvalues(c, c.value(arg::self), c.value(arg::UPLO)))); }

void symeig(Call& c) {
  Value part(std::string(c.boolean(arg::upper) ? "U" : "L"));
  c.finish(first(
      all_of(c, "aten::_linalg_eigh", {c.value(arg::self), part, c.value(arg::eigenvectors)}), 2));
}

Results singular_parts(const Call& c, const Value& a, bool full, bool vectors,
                       const Value& driver = {}) {
  return all_of(c, "aten::_linalg_svd", {a, Value(full), Value(vectors), driver});
}

Tensor singular_values(const Call& c, const Value& a) {
  return singular_parts(c, a, false, false)[1].to_tensor();
}

void linalg_svd(Call& c) {
  c.finish(first(
      singular_parts(c, c.value(arg::A), c.boolean(arg::full_matrices), true, c.value(arg::driver)),
      3));
}

void svdvals(Call& c) {
  c.finish(singular_parts(c, c.value(arg::A), false, false, c.value(arg::driver))[1]);
}

/// V, not its adjoint; zeros where only the values are asked for.
void svd(Call& c) {
  Tensor a = c.tensor(arg::self);
  bool vectors = c.boolean(arg::compute_uv);
  Results found = singular_parts(c, Value(a), !c.boolean(arg::some), vectors);
  if (vectors)
    return c.finish(core::Values{found[0], found[1], Value(adjoint(c, found[2].to_tensor()))});
  auto zeros = [&](int64_t n) {
    Dims sizes = a.sizes();
    sizes[sizes.size() - 2] = sizes.back() = n;
    Tensor made = c.new_empty(sizes, a.dtype());
    c.call("aten::zero_", {made});
    return Value(made);
  };
  c.finish(core::Values{zeros(rows_of(a)), found[1], zeros(columns_of(a))});
}

// Tolerances

/// The bound below which singular values count as zero, for each matrix: max(atol, rtol *
/// greatest).
Tensor bound_of(const Call& c, const Tensor& a, const Tensor& greatest, const Value& atol,
                const Value& rtol) {
  Algebra f(c);
  double most = static_cast<double>(std::max(rows_of(a), columns_of(a)));
  bool has_atol = !atol.is_none() && (!atol.is_tensor() || atol.to_tensor());
  bool has_rtol = !rtol.is_none() && (!rtol.is_tensor() || rtol.to_tensor());
  bool positive = has_atol && !atol.is_tensor() && atol.to_scalar().to_double() > 0;
  Value relative = has_rtol ? rtol : Value(core::epsilon(a.dtype()) * most);
  if (!has_rtol && positive) relative = Value(0.0);
  auto column = [](const Value& v) {
    return v.is_tensor() ? Value(views::unsqueeze(v.to_tensor(), -1)) : v;
  };
  if (!has_rtol && has_atol && atol.is_tensor()) {
    Tensor given = views::unsqueeze(atol.to_tensor(), -1);
    relative = Value(f.where(f.gt(given, 0.0), f.like(given, 0),
                             f.like(given, relative.to_scalar().to_double())));
  } else {
    relative = column(relative);
  }
  Tensor scaled = f.mul(greatest, relative);
  if (!has_atol) return scaled;
  if (!atol.is_tensor()) return f.clamp_min(scaled, atol.to_scalar().to_double());
  return c.call_tensor("aten::maximum", {scaled, column(atol)});
}

Value tolerance(const Call& c, bool absolute) {
  if (absolute)
    return c.has(arg::atol) ? c.value(arg::atol) : c.has(arg::tol) ? c.value(arg::tol) : Value();
  if (c.has(arg::rtol)) return c.value(arg::rtol);
  if (c.has(arg::rcond)) return c.value(arg::rcond);
  return c.has(arg::tol) ? Value(0.0) : Value();
}

/// Magnitudes of eigenvalues or singular values, and the greatest of each matrix.
Tensor magnitudes(const Call& c, const Tensor& a, bool hermitian) {
  if (!hermitian) return singular_values(c, Value(a));
  return Algebra(c).one("abs", eigenvalues(c, Value(a), Value(std::string("L"))));
}

Tensor greatest_of(const Call& c, const Tensor& values) {
  return c.call_tensor("aten::amax", {values, list({-1}), Value(true)});
}

void matrix_rank(Call& c) {
  Tensor a = c.first().to_tensor();
  infer::check_matrices("linalg.matrix_rank", a);
  bool hermitian = c.boolean(arg::hermitian);
  Algebra f(c);
  if (a.numel() == 0) {
    Dims batch = a.sizes();
    batch.pop_back();
    batch.pop_back();
    Tensor none = c.new_empty(batch, DType::int64);
    c.call("aten::zero_", {none});
    return c.finish(none);
  }
  Tensor values = magnitudes(c, a, hermitian);
  Tensor bound = bound_of(c, a, greatest_of(c, values), tolerance(c, true), tolerance(c, false));
  c.finish(Value(f.sum(f.gt(values, bound), -1)));
}

/// By the reciprocals of those singular values (or eigenvalues) that count.
Tensor pseudo_inverse(const Call& c, const Tensor& a, const Value& atol, const Value& rtol,
                      bool hermitian) {
  Algebra f(c);
  infer::check_matrices("linalg.pinv", a);
  if (a.numel() == 0) {
    Dims sizes = a.sizes();
    std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
    return c.new_empty(sizes, a.dtype());
  }
  Tensor left, values, right;
  if (hermitian) {
    Results found =
        all_of(c, "aten::_linalg_eigh", {Value(a), Value(std::string("L")), Value(true)});
    values = found[0].to_tensor();
    left = found[1].to_tensor();
    right = adjoint(c, left);
  } else {
    Results found = singular_parts(c, Value(a), false, true);
    left = adjoint(c, found[2].to_tensor());
    values = found[1].to_tensor();
    right = adjoint(c, found[0].to_tensor());
  }
  Tensor sizes = f.one("abs", values);
  Tensor counts = f.gt(sizes, bound_of(c, a, greatest_of(c, sizes), atol, rtol));
  Tensor inverted = f.where(counts, f.one("reciprocal", values), f.like(values, 0));
  Tensor scaled = f.mul(left, views::unsqueeze(inverted, -2));
  return c.call_tensor("aten::matmul", {scaled, right});
}

void pinv(Call& c) {
  c.finish(Value(pseudo_inverse(c, c.first().to_tensor(), tolerance(c, true), tolerance(c, false),
                                c.boolean(arg::hermitian))));
}

void pinverse(Call& c) {
  c.finish(Value(pseudo_inverse(c, c.tensor(arg::self), Value(0.0), c.value(arg::rcond), false)));
}

// Norms and conditions

void nuclear_norm(Call& c) {
  Tensor a = c.tensor(arg::self);
  Value dims = c.has(arg::dim) ? c.value(arg::dim) : list({0, 1});
  base::check(c.has(arg::dim) || a.dim() == 2, "Expected a tensor with 2 dimensions, but got a ",
              "tensor with ", a.dim(), " dimensions instead.");
  c.finish(c.call("aten::linalg_matrix_norm.str_ord",
                  {a, Value(std::string("nuc")), dims, c.value(arg::keepdim), Value()}));
}

/// |A| |A⁻¹|, or the quotient of the extreme singular values.
void cond(Call& c) {
  Algebra f(c);
  Tensor a = c.tensor(arg::self);
  infer::check_matrices("linalg.cond", a);
  Value p = c.value(arg::p);
  double order = p.is_none() ? 2 : p.is_string() ? 0 : p.to_scalar().to_double();
  if (std::fabs(order) == 2) {
    Tensor values = singular_values(c, Value(a));
    int64_t n = values.sizes().back();
    base::check(n > 0, "linalg.cond: a matrix without elements has no condition number");
    Tensor most = views::select(values, -1, 0), least = views::select(values, -1, n - 1);
    return c.finish(Value(order > 0 ? f.div(most, least) : f.div(least, most)));
  }
  check_square("linalg.cond", a);
  const char* norm =
      p.is_string() ? "aten::linalg_matrix_norm.str_ord" : "aten::linalg_matrix_norm";
  core::Values inverse = inverse_and_info(c, "linalg.cond", a);
  auto norm_of = [&](const Value& t) {
    return c.call_tensor(norm, {t, p, list({-2, -1}), Value(false), Value()});
  };
  Tensor product = f.mul(norm_of(Value(a)), norm_of(inverse[0]));
  c.finish(Value(f.where(f.gt(inverse[1], 0), f.like(product, INFINITY), product)));
}

// Tensors as matrices

int64_t product_of(core::DimSpan sizes) { return core::numel(sizes); }

void tensorinv(Call& c) {
  Tensor a = c.tensor(arg::self);
  int64_t ind = c.integer(arg::ind);
  base::check(ind > 0, "linalg.tensorinv: ind must be positive, and is ", ind);
  base::check(ind < a.dim() || a.dim() == ind, "linalg.tensorinv: there are ", a.dim(),
              " dimensions, fewer than ind = ", ind);
  auto cut = static_cast<size_t>(ind);
  core::DimSpan front(a.sizes().data(), cut), back(a.sizes().data() + cut, a.sizes().size() - cut);
  int64_t rows = product_of(front), columns = product_of(back);
  base::check(rows == columns, "linalg.tensorinv: the sizes before and after ind make ", rows,
              " and ", columns, " elements, which differ");
  Tensor flat = c.call_tensor("aten::reshape", {a, list({rows, columns})});
  Dims sizes(back);
  for (int64_t size : front) sizes.push_back(size);
  Value made = c.call("aten::linalg_inv", {flat});
  c.finish(c.call("aten::reshape", {made, core::make_int_list(sizes)}));
}

void tensorsolve(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::other);
  if (!c.is_none(arg::dims)) {
    Dims dims = views::wrap_dims(c.ints(arg::dims), a.dim()), to;
    for (size_t i = 0; i < dims.size(); ++i)
      to.push_back(a.dim() - static_cast<int64_t>(dims.size() - i));
    a = views::movedim(a, dims, to);
  }
  base::check(b.dim() <= a.dim(), "linalg.tensorsolve: other has more dimensions than self");
  auto cut = static_cast<size_t>(b.dim());
  Dims sizes(core::DimSpan(a.sizes().data() + cut, a.sizes().size() - cut));
  int64_t columns = product_of(sizes);
  base::check(columns == b.numel() && a.numel() == base::checked_mul(columns, columns),
              "linalg.tensorsolve: self is no square matrix over other: ", a.sizes(), " and ",
              b.sizes());
  Tensor flat = c.call_tensor("aten::reshape", {a, list({columns, columns})});
  Tensor right = c.call_tensor("aten::reshape", {b, list({columns})});
  Value x = c.call("aten::linalg_solve", {flat, right, Value(true)});
  c.finish(c.call("aten::reshape", {x, core::make_int_list(sizes)}));
}

constexpr Kernel factorization_table[] = {
    {"aten::linalg_lu_factor", lu_factor},
    {"aten::_lu_with_info", lu_with_info},
    {"aten::linalg_lu", lu},
    {"aten::lu_solve", lu_solve},
    {"aten::linalg_det", det},
    {"aten::det", det},
    {"aten::linalg_slogdet", slogdet},
    {"aten::slogdet", slogdet},
    {"aten::logdet", logdet},
    {"aten::linalg_solve_ex", solve_ex},
    {"aten::linalg_solve", solve},
    {"aten::linalg_inv_ex", inv_ex},
    {"aten::linalg_inv", inv},
    {"aten::inverse", inv},
    {"aten::triangular_solve", triangular_solve},
    {"aten::cholesky", cholesky},
    {"aten::qr", qr},
    {"aten::orgqr", orgqr},
    {"aten::linalg_ldl_factor", ldl_factor},
    {"aten::linalg_eigh", eigh},
    {"aten::linalg_eigvalsh", eigvalsh},
    {"aten::symeig", symeig},
    {"aten::linalg_svd", linalg_svd},
    {"aten::linalg_svdvals", svdvals},
    {"aten::svd", svd},
    {"aten::linalg_matrix_rank", matrix_rank},
    {"aten::linalg_matrix_rank.tol_tensor", matrix_rank},
    {"aten::linalg_matrix_rank.atol_rtol_float", matrix_rank},
    {"aten::linalg_matrix_rank.atol_rtol_tensor", matrix_rank},
    {"aten::linalg_pinv", pinv},
    {"aten::linalg_pinv.rcond_tensor", pinv},
    {"aten::linalg_pinv.atol_rtol_float", pinv},
    {"aten::linalg_pinv.atol_rtol_tensor", pinv},
    {"aten::pinverse", pinverse},
    {"aten::nuclear_norm", nuclear_norm},
    {"aten::nuclear_norm.dim", nuclear_norm},
    {"aten::linalg_cond", cond},
    {"aten::linalg_cond.p_str", cond},
    {"aten::linalg_tensorinv", tensorinv},
    {"aten::linalg_tensorsolve", tensorsolve},
};

}  // namespace

std::span<const Kernel> factorization_composites() { return factorization_table; }

}  // namespace assay::ops::composite
