// Pooling: the maximum or the mean of each window, a thread for each.

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/images.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/words.h"
#include "engine/ops/infer/pooling.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

/// Positions of a window along one dimension: begin, begin + step, ... below end; all inside the
/// input. `span` counts the positions with padding.
struct Range {
  int64_t begin, end, step, span;
};

/// Windows of one size, side by side.
struct FixedWindows {
  int64_t kernel[3]{1, 1, 1}, stride[3]{1, 1, 1}, padding[3]{}, dilation[3]{1, 1, 1};
  int64_t in[3]{1, 1, 1};

  ASSAY_ANYWHERE Range along(int d, const ImageIndex& o) const {
    int64_t begin = o.place[d] * stride[d] - padding[d];
    int64_t end = begin + dilation[d] * (kernel[d] - 1) + 1;
    int64_t padded = in[d] + padding[d];
    int64_t span = (end < padded ? end : padded) - begin;
    if (begin < 0) begin += (dilation[d] - 1 - begin) / dilation[d] * dilation[d];
    // Beyond the input one step is as good as another; a sum of sizes cannot overflow.
    return {begin, end < in[d] ? end : in[d], dilation[d] < in[d] ? dilation[d] : in[d], span};
  }
};

/// Windows that divide the input evenly.
struct AdaptiveWindows {
  int64_t in[3]{1, 1, 1}, out[3]{1, 1, 1};

  ASSAY_ANYWHERE Range along(int d, const ImageIndex& o) const {
    int64_t begin = o.place[d] * in[d] / out[d];
    int64_t end = ((o.place[d] + 1) * in[d] + out[d] - 1) / out[d];
    return {begin, end, 1, end - begin};
  }
};

/// With a batch, which images may lack.
Tensor batched(const Tensor& t, size_t spatial) {
  return t.sizes().size() == spatial + 2 ? t : ops::views::unsqueeze(t, 0);
}

FixedWindows fixed_windows(const ops::infer::Pooling& p, const Images& in, const Images& out) {
  FixedWindows w;
  size_t n = p.spatial();
  for (size_t i = 0; i < n; ++i) {
    size_t d = 3 - n + i;
    w.kernel[d] = p.kernel[i], w.stride[d] = p.stride[i];
    w.padding[d] = p.padding[i], w.dilation[d] = p.dilation[i];
    w.in[d] = in.sizes[d];
    if (out.count == 0) continue;
    int64_t last = (out.sizes[d] - 1) * p.stride[i] - p.padding[i];
    base::checked_add(last, p.dilation[i] * (p.kernel[i] - 1) + 1);
  }
  return w;
}

AdaptiveWindows adaptive_windows(const Images& in, const Images& out) {
  AdaptiveWindows w;
  for (int d = 0; d < 3; ++d) {
    w.in[d] = in.sizes[d], w.out[d] = out.sizes[d];
    if (out.count == 0) continue;
    base::checked_add(base::checked_mul(out.sizes[d], in.sizes[d]), out.sizes[d] - 1);
  }
  return w;
}

template <typename T>
struct MaximumBody {
  const T* x;
  T* y;
  int64_t* indices;  ///< May be null.
  Images in, out;

  template <typename Windows>
  ASSAY_ANYWHERE void take(const Windows& windows, const ImageIndex& o) const {
    using C = Computed<T>;
    Range a = windows.along(0, o), b = windows.along(1, o), c = windows.along(2, o);
    const T* channel = x + o.image * in.image_step + o.channel * in.channel_step;
    C best = -std::numeric_limits<C>::infinity();
    int64_t at = (a.begin * in.sizes[1] + b.begin) * in.sizes[2] + c.begin;
    for (int64_t i = a.begin; i < a.end; i += a.step) {
      for (int64_t j = b.begin; j < b.end; j += b.step) {
        const T* row = channel + i * in.steps[0] + j * in.steps[1];
        for (int64_t k = c.begin; k < c.end; k += c.step) {
          C value = convert<C>(row[k * in.steps[2]]);
          if (!(value > best) && value == value) continue;  // The last NaN stays.
          best = value;
          at = (i * in.sizes[1] + j) * in.sizes[2] + k;
        }
      }
    }
    int64_t to = out.offset(o);
    y[to] = convert<T>(best);
    if (indices) indices[to] = at;
  }
};

