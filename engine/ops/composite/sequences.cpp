#include "engine/base/error.h"
#include "engine/ops/composite/algebra.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/views.h"

namespace assay::ops::composite {
namespace {

using core::Tensor;
using core::Value;

int64_t size_along(const Tensor& t, int64_t dim) { return t.size(static_cast<size_t>(dim)); }

/// The elements from `from` on, up to `less` before the end.
Tensor part(const Algebra& f, const Tensor& t, int64_t dim, int64_t from, int64_t less) {
  return f.slice(t, dim, from, size_along(t, dim) - less);
}

/// n-th differences of neighbours, of the tensor between what is put before and after it.
void diff(Call& c) {
  Algebra f(c);
  Tensor t = c.tensor(arg::self);
  base::check(t.dim() > 0, "diff expects input to be at least one-dimensional");
  int64_t n = c.integer(arg::n), dim = core::wrap_dim(c.integer(arg::dim), t.dim());
  base::check(n >= 0, "order must be non-negative but got ", n);
  if (n == 0) return c.finish(c.call("aten::clone", {t}));
  if (!c.is_none(arg::prepend) || !c.is_none(arg::append)) {
    std::vector<Tensor> parts;
    if (!c.is_none(arg::prepend)) parts.push_back(c.tensor(arg::prepend));
    parts.push_back(t);
    if (!c.is_none(arg::append)) parts.push_back(c.tensor(arg::append));
    t = c.call_tensor("aten::cat", {Value(core::make_tensor_list(parts)), Value(dim)});
  }
  n = std::min(n, size_along(t, dim));
  bool flags = t.dtype() == core::DType::boolean;
  for (int64_t i = 0; i < n; ++i) {
    Tensor after = part(f, t, dim, 1, 0), before = part(f, t, dim, 0, 1);
    t = flags ? c.call_tensor("aten::logical_xor", {after, before}) : f.sub(after, before);
  }
  c.finish(Value(t));
}

/// Sums of neighbours times their distance, which is a number or a tensor, halved.
Tensor steps(const Algebra& f, const Tensor& y, int64_t dim, const Value& distance) {
  Tensor pairs = f.add(part(f, y, dim, 1, 0), part(f, y, dim, 0, 1));
  return f.div(f.mul(pairs, distance), 2.0);
}

/// Distances of neighbouring x, shaped to multiply pairs of neighbours in y.
Tensor distances(const Call& c, const Algebra& f, const Tensor& y, Tensor x, int64_t dim) {
  if (x.dim() == 1) {
    base::check(size_along(x, 0) == size_along(y, dim),
                "trapezoid: There must be one `x` value for each sample point");
    core::Dims sizes(static_cast<size_t>(y.dim()), 1);
    sizes[static_cast<size_t>(dim)] = x.size(0);
    x = c.call_tensor("aten::reshape", {x, Value(core::make_int_list(sizes))});
  }
  while (x.dim() < y.dim()) x = views::unsqueeze(x, 0);
  return f.sub(part(f, x, dim, 1, 0), part(f, x, dim, 0, 1));
}

template <bool cumulative, bool with_points>
void trapezoid(Call& c) {
  Algebra f(c);
  Tensor y = c.tensor(arg::y);
  base::check(y.dim() > 0, "trapezoid: y must have a dimension");
  int64_t dim = core::wrap_dim(c.integer(arg::dim), y.dim());
  if (size_along(y, dim) == 0) {
    Tensor none = cumulative ? y : f.sum(y, dim);
    return c.finish(Value(cumulative ? f.like(none, 0) : none));
  }
  Value distance =
      with_points ? Value(distances(c, f, y, c.tensor(arg::x), dim)) : c.value(arg::dx);
  Tensor areas = steps(f, y, dim, distance);
  if (cumulative) return c.finish(c.call("aten::cumsum", {areas, Value(dim)}));
  c.finish(Value(f.sum(areas, dim)));
}

/// Sums over leading dimensions, and over those that the size has as 1.
void sum_to_size(Call& c) {
  Tensor t = c.tensor(arg::self);
  core::Dims sizes = c.ints(arg::size);
  auto rank = static_cast<int64_t>(sizes.size());
  int64_t leading = t.dim() - rank;
  bool fits = leading >= 0 && core::broadcast(sizes, t.sizes()) == t.sizes();
  base::check(fits, "size {", sizes, "} is not expandable to size {", t.sizes(), "}.");
  core::Dims dims;
  for (int64_t d = 0; d < t.dim(); ++d) {
    bool narrowed =
        d >= leading && sizes[static_cast<size_t>(d - leading)] == 1 && size_along(t, d) != 1;
    if (d < leading || narrowed) dims.push_back(d);
  }
  if (!dims.empty()) {
    t = c.call_tensor("aten::sum.dim_IntList", {t, Value(core::make_int_list(dims)), Value(true)});
  }
  c.finish(leading == 0 ? Value(t) : c.call("aten::view", {t, Value(core::make_int_list(sizes))}));
}

/// Weights of columns: one for each, none negative or NaN.
void check_column_weights(const Call& c, ArgName name, int64_t columns) {
  if (c.is_none(name)) return;
  Tensor weights = c.tensor(name);
  base::check(weights.numel() == columns, "cov(): expected ", name.text(), " to weigh each of the ",
              columns, " observations, but it has ", weights.numel(), " elements");
  if (columns == 0) return;
  Value none_negative = c.call("aten::ge.Scalar", {c.call("aten::min", {weights}), Value(0)});
  base::check(c.call("aten::is_nonzero", {none_negative}).to_bool(), "cov(): ", name.text(),
              " cannot be negative");
}

/// Covariance of the rows, each column weighted.
void cov(Call& c) {
  Algebra f(c);
  Tensor x = c.tensor(arg::self);
  base::check(x.dim() <= 2,
              "cov(): expected input to have two or fewer dimensions but got an input "
              "with ",
              x.dim(), " dimensions");
  base::check(x.dtype() != core::DType::boolean, "cov(): bool dtype is not supported for input");
  if (x.dim() < 2) {
    x = c.call_tensor("aten::view", {x, Value(core::make_int_list(core::Dims{1, x.numel()}))});
  }
  double correction = static_cast<double>(c.integer(arg::correction));
  check_column_weights(c, arg::fweights, x.size(1));
  check_column_weights(c, arg::aweights, x.size(1));
  Tensor weights = c.tensor(arg::fweights);
  if (!c.is_none(arg::aweights))
    weights = weights ? f.mul(weights, c.value(arg::aweights)) : c.tensor(arg::aweights);
  Tensor average, norm;
  if (weights) {
    Tensor total = f.sum(weights);
    base::check(c.call("aten::is_nonzero", {total}).to_bool(),
                "cov(): the weights sum to zero, so that they cannot be normalized");
    average = f.div(f.sum(f.mul(x, weights), 1), total);
    // Weights that are no counts take off their squares' share.
    Tensor off =
        c.is_none(arg::aweights)
            ? f.like(total, correction)
            : f.div(f.mul(f.sum(f.mul(weights, c.value(arg::aweights))), correction), total);
    norm = f.sub(total, off);
  } else {
    auto observations = static_cast<double>(x.size(1));
    average = f.div(f.sum(x, 1), observations);
    norm = f.like(f.one("real", f.sum(average)), observations - correction);
  }
  norm = f.clamp_min(norm, 0);
  Tensor centered = f.sub(x, c.call_tensor("aten::unsqueeze", {average, Value(1)}));
  Tensor other = weights ? f.mul(centered, weights) : centered;
  other = f.one("conj", c.call_tensor("aten::transpose.int", {other, Value(0), Value(1)}));
  if (centered.dtype() != other.dtype()) {
    centered =
        c.call_tensor("aten::to.dtype", {centered, Value(static_cast<int64_t>(other.dtype()))});
  }
  Tensor result = f.div(c.call_tensor("aten::matmul", {centered, other}), norm);
  c.finish(c.call("aten::squeeze", {result}));
}

void corrcoef(Call& c) {
  Algebra f(c);
  Tensor x = c.tensor(arg::self);
  base::check(x.dim() <= 2,
              "corrcoef(): expected input to have two or fewer dimensions but got an "
              "input with ",
              x.dim(), " dimensions");
  Tensor covariance = c.call_tensor("aten::cov", {x});
  if (covariance.dim() == 0) return c.finish(Value(f.div(covariance, covariance)));
  Tensor variances = c.call_tensor("aten::diagonal", {covariance});
  Tensor deviations = f.one("sqrt", f.one("real", variances));
  Tensor rows = c.call_tensor("aten::unsqueeze", {deviations, Value(1)});
  c.finish(Value(f.div(f.div(covariance, rows), deviations)));
}

/// In place, with its arguments the other way round than polygamma's.
void polygamma_in_place(Call& c) {
  Tensor result = c.call_tensor("aten::polygamma", {c.value(arg::n), c.value(arg::self)});
  c.finish(c.call("aten::copy_", {c.value(arg::self), result}));
}

constexpr Kernel sequences_table[] = {
    {"aten::diff", diff},
    {"aten::trapezoid.x", trapezoid<false, true>},
    {"aten::trapezoid.dx", trapezoid<false, false>},
    {"aten::trapz.dx", trapezoid<false, false>},
    {"aten::cumulative_trapezoid.x", trapezoid<true, true>},
    {"aten::cumulative_trapezoid.dx", trapezoid<true, false>},
    {"aten::sum_to_size", sum_to_size},
    {"aten::cov", cov},
    {"aten::corrcoef", corrcoef},
    {"aten::polygamma_", polygamma_in_place},
};

}  // namespace

std::span<const Kernel> sequence_composites() { return sequences_table; }

}  // namespace assay::ops::composite
