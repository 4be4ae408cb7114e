#include "engine/kernels/reference/dense.h"

#include "engine/base/error.h"
#include "engine/kernels/common/convert.h"

namespace assay::kernels::reference {
namespace {

using core::Tensor;

/// Calls visit(first element of a row, position of the row) for each row of the last dimension.
template <typename Visit>
void for_rows(const Tensor& t, Visit&& visit) {
  size_t rank = t.sizes().size();
  auto item = static_cast<int64_t>(t.item_size());
  int64_t length = rank == 0 ? 1 : t.size(rank - 1);
  if (t.numel() == 0) return;
  size_t outer = rank == 0 ? 0 : rank - 1;
  core::Dims index(outer, 0);
  std::byte* at = t.device_address();
  for (int64_t row = 0; row < t.numel() / length; ++row) {
    visit(at, row * length);
    for (size_t d = outer; d-- > 0;) {
      at += t.stride(d) * item;
      if (++index[d] < t.size(d)) break;
      at -= t.size(d) * t.stride(d) * item;
      index[d] = 0;
    }
  }
}

common::Run row_of(const Tensor& t, std::byte* at) {
  int64_t step = t.dim() == 0 ? 1 : t.strides().back();
  return {t.dtype(), at, step * static_cast<int64_t>(t.item_size())};
}

int64_t row_length(const Tensor& t) { return t.dim() == 0 ? 1 : t.sizes().back(); }

}  // namespace

template <typename W>
Dense<W> dense(const Tensor& t) {
  if (!t) return {};
  Dense<W> out(t.sizes());
  for_rows(t, [&](std::byte* at, int64_t position) {
    auto* to = reinterpret_cast<std::byte*>(out.data() + position);
    common::convert(row_of(t, at), {core::dtype_of<W>, to, sizeof(W)}, row_length(t));
  });
  return out;
}

template <typename W>
void store(std::span<const W> values, const Tensor& out) {
  base::invariant(static_cast<int64_t>(values.size()) == out.numel(), "a kernel made ",
                  values.size(), " values for ", out.numel(), " elements");
  for_rows(out, [&](std::byte* at, int64_t position) {
    // convert() takes both runs alike; it does not write to the first.
    auto* from = reinterpret_cast<std::byte*>(const_cast<W*>(values.data() + position));
    common::convert({core::dtype_of<W>, from, sizeof(W)}, row_of(out, at), row_length(out));
  });
}

template Dense<double> dense(const Tensor&);
template Dense<int64_t> dense(const Tensor&);
template Dense<core::Complex128> dense(const Tensor&);
template void store(std::span<const double>, const Tensor&);
template void store(std::span<const int64_t>, const Tensor&);
template void store(std::span<const core::Complex128>, const Tensor&);

Tensor transposed(const Tensor& t, size_t a, size_t b) {
  core::Dims sizes = t.sizes(), strides = t.strides();
  std::swap(sizes[a], sizes[b]);
  std::swap(strides[a], strides[b]);
  return t.view(sizes, strides, t.offset());
}

Tensor expanded(const Tensor& t, core::DimSpan to) {
  return t.view(to, core::broadcast_strides(t.sizes(), t.strides(), to), t.offset());
}

Tensor reshaped(const Tensor& t, core::DimSpan sizes) {
  return t.view(sizes, core::contiguous_strides(sizes), t.offset());
}

}  // namespace assay::kernels::reference