template <typename T, typename Windows>
struct MaximaBody {
  MaximumBody<T> maximum;
  Windows windows;

  ASSAY_ANYWHERE void operator()(int64_t i) const { maximum.take(windows, maximum.out.at(i)); }
};

template <typename T, typename Windows>
struct MeanBody {
  const T* x;
  T* y;
  Images in, out;
  Windows windows;
  bool include_padding;
  int64_t divisor;  ///< 0: how many there are.

  ASSAY_ANYWHERE void operator()(int64_t index) const {
    using C = Computed<T>;
    ImageIndex o = out.at(index);
    Range a = windows.along(0, o), b = windows.along(1, o), c = windows.along(2, o);
    const T* channel = x + o.image * in.image_step + o.channel * in.channel_step;
    C sum{};
    double count = 0;  // With padding it may be beyond every integer.
    for (int64_t i = a.begin; i < a.end; i += a.step) {
      for (int64_t j = b.begin; j < b.end; j += b.step) {
        const T* row = channel + i * in.steps[0] + j * in.steps[1];
        for (int64_t k = c.begin; k < c.end; k += c.step) sum += convert<C>(row[k * in.steps[2]]);
      }
    }
    bool empty = a.begin >= a.end || b.begin >= b.end || c.begin >= c.end;
    if (include_padding) {
      count =
          static_cast<double>(a.span) * static_cast<double>(b.span) * static_cast<double>(c.span);
    } else {
      count = places(a) * places(b) * places(c);
    }
    if (divisor != 0) count = static_cast<double>(divisor);
    y[out.offset(o)] = empty ? T{} : convert<T>(static_cast<C>(sum / static_cast<C>(count)));
  }

 private:
  ASSAY_ANYWHERE static double places(const Range& r) {
    return r.end <= r.begin ? 0 : static_cast<double>((r.end - r.begin - 1) / r.step + 1);
  }
};

/// The mean of whole channels that lie without gaps.
template <typename T>
struct WholeMean {
  using C = Accumulated<T>;

  const T* x;
  T* y;
  int64_t length;

  ASSAY_ANYWHERE C start() const { return 0; }
  ASSAY_ANYWHERE C load(int64_t row, int64_t i) const { return convert<C>(x[row * length + i]); }
  ASSAY_ANYWHERE C join(C a, C b) const { return a + b; }
  ASSAY_ANYWHERE void finish(int64_t row, C total) const {
    y[row] = convert<T>(total / static_cast<C>(length));
  }
};

template <typename T, typename Windows>
void max_over(const Call& c, const Images& in, const Images& out, const Windows& windows) {
  int64_t* indices = c.results.size() > 1 ? c.out(1).device_data<int64_t>() : nullptr;
  MaximumBody<T> body{c.tensor(arg::self).device_data<T>(), c.out().device_data<T>(), indices, in,
                      out};
  for_each(queue_of(c), out.count, MaximaBody<T, Windows>{body, windows});
}

void run_max_pool(Call& c) {
  auto p = ops::infer::pooling_of(c);
  Images in(batched(p.input, p.spatial())), out(batched(c.out(), p.spatial()));
  FixedWindows windows = fixed_windows(p, in, out);
  common::over_floating(p.input.dtype(), "max_pool",
                        [&](auto zero) { max_over<decltype(zero)>(c, in, out, windows); });
}

template <size_t spatial>
void run_adaptive_max(Call& c) {
  Tensor input = c.tensor(arg::self);
  Images in(batched(input, spatial)), out(batched(c.out(), spatial));
  AdaptiveWindows windows = adaptive_windows(in, out);
  common::over_floating(input.dtype(), "adaptive_max_pool",
                        [&](auto zero) { max_over<decltype(zero)>(c, in, out, windows); });
}

