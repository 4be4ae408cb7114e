// Factorizations by LAPACK, and the solution of equations by them.

#include "engine/ops/infer/factorization.h"

#include <cmath>
#include <cstdlib>

#include "engine/base/error.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/lapack.h"
#include "engine/ops/dispatch.h"

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

size_t back(const Tensor& t, int64_t from_end) { return static_cast<size_t>(t.dim() - from_end); }
int64_t rows_of(const Tensor& t) { return t.size(back(t, 2)); }
int64_t columns_of(const Tensor& t) { return t.size(back(t, 1)); }
lapack_int count(int64_t n) { return static_cast<lapack_int>(n); }

/// A tensor of matrices that lie column after column.
Tensor by_columns(const Call& c, const Dims& sizes, DType dtype) {
  size_t last = sizes.size() - 1;
  Dims turned = sizes;
  std::swap(turned[last], turned[last - 1]);
  Tensor t = c.new_empty(turned, dtype);
  Dims strides = t.strides();
  std::swap(strides[last], strides[last - 1]);
  return t.view(sizes, strides, t.offset());
}

template <typename T>
Tensor stored(const Call& c, const Matrices<T>& m, const Dims& sizes, DType dtype) {
  Tensor out = by_columns(c, sizes, dtype);
  m.store(out);
  return out;
}

/// The tensor of a smaller batch, repeated.
Tensor broadcast_batch(const Tensor& t, const Dims& batch) {
  Dims sizes = batch;
  sizes.push_back(rows_of(t));
  sizes.push_back(columns_of(t));
  Dims strides = core::broadcast_strides(t.sizes(), t.strides(), sizes);
  return t.view(sizes, strides, t.offset());
}

Dims common_batch(const Tensor& a, const Tensor& b) {
  return core::broadcast(batch_and(a, {}), batch_and(b, {}));
}

// LU

void lu_factor_ex(Call& c) {
  Tensor a = c.tensor(arg::A);
  check_matrices("linalg.lu_factor", a);
  check_countable(a);
  base::check(c.boolean(arg::pivot),
              "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
  over_lapack(a.dtype(), "linalg.lu_factor", [&]<typename T>(T) {
    Matrices<T> lu(a);
    int64_t least = std::min(lu.rows, lu.columns);
    Tensor pivots = c.new_empty(batch_and(a, {least}), DType::int32),
           info = c.new_empty(batch_and(a, {}), DType::int32);
    for (int64_t i = 0; i < lu.count; ++i) {
      lapack_int state = 0;
      if (least > 0) {
        state = Lapack<T>::getrf(LAPACK_COL_MAJOR, count(lu.rows), count(lu.columns), lu[i],
                                 lu.step(), pivots.device_data<int32_t>() + i * least);
      }
      info.device_data<int32_t>()[i] = state;
    }
    c.finish(core::Values{stored(c, lu, a.sizes(), a.dtype()), pivots, info});
  });
}

/// Pivots of a factorization, which a caller may have made up.
std::vector<lapack_int> pivots_of(const Tensor& pivots, const Dims& batch, int64_t n,
                                  const char* what) {
  base::check(pivots.dtype() == DType::int32, what, ": pivots are int32, not ",
              core::script_name(pivots.dtype()));
  Dims wanted = batch;
  wanted.push_back(pivots.dim() > 0 ? pivots.sizes().back() : 0);
  base::check(pivots.dim() > 0, what, ": pivots need a dimension");
  Tensor all = pivots.view(
      wanted, core::broadcast_strides(pivots.sizes(), pivots.strides(), wanted), pivots.offset());
  std::vector<lapack_int> out;
  int64_t each = wanted.back(), rows = core::numel(batch);
  Dims index(wanted.size(), 0);
  for (int64_t i = 0; i < rows * each; ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < wanted.size(); ++d) at += index[d] * all.stride(d);
    lapack_int pivot = all.device_data<int32_t>()[at];
    base::check(
        std::abs(static_cast<int64_t>(pivot)) >= 1 && std::abs(static_cast<int64_t>(pivot)) <= n,
        what, ": the pivot ", pivot, " is none of the ", n, " rows");
    out.push_back(pivot);
    for (size_t d = wanted.size(); d-- > 0;) {
      if (++index[d] < wanted[d]) break;
      index[d] = 0;
    }
  }
  return out;
}

