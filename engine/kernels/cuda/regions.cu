// torchvision's operators that read regions (image, x1, y1, x2, y2) of images, bin by bin: a thread
// for each element of the result. Places are computed in the elements' own precision, since a bin's
// first and last pixel depend on its last bit.

#include <cmath>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/rounded_product.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

/// A number of pixels or places; what is none, or is too large for one, is far outside.
ASSAY_ANYWHERE int64_t whole(double value) {
  constexpr double most = 1 << 30;
  if (!(value > -most)) return -(1 << 30);
  return value < most ? static_cast<int64_t>(value) : 1 << 30;
}

/// The two pixels around a place along one side, and how far it is from the first.
struct Around {
  int64_t low, high;
  double part;

  ASSAY_ANYWHERE Around(double at, int64_t length) {
    double last = static_cast<double>(length - 1);
    if (!(at > 0)) at = 0;
    low = at < last ? static_cast<int64_t>(at) : length - 1;
    high = low + 1 < length ? low + 1 : length - 1;
    part = (at < last ? at : last) - static_cast<double>(low);
  }
};

struct Range {
  int64_t first, last;  ///< The last is behind them.
};

/// One side of a region that is read at places between pixels: where its bins begin, how long one
/// is, at how many places one is read.
template <typename W>
struct Places {
  W start, length;
  int64_t count;

  ASSAY_ANYWHERE Places(W from, W extent, int64_t bins, int64_t sampling)
      : start(from), length(extent / W(bins)) {
    count = sampling > 0 ? sampling : whole(std::ceil(extent / W(bins)));
  }
  ASSAY_ANYWHERE double at(int64_t bin, int64_t i) const {
    return double(start + common::rounded_product(W(bin), length) +
                  (W(i) + W(0.5)) * length / W(count));
  }
  /// Which places of a bin may lie in an image; a region can be far larger than that.
  ASSAY_ANYWHERE Range within(int64_t bin, int64_t size) const {
    double step = double(length) / double(count);
    if (!(step > 0)) return {0, count};
    double begin = double(start + common::rounded_product(W(bin), length));
    double margin = 2 + std::abs(begin) * 1e-6 / step;
    Range range{whole((-1 - begin) / step - margin), whole((double(size) - begin) / step + margin)};
    if (range.first < 0) range.first = 0;
    if (range.last > count) range.last = count;
    return range;
  }
};

/// One side of a region of whole pixels: those of a bin, inside of the image.
template <typename W>
struct Pixels {
  int64_t start, limit;
  W length;

  ASSAY_ANYWHERE int64_t inside(double pixel) const {
    int64_t at = whole(pixel) + start;
    if (at < 0 || limit < 0) return 0;
    return at < limit ? at : limit;
  }
  ASSAY_ANYWHERE int64_t first(int64_t bin) const { return inside(std::floor(W(bin) * length)); }
  ASSAY_ANYWHERE int64_t last(int64_t bin) const { return inside(std::ceil(W(bin + 1) * length)); }
};

/// One bin of one region: which plane of the images it reads, and where.
struct Bin {
  int64_t row, column, plane;
};

/// The operands of all of them, row by row.
template <typename T>
struct Regions {
  using W = Computed<T>;

  const T *input, *rois;
  T* out;
  int32_t* chosen;  ///< Null where there is no second result.
  W scale;
  int64_t images, channels, height, width;
  int64_t rows, columns, out_channels;
  bool position_sensitive;
  Reporter report;

