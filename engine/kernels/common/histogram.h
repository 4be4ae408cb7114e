#pragma once

#include <cmath>
#include <vector>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/ops/dispatch.h"

// Counts of points in boxes, by equal bins or given edges, for all devices. `On` is where they run:
// a class with
//   static std::vector<double> extremes(const ops::Call&, const core::Tensor& points, size_t n);
//   static core::Tensor counted(ops::Call&, const core::Tensor& points,
//                               const std::vector<core::Tensor>& edges, const core::Tensor&
//                               weight);
// The first gives the least and the greatest of each of n coordinates, or 0 and 1 of no points; the
// second the counts, of arguments that fit together.
namespace assay::kernels::common::histogram {

namespace arg = ops::arg;

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;
using ops::Call;

inline void check_counted(const Call& c, DType dtype, bool with_range) {
  bool known = dtype == DType::float32 || dtype == DType::float64 ||
               (dtype == DType::bfloat16 && with_range);
  if (!known)
    common::not_implemented_for(
        dtype, c.device().type == core::DeviceType::cuda ? "histogram_cuda" : "histogram_cpu");
}

/// Points of as many coordinates as the last size of the input tells.
inline int64_t coordinates_of(const Tensor& self) {
  base::check(self.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions");
  return self.sizes().back();
}

/// Edges of equal bins over the range, or over the input where there is none.
template <class On>
std::vector<Tensor> equal_edges(Call& c, const Tensor& self, int64_t coordinates,
                                const Dims& counts) {
  bool given = !c.is_none(arg::range);
  check_counted(c, self.dtype(), given || self.numel() == 0);
  auto n = static_cast<size_t>(coordinates);
  base::check(counts.size() == n, "torch.histogramdd: expected ", n, " numbers of bins, got ",
              counts.size());
  std::vector<double> range = given ? c.floats(arg::range) : On::extremes(c, self, n);
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

inline void check_edges(const Tensor& self, const std::vector<Tensor>& edges,
                        const Tensor& weight) {
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

template <class On>
Tensor counted(Call& c, const Tensor& self, const std::vector<Tensor>& bins, const Tensor& weight) {
  check_counted(c, self.dtype(), true);
  check_edges(self, bins, weight);
  return On::counted(c, self, bins, weight);
}

/// All elements as points of one coordinate.
inline Tensor as_points(const Call& c, const Tensor& self) {
  return c.call_tensor("aten::reshape", {self, core::make_int_list(Dims{self.numel(), 1})});
}
inline Tensor as_row(const Call& c, const Tensor& t) {
  return t ? c.call_tensor("aten::reshape", {t, core::make_int_list(Dims{t.numel()})}) : t;
}

template <class On>
void histogram_of_edges(Call& c) {
  Tensor self = as_points(c, c.tensor(arg::self)), bins = c.tensor(arg::bins);
  Tensor counts = counted<On>(c, self, {bins}, as_row(c, c.tensor(arg::weight)));
  c.finish(core::Values{counts, c.call_tensor("aten::clone", {bins, 0})});
}

template <class On>
void histogram_of_count(Call& c) {
  Tensor self = as_points(c, c.tensor(arg::self));
  auto edges = equal_edges<On>(c, self, 1, {c.integer(arg::bins)});
  Tensor counts = counted<On>(c, self, edges, as_row(c, c.tensor(arg::weight)));
  c.finish(core::Values{counts, edges[0]});
}

template <class On>
void edges_of_counts(Call& c) {
  Tensor self = c.tensor(arg::self);
  auto edges = equal_edges<On>(c, self, coordinates_of(self), c.ints(arg::bins));
  c.finish(Value(core::make_tensor_list(std::move(edges))));
}

template <class On>
void histogramdd_of_edges(Call& c) {
  c.finish(counted<On>(c, c.tensor(arg::self), c.tensors(arg::bins), c.tensor(arg::weight)));
}

template <class On>
void histogramdd_of_counts(Call& c) {
  Tensor self = c.tensor(arg::self);
  auto edges = equal_edges<On>(c, self, coordinates_of(self), c.ints(arg::bins));
  c.finish(counted<On>(c, self, edges, c.tensor(arg::weight)));
}

template <class On>
inline constexpr ops::Kernel histogram_table[] = {
    {"aten::histogram.bins_tensor", histogram_of_edges<On>},
    {"aten::histogram.bin_ct", histogram_of_count<On>},
    {"aten::_histogramdd_bin_edges", edges_of_counts<On>},
    {"aten::_histogramdd_from_bin_tensors", histogramdd_of_edges<On>},
    {"aten::_histogramdd_from_bin_cts", histogramdd_of_counts<On>},
};

}  // namespace assay::kernels::common::histogram
