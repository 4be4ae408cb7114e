// What cuSOLVER does for the kernels of assay, where there is no GPU: LAPACK does it.

#include <algorithm>

#include "engine/base/error.h"
#include "engine/kernels/cuda/factor_elements.h"
#include "engine/kernels/cuda/matrices.h"
#include "engine/kernels/cuda/solver.h"
#include "engine/kernels/reference/lapack.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;
using ops::Call;
using reference::Lapack;
using reference::over_lapack;
using reference::RealOf;

constexpr int by_columns = LAPACK_COL_MAJOR;

/// A batch of matrices as the libraries see it.
template <typename T>
struct Batch {
  T* data;
  int64_t count;
  lapack_int rows, columns;

  explicit Batch(const Tensor& t, bool is_turned = false)
      : data(t.device_data<T>()),
        count(t.numel() / (rows_of(t) * columns_of(t))),
        rows(static_cast<lapack_int>(rows_of(t))),
        columns(static_cast<lapack_int>(columns_of(t))) {
    base::invariant((is_turned ? t : turned_view(t)).is_contiguous() && t.numel() > 0,
                    "these matrices do not lie as LAPACK wants them");
  }
  T* operator[](int64_t i) const { return data + i * rows * columns; }
};

int32_t* numbers_of(const Tensor& t) { return t.device_data<int32_t>(); }
char part(bool upper) { return upper ? 'U' : 'L'; }

template <typename Body>
void over(const Tensor& t, Body&& body) {
  over_lapack(t.dtype(), "a factorization", body);
}

template <typename T>
char adjoint_of() {
  return common::is_complex_type<T> ? 'C' : 'T';
}

template <typename T>
void substitute(const Batch<T>& a, int64_t i, Triangle how, bool left, T* b, int64_t rows,
                int64_t columns) {
  auto at = [&](int64_t r, int64_t k) {
    if (how.transposed) std::swap(r, k);
    return a[i][r + k * a.rows];
  };
  int64_t n = a.rows, systems = left ? columns : rows, step = left ? 1 : rows;
  bool down = how.upper != left;
  for (int64_t s = 0; s < systems; ++s) {
    T* x = b + (left ? s * rows : s);
    for (int64_t done = 0; done < n; ++done) {
      int64_t r = down ? done : n - 1 - done;
      T rest = x[r * step];
      for (int64_t before = 0; before < done; ++before) {
        int64_t j = down ? before : n - 1 - before;
        rest -= (left ? at(r, j) : at(j, r)) * x[j * step];
      }
      x[r * step] = how.unit ? rest : rest / at(r, r);
    }
  }
}

}  // namespace

void factor_lu(const Call&, const Tensor& a, const Tensor& pivots, const Tensor& info) {
  over(a, [&]<typename T>(T) {
    Batch<T> m(a);
    int64_t least = std::min(m.rows, m.columns);
    for (int64_t i = 0; i < m.count; ++i) {
      numbers_of(info)[i] = Lapack<T>::getrf(by_columns, m.rows, m.columns, m[i], m.rows,
                                             numbers_of(pivots) + i * least);
    }
  });
}

void solve_lu(const Call&, const Tensor& lu, const Tensor& pivots, bool adjoint, const Tensor& b) {
  over(lu, [&]<typename T>(T) {
    Batch<T> m(lu), x(b);
    for (int64_t i = 0; i < m.count; ++i) {
      Lapack<T>::getrs(by_columns, adjoint ? adjoint_of<T>() : 'N', m.rows, x.columns, m[i], m.rows,
                       numbers_of(pivots) + i * m.rows, x[i], x.rows);
    }
  });
}

void factor_cholesky(const Call&, const Tensor& a, bool upper, const Tensor& info) {
  over(a, [&]<typename T>(T) {
    Batch<T> m(a);
    for (int64_t i = 0; i < m.count; ++i)
      numbers_of(info)[i] = Lapack<T>::potrf(by_columns, part(upper), m.rows, m[i], m.rows);
  });
}