/// What the solvers below require of a factor and a right side.
void check_system(const char* what, const Tensor& a, const Tensor& b, bool left) {
  check_square(what, a);
  check_matrices(what, b);
  check_countable(a);
  check_countable(b);
  base::check(a.dtype() == b.dtype(), what,
              ": the element types differ: ", core::script_name(a.dtype()), " and ",
              core::script_name(b.dtype()));
  base::check(rows_of(a) == (left ? rows_of(b) : columns_of(b)), what,
              ": the sizes do not fit: ", a.sizes(), " and ", b.sizes());
}

/// The transposed matrices, conjugated if asked for.
template <typename T>
Matrices<T> turned(Matrices<T>& m, bool conjugate) {
  Matrices<T> out(m.count, m.columns, m.rows);
  for (int64_t i = 0; i < m.count; ++i) {
    for (int64_t r = 0; r < m.rows; ++r) {
      for (int64_t k = 0; k < m.columns; ++k) {
        T v = m.at(i, r, k);
        if constexpr (common::is_complex_type<T>) v = conjugate ? std::conj(v) : v;
        out.at(i, k, r) = v;
      }
    }
  }
  return out;
}

/// A X = B, or X A = B by (Aᵀ Xᵀ = Bᵀ).
void lu_solve(Call& c) {
  Tensor lu = c.tensor(arg::LU), b = c.tensor(arg::B);
  bool left = c.boolean(arg::left), adjoint = c.boolean(arg::adjoint);
  check_system("linalg.lu_solve", lu, b, left);
  Dims batch = common_batch(lu, b);
  lu = broadcast_batch(lu, batch);
  b = broadcast_batch(b, batch);
  int64_t n = rows_of(lu);
  auto pivots = pivots_of(c.tensor(arg::pivots), batch, n, "linalg.lu_solve");
  base::check(static_cast<int64_t>(pivots.size()) == core::numel(batch) * n,
              "linalg.lu_solve: there must be a pivot for each row");
  for (lapack_int pivot : pivots)
    base::check(pivot > 0, "linalg.lu_solve: the pivot ", pivot, " is none of the ", n, " rows");
  over_lapack(lu.dtype(), "linalg.lu_solve", [&]<typename T>(T) {
    Matrices<T> factor(lu), right(b);
    if (!left) right = turned(right, true);
    // Aᴴ for the adjoint; its own adjoint is A.
    char how = adjoint == left ? 'C' : 'N';
    for (int64_t i = 0; i < factor.count && n > 0 && right.columns > 0; ++i) {
      Lapack<T>::getrs(LAPACK_COL_MAJOR, how, count(n), count(right.columns), factor[i],
                       factor.step(), pivots.data() + i * n, right[i], right.step());
    }
    if (left) return c.finish(stored(c, right, b.sizes(), b.dtype()));
    Tensor out = c.new_empty(b.sizes(), b.dtype());
    turned(right, true).store(out);
    c.finish(out);
  });
}

