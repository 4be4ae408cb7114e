#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/deadline.h"
#include "engine/kernels/common/elements.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/groups.h"
#include "engine/kernels/reference/norm.h"
#include "engine/ops/constraint.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// The p-norm of the difference of two rows; NaN for a row with NaN, whatever p is.
double distance(std::span<const double> a, std::span<const double> b, double p) {
  Norm norm(p);
  for (size_t i = 0; i < a.size(); ++i) norm.add(std::fabs(a[i] - b[i]));
  return norm.has_nan() ? std::numeric_limits<double>::quiet_NaN() : norm.result();
}

/// Distances of each row of x1 to each row of x2; batches broadcast.
void cdist(Call& c) {
  Tensor x1 = c.tensor(arg::x1), x2 = c.tensor(arg::x2);
  double p = c.floating(arg::p);
  auto rank1 = static_cast<size_t>(x1.dim()), rank2 = static_cast<size_t>(x2.dim());
  base::check(rank1 >= 2, "cdist only supports at least 2D tensors, X1 got: ", rank1, "D");
  base::check(rank2 >= 2, "cdist only supports at least 2D tensors, X2 got: ", rank2, "D");
  base::check(x1.sizes().back() == x2.sizes().back(),
              "X1 and X2 must have the same number of columns. X1: ", x1.sizes().back(),
              " X2: ", x2.sizes().back());
  base::check(core::is_floating(x1.dtype()),
              "cdist only supports floating-point dtypes, X1 got: ", core::script_name(x1.dtype()));
  base::check(p >= 0, "cdist only supports non-negative p values");
  core::Dims batch = core::broadcast(core::DimSpan(x1.sizes()).first(rank1 - 2),
                                     core::DimSpan(x2.sizes()).first(rank2 - 2));
  auto rows = [&](const Tensor& t) {
    core::Dims sizes = batch;
    sizes.push_back(t.sizes()[static_cast<size_t>(t.dim()) - 2]);
    sizes.push_back(t.sizes().back());
    return dense<double>(expanded(t, sizes));
  };
  Dense<double> a = rows(x1), b = rows(x2);
  auto n = static_cast<size_t>(x1.size(rank1 - 2)), m = static_cast<size_t>(x2.size(rank2 - 2));
  auto width = static_cast<size_t>(x1.sizes().back());
  core::Dims out_sizes = batch;
  out_sizes.push_back(static_cast<int64_t>(n));
  out_sizes.push_back(static_cast<int64_t>(m));
  Dense<double> result(out_sizes);
  base::DeadlineTicker deadline;
  for (size_t i = 0; i < result.values.size(); ++i) {
    deadline.tick(x1.sizes().back());
    size_t group = i / (n * m), row1 = group * n + i / m % n, row2 = group * m + i % m;
    result.values[i] = distance(std::span<const double>(a.values).subspan(row1 * width, width),
                                std::span<const double>(b.values).subspan(row2 * width, width), p);
  }
  Tensor out = c.new_empty(out_sizes, core::promote(x1.dtype(), x2.dtype()));
  store(result, out);
  c.finish(core::Value(out));
}

/// Distances of all pairs of different rows.
void pdist(Call& c) {
  Tensor in = c.tensor(arg::self);
  double p = c.floating(arg::p);
  base::check(in.dim() == 2, "pdist only supports 2D tensors, got: ", in.dim(), "D");
  base::check(core::is_floating(in.dtype()), "pdist only supports floating-point dtypes");
  base::check(p >= 0, "pdist only supports non-negative p values");
  Dense<double> rows = dense<double>(in);
  auto n = static_cast<size_t>(in.size(0)), width = static_cast<size_t>(in.size(1));
  std::vector<double> result;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i + 1; j < n; ++j) {
      result.push_back(distance(std::span<const double>(rows.values).subspan(i * width, width),
                                std::span<const double>(rows.values).subspan(j * width, width), p));
    }
  }
  Tensor out = c.new_empty(core::Dims{static_cast<int64_t>(result.size())}, in.dtype());
  store(std::span<const double>(result), out);
  c.finish(core::Value(out));
}

