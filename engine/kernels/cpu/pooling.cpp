// Pooling of float32 images: along channels where they lie last, along rows otherwise.

#include "engine/ops/infer/pooling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "engine/base/shared_deadline.h"
#include "engine/kernels/cpu/families.h"
#include "engine/kernels/cpu/onednn.h"
#include "engine/kernels/cpu/team.h"
#include "engine/kernels/cpu/vectorized.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cpu {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using ops::Call;
using ops::infer::Pooling;

/// out[i] = combined(out[i], in[i * step]). Where the compiler knows the step, it shuffles what
/// lies side by side, which takes a third of the time of gathering.
template <typename Combined>
[[gnu::always_inline]] inline void combine(float* out, const float* in, int64_t count, int64_t step,
                                           Combined combined) {
  auto loop = [=](auto by) __attribute__((always_inline)) {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) out[i] = combined(out[i], in[i * by]);
  };
  if (step == 1) return loop(std::integral_constant<int64_t, 1>());
  if (step == 2) return loop(std::integral_constant<int64_t, 2>());
  loop(step);
}

ASSAY_VECTORIZED void take_greater(float* out, const float* in, int64_t count, int64_t step) {
  combine(out, in, count, step, [](float best, float v) { return v > best || v != v ? v : best; });
}

ASSAY_VECTORIZED void add(float* out, const float* in, int64_t count, int64_t step) {
  combine(out, in, count, step, [](float total, float v) { return total + v; });
}

ASSAY_VECTORIZED void scale(float* out, float factor, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] *= factor;
}

/// Whether one of the elements is -0, which equals 0 without being the same.
ASSAY_VECTORIZED bool holds_minus_zero(const float* in, int64_t count) {
  bool found = false;
#pragma omp simd reduction(| : found)
  for (int64_t i = 0; i < count; ++i) found |= std::bit_cast<uint32_t>(in[i]) == 0x80000000u;
  return found;
}

ASSAY_VECTORIZED float sum(const float* in, int64_t count) {
  float total = 0;
#pragma omp simd reduction(+ : total)
  for (int64_t i = 0; i < count; ++i) total += in[i];
  return total;
}

/// Rows of an image are folded into one on the stack, if it is no wider than this with its padding.
constexpr int64_t widest_folded = 2048;

/// Windows of a 2-dimensional pooling over (batch, channels, h, w).
struct Geometry {
  int64_t batch, channels, h, w, oh, ow;
  int64_t kh, kw, sh, sw, ph, pw, dh, dw;
  bool last;  ///< Channels-last.

  Geometry(const Pooling& p, const Tensor& out) {
    size_t rank = p.input.sizes().size();
    batch = rank == 4 ? p.input.size(0) : 1;
    channels = p.input.size(rank - 3);
    h = p.input.size(rank - 2), w = p.input.size(rank - 1);
    oh = out.size(rank - 2), ow = out.size(rank - 1);
    kh = p.kernel[0], kw = p.kernel[1], sh = p.stride[0], sw = p.stride[1];
    ph = p.padding[0], pw = p.padding[1], dh = p.dilation[0], dw = p.dilation[1];
    last = !out.is_contiguous();
  }
  /// How wide a row is beyond whose ends no window reaches.
  int64_t folded_width() const { return std::max(pw + w, (ow - 1) * sw + (kw - 1) * dw + 1); }
  /// Whether windows touch, so that they share columns, and rows fit on the stack.
  bool shares_columns() const {
    bool small = std::max({w, pw, kw, dw}) <= widest_folded;
    return !last && kh > 1 && kw >= sw && small && folded_width() <= widest_folded;
  }
  /// Outputs o of [begin, end) whose k-th element lies in the input: 0 <= o * s - p + k * d < size.
  static std::pair<int64_t, int64_t> inside(int64_t k, int64_t s, int64_t p, int64_t d,
                                            int64_t size, int64_t outs) {
    int64_t shift = p - k * d;
    int64_t begin = shift <= 0 ? 0 : (shift - 1) / s + 1;
    int64_t past = size - 1 + shift;
    int64_t end = past < 0 ? 0 : past / s + 1;
    return {std::min(begin, outs), std::min(end, outs)};
  }
  /// Elements [first, past) of a window of `count`, the first at `at`, that lie in the input. A
  /// window may be far larger than that.
  static std::pair<int64_t, int64_t> within(int64_t at, int64_t d, int64_t size, int64_t count) {
    int64_t first = at >= 0 ? 0 : (-at - 1) / d + 1;
    int64_t past = at >= size ? 0 : (size - 1 - at) / d + 1;
    return {std::min(first, count), std::min(past, count)};
  }
};

