#include "engine/kernels/common/histogram.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using ops::Call;

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

struct Histograms {
  static std::vector<double> extremes(const Call&, const Tensor& points, size_t n) {
    return reference::extremes(dense<double>(points), n);
  }
  static Tensor counted(Call& c, const Tensor& points, const std::vector<Tensor>& edges,
                        const Tensor& weight) {
    return reference::counted(c, points, edges, weight);
  }
};

}  // namespace

std::span<const ops::Kernel> histogram_kernels() {
  return common::histogram::histogram_table<Histograms>;
}

}  // namespace assay::kernels::reference