void solve_cholesky(const Call&, const Tensor& factor, bool upper, const Tensor& b) {
  over(b, [&]<typename T>(T) {
    Batch<T> m(factor), x(b);
    for (int64_t i = 0; i < m.count; ++i) {
      Lapack<T>::potrs(by_columns, part(upper), m.rows, x.columns, m[i], m.rows, x[i], x.rows);
    }
  });
}

void invert_cholesky(const Call&, const Tensor& factor, bool upper, const Tensor& info) {
  over(factor, [&]<typename T>(T) {
    Batch<T> m(factor);
    for (int64_t i = 0; i < m.count; ++i)
      numbers_of(info)[i] = Lapack<T>::potri(by_columns, part(upper), m.rows, m[i], m.rows);
  });
}

void factor_qr(const Call&, const Tensor& a, const Tensor& tau) {
  over(a, [&]<typename T>(T) {
    Batch<T> m(a);
    int64_t least = std::min(m.rows, m.columns);
    for (int64_t i = 0; i < m.count; ++i) {
      Lapack<T>::geqrf(by_columns, m.rows, m.columns, m[i], m.rows,
                       tau.device_data<T>() + i * least);
    }
  });
}

void multiply_reflections(const Call&, const Tensor& a, const Tensor& tau) {
  over(a, [&]<typename T>(T) {
    Batch<T> m(a);
    auto number = static_cast<lapack_int>(tau.sizes().back());
    for (int64_t i = 0; i < m.count; ++i) {
      Lapack<T>::orgqr(by_columns, m.rows, m.columns, number, m[i], m.rows,
                       tau.device_data<T>() + i * number);
    }
  });
}

void apply_reflections(const Call&, const Tensor& reflections, const Tensor& tau, bool left,
                       bool adjoint, const Tensor& matrices) {
  over(matrices, [&]<typename T>(T) {
    Batch<T> m(reflections), x(matrices);
    auto number = static_cast<lapack_int>(tau.sizes().back());
    for (int64_t i = 0; i < x.count; ++i) {
      Lapack<T>::ormqr(by_columns, left ? 'L' : 'R', adjoint ? adjoint_of<T>() : 'N', x.rows,
                       x.columns, number, m[i], m.rows, tau.device_data<T>() + i * number, x[i],
                       x.rows);
    }
  });
}

void find_eigenvalues(const Call&, const Tensor& a, bool upper, bool with_vectors,
                      const Tensor& values, const Tensor& info) {
  over(a, [&]<typename T>(T) {
    Batch<T> m(a);
    for (int64_t i = 0; i < m.count; ++i) {
      numbers_of(info)[i] =
          Lapack<T>::heevd(by_columns, with_vectors ? 'V' : 'N', part(upper), m.rows, m[i], m.rows,
                           values.device_data<RealOf<T>>() + i * m.rows);
    }
  });
}

void find_singular_values(const Call&, const Tensor& a, const Tensor& values, const Tensor& u,
                          const Tensor& vh, const Tensor& info) {
  over(a, [&]<typename T>(T) {
    Batch<T> m(a);
    lapack_int least = std::min(m.rows, m.columns);
    bool full = u && u.sizes().back() == m.rows && rows_of(vh) == m.columns;
    T none{};
    for (int64_t i = 0; i < m.count; ++i) {
      T* left = u ? Batch<T>(u)[i] : &none;
      T* right = u ? Batch<T>(vh)[i] : &none;
      numbers_of(info)[i] = Lapack<T>::gesdd(
          by_columns,
          !u     ? 'N'
          : full ? 'A'
                 : 'S',
          m.rows, m.columns, m[i], m.rows, values.device_data<RealOf<T>>() + i * least, left,
          m.rows, right, u ? static_cast<lapack_int>(rows_of(vh)) : 1);
    }
  });
}

void solve_triangle(const Call&, const Tensor& a, Triangle how, bool left, const Tensor& b) {
  over(a, [&]<typename T>(T) {
    Batch<T> m(a, how.transposed), x(b);
    for (int64_t i = 0; i < m.count; ++i) substitute(m, i, how, left, x[i], x.rows, x.columns);
  });
}

}  // namespace assay::kernels::cuda
