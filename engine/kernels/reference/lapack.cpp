#include "engine/kernels/reference/lapack.h"

#include <climits>
#include <cmath>

#include "engine/base/checked.h"

namespace assay::kernels::reference {
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
