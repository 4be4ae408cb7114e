// Convolution by its definition, and what comes after one.

#include <algorithm>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/convolution.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/images.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using ops::Call;
using ops::infer::Convolution;

/// What results are clamped to; complex ones are not.
template <typename C>
struct Bounds {
  bool has_low = false, has_high = false;
  C low{}, high{};

  Bounds() = default;
  explicit Bounds(const Epilogue& e) {
    if constexpr (!is_complex_type<C>) {
      has_low = e.has_low, has_high = e.has_high;
      if (has_low) low = static_cast<C>(e.low);
      if (has_high) high = static_cast<C>(e.high);
    }
  }
  ASSAY_ANYWHERE C clamped(C value) const {
    if constexpr (!is_complex_type<C>) {
      if (has_low && value < low) value = low;
      if (has_high && value > high) value = high;
    }
    return value;
  }
};

/// What products are added up in: complex ones that cancel lose less in the wider type.
template <typename T>
using Summed = std::conditional_t<is_complex_type<T>, Complex<double>, Computed<T>>;

/// What a convolution computes with.
template <typename T>
struct Taps {
  using C = Summed<T>;

  const T *x, *w;
  T* y;
  Images in, filters, out;
  int64_t stride[3]{1, 1, 1}, padding[3]{}, dilation[3]{1, 1, 1};
  int64_t group_ins, group_outs;

  ASSAY_ANYWHERE static C add(C sum, C a, C b) {
    if constexpr (is_complex_type<C>) {
      // As a BLAS multiplies: the language's operator would recover infinities from NaN.
      return C(sum.real() + (a.real() * b.real() - a.imag() * b.imag()),
               sum.imag() + (a.real() * b.imag() + a.imag() * b.real()));
    } else if constexpr (std::is_same_v<C, int64_t>) {
      return static_cast<int64_t>(static_cast<uint64_t>(sum) +
                                  static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    } else {
      return sum + a * b;
    }
  }
};

/// Taps that lie in the input: those of k from `first` to before `end`.
struct TapRange {
  int64_t first, end;
};

template <typename T>
struct ConvolvingBody {
  Taps<T> t;

  ASSAY_ANYWHERE TapRange taps(int d, int64_t place) const {
    int64_t begin = place * t.stride[d] - t.padding[d], step = t.dilation[d];
    int64_t first = begin < 0 ? (step - 1 - begin) / step : 0;
    int64_t left = t.in.sizes[d] - begin;
    int64_t end = left <= 0 ? 0 : (left - 1) / step + 1;
    return {first, end < t.filters.sizes[d] ? end : t.filters.sizes[d]};
  }
  ASSAY_ANYWHERE void operator()(int64_t index) const {
    using C = Summed<T>;
    ImageIndex o = t.out.at(index);
    int64_t group = o.channel / t.group_outs;
    TapRange a = taps(0, o.place[0]), b = taps(1, o.place[1]), c = taps(2, o.place[2]);
    C sum{};
    for (int64_t channel = 0; channel < t.group_ins; ++channel) {
      const T* w = t.w + o.channel * t.filters.image_step + channel * t.filters.channel_step;
      const T* x =
          t.x + o.image * t.in.image_step + (group * t.group_ins + channel) * t.in.channel_step;
      for (int64_t i = a.first; i < a.end; ++i)
        for (int64_t j = b.first; j < b.end; ++j)
          for (int64_t k = c.first; k < c.end; ++k)
            sum = t.add(
                sum, convert<C>(x[place(0, o, i) + place(1, o, j) + place(2, o, k)]),
                convert<C>(
                    w[i * t.filters.steps[0] + j * t.filters.steps[1] + k * t.filters.steps[2]]));
    }
    t.y[t.out.offset(o)] = convert<T>(sum);
  }

 private:
  ASSAY_ANYWHERE int64_t place(int d, const ImageIndex& o, int64_t k) const {
    return (o.place[d] * t.stride[d] - t.padding[d] + k * t.dilation[d]) * t.in.steps[d];
  }
};

/// The filters are (in, out / groups, window...).
template <typename T>
struct TransposedBody {
  Taps<T> t;