/// Counts of elements in equal bins between two bounds; equal bounds mean the extremes.
void histc(Call& c) {
  Tensor in = c.tensor(arg::self);
  int64_t bins = c.integer(arg::bins);
  double low = c.floating(arg::min), high = c.floating(arg::max);
  base::check(bins > 0, "torch.histogram(): bins must be > 0, but got ", bins, " for dimension 0");
  if (!core::is_floating(in.dtype())) {
    base::fail("\"histogram_cpu\" not implemented for '", core::script_name(in.dtype()), "'");
  }
  Dense<double> values = dense<double>(in);
  for (ops::ArgName bound : {arg::min, arg::max}) {
    // Equal bounds are not used.
    if (low != high) ops::check_fits(c.op, c.op.position(bound), c.scalar(bound), in.dtype());
  }
  if (low == high && in.numel() > 0) {
    auto [least, most] = std::minmax_element(values.values.begin(), values.values.end());
    low = *least;
    high = *most;
  }
  if (low == high) {
    low -= 1;
    high += 1;
  }
  base::check(std::isfinite(low) && std::isfinite(high), "torch.histc: range of [", low, ", ", high,
              "] is not finite");
  base::check(low < high, "torch.histc: max must be larger than min");
  Dense<double> counts(core::Dims{bins});
  for (double v : values.values) {
    if (!(v >= low && v <= high)) continue;
    auto bin = static_cast<int64_t>((v - low) / (high - low) * static_cast<double>(bins));
    ++counts.values[static_cast<size_t>(std::min(bin, bins - 1))];
  }
  Tensor out = c.new_empty(counts.sizes, in.dtype());
  store(counts, out);
  c.finish(core::Value(out));
}

/// Slices along a dimension whose p-norm is above a bound are scaled down to it.
void renorm(Call& c) {
  Tensor in = c.tensor(arg::self);
  double p = c.floating(arg::p), most = c.floating(arg::maxnorm);
  base::check(in.dim() > 1, "renorm: input needs at least 2 dimensions, got ", in.dim(),
              " dimensions");
  base::check(p > 0, "renorm: non-positive-norm not supported");
  base::check(most >= 0, "renorm: expected maxnorm to be >= 0 but got ", most);
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), in.dim()));
  std::vector<bool> inside(static_cast<size_t>(in.dim()), true);
  inside[dim] = false;
  Tensor out = c.new_empty(in.sizes(), in.dtype());
  if (in.numel() == 0) return c.finish(core::Value(out));
  auto run = [&]<typename C>(C) {
    Groups<C> slices(in, in.dtype(), inside);
    for (size_t i = 0; i < slices.count(); ++i) {
      Norm norm(p);
      for (C v : slices[i]) norm.add(std::abs(v));
      double size = norm.result();
      double factor = size > most ? most / (size + 1e-7) : 1;
      std::vector<C> scaled;
      for (C v : slices[i]) scaled.push_back(v * factor);
      core::Dims sizes = in.sizes();
      sizes[dim] = 1;
      Tensor slice =
          out.view(sizes, out.strides(), out.offset() + static_cast<int64_t>(i) * out.stride(dim));
      store(std::span<const C>(scaled), slice);
    }
  };
  core::is_complex(in.dtype()) ? run(core::Complex128{}) : run(double{});
  c.finish(core::Value(out));
}

/// How a quantile between two elements is made of them.
double between(double low, double high, double weight, const std::string& how) {
  if (how == "lower") return low;
  if (how == "higher") return weight > 0 ? high : low;
  if (how == "midpoint") return weight > 0 ? (low + high) / 2 : low;
  return weight < 0.5 ? low + weight * (high - low) : high - (high - low) * (1 - weight);
}

