// Eigenvalues, singular values and least squares by LAPACK; the exponential of matrices.

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/lapack.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/factorization.h"

namespace assay::kernels::reference {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;
using ops::Call;
namespace arg = ops::arg;
using ops::infer::check_matrices;
using ops::infer::check_square;

lapack_int count(int64_t n) { return static_cast<lapack_int>(n); }

template <typename T>
Tensor stored(const Call& c, const Matrices<T>& m, const Dims& sizes, bool by_columns = true) {
  Dims laid = sizes;
  size_t last = sizes.size() - 1;
  if (by_columns) std::swap(laid[last], laid[last - 1]);
  Tensor t = c.new_empty(laid, core::dtype_of<T>);
  if (by_columns) t = transposed(t, last, last - 1);
  m.store(t);
  return t;
}

template <typename T>
Tensor stored(const Call& c, const std::vector<T>& values, const Dims& sizes) {
  Tensor t = c.new_empty(sizes, core::dtype_of<T>);
  std::copy(values.begin(), values.end(), t.device_data<T>());
  return t;
}

Tensor nothing(const Call& c, DType dtype) { return c.new_empty(Dims{0}, dtype); }

/// Raises where LAPACK would end the process, or came to no end.
template <typename T>
void check_finite(const char* what, const Matrices<T>& m) {
  base::check_matrix(
      is_finite(m), what,
      ": The algorithm failed to converge because the input matrix contained non-finite "
      "values.");
}

void check_converged(const char* what, lapack_int state, int64_t batch) {
  base::check_matrix(
      state == 0, what, ": (Batch element ", batch,
      "): The algorithm failed to converge because the input matrix is ill-conditioned or "
      "has too many repeated values (error code: ",
      state, ").");
}

// Eigenvalues

void eigh(Call& c) {
  Tensor self = c.tensor(arg::A);
  check_square("linalg.eigh", self);
  check_countable(self);
  const std::string& part = c.string(arg::UPLO);
  base::check(part.size() == 1 && std::string("LUlu").find(part) != std::string::npos,
              "linalg.eigh: UPLO is 'L' or 'U', not '", part, "'");
  char half = part == "L" || part == "l" ? 'L' : 'U';
  bool with_vectors = c.boolean(arg::compute_v);
  over_lapack(self.dtype(), "linalg.eigh", [&]<typename T>(T) {
    Matrices<T> a(self);
    check_finite("linalg.eigh", a);
    int64_t n = a.rows;
    std::vector<RealOf<T>> values(static_cast<size_t>(a.count * n));
    for (int64_t i = 0; i < a.count && n > 0; ++i) {
      lapack_int state = Lapack<T>::heevd(LAPACK_COL_MAJOR, with_vectors ? 'V' : 'N', half,
                                          count(n), a[i], a.step(), values.data() + i * n);
      check_converged("linalg.eigh", state, i);
    }
    Tensor vectors = with_vectors ? stored(c, a, self.sizes()) : nothing(c, self.dtype());
    c.finish(core::Values{stored(c, values, batch_and(self, {n})), vectors});
  });
}

/// One matrix: its eigenvalues, and vectors if there is a place for them.
template <typename R>
lapack_int eigen(int64_t n, R* a, std::complex<R>* values, std::complex<R>* vectors) {
  auto size = static_cast<size_t>(n);
  std::vector<R> real(size), imaginary(size), found(vectors ? size * size : 1);
  lapack_int state =
      Lapack<R>::geev(LAPACK_COL_MAJOR, 'N', vectors ? 'V' : 'N', count(n), a, count(n),
                      real.data(), imaginary.data(), nullptr, 1, found.data(), count(n));
  for (size_t j = 0; j < size; ++j) values[j] = {real[j], imaginary[j]};
  for (size_t j = 0; vectors && j < size; ++j) {
    // Conjugate pairs share two columns: real and imaginary parts.
    bool pair = imaginary[j] != 0 && j + 1 < size;
    for (size_t i = 0; i < size; ++i) {
      R re = found[j * size + i], im = pair ? found[(j + 1) * size + i] : R{};
      vectors[j * size + i] = {re, im};
      if (pair) vectors[(j + 1) * size + i] = {re, -im};
    }
    if (pair) ++j;
  }
  return state;
}

template <typename R>
lapack_int eigen(int64_t n, std::complex<R>* a, std::complex<R>* values, std::complex<R>* vectors) {
  std::complex<R> none;
  return Lapack<std::complex<R>>::geev(LAPACK_COL_MAJOR, 'N', vectors ? 'V' : 'N', count(n), a,
                                       count(n), values, nullptr, 1, vectors ? vectors : &none,
                                       count(n));
}

core::Values eigen(Call& c, const char* what, bool with_vectors) {
  Tensor self = c.tensor(arg::self);
  check_square(what, self);
  check_countable(self);
  core::Values results;
  over_lapack(self.dtype(), what, [&]<typename T>(T) {
    using C = std::complex<RealOf<T>>;
    Matrices<T> a(self);
    base::check(is_finite(a), what, ": input tensor should not contain infs or NaNs.");
    int64_t n = a.rows;
    std::vector<C> values(static_cast<size_t>(a.count * n));
    Matrices<C> vectors(with_vectors ? a.count : 0, n, n);
    for (int64_t i = 0; i < a.count && n > 0; ++i) {
      C* place = with_vectors ? vectors[i] : nullptr;
      check_converged(what, eigen(n, a[i], values.data() + i * n, place), i);
    }
    results.push_back(stored(c, values, batch_and(self, {n})));
    if (with_vectors) results.push_back(stored(c, vectors, self.sizes()));
  });
  return results;
}

void eig(Call& c) { c.finish(eigen(c, "linalg.eig", true)); }
void eigvals(Call& c) { c.finish(eigen(c, "linalg.eigvals", false)); }

// Singular values

void svd(Call& c) {
  Tensor self = c.tensor(arg::A);
  check_matrices("linalg.svd", self);
  check_countable(self);
  base::check(c.is_none(arg::driver), "linalg.svd: a driver can be chosen on CUDA devices only");
  bool full = c.boolean(arg::full_matrices), with_vectors = c.boolean(arg::compute_uv);
  over_lapack(self.dtype(), "linalg.svd", [&]<typename T>(T) {
    Matrices<T> a(self);
    check_finite("linalg.svd", a);
    int64_t m = a.rows, n = a.columns, least = std::min(m, n), some = with_vectors ? a.count : 0;
    Matrices<T> u(some, m, full ? m : least), v(some, full ? n : least, n);
    std::vector<RealOf<T>> values(static_cast<size_t>(a.count * least));
    T none{};
    for (int64_t i = 0; i < a.count; ++i) {
      if (least == 0) {
        // Any basis will do.
        for (int64_t d = 0; some && d < std::min(u.rows, u.columns); ++d) u.at(i, d, d) = T{1};
        for (int64_t d = 0; some && d < std::min(v.rows, v.columns); ++d) v.at(i, d, d) = T{1};
        continue;
      }
      lapack_int state =
          Lapack<T>::gesdd(LAPACK_COL_MAJOR,
                           !with_vectors ? 'N'
                           : full        ? 'A'
                                         : 'S',
                           count(m), count(n), a[i], a.step(), values.data() + i * least,
                           some ? u[i] : &none, u.step(), some ? v[i] : &none, v.step());
      check_converged("linalg.svd", state, i);
    }
    Tensor left = nothing(c, self.dtype()), right = left;
    if (with_vectors) {
      left = stored(c, u, batch_and(self, {m, u.columns}));
      right = stored(c, v, batch_and(self, {v.rows, n}));
    }
    c.finish(core::Values{left, stored(c, values, batch_and(self, {least})), right});
  });
}

// Least squares

enum class Driver { gels, gelsy, gelsd, gelss };

Driver driver_of(const Call& c) {
  if (c.is_none(arg::driver)) return Driver::gelsy;
  const std::string& name = c.string(arg::driver);
  if (name == "gels") return Driver::gels;
  if (name == "gelsy") return Driver::gelsy;
  if (name == "gelsd") return Driver::gelsd;
  base::check(name == "gelss", "torch.linalg.lstsq: driver is one of gels, gelsy, gelsd and ",
              "gelss, not ", name);
  return Driver::gelss;
}

/// A batch of equations while they are solved.
template <typename T>
struct LeastSquares {
  Matrices<T> a, x;  ///< `x` has the right sides, and room for the solution.
  std::vector<lapack_int> ranks;
  std::vector<RealOf<T>> values;