/// How the elements of a window become one.
struct Fold {
  void (*apply)(float*, const float*, int64_t, int64_t);
  float initial;
  bool first_stays;  ///< Of elements that compare equal, in row-major order.

  void operator()(float* out, const float* in, int64_t count, int64_t step) const {
    apply(out, in, count, step);
  }
};

constexpr Fold maximum = {take_greater, -std::numeric_limits<float>::infinity(), true};
constexpr Fold total = {add, 0.f, false};

using Ticker = base::SharedDeadline::Ticker;

/// One row of results, window by window; `lanes` elements lie side by side. Less of it once the
/// deadline has passed.
void fold_windows(const Geometry& g, const float* image, float* to, int64_t y, int64_t lanes,
                  Fold fold, Ticker& deadline) {
  auto [top, bottom] = Geometry::within(y * g.sh - g.ph, g.dh, g.h, g.kh);
  for (int64_t x = 0; x < g.ow; ++x) {
    auto [left, right] = Geometry::within(x * g.sw - g.pw, g.dw, g.w, g.kw);
    for (int64_t i = top; i < bottom; ++i) {
      int64_t in_y = y * g.sh - g.ph + i * g.dh;
      for (int64_t j = left; j < right; ++j) {
        int64_t in_x = x * g.sw - g.pw + j * g.dw;
        if (deadline.passed(1 + lanes)) return;
        fold(to + x * lanes, image + (in_y * g.w + in_x) * lanes, lanes, 1);
      }
    }
  }
}

/// One row of results of a row-major image. Windows that touch share columns: these are folded
/// first, side by side, between columns of the padding.
void fold_columns(const Geometry& g, const float* plane, float* to, int64_t y, Fold fold) {
  auto [top, bottom] = Geometry::within(y * g.sh - g.ph, g.dh, g.h, g.kh);
  std::array<float, widest_folded> folded;
  std::fill_n(folded.data(), g.folded_width(), fold.initial);
  for (int64_t i = top; i < bottom; ++i) {
    fold(folded.data() + g.pw, plane + (y * g.sh - g.ph + i * g.dh) * g.w, g.w, 1);
  }
  for (int64_t j = 0; j < g.kw; ++j) fold(to, folded.data() + j * g.dw, g.ow, g.sw);
}

/// Whether folding columns first could take another of two equal elements than row-major order
/// does: of floats only 0 and -0 are equal and not the same.
bool order_shows(const Geometry& g, const float* plane, int64_t y, Fold fold) {
  if (!fold.first_stays) return false;
  auto [top, bottom] = Geometry::within(y * g.sh - g.ph, g.dh, g.h, g.kh);
  for (int64_t i = top; i < bottom; ++i) {
    if (holds_minus_zero(plane + (y * g.sh - g.ph + i * g.dh) * g.w, g.w)) return true;
  }
  return false;
}