double quantile_of(std::vector<double> sorted, double q, const std::string& how, bool ignore_nan) {
  auto nan = std::numeric_limits<double>::quiet_NaN();
  auto end = std::remove_if(sorted.begin(), sorted.end(), [](double v) { return std::isnan(v); });
  bool has_nan = end != sorted.end();
  sorted.erase(end, sorted.end());
  if ((has_nan && !ignore_nan) || sorted.empty()) return nan;
  std::sort(sorted.begin(), sorted.end());
  double rank = q * static_cast<double>(sorted.size() - 1);
  auto below = static_cast<size_t>(rank);
  size_t above = std::min(below + 1, sorted.size() - 1);
  double weight = rank - static_cast<double>(below);
  if (how == "nearest") return sorted[static_cast<size_t>(std::nearbyint(rank))];
  return between(sorted[below], sorted[above], weight, how);
}

/// quantile(self, q, dim, keepdim, interpolation); q is a number, or a tensor whose dimension comes
/// first in the result.
template <bool ignore_nan>
void quantile(Call& c) {
  Tensor in = c.tensor(arg::self);
  const std::string& how = c.string(arg::interpolation);
  const char* known[] = {"linear", "lower", "higher", "midpoint", "nearest"};
  base::check(std::find(std::begin(known), std::end(known), how) != std::end(known),
              "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, "
              "but got ",
              how);
  base::check(in.numel() > 0, "quantile() input tensor must be non-empty");
  base::check(in.dtype() == DType::float32 || in.dtype() == DType::float64,
              "quantile() input tensor must be either float or double dtype");
  bool one = !c.value(arg::q).is_tensor() || c.tensor(arg::q).dim() == 0;
  std::vector<double> qs;
  if (c.value(arg::q).is_tensor()) {
    base::check(c.tensor(arg::q).dim() <= 1, "quantile() q must be a scalar or 1D tensor");
    base::check(c.tensor(arg::q).dtype() == in.dtype(),
                "quantile() q tensor must be same dtype as the input tensor");
    qs = dense<double>(c.tensor(arg::q)).values;
  } else {
    qs.push_back(c.floating(arg::q));
  }
  for (double q : qs)
    base::check(q >= 0 && q <= 1, "quantile() q values must be in the range [0, 1]");
  bool keep = c.boolean(arg::keepdim), all = c.is_none(arg::dim);
  std::vector<bool> reduced(static_cast<size_t>(in.dim()), all);
  if (!all && in.dim() > 0) {
    reduced[static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), in.dim()))] = true;
  }
  Groups<double> groups(in, in.dtype(), reduced);
  core::Dims sizes;
  if (!one) sizes.push_back(static_cast<int64_t>(qs.size()));
  for (size_t d = 0; d < reduced.size(); ++d) {
    if (!reduced[d])
      sizes.push_back(in.size(d));
    else if (keep)
      sizes.push_back(1);
  }
  std::vector<double> results;
  for (double q : qs) {
    for (size_t i = 0; i < groups.count(); ++i) {
      results.push_back(quantile_of({groups[i].begin(), groups[i].end()}, q, how, ignore_nan));
    }
  }
  Tensor out = c.new_empty(sizes, in.dtype());
  store(std::span<const double>(results), out);
  c.finish(core::Value(out));
}

constexpr ops::Kernel distances_table[] = {
    {"aten::_cdist_forward", cdist},
    {"aten::_pdist_forward", pdist},
    {"aten::histc", histc},
    {"aten::renorm", renorm},
    {"aten::quantile", quantile<false>},
    {"aten::quantile.scalar", quantile<false>},
    {"aten::nanquantile", quantile<true>},
    {"aten::nanquantile.scalar", quantile<true>},
};

}  // namespace

std::span<const ops::Kernel> distance_kernels() { return distances_table; }

}  // namespace assay::kernels::reference