  void solve(Driver driver, RealOf<T> rcond) {
    int64_t least = std::min(a.rows, a.columns);
    ranks.resize(static_cast<size_t>(a.count));
    values.resize(static_cast<size_t>(a.count * least));
    for (int64_t i = 0; i < a.count && least > 0 && x.columns > 0; ++i) {
      lapack_int m = count(a.rows), n = count(a.columns), k = count(x.columns), state = 0;
      lapack_int& rank = ranks[static_cast<size_t>(i)];
      auto* s = values.data() + i * least;
      std::vector<lapack_int> order(static_cast<size_t>(n));
      if (driver == Driver::gels)
        state = Lapack<T>::gels(LAPACK_COL_MAJOR, 'N', m, n, k, a[i], a.step(), x[i], x.step());
      if (driver == Driver::gelsy)
        state = Lapack<T>::gelsy(LAPACK_COL_MAJOR, m, n, k, a[i], a.step(), x[i], x.step(),
                                 order.data(), rcond, &rank);
      if (driver == Driver::gelsd)
        state = Lapack<T>::gelsd(LAPACK_COL_MAJOR, m, n, k, a[i], a.step(), x[i], x.step(), s,
                                 rcond, &rank);
      if (driver == Driver::gelss)
        state = Lapack<T>::gelss(LAPACK_COL_MAJOR, m, n, k, a[i], a.step(), x[i], x.step(), s,
                                 rcond, &rank);
      base::check_matrix(
          state == 0, "torch.linalg.lstsq: (Batch element ", i,
          "): The least squares solution could not be computed because the input matrix "
          "does not have full rank (error code: ",
          state, ").");
    }
  }
};

/// Sums of squares of what the solution does not reach: the rows below it.
template <typename T>
std::vector<RealOf<T>> squares_below(Matrices<T>& x, int64_t n) {
  std::vector<RealOf<T>> sums;
  for (int64_t i = 0; i < x.count; ++i) {
    for (int64_t j = 0; j < x.columns; ++j) {
      RealOf<T> sum{};
      for (int64_t r = n; r < x.rows; ++r) sum += std::norm(x.at(i, r, j));
      sums.push_back(sum);
    }
  }
  return sums;
}

void lstsq(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::b);
  const char* what = "torch.linalg.lstsq";
  check_matrices(what, a);
  bool vector = b.dim() == 1 ||
                (b.dim() + 1 == a.dim() &&
                 core::DimSpan(a.sizes().data(), a.sizes().size() - 1).size() == b.sizes().size() &&
                 batch_and(a, {a.size(a.sizes().size() - 2)}) == b.sizes());
  base::check(b.dim() > 0, what, ": other must have at least 1 dimension");
  if (vector) {
    Dims sizes = b.sizes(), strides = b.strides();
    sizes.push_back(1);
    strides.push_back(1);
    b = b.view(sizes, strides, b.offset());
  }
  check_matrices(what, b);
  check_countable(a);
  check_countable(b);
  base::check(a.dtype() == b.dtype(), what, ": the element types differ");
  base::check(a.size(a.sizes().size() - 2) == b.size(b.sizes().size() - 2), what,
              ": the numbers of rows differ: ", a.sizes(), " and ", b.sizes());
  Dims batch = core::broadcast(batch_and(a, {}), batch_and(b, {}));
  auto wide = [&](const Tensor& t) {
    Dims sizes = batch;
    sizes.push_back(t.size(t.sizes().size() - 2));
    sizes.push_back(t.sizes().back());
    return expanded(t, sizes);
  };
  a = wide(a);
  b = wide(b);
  Driver driver = driver_of(c);
  over_lapack(a.dtype(), what, [&]<typename T>(T) {
    using R = RealOf<T>;
    Matrices<T> right(b);
    int64_t m = a.size(a.sizes().size() - 2), n = a.sizes().back(), k = right.columns;
    LeastSquares<T> problem{Matrices<T>(a), Matrices<T>(right.count, std::max(m, n), k), {}, {}};
    for (int64_t i = 0; i < right.count; ++i) {
      for (int64_t j = 0; j < k; ++j)
        std::copy_n(right[i] + j * m, m, problem.x[i] + j * problem.x.rows);
    }
    check_finite(what, problem.a);
    check_finite(what, right);
    R rcond = c.is_none(arg::rcond)
                  ? std::numeric_limits<R>::epsilon() * static_cast<R>(std::max(m, n))
                  : static_cast<R>(c.floating(arg::rcond));
    base::check(std::isfinite(rcond), what, ": rcond is not finite");
    problem.solve(driver, rcond);
    Dims solved = batch;
    solved.push_back(n);
    Tensor whole = stored(c, problem.x, batch_and(a, {problem.x.rows, k}));
    Tensor solution = whole.view(batch_and(a, {n, k}), whole.strides(), whole.offset());
    if (vector) {
      Dims strides = solution.strides();
      strides.pop_back();
      solution = solution.view(solved, strides, solution.offset());
    }
    bool by_values = driver == Driver::gelsd || driver == Driver::gelss;
    bool full = std::all_of(problem.ranks.begin(), problem.ranks.end(),
                            [&](lapack_int rank) { return rank == n; });
    Tensor residuals = nothing(c, core::dtype_of<R>), ranks = nothing(c, DType::int64),
           values = residuals;
    if (m > n && (driver == Driver::gels || (by_values && full))) {
      Dims sizes = batch;
      sizes.push_back(k);
      residuals = stored(c, squares_below(problem.x, n), sizes);
    }
    if (driver != Driver::gels) {
      ranks = stored(c, std::vector<int64_t>(problem.ranks.begin(), problem.ranks.end()), batch);
    }
    if (by_values) values = stored(c, problem.values, batch_and(a, {std::min(m, n)}));
    c.finish(core::Values{solution, residuals, ranks, values});
  });
}