/// One row of results of a row-major image: a column of all its windows at a time.
void fold_row(const Geometry& g, const float* plane, float* to, int64_t y, Fold fold,
              Ticker& deadline) {
  // The last window begins with the least of the columns that lie in the image.
  int64_t first = Geometry::within((g.ow - 1) * g.sw - g.pw, g.dw, g.w, g.kw).first;
  int64_t past = Geometry::within(-g.pw, g.dw, g.w, g.kw).second;
  if (past - first > g.w + g.ow) return fold_windows(g, plane, to, y, 1, fold, deadline);
  auto [top, bottom] = Geometry::within(y * g.sh - g.ph, g.dh, g.h, g.kh);
  for (int64_t i = top; i < bottom; ++i) {
    int64_t in_y = y * g.sh - g.ph + i * g.dh;
    for (int64_t j = first; j < past; ++j) {
      auto [begin, end] = Geometry::inside(j, g.sw, g.pw, g.dw, g.w, g.ow);
      if (deadline.passed(1 + end - begin)) return;
      if (begin >= end) continue;
      const float* from = plane + (in_y * g.w + begin * g.sw - g.pw + j * g.dw);
      fold(to + begin, from, end - begin, g.sw);
    }
  }
}

/// Calls finish(row of results, first element of it) after each row.
template <typename Finish>
void pool(const Geometry& g, const float* in, float* out, Fold fold, Finish&& finish) {
  int64_t planes = g.last ? g.batch : g.batch * g.channels;
  int64_t lanes = g.last ? g.channels : 1;
  bool in_columns = g.shares_columns();
  base::SharedDeadline deadline;
  auto team = Team::for_elements(static_cast<double>(planes * g.oh * g.ow * lanes) *
                                 static_cast<double>(g.kh) * static_cast<double>(g.kw));
#pragma omp parallel
  {
    Ticker ticker(deadline);
#pragma omp for schedule(static) collapse(2)
    for (int64_t p = 0; p < planes; ++p) {
      for (int64_t y = 0; y < g.oh; ++y) {
        if (ticker.passed(in_columns ? std::min(g.kh, g.h) * g.w + g.kw * g.ow : g.ow * lanes))
          continue;
        float* to = out + (p * g.oh + y) * g.ow * lanes;
        std::fill(to, to + g.ow * lanes, fold.initial);
        const float* from = in + p * g.h * g.w * lanes;
        if (g.last)
          fold_windows(g, from, to, y, lanes, fold, ticker);
        else if (in_columns && !order_shows(g, from, y, fold))
          fold_columns(g, from, to, y, fold);
        else
          fold_row(g, from, to, y, fold, ticker);
        finish(y, to);
      }
    }
  }
  deadline.check();
}

bool same_layout(const Call& c) {
  Tensor in = c.tensor(arg::self), out = c.out();
  bool rank = in.dim() == 3 || in.dim() == 4;
  if (!rank || !onednn::readable(in) || out.numel() == 0) return false;
  if (out.is_contiguous()) return in.is_contiguous();
  return in.is_contiguous(core::MemoryFormat::channels_last);
}

void run_max_pool(Call& c) {
  Pooling p = ops::infer::pooling_of(c);
  pool(Geometry(p, c.out()), p.input.device_data<float>(), c.out().device_data<float>(), maximum,
       [](int64_t, float*) {});
}

void run_avg_pool(Call& c) {
  Pooling p = ops::infer::pooling_of(c);
  Geometry g(p, c.out());
  auto span = [&](int64_t o, int64_t s, int64_t pad, int64_t k, int64_t size) {
    int64_t begin = o * s - pad, end = std::min(begin + k, size + pad);
    if (p.include_padding) return end - begin;
    return std::min(end, size) - std::max<int64_t>(begin, 0);
  };
  int64_t lanes = g.last ? g.channels : 1;
  pool(g, p.input.device_data<float>(), c.out().device_data<float>(), total,
       [&](int64_t y, float* row) {
         // Floats, since windows may be far larger than the image.
         auto rows = static_cast<float>(span(y, g.sh, g.ph, g.kh, g.h));
         for (int64_t x = 0; x < g.ow; ++x) {
           auto columns = static_cast<float>(span(x, g.sw, g.pw, g.kw, g.w));
           float count = p.divisor ? static_cast<float>(*p.divisor) : rows * columns;
           scale(row + x * lanes, 1.f / count, lanes);
         }
       });
}