/// The permutation, and the factors that share a matrix.
void lu_unpack(Call& c) {
  Tensor lu = c.tensor(arg::LU_data);
  check_matrices("lu_unpack", lu);
  check_countable(lu);
  int64_t m = rows_of(lu), n = columns_of(lu), k = std::min(m, n);
  Dims batch = batch_and(lu, {});
  Tensor p = c.new_empty(Dims{0}, lu.dtype()), l = p, u = p;
  over_lapack(lu.dtype(), "lu_unpack", [&]<typename T>(T) {
    Matrices<T> packed(lu);
    if (c.boolean(arg::unpack_data)) {
      Matrices<T> lower(packed.count, m, k), upper(packed.count, k, n);
      for (int64_t i = 0; i < packed.count; ++i) {
        for (int64_t r = 0; r < m; ++r) {
          for (int64_t j = 0; j < k; ++j)
            lower.at(i, r, j) = r == j ? T{1} : r > j ? packed.at(i, r, j) : T{};
        }
        for (int64_t r = 0; r < k; ++r) {
          for (int64_t j = r; j < n; ++j) upper.at(i, r, j) = packed.at(i, r, j);
        }
      }
      l = c.new_empty(batch_and(lu, {m, k}), lu.dtype());
      u = c.new_empty(batch_and(lu, {k, n}), lu.dtype());
      lower.store(l);
      upper.store(u);
    }
    if (!c.boolean(arg::unpack_pivots)) return;
    auto pivots = pivots_of(c.tensor(arg::LU_pivots), batch, m, "lu_unpack");
    base::check(static_cast<int64_t>(pivots.size()) == packed.count * k,
                "lu_unpack: there must be a pivot for each step");
    Matrices<T> order(packed.count, m, m);
    for (int64_t i = 0; i < packed.count; ++i) {
      std::vector<int64_t> rows(static_cast<size_t>(m));
      for (int64_t r = 0; r < m; ++r) rows[static_cast<size_t>(r)] = r;
      for (int64_t r = 0; r < k; ++r) {
        lapack_int pivot = pivots[static_cast<size_t>(i * k + r)];
        base::check(pivot > 0, "lu_unpack: the pivot ", pivot, " is none of the ", m, " rows");
        std::swap(rows[static_cast<size_t>(r)], rows[static_cast<size_t>(pivot - 1)]);
      }
      for (int64_t r = 0; r < m; ++r) order.at(i, rows[static_cast<size_t>(r)], r) = T{1};
    }
    p = c.new_empty(batch_and(lu, {m, m}), lu.dtype());
    order.store(p);
  });
  c.finish(core::Values{p, l, u});
}

// QR

/// Factors in place; the scales of the reflections.
template <typename T>
std::vector<T> reflect(Matrices<T>& a) {
  int64_t least = std::min(a.rows, a.columns);
  std::vector<T> tau(static_cast<size_t>(a.count * least));
  for (int64_t i = 0; i < a.count && least > 0; ++i) {
    Lapack<T>::geqrf(LAPACK_COL_MAJOR, count(a.rows), count(a.columns), a[i], a.step(),
                     tau.data() + i * least);
  }
  return tau;
}

/// The product of `tau_count` reflections, of as many columns as the matrices have.
template <typename T>
void multiply_reflections(Matrices<T>& a, const std::vector<T>& tau, int64_t tau_count) {
  for (int64_t i = 0; i < a.count && a.rows > 0 && a.columns > 0; ++i) {
    Lapack<T>::orgqr(LAPACK_COL_MAJOR, count(a.rows), count(a.columns), count(tau_count), a[i],
                     a.step(), tau.data() + i * tau_count);
  }
}

template <typename T>
Tensor vectors(const Call& c, const std::vector<T>& values, const Dims& sizes, DType dtype) {
  Tensor out = c.new_empty(sizes, dtype);
  std::copy(values.begin(), values.end(), out.device_data<T>());
  return out;
}

template <typename T>
std::vector<T> values_of(const Tensor& t) {
  // As one row of a matrix, each.
  Dims sizes = t.sizes(), strides = t.strides();
  sizes.insert(sizes.size() - 1, 1);
  strides.insert(strides.size() - 1, 0);
  return Matrices<T>(t.view(sizes, strides, t.offset())).values;
}

void geqrf(Call& c) {
  Tensor self = c.tensor(arg::self);
  check_matrices("geqrf", self);
  check_countable(self);
  over_lapack(self.dtype(), "geqrf", [&]<typename T>(T) {
    Matrices<T> a(self);
    auto tau = reflect(a);
    c.finish(core::Values{
        stored(c, a, self.sizes(), self.dtype()),
        vectors(c, tau, batch_and(self, {std::min(a.rows, a.columns)}), self.dtype())});
  });
}

