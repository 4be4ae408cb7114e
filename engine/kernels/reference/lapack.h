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

/// LAPACK's routines, by element type.
template <typename T>
struct Lapack;

#define ASSAY_LAPACK(T, p, h, g)                       \
  template <>                                          \
  struct Lapack<T> {                                   \
    static constexpr auto getrf = LAPACKE_##p##getrf;  \
    static constexpr auto getrs = LAPACKE_##p##getrs;  \
    static constexpr auto potrf = LAPACKE_##p##potrf;  \
    static constexpr auto potrs = LAPACKE_##p##potrs;  \
    static constexpr auto potri = LAPACKE_##p##potri;  \
    static constexpr auto geqrf = LAPACKE_##p##geqrf;  \
    static constexpr auto orgqr = LAPACKE_##p##h##gqr; \
    static constexpr auto ormqr = LAPACKE_##p##h##mqr; \
    static constexpr auto trtrs = LAPACKE_##p##trtrs;  \
    static constexpr auto sytrf = LAPACKE_##p##sytrf;  \
    static constexpr auto sytrs = LAPACKE_##p##sytrs;  \
    static constexpr auto hetrf = LAPACKE_##p##g##trf; \
    static constexpr auto hetrs = LAPACKE_##p##g##trs; \
    static constexpr auto heevd = LAPACKE_##p##g##evd; \
    static constexpr auto geev = LAPACKE_##p##geev;    \
    static constexpr auto gesdd = LAPACKE_##p##gesdd;  \
    static constexpr auto gels = LAPACKE_##p##gels;    \
    static constexpr auto gelsy = LAPACKE_##p##gelsy;  \
    static constexpr auto gelsd = LAPACKE_##p##gelsd;  \
    static constexpr auto gelss = LAPACKE_##p##gelss;  \
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
