#include "engine/core/elements.h"

#include "engine/base/error.h"
#include "engine/core/host_access.h"

namespace assay::core {

namespace {

// Calls f with a value of the C++ type behind the dtype.
template <typename F>
void with_type(DType dtype, F f) {
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
Scalar scalar_of(T value, DTypeCategory category) {
  if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>) {
    return Complex128(value.real(), value.imag());
  } else {
    if (category == DTypeCategory::boolean) return static_cast<bool>(value);
    if (category == DTypeCategory::integral) return static_cast<int64_t>(value);
    return static_cast<double>(value);
  }
}

}  // namespace

Scalar first_element(const Tensor& tensor) {
  base::invariant(tensor.numel() > 0, "the first element of an empty tensor");
  Tensor first = to_host(tensor.view({}, {}, tensor.offset()));
  Scalar number(false);
  with_type(first.dtype(), [&](auto sample) {
    using T = decltype(sample);
    number = scalar_of(*first.device_data<T>(), category_of(first.dtype()));
  });
  return number;
}

std::vector<Scalar> elements(const Tensor& on_device) {
  Tensor tensor = to_host(on_device);
  std::vector<Scalar> out;
  out.reserve(static_cast<size_t>(tensor.numel()));
  DTypeCategory category = category_of(tensor.dtype());
  size_t rank = tensor.sizes().size();
  with_type(tensor.dtype(), [&](auto sample) {
    using T = decltype(sample);
    const T* data = tensor.device_data<T>();
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

bool same_constant(const Tensor& a, const Tensor& b) {
  bool alike = a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.strides() == b.strides() &&
               a.device() == b.device() && a.requires_grad() == b.requires_grad();
  return alike && a.device().type != DeviceType::meta && same_bytes(a, b);
}

Tensor tensor_from(const std::vector<Scalar>& items, DimSpan sizes, DType dtype) {
  base::check(numel(sizes) == static_cast<int64_t>(items.size()), "a tensor of sizes ", sizes,
              " is given ", items.size(), " elements");
  Tensor made = Tensor::empty(sizes, dtype);
  with_type(dtype, [&](auto sample) {
    using T = decltype(sample);
    T* data = made.device_data<T>();
    for (size_t i = 0; i < items.size(); ++i) data[i] = items[i].to<T>();
  });
  return made;
}

}  // namespace assay::core
