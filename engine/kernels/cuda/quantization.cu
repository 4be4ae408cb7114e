// Fake quantization: floating-point numbers as a quantized tensor would hold
// them.

#include <cmath>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/pointwise.h"
#include "engine/kernels/cuda/rounding.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

/// The whole numbers that the quantized type has.
struct Range {
  int64_t low, high;
  ASSAY_ANYWHERE bool contains(int64_t n) const { return n >= low && n <= high; }
};

Range range_of(const Call& c) {
  Range range{c.integer(arg::quant_min), c.integer(arg::quant_max)};
  base::check(range.low <= range.high,
              "`quant_min` should be less than or equal to `quant_max`, but they are ", range.low,
              " and ", range.high);
  return range;
}

/// The whole number that stands for x. A whole zero point is added to what was
/// rounded, another one before.
template <typename W, typename Zero>
ASSAY_ANYWHERE int64_t quantized(W x, float scale, Zero zero) {
  using std::nearbyint;
  W units = product(x, static_cast<W>(1.0F / scale));
  if constexpr (std::is_integral_v<Zero>) {
    return convert<int64_t>(static_cast<double>(static_cast<W>(zero) + nearbyint(units)));
  } else {
    auto moved = static_cast<float>(static_cast<W>(zero) + units);
    return convert<int64_t>(static_cast<double>(nearbyint(moved)));
  }
}

template <typename T, typename Zero>
ASSAY_ANYWHERE T fake_quantized(T x, float scale, Zero zero, Range range) {
  using W = Computed<T>;
  int64_t whole = quantized(convert<W>(x), scale, zero);
  if (whole < range.low) whole = range.low;
  if (whole > range.high) whole = range.high;
  double moved = static_cast<double>(whole) - static_cast<double>(zero);
  return convert<T>(static_cast<W>(product(moved, static_cast<double>(scale))));
}

/// One scale and one zero point for all: numbers, or tensors' only elements.
template <typename T>
struct QuantizeAll {
  Operand in;
  std::byte* out;
  Layout<2> layout;
  Operand scale, zero;
  Range range;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<2> at = layout.offsets(i);
    auto x = *reinterpret_cast<const T*>(in.at(at.of[1]));
    auto by = static_cast<float>(load<double>(scale.at(0), scale.dtype));
    auto zero_point = load<int64_t>(zero.at(0), zero.dtype);
    *reinterpret_cast<T*>(out + at.of[0]) = fake_quantized(x, by, zero_point, range);
  }
};

/// What tensors hold has to fit into float and int.
struct CheckNumbers {
  Operand scale, zero;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t) const {
    double by = load<double>(scale.at(0), scale.dtype), at = load<double>(zero.at(0), zero.dtype);
    using std::fabs;
    bool held = !(fabs(by) > 3.4028234663852886e38) || fabs(by) > 1.7976931348623157e308;
    if (!held || !(at >= INT32_MIN && at <= INT32_MAX)) report(Fault::other);
  }
};

void quantize_all(Call& c, const Operand& scale, const Operand& zero, Range range) {
  Tensor in = c.tensor(arg::self), out = c.out();
  auto layout = Layout<2>::of(out.sizes(), {out, in});
  common::over_floating(in.dtype(), "fake_quantize", [&](auto first) {
    using T = decltype(first);
    for_each(queue_of(c), layout.count,
             QuantizeAll<T>{Operand(in), out.device_address(), layout, scale, zero, range});
  });
}

void check_zero_point(bool fits) {
  base::check(fits, "`zero_point` must be between `quant_min` and `quant_max`.");
}

template <typename T>
Operand known(DType dtype, T number) {
  Operand operand;
  operand.dtype = dtype;
  operand.known = true;
  std::memcpy(operand.number, &number, sizeof number);
  return operand;
}

void per_tensor(Call& c) {
  Range range = range_of(c);
  int64_t zero = c.integer(arg::zero_point);
  check_zero_point(range.contains(zero));
  quantize_all(c, known(DType::float64, c.floating(arg::scale)), known(DType::int64, zero), range);
}

Operand only_number(const Call& c, ops::ArgName name) {
  Tensor t = c.tensor(name);
  base::check(t.numel() == 1, "a Tensor with ", t.numel(),
              " elements cannot be converted to Scalar");
  return Operand(t);
}

/// The zero point may lie outside of the range here.
void per_tensor_by_tensors(Call& c) {
  Range range = range_of(c);
  Operand scale = only_number(c, arg::scale), zero = only_number(c, arg::zero_point);
  Queue queue = queue_of(c);
  for_each(queue, 1, CheckNumbers{scale, zero, queue.report});
  quantize_all(c, scale, zero, range);
}

/// A vector along one dimension of the argument `self`.
Tensor along(const Tensor& vector, int64_t rank, int64_t axis) {
  Dims sizes(static_cast<size_t>(rank), 1), strides(static_cast<size_t>(rank), 0);
  sizes[static_cast<size_t>(axis)] = vector.numel();
  strides[static_cast<size_t>(axis)] = vector.stride(0);
  return vector.view(sizes, strides, vector.offset());
}

template <typename T, typename Zero>
struct QuantizeChannels {
  const std::byte *in, *scale, *zero;
  std::byte* out;
  Layout<4> layout;
  Range range;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<4> at = layout.offsets(i);
    auto x = *reinterpret_cast<const T*>(in + at.of[1]);
    auto by = *reinterpret_cast<const float*>(scale + at.of[2]);
    auto moved_by = convert<std::conditional_t<std::is_integral_v<Zero>, Zero, float>>(
        *reinterpret_cast<const Zero*>(zero + at.of[3]));
    *reinterpret_cast<T*>(out + at.of[0]) = fake_quantized(x, by, moved_by, range);
  }
};

template <typename T, typename Zero>
void run_channels(Call& c, const Tensor& scale, const Tensor& zero, Range range) {
  Tensor in = c.tensor(arg::self), out = c.out();
  auto layout = Layout<4>::of(out.sizes(), {out, in, scale, zero});
  for_each(queue_of(c), layout.count,
           QuantizeChannels<T, Zero>{in.device_address(), scale.device_address(),
                                     zero.device_address(), out.device_address(), layout, range});
}

template <typename Zero>
void quantize_channels(Call& c, const Tensor& scale, const Tensor& zero, Range range) {
  common::over_floating(c.out().dtype(), "fake_quantize", [&](auto first) {
    run_channels<decltype(first), Zero>(c, scale, zero, range);
  });
}

struct CheckZeroPoints {
  const int32_t* zeros;
  int64_t stride;
  Range range;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    if (!range.contains(zeros[i * stride])) report(Fault::other);
  }
};

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
    base::check(zero.numel() > 0, "there is no zero point");
    Queue queue = queue_of(c);
    for_each(queue, zero.numel(),
             CheckZeroPoints{zero.device_data<int32_t>(), zero.stride(0), range, queue.report});
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

}  // namespace assay::kernels::cuda
