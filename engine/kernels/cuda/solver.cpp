// Factorizations by cuSOLVER, and by cuBLAS where it has them for batches.

#include "engine/kernels/cuda/solver.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/factor_elements.h"
#include "engine/kernels/cuda/libraries.h"
#include "engine/kernels/cuda/matrices.h"

namespace assay::kernels::cuda {
namespace {

using core::DType;
using core::Tensor;
using ops::Call;

/// The libraries' routines, by element type.
template <typename T>
struct Routines;

#define ASSAY_ROUTINES(T, R, p, q, h, s)                                 \
  template <>                                                            \
  struct Routines<T> {                                                   \
    using Real = R;                                                      \
    static constexpr auto getrf_size = cusolverDn##p##getrf_bufferSize;  \
    static constexpr auto getrf = cusolverDn##p##getrf;                  \
    static constexpr auto getrs = cusolverDn##p##getrs;                  \
    static constexpr auto potrf_size = cusolverDn##p##potrf_bufferSize;  \
    static constexpr auto potrf = cusolverDn##p##potrf;                  \
    static constexpr auto potrf_batched = cusolverDn##p##potrfBatched;   \
    static constexpr auto potrs = cusolverDn##p##potrs;                  \
    static constexpr auto potri_size = cusolverDn##p##potri_bufferSize;  \
    static constexpr auto potri = cusolverDn##p##potri;                  \
    static constexpr auto geqrf_size = cusolverDn##p##geqrf_bufferSize;  \
    static constexpr auto geqrf = cusolverDn##p##geqrf;                  \
    static constexpr auto orgqr_size = cusolverDn##p##h##gqr_bufferSize; \
    static constexpr auto orgqr = cusolverDn##p##h##gqr;                 \
    static constexpr auto ormqr_size = cusolverDn##p##h##mqr_bufferSize; \
    static constexpr auto ormqr = cusolverDn##p##h##mqr;                 \
    static constexpr auto eigen_size = cusolverDn##p##s##evd_bufferSize; \
    static constexpr auto eigen = cusolverDn##p##s##evd;                 \
    static constexpr auto gesvd_size = cusolverDn##p##gesvd_bufferSize;  \
    static constexpr auto gesvd = cusolverDn##p##gesvd;                  \
    static constexpr auto getrf_batched = cublas##p##getrfBatched;       \
    static constexpr auto getrs_batched = cublas##p##getrsBatched;       \
    static constexpr auto trsm = cublas##p##trsm;                        \
    static constexpr auto trsm_batched = cublas##p##trsmBatched;         \
    static constexpr cublasOperation_t adjoint = q;                      \
  }
ASSAY_ROUTINES(float, float, S, CUBLAS_OP_T, or, sy);
ASSAY_ROUTINES(double, double, D, CUBLAS_OP_T, or, sy);
ASSAY_ROUTINES(cuComplex, float, C, CUBLAS_OP_C, un, he);
ASSAY_ROUTINES(cuDoubleComplex, double, Z, CUBLAS_OP_C, un, he);
#undef ASSAY_ROUTINES

/// Calls `body` with a zero of the element type.
template <typename Body>
void over_types(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::float32:
      return body(float{});
    case DType::float64:
      return body(double{});
    case DType::complex64:
      return body(cuComplex{});
    case DType::complex128:
      return body(cuDoubleComplex{});
    default:
      base::unreachable("cuSOLVER has no matrices of ", core::script_name(dtype));
  }
}

/// A batch of matrices.
template <typename T>
struct Batch {
  T* data;
  int64_t count;
  int rows, columns;