template <typename T>
void mean_over_fixed(const Call& c, const ops::infer::Pooling& p) {
  Images in(batched(p.input, p.spatial())), out(batched(c.out(), p.spatial()));
  MeanBody<T, FixedWindows> body{
      p.input.device_data<T>(), c.out().device_data<T>(),  in, out, fixed_windows(p, in, out),
      p.include_padding,        p.divisor ? *p.divisor : 0};
  for_each(queue_of(c), out.count, body);
}

void run_avg_pool(Call& c) {
  auto p = ops::infer::pooling_of(c);
  if (p.input.dtype() == DType::int64) return mean_over_fixed<int64_t>(c, p);
  common::over_floating(p.input.dtype(), "avg_pool",
                        [&](auto zero) { mean_over_fixed<decltype(zero)>(c, p); });
}

template <typename T>
void mean_over_parts(const Call& c, const Tensor& input, const Images& in, const Images& out) {
  const T* x = input.device_data<T>();
  T* y = c.out().device_data<T>();
  bool whole = out.sizes[0] * out.sizes[1] * out.sizes[2] == 1;
  if (whole && input.is_contiguous() && c.out().is_contiguous()) {
    int64_t area = in.sizes[0] * in.sizes[1] * in.sizes[2];
    return reduce(c, queue_of(c), out.count, area, WholeMean<T>{x, y, area});
  }
  for_each(queue_of(c), out.count,
           MeanBody<T, AdaptiveWindows>{x, y, in, out, adaptive_windows(in, out), false, 0});
}

template <size_t spatial>
void run_adaptive_avg(Call& c) {
  Tensor input = c.tensor(arg::self);
  Images in(batched(input, spatial)), out(batched(c.out(), spatial));
  common::over_floating(input.dtype(), "adaptive_avg_pool",
                        [&](auto zero) { mean_over_parts<decltype(zero)>(c, input, in, out); });
}

/// Graham 2014, as PyTorch does it: windows begin at floor((i + u) * alpha) - floor(u * alpha), the
/// last one ends where the input does. U is the type of the samples.
template <typename U>
struct RandomWindows {
  U sample[3]{};
  int64_t kernel[3]{1, 1, 1}, in[3]{1, 1, 1}, out[3]{1, 1, 1};

  ASSAY_ANYWHERE Range along(int d, const ImageIndex& o) const {
    int64_t count = out[d], place = o.place[d], begin = in[d] - kernel[d];
    if (place != count - 1) {
      U alpha = static_cast<U>(begin) / static_cast<U>(count - 1);
      begin = static_cast<int64_t>((static_cast<U>(place) + sample[d]) * alpha) -
              static_cast<int64_t>(sample[d] * alpha);
    }
    return {begin, begin + kernel[d], 1, kernel[d]};
  }
};

template <typename T, typename U>
struct FractionalBody {
  MaximumBody<T> maximum;
  RandomWindows<U> windows;
  const std::byte* samples;
  DType samples_dtype;
  int64_t sample_size;  ///< In bytes.
  int spatial;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    ImageIndex o = maximum.out.at(i);
    RandomWindows<U> own = windows;
    int64_t channel = o.image * maximum.in.channels + o.channel;
    for (int s = 0; s < spatial; ++s) {
      // Samples of images are ordered (x, y), those of volumes (z, y, x).
      int d = spatial == 2 ? 2 - s : s;
      own.sample[d] = load<U>(samples + (channel * spatial + s) * sample_size, samples_dtype);
    }
    for (int d = 0; d < 3; ++d) {
      if (!report.within(own.along(d, o).begin, own.in[d] - own.kernel[d] + 1)) return;
    }
    maximum.take(own, o);
  }
};