  /// A corner of a region in pixels: 1 to 4 are x1, y1, x2, y2.
  ASSAY_ANYWHERE W corner(const T* region, int i) const {
    return common::rounded_product(convert<W>(region[i]), scale);
  }
  ASSAY_ANYWHERE int64_t pixel(const T* region, int i) const {
    return whole(std::round(corner(region, i)));
  }
  ASSAY_ANYWHERE const T* region_of(int64_t i) const {
    return rois + 5 * (i / (out_channels * rows * columns));
  }
  /// False, and reported, where there is no such image.
  ASSAY_ANYWHERE bool bin_of(int64_t i, Bin& bin) const {
    bin.column = i % columns;
    bin.row = i / columns % rows;
    int64_t channel = i / (columns * rows) % out_channels;
    if (position_sensitive) channel = (channel * rows + bin.row) * columns + bin.column;
    int64_t image = whole(convert<double>(region_of(i)[0]));
    if (!report.within(image, images)) return false;
    bin.plane = (image * channels + channel) * height * width;
    if (position_sensitive) chosen[i] = static_cast<int32_t>(channel);
    return true;
  }
  ASSAY_ANYWHERE double pixel_at(const Bin& bin, int64_t y, int64_t x) const {
    return convert<double>(input[bin.plane + y * width + x]);
  }
  /// A plane at a place between its pixels; nothing outside of the pixels around it.
  ASSAY_ANYWHERE double interpolated(const Bin& bin, double y, double x) const {
    bool inside = y >= -1 && y <= double(height) && x >= -1 && x <= double(width);
    if (!inside) return 0;
    Around down(y, height), across(x, width);
    double above = (1 - across.part) * pixel_at(bin, down.low, across.low) +
                   across.part * pixel_at(bin, down.low, across.high);
    double below = (1 - across.part) * pixel_at(bin, down.high, across.low) +
                   across.part * pixel_at(bin, down.high, across.high);
    return (1 - down.part) * above + down.part * below;
  }
  /// The mean of a plane over the places of a bin; of none, the sum divided by `none`.
  ASSAY_ANYWHERE T mean_of(const Bin& bin, const Places<W>& down, const Places<W>& across,
                           double none) const {
    double sum = 0;
    Range y = down.within(bin.row, height), x = across.within(bin.column, width);
    for (int64_t i = y.first; i < y.last; ++i) {
      for (int64_t j = x.first; j < x.last; ++j)
        sum += interpolated(bin, down.at(bin.row, i), across.at(bin.column, j));
    }
    bool any = down.count > 0 && across.count > 0;
    double count = any ? double(down.count) * double(across.count) : none;
    return convert<T>(static_cast<W>(sum / count));
  }
};

template <typename T>
struct AlignBody {
  using W = Computed<T>;
  Regions<T> r;
  int64_t sampling;
  bool aligned;

  ASSAY_ANYWHERE Places<W> side(const T* region, int first, int64_t bins) const {
    W offset = aligned ? W(0.5) : W(0);
    W from = r.corner(region, first) - offset;
    W extent = r.corner(region, first + 2) - offset - from;
    return Places<W>(from, !aligned && extent < W(1) ? W(1) : extent, bins, sampling);
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Bin bin;
    if (!r.bin_of(i, bin)) return;
    const T* region = r.region_of(i);
    double none = r.position_sensitive ? 0 : 1;
    r.out[i] = r.mean_of(bin, side(region, 2, r.rows), side(region, 1, r.columns), none);
  }
};

/// The pixels of a region's side; `shorter` by one for the operator that leaves the last out.
template <typename T>
ASSAY_ANYWHERE Pixels<Computed<T>> pixels_of(const Regions<T>& r, const T* region, int first,
                                             int64_t bins, int64_t limit, int64_t shorter) {
  using W = Computed<T>;
  int64_t from = r.pixel(region, first), to = r.pixel(region, first + 2);
  int64_t extent = to - from + 1 - shorter;
  return {from, limit - shorter, W(extent > 1 ? extent : 1) / W(bins)};
}

/// The largest element of a plane in each bin of a region, and where it lies.
template <typename T>
struct MaxBody {
  using W = Computed<T>;
  Regions<T> r;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Bin bin;
    if (!r.bin_of(i, bin)) return;
    const T* region = r.region_of(i);
    Pixels<W> down = pixels_of(r, region, 2, r.rows, r.height, 0);
    Pixels<W> across = pixels_of(r, region, 1, r.columns, r.width, 0);
    int64_t bottom = down.last(bin.row), left = across.first(bin.column);
    int64_t right = across.last(bin.column);
    bool empty = bottom <= down.first(bin.row) || right <= left;
    // The least float is torchvision's, of doubles too: what is below is not seen.
    W best = empty ? W(0) : W(-3.40282346638528859812e+38);
    int64_t found = -1;
    for (int64_t y = down.first(bin.row); y < bottom; ++y) {
      for (int64_t x = left; x < right; ++x) {
        W value = convert<W>(r.input[bin.plane + y * r.width + x]);
        if (value > best) {
          best = value;
          found = y * r.width + x;
        }
      }
    }
    r.out[i] = convert<T>(best);
    r.chosen[i] = static_cast<int32_t>(found);
  }
};

