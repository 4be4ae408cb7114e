#include "engine/kernels/common/elements.h"

#include <cstring>

#include "engine/kernels/common/convert.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/strided_loop.h"

namespace assay::kernels::common {

using core::Tensor;

void copy_elements(const Tensor& to, const Tensor& from) {
  StridedLoop<2> loop(to.sizes(), {to, from});
  loop.run([&](const auto& at, const auto& steps, int64_t count) {
    convert({from.dtype(), at[1], steps[1]}, {to.dtype(), at[0], steps[0]}, count);
  });
}

void fill_elements(const Tensor& to, const core::Scalar& number) {
  StridedLoop<1> loop(to.sizes(), {to});
  over_all(to.dtype(), "fill_", [&](auto zero) {
    using T = decltype(zero);
    T value = number.to<T>();
    loop.run([&](const auto& at, const auto& steps, int64_t count) {
      if (steps[0] == sizeof(T)) {
        std::fill_n(reinterpret_cast<T*>(at[0]), count, value);
        return;
      }
      for (int64_t i = 0; i < count; ++i) *reinterpret_cast<T*>(at[0] + i * steps[0]) = value;
    });
  });
}

std::vector<int64_t> element_offsets(core::DimSpan sizes, core::DimSpan strides) {
  std::vector<int64_t> offsets;
  int64_t count = core::numel(sizes);
  offsets.reserve(static_cast<size_t>(count));
  core::Dims index(sizes.size(), 0);
  int64_t at = 0;
  for (int64_t i = 0; i < count; ++i) {
    offsets.push_back(at);
    for (size_t d = sizes.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] < sizes[d]) break;
      at -= sizes[d] * strides[d];
      index[d] = 0;
    }
  }
  return offsets;
}

Tensor packed(const Tensor& t) { return packed_as(t, t.dtype()); }

Tensor packed_as(const Tensor& t, core::DType dtype) {
  if (t.dtype() == dtype && t.is_contiguous()) return t;
  Tensor out = Tensor::empty(t.sizes(), dtype, t.device());
  copy_elements(out, t);
  return out;
}

bool may_overlap(const Tensor& a, const Tensor& b) {
  if (a.storage() != b.storage()) return false;
  core::Extent x = core::extent(a.sizes(), a.strides()), y = core::extent(b.sizes(), b.strides());
  auto bytes = [](const Tensor& t, int64_t element) {
    return (t.offset() + element) * static_cast<int64_t>(t.item_size());
  };
  return bytes(a, x.low) < bytes(b, y.high) && bytes(b, y.low) < bytes(a, x.high);
}

}  // namespace assay::kernels::common