// The exponential

/// a * b for n by n matrices.
template <typename W>
std::vector<W> product(const std::vector<W>& a, const std::vector<W>& b, size_t n) {
  std::vector<W> out(n * n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < n; ++k) {
      for (size_t j = 0; j < n; ++j)
        out[i * n + j] = multiply_add(out[i * n + j], a[i * n + k], b[k * n + j]);
    }
  }
  return out;
}

/// Scaling and squaring: the power series of a matrix so small that 24 terms are enough.
template <typename W>
std::vector<W> exponential(std::vector<W> a, size_t n) {
  double norm = 0;
  for (size_t j = 0; j < n; ++j) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += std::abs(a[i * n + j]);
    norm = std::isnan(sum) ? sum : std::max(norm, sum);
  }
  int squarings = norm > 0.5 && std::isfinite(norm) ? std::ilogb(norm) + 2 : 0;
  for (W& v : a) v *= std::ldexp(1.0, -squarings);
  std::vector<W> sum(n * n), term(n * n);
  for (size_t i = 0; i < n; ++i) sum[i * n + i] = term[i * n + i] = W{1};
  for (int power = 1; power <= 24; ++power) {
    term = product(term, a, n);
    for (size_t i = 0; i < n * n; ++i) {
      term[i] /= static_cast<double>(power);
      sum[i] += term[i];
    }
  }
  for (int i = 0; i < squarings; ++i) sum = product(sum, sum, n);
  return sum;
}

