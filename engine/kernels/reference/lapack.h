#pragma once

#include <algorithm>
#include <complex>
#include <vector>

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

#include "engine/core/tensor.h"
#include "engine/kernels/common/accumulate.h"
#include "engine/kernels/common/dtype_switch.h"

/// LAPACK for tensors: batches of matrices in its order, and its routines by element type.
namespace assay::kernels::reference {

template <typename T>
using RealOf = decltype(std::real(T{}));

/// A batch of matrices, each column after column.
template <typename T>
struct Matrices {
  int64_t count = 0, rows = 0, columns = 0;
  std::vector<T> values;

  Matrices(int64_t n, int64_t r, int64_t c);
  /// The last two dimensions of a tensor of the type T are matrices.
  explicit Matrices(const core::Tensor& t);

  T* operator[](int64_t i) { return values.data() + i * rows * columns; }
  T& at(int64_t i, int64_t row, int64_t column) { return (*this)[i][column * rows + row]; }
  /// LAPACK's distance of columns, which it wants even where there are none.
  lapack_int step() const { return static_cast<lapack_int>(std::max<int64_t>(rows, 1)); }

  void store(const core::Tensor& to) const;
};

/// Sizes before the last two dimensions, with others behind them.
core::Dims batch_and(const core::Tensor& matrices, std::initializer_list<int64_t> behind);

/// Raises unless LAPACK can count as far, and the tensor has no element that is not a number or
/// infinite: on those some of its routines end the process.
void check_countable(const core::Tensor& matrices);
template <typename T>
bool is_finite(const Matrices<T>& m);

/// Raises if LAPACK refused an argument since the last call, or found no memory.
void check_accepted(lapack_int state);

/// A routine of LAPACK's that raises where LAPACK would print and end the process.
template <auto routine>
struct Raising;
template <typename... Args, lapack_int (*routine)(Args...)>
struct Raising<routine> {
  static lapack_int call(Args... args) {
    lapack_int state = routine(args...);
    check_accepted(state);
    return state;
  }
};

/// LAPACK's routines, by element type.
template <typename T>
struct Lapack;

#define ASSAY_LAPACK(T, p, h, g)                                      \
  template <>                                                         \
  struct Lapack<T> {                                                  \
    static constexpr auto getrf = Raising<LAPACKE_##p##getrf>::call;  \
    static constexpr auto getrs = Raising<LAPACKE_##p##getrs>::call;  \
    static constexpr auto potrf = Raising<LAPACKE_##p##potrf>::call;  \
    static constexpr auto potrs = Raising<LAPACKE_##p##potrs>::call;  \
    static constexpr auto potri = Raising<LAPACKE_##p##potri>::call;  \
    static constexpr auto geqrf = Raising<LAPACKE_##p##geqrf>::call;  \
    static constexpr auto orgqr = Raising<LAPACKE_##p##h##gqr>::call; \
    static constexpr auto ormqr = Raising<LAPACKE_##p##h##mqr>::call; \
    static constexpr auto trtrs = Raising<LAPACKE_##p##trtrs>::call;  \
    static constexpr auto sytrf = Raising<LAPACKE_##p##sytrf>::call;  \
    static constexpr auto sytrs = Raising<LAPACKE_##p##sytrs>::call;  \
    static constexpr auto hetrf = Raising<LAPACKE_##p##g##trf>::call; \
    static constexpr auto hetrs = Raising<LAPACKE_##p##g##trs>::call; \
    static constexpr auto heevd = Raising<LAPACKE_##p##g##evd>::call; \
    static constexpr auto geev = Raising<LAPACKE_##p##geev>::call;    \
    static constexpr auto gesdd = Raising<LAPACKE_##p##gesdd>::call;  \
    static constexpr auto gels = Raising<LAPACKE_##p##gels>::call;    \
    static constexpr auto gelsy = Raising<LAPACKE_##p##gelsy>::call;  \
    static constexpr auto gelsd = Raising<LAPACKE_##p##gelsd>::call;  \
    static constexpr auto gelss = Raising<LAPACKE_##p##gelss>::call;  \
  }
ASSAY_LAPACK(float, s, or, sy);
ASSAY_LAPACK(double, d, or, sy);
ASSAY_LAPACK(std::complex<float>, c, un, he);
ASSAY_LAPACK(std::complex<double>, z, un, he);
#undef ASSAY_LAPACK

/// Calls `body` with a zero of the element type, which must be one of LAPACK's.
template <typename Body>
void over_lapack(core::DType dtype, const char* what, Body&& body) {
  // Its own look for NaN would refuse what PyTorch computes.
  LAPACKE_set_nancheck(0);
  switch (dtype) {
    case core::DType::float32:
      return body(float{});
    case core::DType::float64:
      return body(double{});
    case core::DType::complex64:
      return body(core::Complex64{});
    case core::DType::complex128:
      return body(core::Complex128{});
    default:
      base::fail(what, ": expected a tensor of float32, float64, complex64 or complex128, got ",
                 core::script_name(dtype));
  }
}

}  // namespace assay::kernels::reference
