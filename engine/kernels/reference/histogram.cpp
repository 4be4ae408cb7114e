// Counts of points in boxes, by equal bins or given edges.

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::reference {
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
  if (!known) common::not_implemented_for(dtype, "histogram_cpu");
}

/// Points of as many coordinates as the last size of the input tells.
int64_t coordinates_of(const Tensor& self) {
  base::check(self.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions");
  return self.sizes().back();
}

/// The least and the greatest of each coordinate; 0 and 1 of no points.
std::vector<double> extremes(const Dense<double>& points, size_t coordinates) {
  std::vector<double> range;
  for (size_t d = 0; d < coordinates; ++d) {
    double least = points.values.empty() ? 0 : points.values[d], most = least;
    if (points.values.empty()) most = 1;
    for (size_t i = d; i < points.values.size(); i += coordinates) {
      double v = points.values[i];
      least = std::isnan(v) ? v : std::min(least, v);
      most = std::isnan(v) ? v : std::max(most, v);
      if (std::isnan(v)) break;
    }
    range.insert(range.end(), {least, most});
  }
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
  std::vector<double> range = given ? c.floats(arg::range) : extremes(dense<double>(self), n);
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

/// The bin of a coordinate, or -1; the last one has both of its edges.
int64_t bin_of(double v, const std::vector<double>& edges) {
  if (v < edges.front() || v > edges.back()) return -1;
  int64_t bin = std::upper_bound(edges.begin(), edges.end(), v) - edges.begin() - 1;
  base::check(bin >= 0, "torch.histogramdd: the edges of bins decrease");
  return std::min(bin, static_cast<int64_t>(edges.size()) - 2);
}

/// Divides by the total and by the sizes of the boxes.
void make_density(Dense<double>& counts, const std::vector<std::vector<double>>& edges) {
  double total = 0;
  for (double v : counts.values) total += v;
  for (size_t i = 0; i < counts.values.size(); ++i) {
    counts.values[i] /= total;
    size_t rest = i;
    for (size_t d = edges.size(); d-- > 0;) {
      size_t bins = edges[d].size() - 1;
      counts.values[i] /= edges[d][rest % bins + 1] - edges[d][rest % bins];
      rest /= bins;
    }
  }
}

Tensor counted(Call& c, const Tensor& self, const std::vector<Tensor>& bins, const Tensor& weight) {
  check_counted(self.dtype(), true);
  check_edges(self, bins, weight);
  Dims sizes;
  std::vector<std::vector<double>> edges;
  for (const Tensor& bin : bins) {
    sizes.push_back(bin.numel() - 1);
    edges.push_back(dense<double>(bin).values);
  }
  Tensor out = c.new_empty(sizes, self.dtype());
  Dense<double> counts(sizes), points = dense<double>(self), weights;
  if (weight) weights = dense<double>(weight);
  for (size_t i = 0; !edges.empty() && i * edges.size() < points.values.size(); ++i) {
    int64_t at = 0;
    for (size_t d = 0; d < edges.size() && at >= 0; ++d) {
      int64_t bin = bin_of(points.values[i * edges.size() + d], edges[d]);
      at = bin < 0 ? -1 : at * sizes[d] + bin;
    }
    if (at >= 0) counts.values[static_cast<size_t>(at)] += weight ? weights.values[i] : 1;
  }
  if (c.boolean(arg::density)) make_density(counts, edges);
  store(counts, out);
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

}  // namespace assay::kernels::reference