/// Of images whose channels lie side by side `last` is set.
struct AdaptiveGeometry {
  int64_t planes, h, w, oh, ow, lanes;
  bool last;

  AdaptiveGeometry(const Tensor& in, const Tensor& out) {
    size_t rank = in.sizes().size();
    int64_t batch = rank == 4 ? in.size(0) : 1, channels = in.size(rank - 3);
    h = in.size(rank - 2), w = in.size(rank - 1);
    oh = out.size(rank - 2), ow = out.size(rank - 1);
    last = !in.is_contiguous();
    planes = last ? batch : batch * channels, lanes = last ? channels : 1;
  }
};

/// The o-th mean of a plane, of all its lanes; returns of how many elements of each.
int64_t mean_of_window(const AdaptiveGeometry& g, const float* plane, float* result, int64_t o) {
  auto first = [](int64_t at, int64_t size, int64_t outs) { return at * size / outs; };
  auto past = [](int64_t at, int64_t size, int64_t outs) {
    return ((at + 1) * size + outs - 1) / outs;
  };
  int64_t y0 = first(o / g.ow, g.h, g.oh), y1 = past(o / g.ow, g.h, g.oh);
  int64_t x0 = first(o % g.ow, g.w, g.ow), x1 = past(o % g.ow, g.w, g.ow);
  std::fill(result, result + g.lanes, 0.f);
  for (int64_t y = y0; y < y1; ++y) {
    const float* row = plane + (y * g.w + x0) * g.lanes;
    if (!g.last) *result += sum(row, x1 - x0);
    for (int64_t x = x0; g.last && x < x1; ++x, row += g.lanes) add(result, row, g.lanes, 1);
  }
  int64_t count = (y1 - y0) * (x1 - x0);
  scale(result, 1.f / static_cast<float>(count), g.lanes);
  return count;
}

void run_adaptive_avg(Call& c) {
  Tensor in = c.tensor(arg::self), out = c.out();
  AdaptiveGeometry g(in, out);
  const float* from = in.device_data<float>();
  float* to = out.device_data<float>();
  base::SharedDeadline deadline;
  auto team = Team::for_elements(static_cast<double>(std::max(in.numel(), out.numel())));
#pragma omp parallel
  {
    Ticker ticker(deadline);
    int64_t read = 0;
#pragma omp for schedule(static)
    for (int64_t p = 0; p < g.planes; ++p) {
      for (int64_t o = 0; o < g.oh * g.ow && !ticker.passed((1 + read) * g.lanes); ++o) {
        const float* plane = from + p * g.h * g.w * g.lanes;
        read = mean_of_window(g, plane, to + (p * g.oh * g.ow + o) * g.lanes, o);
      }
    }
  }
  deadline.check();
}

/// One result per channel is the same in either layout.
bool accepts_adaptive(const Call& c) {
  Tensor in = c.tensor(arg::self), out = c.out();
  bool rank = in.dim() == 3 || in.dim() == 4;
  if (!rank || !onednn::readable(in) || out.numel() == 0) return false;
  if (in.is_contiguous()) return out.is_contiguous();
  bool last = in.is_contiguous(core::MemoryFormat::channels_last);
  return last && out.is_contiguous(core::MemoryFormat::channels_last);
}

constexpr ops::Kernel pooling_table[] = {
    {"aten::max_pool2d", run_max_pool, same_layout},
    {"aten::avg_pool2d", run_avg_pool, same_layout},
    {"aten::adaptive_avg_pool2d", run_adaptive_avg, accepts_adaptive},
};

}  // namespace

std::span<const ops::Kernel> pooling_kernels() { return pooling_table; }

}  // namespace assay::kernels::cpu