  explicit Batch(const Tensor& t)
      : data(reinterpret_cast<T*>(t.device_address())),
        count(t.numel() / (t.size(t.sizes().size() - 2) * t.sizes().back())),
        rows(static_cast<int>(t.size(t.sizes().size() - 2))),
        columns(static_cast<int>(t.sizes().back())) {}
  T* operator[](int64_t i) const { return data + i * rows * int64_t{columns}; }
  /// Their addresses, in the device's memory.
  Tensor addresses(const Call& c) const {
    return spaced_addresses(c, reinterpret_cast<std::byte*>(data), count,
                            rows * int64_t{columns} * static_cast<int64_t>(sizeof(T)));
  }
};

template <typename T>
T* data_of(const Tensor& t) {
  return t ? reinterpret_cast<T*>(t.device_address()) : nullptr;
}
template <typename T>
T** pointers(const Tensor& t) {
  return reinterpret_cast<T**>(t.device_address());
}

/// Memory for a number of elements while a routine runs; never none.
template <typename T>
Tensor room(const Call& c, int64_t elements) {
  return scratch(c, std::max<int64_t>(elements, 1) * static_cast<int64_t>(sizeof(T)));
}

cublasFillMode_t part(bool upper) {
  return upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
}

constexpr const char* what = "a factorization";

/// Routines for batches are made for small matrices.
template <typename T>
bool is_for_batches(const Batch<T>& a) {
  return a.count > 1 && std::max(a.rows, a.columns) <= 512 && a.count <= INT32_MAX;
}

template <typename T>
void run_factor_lu(const Call& c, const Batch<T>& a, int32_t* pivots, int32_t* info) {
  using R = Routines<T>;
  if (a.rows == a.columns && is_for_batches(a)) {
    Tensor at = a.addresses(c);
    check(R::getrf_batched(blas_of(c), a.rows, pointers<T>(at), a.rows, pivots, info,
                           static_cast<int>(a.count)),
          what);
    return;
  }
  cusolverDnHandle_t handle = solver_of(c);
  int size = 0;
  check(R::getrf_size(handle, a.rows, a.columns, a.data, a.rows, &size), what);
  Tensor work = room<T>(c, size);
  int64_t least = std::min(a.rows, a.columns);
  for (int64_t i = 0; i < a.count; ++i) {
    check(R::getrf(handle, a.rows, a.columns, a[i], a.rows, data_of<T>(work), pivots + i * least,
                   info + i),
          what);
  }
}

template <typename T>
void run_solve_lu(const Call& c, const Batch<T>& lu, int32_t* pivots, bool adjoint,
                  const Batch<T>& b) {
  using R = Routines<T>;
  cublasOperation_t how = adjoint ? R::adjoint : CUBLAS_OP_N;
  if (is_for_batches(lu)) {
    Tensor at = lu.addresses(c), right = b.addresses(c);
    int state = 0;
    check(R::getrs_batched(blas_of(c), how, lu.rows, b.columns, pointers<const T>(at), lu.rows,
                           pivots, pointers<T>(right), b.rows, &state, static_cast<int>(lu.count)),
          what);
    return;
  }
  Tensor info = room<int32_t>(c, 1);
  for (int64_t i = 0; i < lu.count; ++i) {
    check(R::getrs(solver_of(c), how, lu.rows, b.columns, lu[i], lu.rows, pivots + i * lu.rows,
                   b[i], b.rows, data_of<int32_t>(info)),
          what);
  }
}

template <typename T>
void run_factor_cholesky(const Call& c, const Batch<T>& a, bool upper, int32_t* info) {
  using R = Routines<T>;
  cusolverDnHandle_t handle = solver_of(c);
  if (is_for_batches(a)) {
    Tensor at = a.addresses(c);
    check(R::potrf_batched(handle, part(upper), a.rows, pointers<T>(at), a.rows, info,
                           static_cast<int>(a.count)),
          what);
    return;
  }
  int size = 0;
  check(R::potrf_size(handle, part(upper), a.rows, a.data, a.rows, &size), what);
  Tensor work = room<T>(c, size);
  for (int64_t i = 0; i < a.count; ++i) {
    check(R::potrf(handle, part(upper), a.rows, a[i], a.rows, data_of<T>(work), size, info + i),
          what);
  }
}

template <typename T>
void run_solve_cholesky(const Call& c, const Batch<T>& factor, bool upper, const Batch<T>& b) {
  Tensor info = room<int32_t>(c, 1);
  for (int64_t i = 0; i < b.count; ++i) {
    check(Routines<T>::potrs(solver_of(c), part(upper), factor.rows, b.columns, factor[i],
                             factor.rows, b[i], b.rows, data_of<int32_t>(info)),
          what);
  }
}

template <typename T>
void run_invert_cholesky(const Call& c, const Batch<T>& a, bool upper, int32_t* info) {
  using R = Routines<T>;
  cusolverDnHandle_t handle = solver_of(c);
  int size = 0;
  check(R::potri_size(handle, part(upper), a.rows, a.data, a.rows, &size), what);
  Tensor work = room<T>(c, size);
  for (int64_t i = 0; i < a.count; ++i) {
    check(R::potri(handle, part(upper), a.rows, a[i], a.rows, data_of<T>(work), size, info + i),
          what);
  }
}

template <typename T>
void run_factor_qr(const Call& c, const Batch<T>& a, T* tau) {
  using R = Routines<T>;
  cusolverDnHandle_t handle = solver_of(c);
  int size = 0;
  check(R::geqrf_size(handle, a.rows, a.columns, a.data, a.rows, &size), what);
  Tensor work = room<T>(c, size), info = room<int32_t>(c, 1);
  int64_t least = std::min(a.rows, a.columns);
  for (int64_t i = 0; i < a.count; ++i) {
    check(R::geqrf(handle, a.rows, a.columns, a[i], a.rows, tau + i * least, data_of<T>(work), size,
                   data_of<int32_t>(info)),
          what);
  }
}

template <typename T>
void run_multiply_reflections(const Call& c, const Batch<T>& a, const T* tau, int number) {
  using R = Routines<T>;
  cusolverDnHandle_t handle = solver_of(c);
  int size = 0;
  check(R::orgqr_size(handle, a.rows, a.columns, number, a.data, a.rows, tau, &size), what);
  Tensor work = room<T>(c, size), info = room<int32_t>(c, 1);
  for (int64_t i = 0; i < a.count; ++i) {
    check(R::orgqr(handle, a.rows, a.columns, number, a[i], a.rows, tau + i * number,
                   data_of<T>(work), size, data_of<int32_t>(info)),
          what);
  }
}

template <typename T>
void run_apply_reflections(const Call& c, const Batch<T>& a, const T* tau, int number, bool left,
                           bool adjoint, const Batch<T>& b) {
  using R = Routines<T>;
  cusolverDnHandle_t handle = solver_of(c);
  auto side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
  cublasOperation_t how = adjoint ? R::adjoint : CUBLAS_OP_N;
  int size = 0;
  check(R::ormqr_size(handle, side, how, b.rows, b.columns, number, a.data, a.rows, tau, b.data,
                      b.rows, &size),
        what);
  Tensor work = room<T>(c, size), info = room<int32_t>(c, 1);
  for (int64_t i = 0; i < b.count; ++i) {
    check(R::ormqr(handle, side, how, b.rows, b.columns, number, a[i], a.rows, tau + i * number,
                   b[i], b.rows, data_of<T>(work), size, data_of<int32_t>(info)),
          what);
  }
}

template <typename T>
void run_eigenvalues(const Call& c, const Batch<T>& a, bool upper, bool with_vectors,
                     typename Routines<T>::Real* values, int32_t* info) {
  using R = Routines<T>;
  cusolverDnHandle_t handle = solver_of(c);
  auto kind = with_vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  int size = 0;
  check(R::eigen_size(handle, kind, part(upper), a.rows, a.data, a.rows, values, &size), what);
  Tensor work = room<T>(c, size);
  for (int64_t i = 0; i < a.count; ++i) {
    check(R::eigen(handle, kind, part(upper), a.rows, a[i], a.rows, values + i * a.rows,
                   data_of<T>(work), size, info + i),
          what);
  }
}

/// Of matrices that have no fewer rows than columns.
template <typename T>
void run_singular_values(const Call& c, const Batch<T>& a, typename Routines<T>::Real* values,
                         const Tensor& u, const Tensor& vh, int32_t* info) {
  using R = Routines<T>;
  cusolverDnHandle_t handle = solver_of(c);
  int size = 0;
  check(R::gesvd_size(handle, a.rows, a.columns, &size), what);
  Tensor work = room<T>(c, size);
  signed char left = 'N', right = 'N';
  int64_t columns = u ? u.sizes().back() : 0;
  if (u) {
    left = columns == a.rows ? 'A' : 'S';
    right = left;
  }
  for (int64_t i = 0; i < a.count; ++i) {
    T* lefts = u ? data_of<T>(u) + i * a.rows * columns : nullptr;
    T* rights = u ? data_of<T>(vh) + i * a.columns * int64_t{a.columns} : nullptr;
    check(R::gesvd(handle, left, right, a.rows, a.columns, a[i], a.rows, values + i * a.columns,
                   lefts, a.rows, rights, a.columns, data_of<T>(work), size, nullptr, info + i),
          what);
  }
}

template <typename T>
T one() {
  T number{};
  if constexpr (std::is_floating_point_v<T>)
    number = 1;
  else
    number.x = 1;
  return number;
}

template <typename T>
void run_solve_triangle(const Call& c, const Batch<T>& a, Triangle how, bool left,
                        const Batch<T>& b) {
  using R = Routines<T>;
  cublasHandle_t handle = blas_of(c);
  auto side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
  // The triangle as it lies in memory.
  auto triangle = part(how.upper != how.transposed);
  auto operation = how.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  auto diagonal = how.unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
  T factor = one<T>();
  if (is_for_batches(a)) {
    Tensor at = a.addresses(c), right = b.addresses(c);
    check(R::trsm_batched(handle, side, triangle, operation, diagonal, b.rows, b.columns, &factor,
                          pointers<const T>(at), a.rows, pointers<T>(right), b.rows,
                          static_cast<int>(a.count)),
          what);
    return;
  }
  for (int64_t i = 0; i < a.count; ++i) {
    check(R::trsm(handle, side, triangle, operation, diagonal, b.rows, b.columns, &factor, a[i],
                  a.rows, b[i], b.rows),
          what);
  }
}

int32_t* numbers_of(const Tensor& t) { return data_of<int32_t>(t); }

}  // namespace