void qr(Call& c) {
  Tensor self = c.tensor(arg::A);
  const std::string& mode = c.string(arg::mode);
  check_matrices("linalg.qr", self);
  check_countable(self);
  bool complete = mode == "complete", only_r = mode == "r";
  base::check(complete || only_r || mode == "reduced",
              "linalg.qr: mode is 'reduced', 'complete' or 'r', not '", mode, "'");
  over_lapack(self.dtype(), "linalg.qr", [&]<typename T>(T) {
    Matrices<T> a(self);
    int64_t m = a.rows, n = a.columns, least = std::min(m, n), k = complete ? m : least;
    auto tau = reflect(a);
    Matrices<T> r(a.count, k, n), q(only_r ? 0 : a.count, m, k);
    for (int64_t i = 0; i < a.count; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t row = 0; row <= std::min(j, k - 1); ++row) r.at(i, row, j) = a.at(i, row, j);
      }
      if (!only_r) std::copy_n(a[i], m * std::min(n, k), q[i]);
    }
    Tensor factor = c.new_empty(Dims{0}, self.dtype());
    if (!only_r) {
      multiply_reflections(q, tau, least);
      factor = stored(c, q, batch_and(self, {m, k}), self.dtype());
    }
    c.finish(core::Values{factor, stored(c, r, batch_and(self, {k, n}), self.dtype())});
  });
}

/// What a set of reflections requires.
void check_reflections(const char* what, const Tensor& a, const Tensor& tau) {
  check_matrices(what, a);
  check_countable(a);
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
  over_lapack(a.dtype(), "linalg.householder_product", [&]<typename T>(T) {
    Matrices<T> q(a);
    multiply_reflections(q, values_of<T>(tau), tau.sizes().back());
    c.finish(stored(c, q, a.sizes(), a.dtype()));
  });
}

void ormqr(Call& c) {
  Tensor a = c.tensor(arg::self), tau = c.tensor(arg::input2), other = c.tensor(arg::input3);
  bool left = c.boolean(arg::left), transpose = c.boolean(arg::transpose);
  check_reflections("ormqr", a, tau);
  check_matrices("ormqr", other);
  check_countable(other);
  base::check(other.dtype() == a.dtype(), "ormqr: the element types differ");
  base::check(batch_and(a, {}) == batch_and(other, {}), "ormqr: the batches differ");
  int64_t length = left ? rows_of(other) : columns_of(other), k = tau.sizes().back();
  base::check(rows_of(a) == length && k <= length && k <= columns_of(a),
              "ormqr: the sizes do not fit: ", a.sizes(), ", ", tau.sizes(), " and ",
              other.sizes());
  over_lapack(a.dtype(), "ormqr", [&]<typename T>(T) {
    Matrices<T> reflections(a), result(other);
    auto scales = values_of<T>(tau);
    char how = !transpose ? 'N' : common::is_complex_type<T> ? 'C' : 'T';
    for (int64_t i = 0; i < result.count && result.rows > 0 && result.columns > 0; ++i) {
      Lapack<T>::ormqr(LAPACK_COL_MAJOR, left ? 'L' : 'R', how, count(result.rows),
                       count(result.columns), count(k), reflections[i], reflections.step(),
                       scales.data() + i * k, result[i], result.step());
    }
    c.finish(stored(c, result, other.sizes(), other.dtype()));
  });
}

// Symmetric matrices