  /// The place of the input that the k-th tap spreads to a place of the result, or -1.
  ASSAY_ANYWHERE int64_t source(int d, int64_t place, int64_t k) const {
    int64_t spread = place + t.padding[d] - k * t.dilation[d];
    if (spread < 0 || spread % t.stride[d] != 0) return -1;
    spread /= t.stride[d];
    return spread < t.in.sizes[d] ? spread : -1;
  }
  ASSAY_ANYWHERE void operator()(int64_t index) const {
    using C = Summed<T>;
    ImageIndex o = t.out.at(index);
    int64_t group = o.channel / t.group_outs, filter = o.channel % t.group_outs;
    const T* x = t.x + o.image * t.in.image_step + group * t.group_ins * t.in.channel_step;
    const T* w = t.w + group * t.group_ins * t.filters.image_step + filter * t.filters.channel_step;
    C sum{};
    for (int64_t i = 0; i < t.filters.sizes[0]; ++i) {
      int64_t a = source(0, o.place[0], i);
      for (int64_t j = 0; a >= 0 && j < t.filters.sizes[1]; ++j) {
        int64_t b = source(1, o.place[1], j);
        for (int64_t k = 0; b >= 0 && k < t.filters.sizes[2]; ++k) {
          int64_t c = source(2, o.place[2], k);
          if (c < 0) continue;
          const T* from = x + a * t.in.steps[0] + b * t.in.steps[1] + c * t.in.steps[2];
          const T* tap =
              w + i * t.filters.steps[0] + j * t.filters.steps[1] + k * t.filters.steps[2];
          for (int64_t channel = 0; channel < t.group_ins; ++channel)
            sum = t.add(sum, convert<C>(from[channel * t.in.channel_step]),
                        convert<C>(tap[channel * t.filters.image_step]));
        }
      }
    }
    t.y[t.out.offset(o)] = convert<T>(sum);
  }
};

template <typename T>
void convolve_all(const Call& call, const Convolution& conv, const Tensor& out) {
  auto address = [](const Tensor& t) { return reinterpret_cast<T*>(t.device_address()); };
  Taps<T> t{address(conv.input),
            address(conv.weight),
            address(out),
            Images(conv.input),
            Images(conv.weight),
            Images(out),
            {1, 1, 1},
            {},
            {1, 1, 1},
            1,
            1};
  size_t n = conv.spatial();
  for (size_t i = 0; i < n; ++i) {
    t.stride[3 - n + i] = conv.stride[i];
    t.padding[3 - n + i] = conv.padding[i];
    t.dilation[3 - n + i] = conv.dilation[i];
  }
  t.group_ins = conv.input.size(1) / conv.groups;
  t.group_outs = std::max<int64_t>(1, conv.out_channels() / conv.groups);
  if (conv.transposed)
    for_each(queue_of(call), t.out.count, TransposedBody<T>{t});
  else
    for_each(queue_of(call), t.out.count, ConvolvingBody<T>{t});
}

Epilogue bounds_of(const Call& c) {
  Epilogue e;
  e.has_low = !c.is_none(arg::low), e.has_high = !c.is_none(arg::high);
  if (e.has_low) e.low = c.floating(arg::low);
  if (e.has_high) e.high = c.floating(arg::high);
  return e;
}

/// A vector as the second dimension of so many, or the first one.
Tensor along(const Tensor& vector, size_t rank, size_t dim) {
  Dims sizes(rank, 1), strides(rank, 0);
  sizes[dim] = vector.size(0), strides[dim] = vector.stride(0);
  return vector.view(sizes, strides, vector.offset());
}

/// Elements of a result; `from` has fewer dimensions or smaller ones. Computed in C.
template <typename T, typename C>
struct FinishingBody {
  Layout<4> layout;  ///< Of the result, what was convolved, the bias and the residual.
  std::byte* out;
  const std::byte *from, *bias, *residual;
  core::DType out_dtype, residual_dtype;
  Bounds<C> bounds;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<4> at = layout.offsets(i);
    C value = convert<C>(*reinterpret_cast<const T*>(from + at.of[1]));
    if (bias) value += convert<C>(*reinterpret_cast<const T*>(bias + at.of[2]));
    if (residual) value += load<C>(residual + at.of[3], residual_dtype);
    store(out + at.of[0], out_dtype, bounds.clamped(value));
  }
};

/// The same where all is of one type and lies alike without gaps: as many elements at a time as fit
/// into 16 bytes.
template <typename T>
struct FlatFinishingBody {
  using C = Computed<T>;
  static constexpr int width = 16 / sizeof(T);
  struct alignas(16) Sixteen {
    T of[width];
  };