/// The mean of a region's bins, of whole pixels, each over a channel of its own.
template <typename T>
struct MeanBody {
  using W = Computed<T>;
  Regions<T> r;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    Bin bin;
    if (!r.bin_of(i, bin)) return;
    const T* region = r.region_of(i);
    Pixels<W> down = pixels_of(r, region, 2, r.rows, r.height, 1);
    Pixels<W> across = pixels_of(r, region, 1, r.columns, r.width, 1);
    int64_t top = down.first(bin.row), bottom = down.last(bin.row);
    int64_t left = across.first(bin.column), right = across.last(bin.column);
    double sum = 0;
    for (int64_t y = top; y < bottom; ++y) {
      for (int64_t x = left; x < right; ++x) sum += r.pixel_at(bin, y, x);
    }
    bool empty = bottom <= top || right <= left;
    double pixels = double((bottom - top) * (right - left));
    r.out[i] = convert<T>(empty ? W(0) : static_cast<W>(sum / pixels));
  }
};

/// The call's operands; `kept` holds what was made for them.
template <typename T>
Regions<T> regions_of(const Call& c, const Queue& queue, bool position_sensitive,
                      Tensor (&kept)[2]) {
  Tensor input = kept[0] = contiguous(c, c.tensor(arg::input));
  Tensor rois = kept[1] = contiguous(c, c.tensor(arg::rois));
  Regions<T> r{};
  r.input = input.device_data<T>();
  r.rois = rois.device_data<T>();
  r.out = c.out().device_data<T>();
  if (c.results.size() > 1) r.chosen = c.out(1).device_data<int32_t>();
  r.scale = static_cast<Computed<T>>(c.floating(arg::spatial_scale));
  r.images = input.size(0);
  r.channels = input.size(1);
  r.height = input.size(2);
  r.width = input.size(3);
  r.rows = c.integer(arg::pooled_height);
  r.columns = c.integer(arg::pooled_width);
  r.out_channels = c.out().size(1);
  r.position_sensitive = position_sensitive;
  r.report = queue.report;
  return r;
}

template <typename T>
void run_align(const Call& c, bool position_sensitive) {
  Tensor kept[2];
  Queue queue = queue_of(c);
  bool aligned = position_sensitive || c.boolean(arg::aligned);
  AlignBody<T> body{regions_of<T>(c, queue, position_sensitive, kept),
                    c.integer(arg::sampling_ratio), aligned};
  for_each(queue, c.out().numel(), body);
}

template <typename T, template <typename> typename Body, bool position_sensitive>
void run_pool(const Call& c) {
  Tensor kept[2];
  Queue queue = queue_of(c);
  for_each(queue, c.out().numel(), Body<T>{regions_of<T>(c, queue, position_sensitive, kept)});
}

/// Whether there is anything to do. Results are row by row, as the rule declared them.
bool has_bins(const Call& c) {
  if (c.out().numel() == 0) return false;
  Tensor input = c.tensor(arg::input);
  base::check(input.size(2) * input.size(3) > 0, c.op.qualified_name,
              ": the images have no pixels");
  return true;
}

template <bool position_sensitive>
void roi_align(Call& c) {
  if (!has_bins(c)) return;
  common::over_floating(c.out().dtype(), "roi_align",
                        [&](auto zero) { run_align<decltype(zero)>(c, position_sensitive); });
}

template <template <typename> typename Body, bool position_sensitive>
void roi_pool(Call& c) {
  if (!has_bins(c)) return;
  common::over_floating(c.out().dtype(), "roi_pool",
                        [&](auto zero) { run_pool<decltype(zero), Body, position_sensitive>(c); });
}

constexpr ops::Kernel regions_table[] = {
    {"torchvision::roi_align", roi_align<false>},
    {"torchvision::roi_pool", roi_pool<MaxBody, false>},
    {"torchvision::ps_roi_align", roi_align<true>},
    {"torchvision::ps_roi_pool", roi_pool<MeanBody, true>},
};

}  // namespace

std::span<const ops::Kernel> region_kernels() { return regions_table; }

}  // namespace assay::kernels::cuda