void ldl_factor_ex(Call& c) {
  Tensor self = c.tensor(arg::self);
  check_square("linalg.ldl_factor_ex", self);
  check_countable(self);
  bool hermitian = c.boolean(arg::hermitian);
  over_lapack(self.dtype(), "linalg.ldl_factor_ex", [&]<typename T>(T) {
    Matrices<T> a(self);
    int64_t n = a.rows;
    Tensor pivots = c.new_empty(batch_and(self, {n}), DType::int32),
           info = c.new_empty(batch_and(self, {}), DType::int32);
    for (int64_t i = 0; i < a.count; ++i) {
      int32_t* order = pivots.device_data<int32_t>() + i * n;
      auto routine = hermitian ? Lapack<T>::hetrf : Lapack<T>::sytrf;
      info.device_data<int32_t>()[i] =
          n == 0 ? 0 : routine(LAPACK_COL_MAJOR, 'L', count(n), a[i], a.step(), order);
      // Above the factor stands what stood there.
      for (int64_t j = 1; j < n; ++j) std::fill_n(a[i] + j * n, j, T{});
    }
    c.finish(core::Values{stored(c, a, self.sizes(), self.dtype()), pivots, info});
  });
}

/// Blocks of two rows have their negative pivot twice.
void check_blocks(const lapack_int* pivots, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (pivots[i] > 0) continue;
    base::check(i + 1 < n && pivots[i + 1] == pivots[i],
                "linalg.ldl_solve: these are no pivots of a factorization");
    ++i;
  }
}

void ldl_solve(Call& c) {
  Tensor ld = c.tensor(arg::LD), b = c.tensor(arg::B);
  bool hermitian = c.boolean(arg::hermitian);
  check_system("linalg.ldl_solve", ld, b, true);
  Dims batch = common_batch(ld, b);
  ld = broadcast_batch(ld, batch);
  b = broadcast_batch(b, batch);
  int64_t n = rows_of(ld);
  auto pivots = pivots_of(c.tensor(arg::pivots), batch, n, "linalg.ldl_solve");
  base::check(static_cast<int64_t>(pivots.size()) == core::numel(batch) * n,
              "linalg.ldl_solve: there must be a pivot for each row");
  over_lapack(ld.dtype(), "linalg.ldl_solve", [&]<typename T>(T) {
    Matrices<T> factor(ld), right(b);
    for (int64_t i = 0; i < factor.count && n > 0 && right.columns > 0; ++i) {
      check_blocks(pivots.data() + i * n, n);
      auto routine = hermitian ? Lapack<T>::hetrs : Lapack<T>::sytrs;
      routine(LAPACK_COL_MAJOR, 'L', count(n), count(right.columns), factor[i], factor.step(),
              pivots.data() + i * n, right[i], right.step());
    }
    c.finish(stored(c, right, b.sizes(), b.dtype()));
  });
}

void cholesky_ex(Call& c) {
  Tensor self = c.tensor(arg::self);
  check_square("linalg.cholesky_ex", self);
  check_countable(self);
  bool upper = c.boolean(arg::upper);
  over_lapack(self.dtype(), "linalg.cholesky_ex", [&]<typename T>(T) {
    Matrices<T> a(self);
    int64_t n = a.rows;
    Tensor info = c.new_empty(batch_and(self, {}), DType::int32);
    for (int64_t i = 0; i < a.count; ++i) {
      char part = upper ? 'U' : 'L';
      info.device_data<int32_t>()[i] =
          n == 0 ? 0 : Lapack<T>::potrf(LAPACK_COL_MAJOR, part, count(n), a[i], a.step());
      for (int64_t j = 0; j < n; ++j) {
        if (upper) std::fill_n(a[i] + j * n + j + 1, n - j - 1, T{});
        if (!upper) std::fill_n(a[i] + j * n, j, T{});
      }
    }
    c.finish(core::Values{stored(c, a, self.sizes(), self.dtype()), info});
  });
}

void cholesky_solve(Call& c) {
  Tensor b = c.tensor(arg::self), factor = c.tensor(arg::input2);
  check_system("cholesky_solve", factor, b, true);
  Dims batch = common_batch(factor, b);
  factor = broadcast_batch(factor, batch);
  b = broadcast_batch(b, batch);
  char part = c.boolean(arg::upper) ? 'U' : 'L';
  over_lapack(b.dtype(), "cholesky_solve", [&]<typename T>(T) {
    Matrices<T> triangle(factor), right(b);
    for (int64_t i = 0; i < right.count && right.rows > 0 && right.columns > 0; ++i) {
      Lapack<T>::potrs(LAPACK_COL_MAJOR, part, count(right.rows), count(right.columns), triangle[i],
                       triangle.step(), right[i], right.step());
    }
    c.finish(stored(c, right, b.sizes(), b.dtype()));
  });
}

