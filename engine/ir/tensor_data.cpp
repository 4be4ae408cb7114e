#include "engine/ir/tensor_data.h"

#include "engine/base/error.h"

namespace assay::ir {

namespace {

// Calls f with a value of the C++ type behind the dtype.
template <typename F>
void with_type(core::DType dtype, F f) {
  using namespace core;  // NOLINT: the table's C++ types are written relative to core.
  switch (dtype) {
#define DTYPE(name, number, python, script, type, category) \
  case DType::name:                                         \
    return f(type{});
#include "engine/core/dtype.def"
#undef DTYPE
  }
}

// The category of an element decides how a Scalar holds it.
template <typename T>
core::Scalar scalar_of(T value, core::DTypeCategory category) {
  if constexpr (std::is_same_v<T, core::Complex64> || std::is_same_v<T, core::Complex128>) {
    return core::Complex128(value.real(), value.imag());
  } else {
    if (category == core::DTypeCategory::boolean) return static_cast<bool>(value);
    if (category == core::DTypeCategory::integral) return static_cast<int64_t>(value);
    return static_cast<double>(value);
  }
}

}  // namespace

std::vector<core::Scalar> elements(const core::Tensor& tensor) {
  std::vector<core::Scalar> out;
  out.reserve(static_cast<size_t>(tensor.numel()));
  core::DTypeCategory category = core::category_of(tensor.dtype());
  size_t rank = tensor.sizes().size();
  with_type(tensor.dtype(), [&](auto sample) {
    using T = decltype(sample);
    const T* data = tensor.data<T>();
    std::vector<int64_t> index(rank, 0);
    for (int64_t n = 0; n < tensor.numel(); ++n) {
      int64_t at = 0;
      for (size_t d = 0; d < rank; ++d) at += index[d] * tensor.stride(d);
      out.push_back(scalar_of(data[at], category));
      for (size_t d = rank; d-- > 0;) {
        if (++index[d] < tensor.size(d)) break;
        index[d] = 0;
      }
    }
  });
  return out;
}

core::Tensor tensor_from(const std::vector<core::Scalar>& items, core::DimSpan sizes,
                         core::DType dtype) {
  base::check(core::numel(sizes) == static_cast<int64_t>(items.size()), "a tensor of sizes ", sizes,
              " is given ", items.size(), " elements");
  core::Tensor made = core::Tensor::empty(sizes, dtype);
  with_type(dtype, [&](auto sample) {
    using T = decltype(sample);
    T* data = made.data<T>();
    for (size_t i = 0; i < items.size(); ++i) data[i] = items[i].to<T>();
  });
  return made;
}

}  // namespace assay::ir
