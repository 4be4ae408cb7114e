// torchvision's operators that read regions (image, x1, y1, x2, y2) of images, bin by bin. Places
// are computed in the elements' own precision, since a bin's first and last pixel depend on its
// last bit.

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

using core::Tensor;
using ops::Call;
namespace arg = ops::arg;

/// What is computed in: float for the types of two bytes.
template <typename T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// A number of pixels or places; what is none, or is too large for one, is far outside.
int64_t whole(double value) {
  constexpr double most = 1 << 30;
  return std::isnan(value) ? -(1 << 30) : static_cast<int64_t>(std::clamp(value, -most, most));
}

/// A plane at a place between its pixels; nothing outside of the pixels around it.
template <typename T>
double interpolated(const T* plane, int64_t height, int64_t width, double y, double x) {
  if (!(y >= -1 && y <= double(height) && x >= -1 && x <= double(width))) return 0;
  auto around = [](double at, int64_t length) {
    at = std::max(at, 0.0);
    auto low = std::min(static_cast<int64_t>(at), length - 1);
    return std::tuple(low, std::min(low + 1, length - 1),
                      std::min(at, double(length - 1)) - double(low));
  };
  auto [top, bottom, down] = around(y, height);
  auto [left, right, across] = around(x, width);
  auto at = [&](int64_t row, int64_t column) {
    return double(Wide<T>(plane[row * width + column]));
  };
  return (1 - down) * ((1 - across) * at(top, left) + across * at(top, right)) +
         down * ((1 - across) * at(bottom, left) + across * at(bottom, right));
}

/// One side of a region that is read at places between pixels: where its bins begin, how long one
/// is, at how many places one is read.
template <typename W>
struct Places {
  W start, length;
  int64_t count;

  Places(W from, W extent, int64_t bins, int64_t sampling) : start(from), length(extent / W(bins)) {
    count = sampling > 0 ? sampling : whole(std::ceil(extent / W(bins)));
  }
  double at(int64_t bin, int64_t i) const {
    return double(start + W(bin) * length + (W(i) + W(0.5)) * length / W(count));
  }
};

/// One side of a region of whole pixels: those of a bin, inside of the image.
template <typename W>
struct Pixels {
  int64_t start, limit;
  W length;

  std::pair<int64_t, int64_t> of(int64_t bin) const {
    auto inside = [&](double pixel) {
      return std::clamp<int64_t>(whole(pixel) + start, 0, std::max<int64_t>(limit, 0));
    };
    return {inside(std::floor(W(bin) * length)), inside(std::ceil(W(bin + 1) * length))};
  }
};

/// The operands of all of them.
struct Regions {
  Tensor input, rois;
  double scale;
  int64_t rows, columns, channels, height, width;

  explicit Regions(const Call& c)
      : input(common::packed(c.tensor(arg::input))),
        rois(common::packed(c.tensor(arg::rois))),
        scale(c.floating(arg::spatial_scale)),
        rows(c.integer(arg::pooled_height)),
        columns(c.integer(arg::pooled_width)),
        channels(input.size(1)),
        height(input.size(2)),
        width(input.size(3)) {
    base::check(c.out().numel() == 0 || height * width > 0, c.op.qualified_name,
                ": the images have no pixels");
  }

  /// A corner of a region in pixels: 1 to 4 are x1, y1, x2, y2.
  template <typename T>
  Wide<T> corner(const T* region, int i) const {
    return Wide<T>(region[i]) * Wide<T>(scale);
  }
  template <typename T>
  int64_t pixel(const T* region, int i) const {
    return whole(std::round(corner(region, i)));
  }
  template <typename T>
  const T* image(const T* region, const char* what) const {
    int64_t number = whole(double(Wide<T>(region[0])));
    base::check(number >= 0 && number < input.size(0), what, ": there is no image ", number);
    return input.device_data<T>() + number * channels * height * width;
  }

  /// Calls visit(region, its number) for each, with elements of type T.
  template <typename Visit>
  void each(const char* what, Visit visit) const {
    common::over_floating(input.dtype(), what, [&](auto zero) {
      using T = decltype(zero);
      const T* region = rois.device_data<T>();
      for (int64_t k = 0; k < rois.size(0); ++k, region += 5) visit(region, k);
    });
  }
};

/// The mean of a plane over the places of a bin; of none, the sum divided by `none`.
template <typename T>
T mean_of(const Regions& r, const T* plane, const Places<Wide<T>>& down, int64_t row,
          const Places<Wide<T>>& across, int64_t column, double none,
          base::DeadlineTicker& ticker) {
  double sum = 0;
  for (int64_t i = 0; i < down.count; ++i) {
    for (int64_t j = 0; j < across.count; ++j) {
      ticker.tick();
      sum += interpolated(plane, r.height, r.width, down.at(row, i), across.at(column, j));
    }
  }
  bool any = down.count > 0 && across.count > 0;
  double count = any ? double(down.count) * double(across.count) : none;
  return T(static_cast<Wide<T>>(sum / count));
}

/// The mean of a plane over each bin of a region.
void roi_align(Call& c) {
  Regions r(c);
  int64_t sampling = c.integer(arg::sampling_ratio);
  bool aligned = c.boolean(arg::aligned);
  base::DeadlineTicker ticker;
  r.each("roi_align", [&]<typename T>(const T* region, int64_t k) {
    using W = Wide<T>;
    const T* plane = r.image(region, "roi_align");
    W offset = aligned ? W(0.5) : W(0);
    auto side = [&](int first, int64_t bins) {
      W from = r.corner(region, first) - offset,
        extent = r.corner(region, first + 2) - offset - from;
      return Places<W>(from, aligned ? extent : std::max(extent, W(1)), bins, sampling);
    };
    Places<W> down = side(2, r.rows), across = side(1, r.columns);
    T* to = c.out().device_data<T>() + k * r.channels * r.rows * r.columns;
    for (int64_t channel = 0; channel < r.channels; ++channel, plane += r.height * r.width)
      for (int64_t row = 0; row < r.rows; ++row)
        for (int64_t column = 0; column < r.columns; ++column)
          *to++ = mean_of(r, plane, down, row, across, column, 1, ticker);
  });
}