void factor_lu(const Call& c, const Tensor& a, const Tensor& pivots, const Tensor& info) {
  over_types(a.dtype(), [&]<typename T>(T) {
    run_factor_lu(c, Batch<T>(a), numbers_of(pivots), numbers_of(info));
  });
}

void solve_lu(const Call& c, const Tensor& lu, const Tensor& pivots, bool adjoint,
              const Tensor& b) {
  over_types(lu.dtype(), [&]<typename T>(T) {
    run_solve_lu(c, Batch<T>(lu), numbers_of(pivots), adjoint, Batch<T>(b));
  });
}

void factor_cholesky(const Call& c, const Tensor& a, bool upper, const Tensor& info) {
  over_types(a.dtype(),
             [&]<typename T>(T) { run_factor_cholesky(c, Batch<T>(a), upper, numbers_of(info)); });
}

void solve_cholesky(const Call& c, const Tensor& factor, bool upper, const Tensor& b) {
  over_types(b.dtype(),
             [&]<typename T>(T) { run_solve_cholesky(c, Batch<T>(factor), upper, Batch<T>(b)); });
}

void invert_cholesky(const Call& c, const Tensor& factor, bool upper, const Tensor& info) {
  over_types(factor.dtype(), [&]<typename T>(T) {
    run_invert_cholesky(c, Batch<T>(factor), upper, numbers_of(info));
  });
}

