// torchvision's choice among boxes (x1, y1, x2, y2).

#include <algorithm>
#include <numeric>
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
  base::check(boxes.size(1) == 4, "boxes should have 4 elements in dimension 1, got ",
              boxes.size(1));
  base::check(boxes.size(0) == scores.size(0),
              "boxes and scores should have same number of elements in dimension 0, got ",
              boxes.size(0), " and ", scores.size(0));
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
  Tensor out = c.new_empty(Dims{static_cast<int64_t>(kept.size())}, DType::int64);
  std::copy(kept.begin(), kept.end(), out.device_data<int64_t>());
  c.finish(out);
}

constexpr ops::Kernel detection_table[] = {
    {"torchvision::nms", nms},
};

}  // namespace

std::span<const ops::Kernel> detection_kernels() { return detection_table; }

}  // namespace assay::kernels::reference