void matrix_exp(Call& c) {
  Tensor self = c.tensor(arg::self);
  check_square("linalg.matrix_exp", self);
  base::check(core::is_floating(self.dtype()) || core::is_complex(self.dtype()),
              "linalg.matrix_exp: expected a tensor of floating or complex elements, got ",
              core::script_name(self.dtype()));
  auto n = static_cast<size_t>(self.sizes().back());
  Tensor out = c.new_empty(self.sizes(), self.dtype());
  over_wide(self.dtype(), [&]<typename W>(W) {
    if constexpr (!std::is_same_v<W, int64_t>) {
      auto all = dense<W>(self);
      for (auto at = all.values.begin(); n > 0 && at != all.values.end();) {
        auto end = at + static_cast<std::ptrdiff_t>(n * n);
        auto made = exponential(std::vector<W>(at, end), n);
        at = std::copy(made.begin(), made.end(), at);
      }
      store(all, out);
    }
  });
  c.finish(out);
}

constexpr ops::Kernel decomposition_table[] = {
    {"aten::_linalg_eigh", eigh},      {"aten::linalg_eig", eig},
    {"aten::linalg_eigvals", eigvals}, {"aten::_linalg_svd", svd},
    {"aten::linalg_lstsq", lstsq},     {"aten::linalg_matrix_exp", matrix_exp},
};

}  // namespace

std::span<const ops::Kernel> decomposition_kernels() { return decomposition_table; }

}  // namespace assay::kernels::reference