/// Of the matrix whose factor is given; LAPACK fills one half.
void cholesky_inverse(Call& c) {
  Tensor self = c.tensor(arg::self);
  check_square("cholesky_inverse", self);
  check_countable(self);
  bool upper = c.boolean(arg::upper);
  over_lapack(self.dtype(), "cholesky_inverse", [&]<typename T>(T) {
    Matrices<T> a(self);
    int64_t n = a.rows;
    for (int64_t i = 0; i < a.count && n > 0; ++i) {
      lapack_int state =
          Lapack<T>::potri(LAPACK_COL_MAJOR, upper ? 'U' : 'L', count(n), a[i], a.step());
      base::check(state == 0, "cholesky_inverse: the diagonal element ", state,
                  " of the factor is zero, so that the matrix has no inverse");
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t r = 0; r < j; ++r) {
          T& above = a.at(i, r, j);
          T& below = a.at(i, j, r);
          (upper ? below : above) = upper ? above : below;
          if constexpr (common::is_complex_type<T>) {
            T& made = upper ? below : above;
            made = std::conj(made);
          }
        }
      }
    }
    c.finish(stored(c, a, self.sizes(), self.dtype()));
  });
}

/// Triangular A; X A = B by its transposed equation.
void solve_triangular(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::B);
  bool left = c.boolean(arg::left), upper = c.boolean(arg::upper);
  check_system("linalg.solve_triangular", a, b, left);
  Dims batch = common_batch(a, b);
  a = broadcast_batch(a, batch);
  b = broadcast_batch(b, batch);
  char diagonal = c.boolean(arg::unitriangular) ? 'U' : 'N';
  over_lapack(a.dtype(), "linalg.solve_triangular", [&]<typename T>(T) {
    Matrices<T> triangle(a), right(b);
    if (!left) right = turned(right, false);
    int64_t n = right.rows;
    for (int64_t i = 0; i < right.count && n > 0 && right.columns > 0; ++i) {
      // LAPACK would leave the right side as it is where a divisor is 0, PyTorch's BLAS divides.
      for (int64_t k = 0; k < right.columns; ++k) {
        T* x = right[i] + k * n;
        for (int64_t step = 0; step < n; ++step) {
          bool down = upper != left;
          int64_t r = down ? step : n - 1 - step;
          T rest = x[r];
          for (int64_t done = 0; done < step; ++done) {
            int64_t j = down ? done : n - 1 - done;
            rest -= (left ? triangle.at(i, r, j) : triangle.at(i, j, r)) * x[j];
          }
          x[r] = diagonal == 'U' ? rest : rest / triangle.at(i, r, r);
        }
      }
    }
    c.finish(stored(c, left ? right : turned(right, false), b.sizes(), b.dtype()));
  });
}

constexpr ops::Kernel factorization_table[] = {
    {"aten::linalg_lu_factor_ex", lu_factor_ex},
    {"aten::linalg_lu_solve", lu_solve},
    {"aten::lu_unpack", lu_unpack},
    {"aten::geqrf", geqrf},
    {"aten::linalg_qr", qr},
    {"aten::linalg_householder_product", householder_product},
    {"aten::ormqr", ormqr},
    {"aten::linalg_ldl_factor_ex", ldl_factor_ex},
    {"aten::linalg_ldl_solve", ldl_solve},
    {"aten::linalg_cholesky_ex", cholesky_ex},
    {"aten::cholesky_solve", cholesky_solve},
    {"aten::cholesky_inverse", cholesky_inverse},
    {"aten::linalg_solve_triangular", solve_triangular},
};

}  // namespace

std::span<const ops::Kernel> factorization_kernels() { return factorization_table; }

}  // namespace assay::kernels::reference