void factor_qr(const Call& c, const Tensor& a, const Tensor& tau) {
  over_types(a.dtype(), [&]<typename T>(T) { run_factor_qr(c, Batch<T>(a), data_of<T>(tau)); });
}

void multiply_reflections(const Call& c, const Tensor& a, const Tensor& tau) {
  over_types(a.dtype(), [&]<typename T>(T) {
    run_multiply_reflections<T>(c, Batch<T>(a), data_of<T>(tau),
                                static_cast<int>(tau.sizes().back()));
  });
}

void apply_reflections(const Call& c, const Tensor& reflections, const Tensor& tau, bool left,
                       bool adjoint, const Tensor& matrices) {
  over_types(matrices.dtype(), [&]<typename T>(T) {
    run_apply_reflections<T>(c, Batch<T>(reflections), data_of<T>(tau),
                             static_cast<int>(tau.sizes().back()), left, adjoint,
                             Batch<T>(matrices));
  });
}

void find_eigenvalues(const Call& c, const Tensor& a, bool upper, bool with_vectors,
                      const Tensor& values, const Tensor& info) {
  over_types(a.dtype(), [&]<typename T>(T) {
    run_eigenvalues(c, Batch<T>(a), upper, with_vectors,
                    data_of<typename Routines<T>::Real>(values), numbers_of(info));
  });
}

void find_singular_values(const Call& c, const Tensor& a, const Tensor& values, const Tensor& u,
                          const Tensor& vh, const Tensor& info) {
  int64_t rows = a.size(a.sizes().size() - 2);
  if (rows >= a.sizes().back()) {
    return over_types(a.dtype(), [&]<typename T>(T) {
      run_singular_values(c, Batch<T>(a), data_of<typename Routines<T>::Real>(values), u, vh,
                          numbers_of(info));
    });
  }
  // Aᵀ = V* S Uᵀ
  Tensor turned = turned_matrices(c, a);
  if (!u) return find_singular_values(c, turned, values, {}, {}, info);
  Tensor left = matrices_like(turned_view(vh)), right = matrices_like(turned_view(u));
  find_singular_values(c, turned, values, left, right, info);
  copy_elements(c, u, turned_view(right));
  copy_elements(c, vh, turned_view(left));
}

void solve_triangle(const Call& c, const Tensor& a, Triangle how, bool left, const Tensor& b) {
  over_types(a.dtype(),
             [&]<typename T>(T) { run_solve_triangle(c, Batch<T>(a), how, left, Batch<T>(b)); });
}

}  // namespace assay::kernels::cuda
