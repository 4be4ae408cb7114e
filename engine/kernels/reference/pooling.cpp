// Pooling: the maximum or the mean of each window.

#include "engine/ops/infer/pooling.h"

#include <array>
#include <cmath>
#include <limits>

#include "engine/base/checked.h"
#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
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

/// Positions of a window along one dimension: begin, begin + step, ... below end; all inside the
/// input. `span` counts the positions with padding.
struct Range {
  int64_t begin, end, step, span;
};

/// The windows of each output position along each of three dimensions; none for an empty output,
/// which may be endlessly long.
using Windows = std::array<std::vector<Range>, 3>;

Windows fixed_windows(const ops::infer::Pooling& p, const Dims& out) {
  Windows windows;
  if (core::numel(out) == 0) return windows;
  size_t n = p.spatial();
  for (size_t d = 0; d < 3; ++d) {
    if (d < 3 - n) {
      windows[d] = {{0, 1, 1, 1}};
      continue;
    }
    size_t i = d - (3 - n);
    int64_t in = p.input.size(p.input.sizes().size() - n + i);
    for (int64_t o = 0; o < out[out.size() - n + i]; ++o) {
      int64_t begin = o * p.stride[i] - p.padding[i];
      int64_t end = base::checked_add(begin, p.dilation[i] * (p.kernel[i] - 1) + 1);
      int64_t span = std::min(end, in + p.padding[i]) - begin;
      if (begin < 0) begin += (p.dilation[i] - 1 - begin) / p.dilation[i] * p.dilation[i];
      // Beyond the input one step is as good as another; a sum of sizes cannot overflow.
      windows[d].push_back({begin, std::min(end, in), std::min(p.dilation[i], in), span});
    }
  }
  return windows;
}

Windows adaptive_windows(const Tensor& input, const Dims& out, size_t n) {
  Windows windows;
  if (core::numel(out) == 0) return windows;
  for (size_t d = 0; d < 3; ++d) {
    if (d < 3 - n) {
      windows[d] = {{0, 1, 1, 1}};
      continue;
    }
    size_t at = out.size() - 3 + d;
    int64_t in = input.size(at), count = out[at];
    base::DeadlineTicker deadline;
    for (int64_t o = 0; o < count; ++o) {
      deadline.tick();
      int64_t past = base::checked_add(base::checked_mul(o + 1, in), count - 1);
      int64_t begin = o * in / count, end = past / count;
      windows[d].push_back({begin, end, 1, end - begin});
    }
  }
  return windows;
}

/// How many positions of the input a window has.
int64_t positions(const Range& r) {
  return r.end <= r.begin ? 0 : (r.end - r.begin - 1) / r.step + 1;
}

/// Calls visit(position in the output, position of the input's channel, the three ranges).
template <typename Visit>
void for_windows(const Windows& windows, int64_t channels, int64_t in_area, Visit&& visit) {
  int64_t position = 0;
  base::DeadlineTicker deadline;
  for (int64_t c = 0; c < channels; ++c)
    for (const Range& z : windows[0])
      for (const Range& y : windows[1])
        for (const Range& x : windows[2]) {
          deadline.tick(positions(z) * positions(y) * positions(x));
          visit(position++, c * in_area, z, y, x);
        }
}

/// Calls visit(position in a channel) for each one in a window; h and w are the channel's.
template <typename Visit>
void for_each_index(const Range& z, const Range& y, const Range& x, int64_t h, int64_t w,
                    Visit&& visit) {
  for (int64_t i = z.begin; i < z.end; i += z.step)
    for (int64_t j = y.begin; j < y.end; j += y.step)
      for (int64_t k = x.begin; k < x.end; k += x.step) visit((i * h + j) * w + k);
}

struct Extents {
  int64_t channels, area, h, w;
};

Extents extents_of(const Tensor& input, size_t spatial) {
  size_t rank = input.sizes().size();
  Extents e{1, 1, spatial > 1 ? input.size(rank - 2) : 1, input.size(rank - 1)};
  for (size_t d = 0; d < rank; ++d) (d < rank - spatial ? e.channels : e.area) *= input.size(d);
  return e;
}

struct Best {
  double value;
  int64_t position;
};

/// The maximum of a window; the last NaN, if there is one.
Best best_of(const double* channel, const Extents& e, const Range& z, const Range& y,
             const Range& x) {
  Best best{-std::numeric_limits<double>::infinity(), (z.begin * e.h + y.begin) * e.w + x.begin};
  for_each_index(z, y, x, e.h, e.w, [&](int64_t position) {
    double value = channel[position];
    if (value > best.value || std::isnan(value)) best = {value, position};
  });
  return best;
}

void max_over(Call& c, const Tensor& input, const Windows& windows, size_t spatial) {
  Extents e = extents_of(input, spatial);
  auto x = dense<double>(input);
  Dense<double> out(c.out().sizes());
  Dense<int64_t> indices(c.out().sizes());
  for_windows(windows, e.channels, e.area,
              [&](int64_t to, int64_t channel, const Range& a, const Range& b, const Range& d) {
                Best best = best_of(x.data() + channel, e, a, b, d);
                out.data()[to] = best.value;
                indices.data()[to] = best.position;
              });
  store(out, c.out());
  if (c.results.size() > 1) store(indices, c.out(1));
}

