#pragma once

#include <span>
#include <vector>

#include "engine/core/scalar_math.h"
#include "engine/core/tensor.h"
#include "engine/kernels/common/accumulate.h"

namespace assay::kernels::reference {

/// A tensor's elements in row-major order, widened to double, int64 or complex128: what the
/// reference kernels that work on whole matrices, images and sequences compute with. Copying first
/// keeps them free of strides and of element types.
template <typename W>
struct Dense {
  core::Dims sizes;
  std::vector<W> values;

  Dense() = default;
  explicit Dense(core::DimSpan shape, W fill = W{})
      : sizes(shape), values(static_cast<size_t>(core::numel(shape)), fill) {}

  int64_t size(size_t dim) const { return sizes[dim]; }
  bool defined() const { return !values.empty(); }
  W* data() { return values.data(); }
  const W* data() const { return values.data(); }
};

/// The elements of a tensor; an undefined tensor gives an empty Dense.
template <typename W>
Dense<W> dense(const core::Tensor& t);

/// Rounds the values to the tensor's type and writes them; `values` holds out.numel() of them.
template <typename W>
void store(std::span<const W> values, const core::Tensor& out);

template <typename W>
void store(const Dense<W>& from, const core::Tensor& out) {
  store(std::span<const W>(from.values), out);
}

/// Calls `body` with a zero of the type that elements of this dtype are computed in.
template <typename Body>
void over_wide(core::DType dtype, Body&& body) {
  if (core::is_complex(dtype)) return body(core::Complex128{});
  if (core::is_floating(dtype)) return body(double{});
  return body(int64_t{});
}

/// sum + a * b; integers wrap around.
template <typename W>
W multiply_add(W sum, W a, W b) {
  if constexpr (std::is_same_v<W, int64_t>) {
    return core::math::add(sum, core::math::multiply(a, b));
  } else if constexpr (std::is_same_v<W, core::Complex128>) {
    // As a BLAS multiplies: C++'s operator would recover infinities from NaN.
    return {sum.real() + (a.real() * b.real() - a.imag() * b.imag()),
            sum.imag() + (a.real() * b.imag() + a.imag() * b.real())};
  } else {
    return sum + a * b;
  }
}

/// a + b; integers wrap, as PyTorch's do.
template <typename W>
W plus(W a, W b) {
  if constexpr (std::is_same_v<W, int64_t>) {
    return core::math::add(a, b);
  } else {
    return a + b;
  }
}

/// Views for kernels: two dimensions swapped; repeated to a wider shape with strides of 0.
core::Tensor transposed(const core::Tensor& t, size_t a, size_t b);
core::Tensor expanded(const core::Tensor& t, core::DimSpan to);
/// The elements of a contiguous-in-memory or any tensor under another shape (a copy if needed is
/// the caller's business: `t` must be contiguous).
core::Tensor reshaped(const core::Tensor& t, core::DimSpan sizes);

}  // namespace assay::kernels::reference