  const T *from, *bias, *residual;
  T* out;
  int64_t bias_step;
  Divider inner, channels;
  bool narrow, uniform;  ///< uniform: elements that are read at once have one channel.
  Bounds<C> bounds;

  ASSAY_ANYWHERE C bias_of(int64_t i) const {
    if (!bias) return C(0);
    int64_t row = inner.divide(i, narrow);
    int64_t channel = row - channels.divide(row, narrow) * channels.divisor();
    return convert<C>(bias[channel * bias_step]);
  }
  ASSAY_ANYWHERE void operator()(int64_t k) const {
    int64_t first = k * width;
    Sixteen pack = *reinterpret_cast<const Sixteen*>(from + first), more{};
    if (residual) more = *reinterpret_cast<const Sixteen*>(residual + first);
    C added = uniform ? bias_of(first) : C(0);
    for (int j = 0; j < width; ++j) {
      C value = convert<C>(pack.of[j]);
      if (bias) value += uniform ? added : bias_of(first + j);
      if (residual) value += convert<C>(more.of[j]);
      pack.of[j] = convert<T>(bounds.clamped(value));
    }
    *reinterpret_cast<Sixteen*>(out + first) = pack;
  }
};

bool lies_alike(const Tensor& a, const Tensor& b) {
  if (!(a.sizes() == b.sizes()) || a.dtype() != b.dtype()) return false;
  for (size_t d = 0; d < a.sizes().size(); ++d) {
    if (a.size(d) > 1 && a.stride(d) != b.stride(d)) return false;
  }
  return true;
}

bool is_aligned(const Tensor& t) {
  return !t || reinterpret_cast<uintptr_t>(t.device_address()) % 16 == 0;
}

/// False where the elements do not lie so.
template <typename T>
bool finish_flat(const Call& call, const Tensor& out, const Tensor& from, const Epilogue& e) {
  constexpr int width = FlatFinishingBody<T>::width;
  bool last = !out.is_contiguous();
  bool dense = !last || (out.dim() == 4 && out.is_contiguous(core::MemoryFormat::channels_last));
  bool alike = lies_alike(out, from) && (!e.residual || lies_alike(out, e.residual));
  bool aligned = is_aligned(out) && is_aligned(from) && is_aligned(e.residual);
  if (!dense || !alike || !aligned || out.numel() % width != 0) return false;
  int64_t images = out.size(0) * out.size(1);
  FlatFinishingBody<T> body{};
  body.from = from.device_data<T>(), body.out = out.device_data<T>();
  if (e.residual) body.residual = e.residual.device_data<T>();
  if (e.bias) body.bias = e.bias.device_data<T>(), body.bias_step = e.bias.stride(0);
  body.inner = Divider(last || images == 0 ? 1 : std::max<int64_t>(1, out.numel() / images));
  body.channels = Divider(std::max<int64_t>(1, out.size(1)));
  body.narrow = out.numel() < (int64_t{1} << 31);
  body.uniform = body.inner.divisor() % width == 0;
  body.bounds = Bounds<Computed<T>>(e);
  for_each(queue_of(call), out.numel() / width, body);
  return true;
}

template <typename T, typename C>
void finish_any(const Call& call, const Tensor& out, const Tensor& from, const Epilogue& e) {
  Tensor bias = from;  // Stands for none: its addresses are not used.
  if (e.bias) bias = along(e.bias, from.sizes().size(), 1);
  FinishingBody<T, C> body{};
  body.layout = Layout<4>::of(out.sizes(), {out, from, bias, e.residual ? e.residual : from});
  body.out = out.device_address();
  body.from = from.device_address();
  body.bias = e.bias ? bias.device_address() : nullptr;
  body.residual = e.residual ? e.residual.device_address() : nullptr;
  body.out_dtype = out.dtype();
  body.residual_dtype = e.residual ? e.residual.dtype() : from.dtype();
  body.bounds = Bounds<C>(e);
  for_each(queue_of(call), body.layout.count, body);
}

template <typename T>
void finish_all(const Call& call, const Tensor& out, const Tensor& from, const Epilogue& e) {
  if constexpr (is_float_type<T>) {
    if (finish_flat<T>(call, out, from, e)) return;
    if (core::is_complex(out.dtype())) return finish_any<T, Complex<double>>(call, out, from, e);
  }
  finish_any<T, Computed<T>>(call, out, from, e);
}

