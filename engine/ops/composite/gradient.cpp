// Gradients of sampled functions: differences of neighbours.

#include <numeric>

#include "engine/base/error.h"
#include "engine/ops/composite/algebra.h"
#include "engine/ops/composite/families.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

Tensor part(const Call& c, const Tensor& t, int64_t dim, int64_t start, const Value& end) {
  return c.call_tensor("aten::slice.Tensor", {t, dim, start, end, 1});
}

/// The dimensions to go along, and the distances: numbers or places, one for each, or none.
struct Axes {
  Dims dims;
  std::vector<Value> spacing;
};

Axes axes_of(const Call& c, const Tensor& self) {
  base::check(self.dtype() != DType::uint8, "torch.gradient does not support uint8 input.");
  Axes axes{c.ints(arg::dim), {}};
  bool chosen = !c.is_none(arg::dim);
  if (!chosen) {
    axes.dims.resize(self.sizes().size(), 0);
    std::iota(axes.dims.begin(), axes.dims.end(), int64_t{0});
  }
  Value spacing = c.has(arg::spacing) ? c.value(arg::spacing) : Value();
  bool listed = spacing.is_list();
  if (listed) {
    for (const Value& item : spacing.list().items) axes.spacing.push_back(item);
    base::check(axes.spacing.size() == axes.dims.size(),
                "torch.gradient expected a spacing for each dimension, but got ",
                axes.spacing.size(), " for ", axes.dims.size());
  } else {
    axes.spacing.assign(axes.dims.size(), spacing.is_none() ? Value(1.0) : spacing);
  }
  int64_t order = c.integer(arg::edge_order);
  base::check(order == 1 || order == 2,
              "torch.gradient only supports edge_order=1 and edge_order=2.");
  uint64_t seen = 0;
  for (int64_t& dim : axes.dims) {
    dim = core::wrap_dim(dim, self.dim());
    base::check(dim >= self.dim() || self.size(static_cast<size_t>(dim)) > order,
                "torch.gradient expected each dimension size to be at least edge_order+1");
    base::check(dim < 64 && (seen >> dim & 1) == 0, "dim ", dim,
                " appears multiple times in the list of dims");
    seen |= uint64_t{1} << dim;
  }
  return axes;
}

/// Points at equal distances.
Tensor along_equal(const Call& c, const Tensor& x, int64_t dim, const Value& step, bool second) {
  Algebra f(c);
  auto at = [&](int64_t start, const Value& end) { return part(c, x, dim, start, end); };
  Tensor inside = f.div(f.div(f.sub(at(2, {}), at(0, -2)), step), 2);
  Tensor first, last;
  if (second) {
    first =
        f.div(f.sub(f.add(f.mul(at(0, 1), -1.5), f.mul(at(1, 2), 2)), f.mul(at(2, 3), 0.5)), step);
    last = f.div(f.add(f.sub(f.mul(at(-3, -2), 0.5), f.mul(at(-2, -1), 2)), f.mul(at(-1, {}), 1.5)),
                 step);
  } else {
    first = f.div(f.sub(at(1, 2), at(0, 1)), step);
    last = f.div(f.sub(at(-1, {}), at(-2, -1)), step);
  }
  return c.call_tensor("aten::cat", {core::make_tensor_list({first, inside, last}), dim});
}

/// Points at given places: parabolas through neighbours.
Tensor along_places(const Call& c, const Tensor& x, int64_t dim, const Tensor& places,
                    bool second) {
  Algebra f(c);
  base::check(places.dim() == 1,
              "torch.gradient expected each element of spacing to have one dimension, but got an "
              "element with ",
              places.dim(), " dimensions!");
  base::check(places.size(0) == x.size(static_cast<size_t>(dim)),
              "torch.gradient: ", places.size(0), " places for ", x.sizes(), " along dimension ",
              dim);
  auto at = [&](int64_t start, const Value& end) { return part(c, x, dim, start, end); };
  Tensor steps = c.call_tensor("aten::diff", {places, 1, 0});
  auto weighted = [&](const Tensor& a, const Tensor& p, const Tensor& b, const Tensor& q,
                      const Tensor& e, const Tensor& r) {
    return f.add(f.add(f.mul(a, p), f.mul(b, q)), f.mul(e, r));
  };
  Dims sizes(x.sizes().size(), 1);
  sizes[static_cast<size_t>(dim)] = -1;
  auto shaped = [&](const Tensor& t) {
    return c.call_tensor("aten::reshape", {t, core::make_int_list(sizes)});
  };
  Tensor left = part(c, steps, 0, 0, -1), right = part(c, steps, 0, 1, {});
  Tensor both = f.add(left, right);
  Tensor inside = weighted(shaped(f.div(f.neg(right), f.mul(left, both))), at(0, -2),
                           shaped(f.div(f.sub(right, left), f.mul(left, right))), at(1, -1),
                           shaped(f.div(left, f.mul(right, both))), at(2, {}));
  auto step = [&](int64_t i) { return c.call_tensor("aten::select.int", {steps, 0, i}); };
  Tensor first, last;
  if (second) {
    Tensor s = step(0), t = step(1), sum = f.add(s, t);
    first = weighted(f.div(f.neg(f.add(f.mul(s, 2.0), t)), f.mul(s, sum)), at(0, 1),
                     f.div(sum, f.mul(s, t)), at(1, 2), f.div(f.neg(s), f.mul(t, sum)), at(2, 3));
    s = step(-1), t = step(-2), sum = f.add(s, t);
    last = weighted(f.div(s, f.mul(t, sum)), at(-3, -2), f.div(f.neg(sum), f.mul(s, t)), at(-2, -1),
                    f.div(f.add(f.mul(s, 2), t), f.mul(s, sum)), at(-1, {}));
  } else {
    first = f.div(f.sub(at(1, 2), at(0, 1)), step(0));
    last = f.div(f.sub(at(-1, {}), at(-2, -1)), step(-1));
  }
  return c.call_tensor("aten::cat", {core::make_tensor_list({first, inside, last}), dim});
}

void gradient(Call& c) {
  Tensor self = c.tensor(arg::self);
  Axes axes = axes_of(c, self);
  bool second = c.integer(arg::edge_order) == 2;
  std::vector<Tensor> results;
  for (size_t i = 0; i < axes.dims.size(); ++i) {
    const Value& step = axes.spacing[i];
    results.push_back(step.is_tensor()
                          ? along_places(c, self, axes.dims[i], step.to_tensor(), second)
                          : along_equal(c, self, axes.dims[i], step, second));
  }
  c.finish(Value(core::make_tensor_list(std::move(results))));
}

constexpr Kernel gradient_table[] = {
    {"aten::gradient.scalarint", gradient},      {"aten::gradient.scalararray", gradient},
    {"aten::gradient.array", gradient},          {"aten::gradient.scalarrayint", gradient},
    {"aten::gradient.scalarrayarray", gradient}, {"aten::gradient.tensorarrayint", gradient},
    {"aten::gradient.tensorarray", gradient},
};

}  // namespace

std::span<const Kernel> gradient_composites() { return gradient_table; }

}  // namespace assay::ops::composite
