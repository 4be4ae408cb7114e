#include "engine/kernels/reference/lapack.h"

#include <climits>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/base/checked.h"

namespace {

thread_local bool refused = false;

}  // namespace

// What LAPACK asks of whoever links it. Its own functions for refused arguments print, and the
// Fortran one ends the process; after these the routines return.
extern "C" {

void xerbla_(const char*, const lapack_int*, size_t) { refused = true; }
void LAPACKE_xerbla(const char*, lapack_int) { refused = true; }

/// Of Fortran's runtime all that is needed: a + b, cut or filled with spaces to a length.
void _gfortran_concat_string(size_t length, char* to, size_t a_length, const char* a,
                             size_t b_length, const char* b) {
  size_t first = std::min(length, a_length), second = std::min(length - first, b_length);
  std::memcpy(to, a, first);
  std::memcpy(to + first, b, second);
  std::memset(to + first + second, ' ', length - first - second);
}
}

namespace assay::kernels::reference {

void check_accepted(lapack_int state) {
  bool wrong = std::exchange(refused, false) || state < 0;
  bool memory = state == LAPACK_WORK_MEMORY_ERROR || state == LAPACK_TRANSPOSE_MEMORY_ERROR;
  base::check(!memory, "there is not enough memory to factorize these matrices");
  base::check(!wrong,
              "these matrices cannot be factorized: LAPACK refused an argument, as it does "
              "where numbers overflow on the way (error code: ",
              state, ")");
}

namespace {

using core::Tensor;

/// Calls visit(offset in elements) for each matrix of the batch.
template <typename Visit>
void for_matrices(const Tensor& t, Visit&& visit) {
  size_t batch = t.sizes().size() - 2;
  core::Dims index(batch, 0);
  int64_t count = core::numel(core::DimSpan(t.sizes().data(), batch)), at = 0;
  for (int64_t i = 0; i < count; ++i) {
    visit(at);
    for (size_t d = batch; d-- > 0;) {
      at += t.stride(d);
      if (++index[d] < t.size(d)) break;
      at -= t.size(d) * t.stride(d);
      index[d] = 0;
    }
  }
}

/// Calls move(element of the tensor, element of the column-major batch).
template <typename T, typename Move>
void for_elements(const Tensor& t, int64_t rows, int64_t columns, Move&& move) {
  if (t.numel() == 0) return;
  T* base = t.device_data<T>();
  int64_t down = t.stride(t.sizes().size() - 2), right = t.strides().back(), place = 0;
  for_matrices(t, [&](int64_t offset) {
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < rows; ++i) move(base[offset + i * down + j * right], place++);
    }
  });
}

}  // namespace

template <typename T>
Matrices<T>::Matrices(int64_t n, int64_t r, int64_t c)
    : count(n),
      rows(r),
      columns(c),
      values(static_cast<size_t>(base::checked_mul(n, base::checked_mul(r, c)))) {}

template <typename T>
Matrices<T>::Matrices(const Tensor& t)
    : rows(t.size(t.sizes().size() - 2)),
      columns(t.sizes().back()),
      values(static_cast<size_t>(t.numel())) {
  count = core::numel(core::DimSpan(t.sizes().data(), t.sizes().size() - 2));
  for_elements<T>(t, rows, columns,
                  [&](T& element, int64_t place) { values[static_cast<size_t>(place)] = element; });
}

template <typename T>
void Matrices<T>::store(const Tensor& to) const {
  for_elements<T>(to, rows, columns,
                  [&](T& element, int64_t place) { element = values[static_cast<size_t>(place)]; });
}

template struct Matrices<float>;
template struct Matrices<double>;
template struct Matrices<core::Complex64>;
template struct Matrices<core::Complex128>;

core::Dims batch_and(const Tensor& matrices, std::initializer_list<int64_t> behind) {
  core::Dims sizes = matrices.sizes();
  sizes.pop_back();
  sizes.pop_back();
  for (int64_t size : behind) sizes.push_back(size);
  return sizes;
}

void check_countable(const Tensor& matrices) {
  for (int64_t size : matrices.sizes())
    base::check(size <= INT_MAX, "LAPACK counts to ", INT_MAX, ", and a size is ", size);
}

template <typename T>
bool is_finite(const Matrices<T>& m) {
  return std::all_of(m.values.begin(), m.values.end(), [](T v) {
    return std::isfinite(std::real(v)) && std::isfinite(std::imag(v));
  });
}

template bool is_finite(const Matrices<float>&);
template bool is_finite(const Matrices<double>&);
template bool is_finite(const Matrices<core::Complex64>&);
template bool is_finite(const Matrices<core::Complex128>&);

}  // namespace assay::kernels::reference
