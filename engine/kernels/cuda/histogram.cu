// Counts of points in boxes, by equal bins or given edges.

#include <cmath>
#include <vector>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/kernels/common/dtype_switch.h"
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

void check_counted(DType dtype, bool with_range) {
  bool known = dtype == DType::float32 || dtype == DType::float64 ||
               (dtype == DType::bfloat16 && with_range);
  if (!known) common::not_implemented_for(dtype, "histogram_cuda");
}

/// Points of as many coordinates as the last size of the input tells.
int64_t coordinates_of(const Tensor& self) {
  base::check(self.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions");
  return self.sizes().back();
}

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

/// Edges of equal bins over the range, or over the input where there is none.
std::vector<Tensor> equal_edges(Call& c, const Tensor& self, int64_t coordinates,
                                const Dims& counts) {
  bool given = !c.is_none(arg::range);
  check_counted(self.dtype(), given || self.numel() == 0);
  auto n = static_cast<size_t>(coordinates);
  base::check(counts.size() == n, "torch.histogramdd: expected ", n, " numbers of bins, got ",
              counts.size());
  std::vector<double> range = given ? c.floats(arg::range) : extremes(c, self, n);
  base::check(range.size() == 2 * n, "torch.histogramdd: for a ", n,
              "-dimensional histogram range should have ", 2 * n, " elements, but got ",
              range.size());
  std::vector<Tensor> edges;
  for (size_t d = 0; d < n; ++d) {
    double low = range[2 * d], high = range[2 * d + 1];
    base::check(std::isfinite(low) && std::isfinite(high), "torch.histogramdd: dimension ", d,
                "'s range [", low, ", ", high, "] is not finite");
    base::check(low <= high, "torch.histogramdd: min should not exceed max, but got min ", low,
                " max ", high, " for dimension ", d);
    base::check(counts[d] > 0 && counts[d] < INT64_MAX,
                "torch.histogram(): bins must be > 0, but got ", counts[d], " for dimension ", d);
    double half = low == high ? 0.5 : 0;
    edges.push_back(c.call_tensor("aten::linspace", {low - half,
                                                     high + half,
                                                     counts[d] + 1,
                                                     static_cast<int64_t>(self.dtype()),
                                                     {},
                                                     self.device()}));
  }
  return edges;
}

void check_edges(const Tensor& self, const std::vector<Tensor>& edges, const Tensor& weight) {
  base::check(static_cast<int64_t>(edges.size()) == coordinates_of(self),
              "torch.histogramdd: expected ", self.sizes().back(),
              " sequences of bin edges, but got ", edges.size());
  for (const Tensor& edge : edges) {
    base::check(edge.dtype() == self.dtype(),
                "torch.histogramdd: input tensor and bins tensors should have the same dtype");
    base::check(edge.dim() == 1 && edge.numel() > 1,
                "torch.histogramdd: bins tensor should have one dimension, and two edges or more");
  }
  if (!weight) return;
  base::check(weight.dtype() == self.dtype(),
              "torch.histogramdd: input tensor and weight tensor should have the same dtype");
  Dims points = self.sizes(), weights = weight.sizes();
  points.pop_back();
  if (weights.empty()) weights.push_back(1);
  base::check(points == weights,
              "torch.histogramdd: weight should have the input's shape without "
              "its last dimension, but got ",
              self.sizes(), " and ", weight.sizes());
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
  check_counted(self.dtype(), true);
  check_edges(self, bins, weight);
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

/// All elements as points of one coordinate.
Tensor as_points(const Call& c, const Tensor& self) {
  return c.call_tensor("aten::reshape", {self, core::make_int_list(Dims{self.numel(), 1})});
}
Tensor as_row(const Call& c, const Tensor& t) {
  return t ? c.call_tensor("aten::reshape", {t, core::make_int_list(Dims{t.numel()})}) : t;
}

void histogram_of_edges(Call& c) {
  Tensor self = as_points(c, c.tensor(arg::self)), bins = c.tensor(arg::bins);
  Tensor counts = counted(c, self, {bins}, as_row(c, c.tensor(arg::weight)));
  c.finish(core::Values{counts, c.call_tensor("aten::clone", {bins, 0})});
}

void histogram_of_count(Call& c) {
  Tensor self = as_points(c, c.tensor(arg::self));
  auto edges = equal_edges(c, self, 1, {c.integer(arg::bins)});
  Tensor counts = counted(c, self, edges, as_row(c, c.tensor(arg::weight)));
  c.finish(core::Values{counts, edges[0]});
}

void edges_of_counts(Call& c) {
  Tensor self = c.tensor(arg::self);
  auto edges = equal_edges(c, self, coordinates_of(self), c.ints(arg::bins));
  c.finish(Value(core::make_tensor_list(std::move(edges))));
}

void histogramdd_of_edges(Call& c) {
  c.finish(counted(c, c.tensor(arg::self), c.tensors(arg::bins), c.tensor(arg::weight)));
}

void histogramdd_of_counts(Call& c) {
  Tensor self = c.tensor(arg::self);
  auto edges = equal_edges(c, self, coordinates_of(self), c.ints(arg::bins));
  c.finish(counted(c, self, edges, c.tensor(arg::weight)));
}

constexpr ops::Kernel histogram_table[] = {
    {"aten::histogram.bins_tensor", histogram_of_edges},
    {"aten::histogram.bin_ct", histogram_of_count},
    {"aten::_histogramdd_bin_edges", edges_of_counts},
    {"aten::_histogramdd_from_bin_tensors", histogramdd_of_edges},
    {"aten::_histogramdd_from_bin_cts", histogramdd_of_counts},
};

}  // namespace

std::span<const ops::Kernel> histogram_kernels() { return histogram_table; }

}  // namespace assay::kernels::cuda