template <typename W>
void mean_over(Call& c, const Tensor& input, const Windows& windows, size_t spatial,
               bool include_padding, std::optional<int64_t> divisor) {
  Extents e = extents_of(input, spatial);
  auto x = dense<W>(input);
  Dense<W> out(c.out().sizes());
  for_windows(windows, e.channels, e.area,
              [&](int64_t to, int64_t channel, const Range& a, const Range& b, const Range& d) {
                W sum{};
                double count = 0;  // With padding it may be beyond every integer.
                for_each_index(a, b, d, e.h, e.w, [&](int64_t position) {
                  W v = x.data()[channel + position];
                  sum = plus(sum, v);
                  ++count;
                });
                if (count == 0) return;
                if (include_padding) {
                  count = static_cast<double>(a.span) * static_cast<double>(b.span) *
                          static_cast<double>(d.span);
                }
                if (divisor) count = static_cast<double>(*divisor);
                out.data()[to] = sum / static_cast<W>(count);
              });
  store(out, c.out());
}

void run_max_pool(Call& c) {
  auto p = ops::infer::pooling_of(c);
  max_over(c, p.input, fixed_windows(p, p.out_sizes()), p.spatial());
}

void run_avg_pool(Call& c) {
  auto p = ops::infer::pooling_of(c);
  Windows windows = fixed_windows(p, p.out_sizes());
  if (p.input.dtype() == DType::int64) {
    return mean_over<int64_t>(c, p.input, windows, p.spatial(), p.include_padding, p.divisor);
  }
  mean_over<double>(c, p.input, windows, p.spatial(), p.include_padding, p.divisor);
}

template <size_t spatial>
void run_adaptive_avg(Call& c) {
  Tensor input = c.tensor(arg::self), out = c.out();
  // PyTorch's CPU kernels lack one 16-bit type each; one cell per channel is a mean, which has
  // both.
  DType lacking = spatial == 3 ? DType::bfloat16 : DType::float16;
  bool mean = std::all_of(out.sizes().end() - spatial, out.sizes().end(),
                          [](int64_t size) { return size == 1; });
  bool refused = input.dtype() == lacking && c.device().type == core::DeviceType::cpu && !mean;
  if (refused) common::not_implemented_for(input.dtype(), "adaptive_avg_pool");
  Windows windows = adaptive_windows(input, c.out().sizes(), spatial);
  mean_over<double>(c, input, windows, spatial, false, std::nullopt);
}

template <size_t spatial>
void run_adaptive_max(Call& c) {
  Tensor input = c.tensor(arg::self);
  max_over(c, input, adaptive_windows(input, c.out().sizes(), spatial), spatial);
}

/// Graham 2014, as PyTorch does it: windows begin at floor((i + u) * alpha) - floor(u * alpha), the
/// last one ends where the input does. Computed in the type of the samples.
template <typename T>
std::vector<Range> random_windows(T u, int64_t in, int64_t kernel, int64_t count) {
  std::vector<Range> windows;
  T alpha = count > 1 ? static_cast<T>(in - kernel) / static_cast<T>(count - 1) : T{};
  auto cut = [](T v) { return static_cast<int64_t>(v); };
  base::DeadlineTicker deadline;
  for (int64_t o = 0; o < count; ++o) {
    deadline.tick();
    int64_t begin =
        o == count - 1 ? in - kernel : cut((static_cast<T>(o) + u) * alpha) - cut(u * alpha);
    windows.push_back({begin, begin + kernel, 1, kernel});
  }
  return windows;
}

template <size_t spatial>
void run_fractional_max(Call& c) {
  Tensor input = c.tensor(arg::self), out = c.out();
  Dims kernel = c.ints(arg::kernel_size, spatial);
  auto samples = dense<double>(c.tensor(arg::random_samples)), x = dense<double>(input);
  bool single = input.dtype() == DType::float32;
  Extents e = extents_of(input, spatial);
  Dense<double> values(out.sizes());
  Dense<int64_t> indices(out.sizes());
  int64_t position = 0;
  for (int64_t channel = 0; channel < e.channels; ++channel) {
    Windows windows{{{{0, 1, 1, 1}}, {{0, 1, 1, 1}}, {{0, 1, 1, 1}}}};
    for (size_t i = 0; i < spatial; ++i) {
      size_t at = out.sizes().size() - spatial + i;
      // Samples of images are ordered (x, y), those of volumes (z, y, x).
      size_t s = static_cast<size_t>(channel) * spatial + (spatial == 2 ? 1 - i : i);
      double u = samples.values[s];
      windows[3 - spatial + i] =
          single ? random_windows(static_cast<float>(u), input.size(at), kernel[i], out.size(at))
                 : random_windows(u, input.size(at), kernel[i], out.size(at));
    }
    for_windows(windows, 1, 0,
                [&](int64_t, int64_t, const Range& a, const Range& b, const Range& w) {
                  Best best = best_of(x.data() + channel * e.area, e, a, b, w);
                  values.data()[position] = best.value;
                  indices.data()[position++] = best.position;
                });
  }
  store(values, out);
  store(indices, c.out(1));
}

/// Puts each element back at the position it was taken from; zero elsewhere.
template <size_t spatial>
void run_max_unpool(Call& c) {
  Tensor input = c.tensor(arg::self), out = c.out();
  Extents from = extents_of(input, spatial), to = extents_of(out, spatial);
  auto positions = dense<int64_t>(c.tensor(arg::indices));
  over_wide(out.dtype(), [&]<typename W>(W) {
    auto x = dense<W>(input);
    Dense<W> values(out.sizes());
    base::DeadlineTicker deadline;
    for (int64_t i = 0; i < input.numel(); ++i) {
      deadline.tick();
      int64_t position = positions.data()[i];
      base::check(position >= 0 && position < to.area, "Found an invalid max index: ", position,
                  " (output volumes are of size ", to.h, "x", to.w);
      values.data()[i / from.area * to.area + position] = x.data()[i];
    }
    store(values, out);
  });
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

}  // namespace assay::kernels::reference