template <typename T, typename U>
void fractional_max(const Call& c, int spatial) {
  auto n = static_cast<size_t>(spatial);
  Tensor input = c.tensor(arg::self), samples = contiguous(c, c.tensor(arg::random_samples));
  Images in(batched(input, n)), out(batched(c.out(), n));
  Dims kernel = c.ints(arg::kernel_size, n);
  RandomWindows<U> windows;
  for (size_t d = 0; d < 3; ++d) {
    windows.in[d] = in.sizes[d], windows.out[d] = out.sizes[d];
    if (d >= 3 - n) windows.kernel[d] = kernel[d - (3 - n)];
  }
  MaximumBody<T> maximum{input.device_data<T>(), c.out().device_data<T>(),
                         c.out(1).device_data<int64_t>(), in, out};
  Queue queue = queue_of(c);
  for_each(queue, out.count,
           FractionalBody<T, U>{maximum, windows, samples.device_address(), samples.dtype(),
                                static_cast<int64_t>(samples.item_size()), spatial, queue.report});
}

template <int spatial>
void run_fractional_max(Call& c) {
  common::over_floating(c.out().dtype(), "fractional_max_pool", [&](auto zero) {
    using T = decltype(zero);
    fractional_max<T, std::conditional_t<std::is_same_v<T, float>, float, double>>(c, spatial);
  });
}

/// Each element goes back to the position that it was taken from.
template <typename Word>
struct UnpoolingBody {
  const Word* x;
  Word* y;
  const int64_t* positions;
  Images in, to;
  int64_t position_image_step, position_channel_step, position_steps[3];
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    ImageIndex o = in.at(i);
    int64_t at = o.image * position_image_step + o.channel * position_channel_step;
    for (int d = 0; d < 3; ++d) at += o.place[d] * position_steps[d];
    int64_t position = positions[at];
    if (!report.within(position, to.sizes[0] * to.sizes[1] * to.sizes[2])) return;
    ImageIndex target{o.image, o.channel, {}};
    target.place[2] = position % to.sizes[2];
    position /= to.sizes[2];
    target.place[1] = position % to.sizes[1];
    target.place[0] = position / to.sizes[1];
    y[to.offset(target)] = x[in.offset(o)];
  }
};

template <typename Word>
void unpool(const Call& c, size_t spatial) {
  Tensor input = c.tensor(arg::self), indices = c.tensor(arg::indices);
  Images in(batched(input, spatial)), to(batched(c.out(), spatial));
  Images from(batched(indices, spatial));
  Queue queue = queue_of(c);
  UnpoolingBody<Word> body{input.device_words<Word>(),
                           c.out().device_words<Word>(),
                           indices.device_data<int64_t>(),
                           in,
                           to,
                           from.image_step,
                           from.channel_step,
                           {from.steps[0], from.steps[1], from.steps[2]},
                           queue.report};
  for_each(queue, in.count, body);
}

template <size_t spatial>
void run_max_unpool(Call& c) {
  fill_elements(c, c.out(), 0);
  over_words(c.out().item_size(), [&](auto word) { unpool<decltype(word)>(c, spatial); });
}

constexpr ops::Kernel pooling_table[] = {
    {"aten::max_pool1d", run_max_pool},
    {"aten::max_pool1d_with_indices", run_max_pool},
    {"aten::max_pool2d", run_max_pool},
    {"aten::max_pool2d_with_indices", run_max_pool},
    {"aten::max_pool3d", run_max_pool},
    {"aten::max_pool3d_with_indices", run_max_pool},
    {"aten::avg_pool1d", run_avg_pool},
    {"aten::avg_pool2d", run_avg_pool},
    {"aten::avg_pool3d", run_avg_pool},
    {"aten::adaptive_avg_pool1d", run_adaptive_avg<1>},
    {"aten::adaptive_avg_pool2d", run_adaptive_avg<2>},
    {"aten::adaptive_avg_pool3d", run_adaptive_avg<3>},
    {"aten::adaptive_max_pool1d", run_adaptive_max<1>},
    {"aten::adaptive_max_pool2d", run_adaptive_max<2>},
    {"aten::adaptive_max_pool3d", run_adaptive_max<3>},
    {"aten::fractional_max_pool2d", run_fractional_max<2>},
    {"aten::fractional_max_pool3d", run_fractional_max<3>},
    {"aten::max_unpool2d", run_max_unpool<2>},
    {"aten::max_unpool3d", run_max_unpool<3>},
};

}  // namespace

std::span<const ops::Kernel> pooling_kernels() { return pooling_table; }

}  // namespace assay::kernels::cuda