/// The same where each bin reads a channel of its own; which one it was is the second result.
void ps_roi_align(Call& c) {
  Regions r(c);
  int64_t sampling = c.integer(arg::sampling_ratio);
  base::DeadlineTicker ticker;
  r.each("ps_roi_align", [&]<typename T>(const T* region, int64_t k) {
    using W = Wide<T>;
    const T* image = r.image(region, "ps_roi_align");
    auto side = [&](int first, int64_t bins) {
      W from = r.corner(region, first) - W(0.5);
      return Places<W>(from, r.corner(region, first + 2) - W(0.5) - from, bins, sampling);
    };
    Places<W> down = side(2, r.rows), across = side(1, r.columns);
    T* to = c.out(0).device_data<T>() + k * r.channels;
    auto* chosen = c.out(1).device_data<int32_t>() + k * r.channels;
    for (int64_t channel = 0; channel < r.channels; ++channel) {
      int64_t column = channel % r.columns, row = channel / r.columns % r.rows;
      const T* plane = image + channel * r.height * r.width;
      *to++ = mean_of(r, plane, down, row, across, column, 0, ticker);
      *chosen++ = static_cast<int32_t>(channel);
    }
  });
}

/// The largest element of a plane in each bin of a region, and where it lies.
void roi_pool(Call& c) {
  Regions r(c);
  base::DeadlineTicker ticker;
  r.each("roi_pool", [&]<typename T>(const T* region, int64_t k) {
    using W = Wide<T>;
    const T* plane = r.image(region, "roi_pool");
    auto side = [&](int first, int64_t bins, int64_t limit) {
      int64_t from = r.pixel(region, first), to = r.pixel(region, first + 2);
      return Pixels<W>{from, limit, W(std::max<int64_t>(to - from + 1, 1)) / W(bins)};
    };
    Pixels<W> down = side(2, r.rows, r.height), across = side(1, r.columns, r.width);
    int64_t first = k * r.channels * r.rows * r.columns;
    T* to = c.out(0).device_data<T>() + first;
    auto* found = c.out(1).device_data<int32_t>() + first;
    for (int64_t channel = 0; channel < r.channels; ++channel, plane += r.height * r.width) {
      for (int64_t bin = 0; bin < r.rows * r.columns; ++bin) {
        auto [top, bottom] = down.of(bin / r.columns);
        auto [left, right] = across.of(bin % r.columns);
        bool empty = bottom <= top || right <= left;
        // The least float is torchvision's, of doubles too: what is below is not seen.
        W best = empty ? W(0) : W(std::numeric_limits<float>::lowest());
        int64_t place = -1;
        for (int64_t y = top; y < bottom; ++y) {
          ticker.tick(right - left);
          for (int64_t x = left; x < right; ++x) {
            W value(plane[y * r.width + x]);
            if (value > best) best = value, place = y * r.width + x;
          }
        }
        *to++ = T(best);
        *found++ = static_cast<int32_t>(place);
      }
    }
  });
}

/// The mean of a region's bins, of whole pixels, each over a channel of its own.
void ps_roi_pool(Call& c) {
  Regions r(c);
  base::DeadlineTicker ticker;
  r.each("ps_roi_pool", [&]<typename T>(const T* region, int64_t k) {
    using W = Wide<T>;
    const T* image = r.image(region, "ps_roi_pool");
    // torchvision leaves the last row and column out.
    auto side = [&](int first, int64_t bins, int64_t size) {
      int64_t from = r.pixel(region, first), to = r.pixel(region, first + 2);
      return Pixels<W>{from, size - 1, W(std::max<int64_t>(to - from, 1)) / W(bins)};
    };
    Pixels<W> down = side(2, r.rows, r.height), across = side(1, r.columns, r.width);
    T* to = c.out(0).device_data<T>() + k * r.channels;
    auto* chosen = c.out(1).device_data<int32_t>() + k * r.channels;
    for (int64_t channel = 0; channel < r.channels; ++channel) {
      auto [top, bottom] = down.of(channel / r.columns % r.rows);
      auto [left, right] = across.of(channel % r.columns);
      const T* plane = image + channel * r.height * r.width;
      double sum = 0;
      for (int64_t y = top; y < bottom; ++y) {
        ticker.tick(right - left);
        for (int64_t x = left; x < right; ++x) sum += double(W(plane[y * r.width + x]));
      }
      bool empty = bottom <= top || right <= left;
      double pixels = double((bottom - top) * (right - left));
      *to++ = T(empty ? W(0) : static_cast<W>(sum / pixels));
      *chosen++ = static_cast<int32_t>(channel);
    }
  });
}

constexpr ops::Kernel regions_table[] = {
    {"torchvision::roi_align", roi_align},
    {"torchvision::roi_pool", roi_pool},
    {"torchvision::ps_roi_align", ps_roi_align},
    {"torchvision::ps_roi_pool", ps_roi_pool},
};

}  // namespace

std::span<const ops::Kernel> region_kernels() { return regions_table; }

}  // namespace assay::kernels::reference
