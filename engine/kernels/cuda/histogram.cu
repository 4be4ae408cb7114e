#include <cmath>
#include <vector>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/kernels/common/histogram.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;
using ops::Call;

/// The least and the greatest of each coordinate; 0 and 1 of no points. The host waits for them.
std::vector<double> extremes(const Call& c, const Tensor& points, size_t coordinates) {
  std::vector<double> range;
  if (points.numel() == 0) {
    for (size_t d = 0; d < coordinates; ++d) range.insert(range.end(), {0.0, 1.0});
    return range;
  }
  auto n = static_cast<int64_t>(coordinates);
  Tensor rows =
      c.call_tensor("aten::reshape", {points, core::make_int_list(Dims{points.numel() / n, n})});
  Value first = core::make_int_list(Dims{0});
  Tensor least = c.call_tensor("aten::amin", {rows, first, false});
  Tensor most = c.call_tensor("aten::amax", {rows, first, false});
  c.synchronized();
  auto low = core::elements(least), high = core::elements(most);
  for (size_t d = 0; d < coordinates; ++d)
    range.insert(range.end(), {low[d].to_double(), high[d].to_double()});
  return range;
}

/// The edges of all coordinates in double, one coordinate's behind the other's.
struct Edges {
  static constexpr int most = 16;
  const double* all = nullptr;
  int coordinates = 0;
  int64_t begin[most + 1]{};

  ASSAY_ANYWHERE int64_t bins(int d) const { return begin[d + 1] - begin[d] - 1; }
  /// The bin of a coordinate; -1 outside of the edges, -2 where these decrease. The last bin has
  /// both of its edges.
  ASSAY_ANYWHERE int64_t bin_of(int d, double v) const {
    const double* edge = all + begin[d];
    int64_t count = begin[d + 1] - begin[d], first = 0;
    if (v < edge[0] || v > edge[count - 1]) return -1;
    for (int64_t left = count; left > 0;) {
      int64_t half = left / 2;
      if (v < edge[first + half]) {
        left = half;
      } else {
        first += half + 1;
        left -= half + 1;
      }
    }
    if (first == 0) return -2;
    return first < count ? first - 1 : count - 2;
  }
};

struct CountPoints {
  Edges edges;
  const std::byte* points;
  const std::byte* weights;  ///< May be null.
  DType dtype;
  Layout<1> layout, weights_layout;
  double* counts;
  Reporter report;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t at = 0;
    for (int d = 0; d < edges.coordinates; ++d) {
      int64_t offset = layout.offsets(i * edges.coordinates + d).of[0];
      int64_t bin = edges.bin_of(d, load<double>(points + offset, dtype));
      if (bin == -2) report(Fault::other);
      if (bin < 0) return;
      at = at * edges.bins(d) + bin;
    }
    double weight = weights ? load<double>(weights + weights_layout.offsets(i).of[0], dtype) : 1;
    atomic_add(counts + at, weight);
  }
};

struct Total {
  const double* counts;
  double* total;
  ASSAY_ANYWHERE double start() const { return 0; }
  ASSAY_ANYWHERE double load(int64_t, int64_t i) const { return counts[i]; }
  ASSAY_ANYWHERE double join(double a, double b) const { return a + b; }
  ASSAY_ANYWHERE void finish(int64_t, double all) const { *total = all; }
};

/// Divides by the total and by the sizes of the boxes.
struct MakeDensity {
  Edges edges;
  const double* total;
  double* counts;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    double density = counts[i] / *total;
    int64_t rest = i;
    for (int d = edges.coordinates - 1; d >= 0; --d) {
      int64_t bin = rest % edges.bins(d);
      const double* edge = edges.all + edges.begin[d];
      density /= edge[bin + 1] - edge[bin];
      rest /= edges.bins(d);
    }
    counts[i] = density;
  }
};

/// `room` is what the edges lie in.
Edges gather_edges(const Call& c, const std::vector<Tensor>& bins, Tensor& room) {
  Edges edges;
  if (bins.size() > Edges::most)
    base::unsupported("histograms of points with ", bins.size(), " coordinates on a device");
  edges.coordinates = static_cast<int>(bins.size());
  for (size_t d = 0; d < bins.size(); ++d) edges.begin[d + 1] = edges.begin[d] + bins[d].numel();
  room = c.new_empty(Dims{edges.begin[bins.size()]}, DType::float64);
  for (size_t d = 0; d < bins.size(); ++d)
    copy_elements(c, room.view(bins[d].sizes(), Dims{1}, edges.begin[d]), bins[d]);
  edges.all = room.device_data<double>();
  return edges;
}

Tensor counted(Call& c, const Tensor& self, const std::vector<Tensor>& bins, const Tensor& weight) {
  Dims sizes;
  for (const Tensor& bin : bins) sizes.push_back(bin.numel() - 1);
  Tensor out = c.new_empty(sizes, self.dtype()), counts = c.new_empty(sizes, DType::float64), room;
  Edges edges = gather_edges(c, bins, room);
  Queue queue = queue_of(c);
  fill_elements(c, counts, core::Scalar(0.0));
  auto* sums = counts.device_data<double>();
  if (self.numel() > 0) {
    CountPoints body{edges,
                     self.device_address(),
                     weight ? weight.device_address() : nullptr,
                     self.dtype(),
                     Layout<1>::of(self.sizes(), {self}, true),
                     {},
                     sums,
                     queue.report};
    if (weight) body.weights_layout = Layout<1>::of(weight.sizes(), {weight}, true);
    for_each(queue, self.numel() / edges.coordinates, body);
  }
  if (c.boolean(arg::density)) {
    Tensor total = c.new_empty(Dims{1}, DType::float64);
    reduce(c, queue, 1, counts.numel(), Total{sums, total.device_data<double>()});
    for_each(queue, counts.numel(), MakeDensity{edges, total.device_data<double>(), sums});
  }
  copy_elements(c, out, counts);
  return out;
}

struct Histograms {
  static std::vector<double> extremes(const Call& c, const Tensor& points, size_t n) {
    return cuda::extremes(c, points, n);
  }
  static Tensor counted(Call& c, const Tensor& points, const std::vector<Tensor>& edges,
                        const Tensor& weight) {
    return cuda::counted(c, points, edges, weight);
  }
};

}  // namespace

std::span<const ops::Kernel> histogram_kernels() {
  return common::histogram::histogram_table<Histograms>;
}

}  // namespace assay::kernels::cuda
