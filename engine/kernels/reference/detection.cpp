// torchvision's operators on boxes (x1, y1, x2, y2).

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;
namespace arg = ops::arg;

/// What is computed in: float for the types of two bytes.
template <typename T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// What two boxes share, divided by what they cover together.
template <typename T>
double overlap(const T* a, const T* b) {
  using W = Wide<T>;
  auto area = [](const T* box) { return (W(box[2]) - W(box[0])) * (W(box[3]) - W(box[1])); };
  W width = std::min(W(a[2]), W(b[2])) - std::max(W(a[0]), W(b[0]));
  W height = std::min(W(a[3]), W(b[3])) - std::max(W(a[1]), W(b[1]));
  W shared = std::max(width, W(0)) * std::max(height, W(0));
  return double(shared / (area(a) + area(b) - shared));
}

/// The boxes that remain when, from the best score on, each removes those that it overlaps too
/// much.
void nms(Call& c) {
  Tensor boxes = common::packed(c.tensor(arg::dets));
  Tensor scores = common::packed(c.tensor(arg::scores));
  double threshold = c.floating(arg::iou_threshold);
  base::check(boxes.dim() == 2, "boxes should be a 2d tensor, got ", boxes.dim(), "D");
  base::check(boxes.size(1) == 4, "boxes should have 4 elements in dimension 1, got ",
              boxes.size(1));
  base::check(scores.dim() == 1, "scores should be a 1d tensor, got ", scores.dim(), "D");
  base::check(boxes.size(0) == scores.size(0),
              "boxes and scores should have same number of elements in dimension 0, got ",
              boxes.size(0), " and ", scores.size(0));
  base::check(boxes.dtype() == scores.dtype(), "dets should have the same type as scores");
  c.synchronized();
  auto count = static_cast<size_t>(boxes.size(0));
  std::vector<int64_t> kept;
  common::over_floating(boxes.dtype(), "nms", [&](auto zero) {
    using T = decltype(zero);
    const T* box = boxes.device_data<T>();
    const T* score = scores.device_data<T>();
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return Wide<T>(score[a]) > Wide<T>(score[b]); });
    std::vector<bool> removed(count, false);
    for (size_t place = 0; place < count; ++place) {
      size_t best = order[place];
      if (removed[best]) continue;
      kept.push_back(static_cast<int64_t>(best));
      for (size_t rest = place + 1; rest < count; ++rest) {
        size_t other = order[rest];
        if (overlap(box + 4 * best, box + 4 * other) > threshold) removed[other] = true;
      }
    }
  });
  Tensor out = c.empty(Dims{static_cast<int64_t>(kept.size())}, DType::int64);
  std::copy(kept.begin(), kept.end(), out.device_data<int64_t>());
  c.finish(out);
}

/// A plane at a place between its pixels; nothing outside of the pixels around it.
template <typename T>
double interpolated(const T* plane, int64_t height, int64_t width, double y, double x) {
  if (y < -1 || y > double(height) || x < -1 || x > double(width)) return 0;
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

/// One side of a region: where its bins begin, how long one is, at how many places one is read.
struct Bins {
  double start;
  double length;
  int64_t places;

  Bins(double from, double to, int64_t bins, int64_t sampling, bool aligned) : start(from) {
    double extent = aligned ? to - from : std::max(to - from, 1.0);
    length = extent / double(bins);
    places = sampling > 0 ? sampling : static_cast<int64_t>(std::ceil(extent / double(bins)));
  }
  double place(int64_t bin, int64_t i) const {
    return start + double(bin) * length + (double(i) + 0.5) * length / double(places);
  }
};

/// The mean of a plane over each bin of a region.
void roi_align(Call& c) {
  Tensor input = common::packed(c.tensor(arg::input)), rois = common::packed(c.tensor(arg::rois));
  base::check(input.dim() == 4, "roi_align: input must have 4 dimensions");
  base::check(rois.dim() == 2 && rois.size(1) == 5, "rois must have shape as Tensor[K, 5]");
  base::check(input.dtype() == rois.dtype(), "roi_align: input and rois must have the same type");
  double scale = c.floating(arg::spatial_scale);
  int64_t rows = c.integer(arg::pooled_height), columns = c.integer(arg::pooled_width);
  int64_t sampling = c.integer(arg::sampling_ratio);
  bool aligned = c.boolean(arg::aligned);
  base::check(rows > 0 && columns > 0, "roi_align: the output must have a size");
  c.synchronized();
  int64_t channels = input.size(1), height = input.size(2), width = input.size(3);
  Tensor out = c.empty(Dims{rois.size(0), channels, rows, columns}, input.dtype());
  common::over_floating(input.dtype(), "roi_align", [&](auto zero) {
    using T = decltype(zero);
    const T* region = rois.device_data<T>();
    T* to = out.device_data<T>();
    for (int64_t k = 0; k < rois.size(0); ++k, region += 5) {
      auto image = static_cast<int64_t>(double(Wide<T>(region[0])));
      base::check(image >= 0 && image < input.size(0), "roi_align: there is no image ", image);
      auto at = [&](int i) { return double(Wide<T>(region[i])) * scale - (aligned ? 0.5 : 0.0); };
      Bins down(at(2), at(4), rows, sampling, aligned),
          across(at(1), at(3), columns, sampling, aligned);
      double reads = double(std::max<int64_t>(down.places * across.places, 1));
      for (int64_t channel = 0; channel < channels; ++channel) {
        const T* plane = input.device_data<T>() + (image * channels + channel) * height * width;
        for (int64_t row = 0; row < rows; ++row) {
          for (int64_t column = 0; column < columns; ++column) {
            double sum = 0;
            for (int64_t i = 0; i < down.places; ++i)
              for (int64_t j = 0; j < across.places; ++j)
                sum +=
                    interpolated(plane, height, width, down.place(row, i), across.place(column, j));
            *to++ = T(static_cast<Wide<T>>(sum / reads));
          }
        }
      }
    }
  });
  c.finish(out);
}

constexpr ops::Kernel kernels[] = {
    {"torchvision::nms", nms},
    {"torchvision::roi_align", roi_align},
};

}  // namespace

std::span<const ops::Kernel> detection_kernels() { return kernels; }

}  // namespace assay::kernels::reference