/// The weight's element times the factor of its filter, in double.
template <typename T>
struct ScalingBody {
  Layout<3> layout;
  std::byte* out;
  const std::byte *weight, *scale;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Offsets<3> at = layout.offsets(i);
    auto factor = *reinterpret_cast<const double*>(scale + at.of[2]);
    auto w = convert<double>(*reinterpret_cast<const T*>(weight + at.of[1]));
    *reinterpret_cast<T*>(out + at.of[0]) = convert<T>(w * factor);
  }
};

template <typename T>
void scale_all(const Call& call, const Tensor& out, const Tensor& weight, const Tensor& factors) {
  ScalingBody<T> body{Layout<3>::of(out.sizes(), {out, weight, factors}), out.device_address(),
                      weight.device_address(), factors.device_address()};
  for_each(queue_of(call), body.layout.count, body);
}

/// x * scale + shift of each channel, clamped.
template <typename T>
struct ScaleChannelsBody {
  Layout<4> layout;  ///< Of the result, the input, scale and shift.
  std::byte* out;
  const std::byte *x, *scale, *shift;
  core::DType shift_dtype;
  Bounds<Summed<T>> bounds;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    using C = Summed<T>;
    Offsets<4> at = layout.offsets(i);
    C value = Taps<T>::add(load<C>(shift + at.of[3], shift_dtype),
                           convert<C>(*reinterpret_cast<const T*>(x + at.of[1])),
                           convert<C>(*reinterpret_cast<const T*>(scale + at.of[2])));
    *reinterpret_cast<T*>(out + at.of[0]) = convert<T>(bounds.clamped(value));
  }
};

template <typename T>
void scale_channels(const Call& c) {
  Tensor out = c.out(), x = c.tensor(arg::input);
  size_t rank = x.sizes().size();
  Tensor scale = along(c.tensor(arg::scale), rank, 1), shift = along(c.tensor(arg::shift), rank, 1);
  ScaleChannelsBody<T> body{Layout<4>::of(out.sizes(), {out, x, scale, shift}),
                            out.device_address(),
                            x.device_address(),
                            scale.device_address(),
                            shift.device_address(),
                            shift.dtype(),
                            Bounds<Summed<T>>(bounds_of(c))};
  for_each(queue_of(c), body.layout.count, body);
}

void run_scale_channels(Call& c) {
  common::over_all(c.out().dtype(), "scale_channels",
                   [&](auto zero) { scale_channels<Stored<decltype(zero)>>(c); });
}

void run_row_major(Call& c) { copy_elements(c, c.out(), c.tensor(arg::self)); }

constexpr ops::Kernel channels_table[] = {
    {"assay::row_major", run_row_major},
    {"assay::scale_channels", run_scale_channels},
};

}  // namespace

Epilogue epilogue_of(const Call& c, const Convolution& conv) {
  Epilogue e;
  if (c.has(arg::residual)) {
    e = bounds_of(c);
    e.residual = c.tensor(arg::residual);
  }
  e.bias = conv.bias;
  return e;
}

void finish_convolution(const Call& call, const Tensor& out, const Tensor& from,
                        const Epilogue& epilogue) {
  common::over_all(from.dtype(), "convolution", [&](auto zero) {
    finish_all<Stored<decltype(zero)>>(call, out, from, epilogue);
  });
}

void convolve_directly(const Call& call, const Convolution& conv, const Tensor& out) {
  if (conv.spatial() > 3) base::unsupported("convolution over ", conv.spatial(), " dimensions");
  if (out.numel() == 0) return;
  common::over_all(out.dtype(), "convolution",
                   [&](auto zero) { convolve_all<Stored<decltype(zero)>>(call, conv, out); });
}

Tensor scaled_weight(const Call& call, const Convolution& conv) {
  const Tensor& weight = conv.weight;
  Tensor out = Tensor::empty(weight.sizes(), weight.dtype(), weight.device());
  Tensor factors = along(conv.scale, weight.sizes().size(), 0);
  common::over_floating(weight.dtype(), "convolution",
                        [&](auto zero) { scale_all<decltype(zero)>(call, out, weight, factors); });
  return out;
}

std::span<const ops::Kernel> channel_kernels() { return channels_table; }

}  // namespace assay::kernels::cuda
