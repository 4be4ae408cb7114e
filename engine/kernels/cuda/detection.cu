// torchvision's choice among boxes (x1, y1, x2, y2).

#include <vector>

#include "engine/base/error.h"
#include "engine/core/host_access.h"
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

using core::Dims;
using core::DType;
using core::Tensor;
using ops::Call;

constexpr int64_t word_bits = 64;

/// Which of 64 boxes behind it a box overlaps too much: a bit each. Boxes are taken by their
/// scores, the best first. A row of the table has those words and then the box's number.
template <typename T>
struct OverlapBody {
  using W = Computed<T>;

  const T* boxes;
  const int64_t* order;
  int64_t count, words;
  double threshold;
  uint64_t* table;

  ASSAY_ANYWHERE static W area(const W (&box)[4]) {
    return common::rounded_product(box[2] - box[0], box[3] - box[1]);
  }
  /// What two boxes share, divided by what they cover together.
  ASSAY_ANYWHERE static double overlap(const W (&a)[4], const W (&b)[4]) {
    W left = a[0] < b[0] ? b[0] : a[0], right = b[2] < a[2] ? b[2] : a[2];
    W top = a[1] < b[1] ? b[1] : a[1], bottom = b[3] < a[3] ? b[3] : a[3];
    W width = right - left, height = bottom - top;
    W shared = common::rounded_product(width < 0 ? W(0) : width, height < 0 ? W(0) : height);
    W all = area(a) + area(b) - shared;
    return double(shared / all);
  }
  ASSAY_ANYWHERE void read(int64_t place, W (&box)[4]) const {
    const T* from = boxes + 4 * order[place];
    for (int k = 0; k < 4; ++k) box[k] = convert<W>(from[k]);
  }
  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t place = i / (words + 1), word = i - place * (words + 1);
    uint64_t bits = 0;
    if (word == words) {
      bits = static_cast<uint64_t>(order[place]);
    } else if (place < (word + 1) * word_bits) {
      W best[4], other[4];
      read(place, best);
      int64_t first = word * word_bits;
      int64_t last = first + word_bits < count ? first + word_bits : count;
      for (int64_t k = place < first ? first : place + 1; k < last; ++k) {
        read(k, other);
        if (overlap(best, other) > threshold) bits |= uint64_t{1} << (k - first);
      }
    }
    table[i] = bits;
  }
};

/// The numbers of the boxes that remain when, from the best score on, each removes those that it
/// overlaps too much.
std::vector<int64_t> kept_boxes(const Tensor& table, int64_t words) {
  const auto* row = reinterpret_cast<const uint64_t*>(table.device_address());
  std::vector<uint64_t> removed(static_cast<size_t>(words));
  std::vector<int64_t> kept;
  for (int64_t place = 0; place < table.size(0); ++place, row += words + 1) {
    auto word = static_cast<size_t>(place / word_bits);
    if ((removed[word] >> (place % word_bits) & 1) != 0) continue;
    kept.push_back(static_cast<int64_t>(row[words]));
    for (size_t k = word; k < removed.size(); ++k) removed[k] |= row[k];
  }
  return kept;
}

template <typename T>
Tensor overlaps_of(const Call& c, const Tensor& boxes, const Tensor& order, int64_t words) {
  int64_t count = boxes.size(0);
  Tensor table = c.new_empty(Dims{count, words + 1}, DType::int64);
  OverlapBody<T> body{boxes.device_data<T>(),
                      order.device_data<int64_t>(),
                      count,
                      words,
                      c.floating(arg::iou_threshold),
                      reinterpret_cast<uint64_t*>(table.device_address())};
  for_each(queue_of(c), table.numel(), body);
  return table;
}

/// The host chooses, since each box depends on those before it; so few bits are soon copied.
void nms(Call& c) {
  Tensor boxes = c.tensor(arg::dets), scores = c.tensor(arg::scores);
  base::check(boxes.size(1) == 4, "boxes should have 4 elements in dimension 1, got ",
              boxes.size(1));
  base::check(boxes.size(0) == scores.size(0),
              "boxes and scores should have same number of elements in "
              "dimension 0, got ",
              boxes.size(0), " and ", scores.size(0));
  int64_t count = boxes.size(0), words = (count + word_bits - 1) / word_bits;
  if (count == 0) return c.finish(c.new_empty(Dims{0}, DType::int64));
  boxes = contiguous(c, boxes);
  ops::Results sorted = ops::call(c.context, ops::get_operator("aten::sort.stable"),
                                  std::vector<core::Value>{scores, true, int64_t{0}, true});
  Tensor order = contiguous(c, sorted[1].to_tensor());
  Tensor table = common::over_floating(boxes.dtype(), "nms", [&](auto zero) {
    return overlaps_of<decltype(zero)>(c, boxes, order, words);
  });
  c.synchronized();
  c.copied(c.device(), core::Device{}, static_cast<size_t>(table.numel()) * sizeof(uint64_t));
  std::vector<int64_t> kept = kept_boxes(core::to_host(table), words);
  Tensor numbers = Tensor::empty(Dims{static_cast<int64_t>(kept.size())}, DType::int64);
  std::copy(kept.begin(), kept.end(), numbers.device_data<int64_t>());
  c.finish(ops::relocate(c.context, numbers, c.device(), DType::int64));
}

constexpr ops::Kernel detection_table[] = {
    {"torchvision::nms", nms},
};

}  // namespace

std::span<const ops::Kernel> detection_kernels() { return detection_table; }

}  // namespace assay::kernels::cuda
