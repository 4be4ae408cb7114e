// Fake quantization: floating-point numbers as a quantized tensor would hold them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/scalar_math.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/strided_loop.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

/// The whole numbers that the quantized type has.
struct Range {
  int64_t low, high;
  bool contains(int64_t n) const { return n >= low && n <= high; }
};

Range range_of(const Call& c) {
  Range range{c.integer(arg::quant_min), c.integer(arg::quant_max)};
  base::check(range.low <= range.high,
              "`quant_min` should be less than or equal to `quant_max`, but they are ", range.low,
              " and ", range.high);
  return range;
}

/// The whole number that stands for x; what no int64 holds becomes the lowest. A whole zero point
/// is added to what was rounded, another one before.
template <typename W, typename Zero>
int64_t quantized(W x, float scale, Zero zero) {
  W units = x * (1.0F / scale);
  if constexpr (std::is_integral_v<Zero>) {
    return core::math::truncated(static_cast<double>(static_cast<W>(zero) + std::nearbyint(units)));
  } else {
    auto moved = static_cast<float>(static_cast<W>(zero) + units);
    return core::math::truncated(static_cast<double>(std::nearbyint(moved)));
  }
}

template <typename T, typename Zero>
T fake_quantized(T x, float scale, Zero zero, Range range) {
  using W = std::conditional_t<std::is_same_v<T, double>, double, float>;
  auto number = static_cast<double>(
      std::clamp(quantized(static_cast<W>(x), scale, zero), range.low, range.high));
  double back = (number - static_cast<double>(zero)) * static_cast<double>(scale);
  return static_cast<T>(static_cast<W>(back));
}

/// One scale and one zero point for all.
void quantize_all(Call& c, float scale, int64_t zero, Range range) {
  Tensor in = c.tensor(arg::self);
  common::over_floating(in.dtype(), "fake_quantize", [&](auto first) {
    using T = decltype(first);
    common::map<T, T>([=](T x) { return fake_quantized(x, scale, zero, range); }, c.out(), in);
  });
}

void check_zero_point(bool fits) {
  base::check(fits, "`zero_point` must be between `quant_min` and `quant_max`.");
}

void per_tensor(Call& c) {
  Range range = range_of(c);
  int64_t zero = c.integer(arg::zero_point);
  check_zero_point(range.contains(zero));
  quantize_all(c, static_cast<float>(c.floating(arg::scale)), zero, range);
}

/// The one number of a tensor argument.
double only_number(const Call& c, ops::ArgName name) {
  auto numbers = dense<double>(c.tensor(name)).values;
  base::check(numbers.size() == 1, "a Tensor with ", numbers.size(),
              " elements cannot be converted to Scalar");
  return numbers[0];
}

/// The zero point may lie outside of the range here.
void per_tensor_by_tensors(Call& c) {
  Range range = range_of(c);
  double scale = only_number(c, arg::scale), zero = only_number(c, arg::zero_point);
  bool held = !(std::fabs(scale) > std::numeric_limits<float>::max()) || std::isinf(scale);
  base::check(held, "the scale ", scale, " cannot be converted to type float without overflow");
  base::check(zero >= INT32_MIN && zero <= INT32_MAX, "the zero point ", zero,
              " cannot be converted to type int without overflow");
  quantize_all(c, static_cast<float>(scale), static_cast<int64_t>(zero), range);
}

/// A vector along one dimension of the argument `self`.
Tensor along(const Tensor& vector, int64_t rank, int64_t axis) {
  Dims sizes(static_cast<size_t>(rank), 1), strides(static_cast<size_t>(rank), 0);
  sizes[static_cast<size_t>(axis)] = vector.numel();
  strides[static_cast<size_t>(axis)] = vector.stride(0);
  return vector.view(sizes, strides, vector.offset());
}

template <typename Zero>
void quantize_channels(Call& c, const Tensor& scale, const Tensor& zero, Range range) {
  Tensor in = c.tensor(arg::self);
  common::over_floating(in.dtype(), "fake_quantize", [&](auto first) {
    using T = decltype(first);
    common::map<T, T, float, Zero>(
        [=](T x, float s, Zero z) { return fake_quantized(x, s, z, range); }, c.out(), in, scale,
        zero);
  });
}

void per_channel(Call& c) {
  Range range = range_of(c);
  Tensor in = c.tensor(arg::self), scale = c.tensor(arg::scale), zero = c.tensor(arg::zero_point);
  int64_t axis = c.integer(arg::axis);
  int64_t channels = in.size(static_cast<size_t>(core::wrap_dim(axis, in.dim(), false)));
  base::check(axis >= 0, "`axis` must be between 0 and number of dimensions of input");
  base::check(scale.numel() == zero.numel(),
              "scale and zero-point need to have the same dimensions: they have ", scale.numel(),
              " and ", zero.numel(), " elements");
  base::check(scale.numel() == channels, "scale and zero-point have ", scale.numel(),
              " elements, but the input has ", channels, " channels");
  if (zero.dtype() == DType::int32) {
    auto zeros = dense<int64_t>(zero).values;
    base::check(!zeros.empty(), "there is no zero point");
    check_zero_point(
        std::all_of(zeros.begin(), zeros.end(), [&](int64_t z) { return range.contains(z); }));
  }
  scale = along(scale, in.dim(), axis);
  zero = along(zero, in.dim(), axis);
  if (zero.dtype() == DType::int32) return quantize_channels<int32_t>(c, scale, zero, range);
  if (zero.dtype() == DType::float16) return quantize_channels<core::Half>(c, scale, zero, range);
  quantize_channels<float>(c, scale, zero, range);
}

constexpr ops::Kernel quantization_table[] = {
    {"aten::fake_quantize_per_tensor_affine", per_tensor},
    {"aten::fake_quantize_per_tensor_affine.tensor_qparams", per_tensor_by_tensors},
    {"aten::fake_quantize_per_channel_affine", per_channel},
};

}  // namespace

std::span<const ops::Kernel> quantization_kernels() { return quantization_table; }

}  // namespace assay::kernels::reference
