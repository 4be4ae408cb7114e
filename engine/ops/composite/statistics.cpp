#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/ops/composite/algebra.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/views.h"

namespace assay::ops::composite {
namespace {

using core::DType;
using core::Tensor;
using core::Value;

/// std, var and the like in their older forms: `unbiased` takes one off the count.
template <const char* const& name>
void moment(Call& c) {
  bool with_dim = c.has(arg::dim);
  core::Values args{c.value(arg::self), with_dim ? c.value(arg::dim) : Value(),
                    Value(c.boolean(arg::unbiased) ? 1 : 0),
                    with_dim ? c.value(arg::keepdim) : Value(false)};
  Results results = call(c.context, get_operator(name), args);
  c.finish(core::Values(results.begin(), results.end()));
}

constexpr const char* std_name = "aten::std.correction";
constexpr const char* var_name = "aten::var.correction";
constexpr const char* std_mean_name = "aten::std_mean.correction";
constexpr const char* var_mean_name = "aten::var_mean.correction";

void nanmean(Call& c) {
  Algebra f(c);
  base::check(core::is_floating(c.tensor(arg::self).dtype()),
              "nanmean(): expected input to have floating point dtype but got ",
              core::script_name(c.tensor(arg::self).dtype()));
  core::Values args(c.args.begin(), c.args.end());
  Tensor total = c.call_tensor("aten::nansum", args);
  Tensor present = c.call_tensor("aten::logical_not", {f.one("isnan", c.value(arg::self))});
  Tensor count =
      c.call_tensor("aten::sum.dim_IntList", {present, c.value(arg::dim), c.value(arg::keepdim)});
  c.finish(Value(f.div(total, count)));
}

// Norms.

Tensor vector_norm(const Call& c, const Value& t, const Value& order, const Value& dim,
                   const Value& keepdim, const Value& dtype) {
  return c.call_tensor("aten::linalg_vector_norm", {t, order, dim, keepdim, dtype});
}

/// Two dimensions of a matrix norm, counted from the front.
struct Plane {
  int64_t rows;
  int64_t columns;
};

Plane plane_of(const Tensor& t, const core::Dims& dims) {
  base::check(dims.size() == 2, "linalg.matrix_norm: dim must be a 2-tuple. Got ", dims);
  Plane p{core::wrap_dim(dims[0], t.dim()), core::wrap_dim(dims[1], t.dim())};
  base::check(p.rows != p.columns, "linalg.matrix_norm: dims must be different. Got (", dims[0],
              ", ", dims[1], ")");
  return p;
}

Value int_list(std::initializer_list<int64_t> dims) {
  return Value(core::make_int_list(std::span(dims.begin(), dims.size())));
}

/// The largest (smallest) sum of magnitudes over columns or rows.
Tensor matrix_sum_norm(const Call& c, const Tensor& t, double order, Plane p, bool keepdim) {
  Algebra f(c);
  bool by_column = std::fabs(order) == 1;
  int64_t summed = by_column ? p.rows : p.columns;
  int64_t compared = by_column ? p.columns : p.rows;
  Tensor sums = f.sum(f.one("abs", t), summed, true);
  Tensor best = c.call_tensor(order > 0 ? "aten::amax" : "aten::amin",
                              {sums, int_list({compared}), Value(true)});
  if (keepdim) return best;
  best = c.call_tensor("aten::squeeze.dim", {best, Value(std::max(p.rows, p.columns))});
  return c.call_tensor("aten::squeeze.dim", {best, Value(std::min(p.rows, p.columns))});
}

/// The sum of the singular values, the greatest or the least of them.
Tensor singular_norm(const Call& c, const Tensor& t, double order, Plane p, bool keepdim) {
  core::Dims from{p.rows, p.columns}, to{-2, -1};
  Tensor values = c.call_tensor("aten::linalg_svdvals", {views::movedim(t, from, to), Value()});
  Tensor norm = order == 0 ? Algebra(c).sum(values, -1)
                           : c.call_tensor(order > 0 ? "aten::amax" : "aten::amin",
                                           {values, int_list({-1}), Value(false)});
  if (!keepdim) return norm;
  norm = c.call_tensor("aten::unsqueeze", {norm, Value(std::min(p.rows, p.columns))});
  return c.call_tensor("aten::unsqueeze", {norm, Value(std::max(p.rows, p.columns))});
}

Tensor matrix_norm(const Call& c, Tensor t, const Value& order, const core::Dims& dims,
                   bool keepdim, const Value& dtype) {
  Plane p = plane_of(t, dims);
  base::check(core::is_floating(t.dtype()) || core::is_complex(t.dtype()),
              "linalg.matrix_norm: Expected a floating point or complex tensor as input. Got ",
              core::script_name(t.dtype()));
  if (order.is_string()) {
    if (order.to_string() == "fro") {
      return vector_norm(c, t, Value(2), int_list({p.rows, p.columns}), Value(keepdim), dtype);
    }
    base::check(order.to_string() == "nuc", "linalg.matrix_norm: Order ", order.to_string(),
                " not supported.");
    if (!dtype.is_none()) t = c.call_tensor("aten::to.dtype", {t, dtype});
    return singular_norm(c, t, 0, p, keepdim);
  }
  double number = order.to_scalar().to_double();
  bool by_sums = std::fabs(number) == 1 || std::isinf(number);
  base::check(by_sums || std::fabs(number) == 2, "linalg.matrix_norm: Order ", number,
              " not supported.");
  if (!dtype.is_none()) t = c.call_tensor("aten::to.dtype", {t, dtype});
  if (!by_sums) return singular_norm(c, t, number, p, keepdim);
  return matrix_sum_norm(c, t, number, p, keepdim);
}

void linalg_matrix_norm(Call& c) {
  c.finish(Value(matrix_norm(c, c.tensor(arg::self), c.value(arg::ord), c.ints(arg::dim),
                             c.boolean(arg::keepdim), c.value(arg::dtype))));
}

void linalg_norm(Call& c) {
  Tensor t = c.tensor(arg::self);
  base::check(core::is_floating(t.dtype()) || core::is_complex(t.dtype()),
              "linalg.norm: Expected a floating point or complex tensor as input. Got ",
              core::script_name(t.dtype()));
  core::Dims dims = c.ints(arg::dim);
  bool has_order = !c.is_none(arg::ord), has_dims = !c.is_none(arg::dim);
  bool matrix = has_order && (has_dims ? dims.size() == 2 : t.dim() == 2);
  if (has_order && !has_dims) {
    base::check(t.dim() == 1 || t.dim() == 2,
                "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ",
                t.dim(), "D.");
  }
  if (c.value(arg::ord).is_string()) {
    base::check(matrix,
                "linalg.norm: If ord is a string, the input must be a matrix or dim a pair");
  }
  if (matrix) {
    if (!has_dims) dims = {0, 1};
    return c.finish(Value(
        matrix_norm(c, t, c.value(arg::ord), dims, c.boolean(arg::keepdim), c.value(arg::dtype))));
  }
  Value order = has_order ? c.value(arg::ord) : Value(2);
  c.finish(Value(
      vector_norm(c, t, order, c.value(arg::dim), c.value(arg::keepdim), c.value(arg::dtype))));
}

void frobenius_norm(Call& c) {
  Value dims = c.has(arg::dim) ? c.value(arg::dim) : Value();
  Value keepdim = c.has(arg::keepdim) ? c.value(arg::keepdim) : Value(false);
  if (dims.is_list()) {
    base::check(dims.list().items.size() <= 2, "Expected at most 2 dimensions, but got ",
                dims.list().items.size(), " dimensions instead.");
  }
  c.finish(Value(vector_norm(c, c.value(arg::self), Value(2), dims, keepdim, Value())));
}

// Distances.

void dist(Call& c) {
  Algebra f(c);
  Tensor difference = f.sub(c.value(arg::self), c.value(arg::other));
  c.finish(c.call("aten::norm.Scalar", {difference, c.value(arg::p)}));
}

void pairwise_distance(Call& c) {
  Algebra f(c);
  Tensor difference = f.add(f.sub(c.value(arg::x1), c.value(arg::x2)), c.floating(arg::eps));
  c.finish(c.call(
      "aten::norm.ScalarOpt_dim",
      {difference, c.value(arg::p), int_list({difference.dim() - 1}), c.value(arg::keepdim)}));
}

/// Each is divided by its length first, which is kept above eps.
void cosine_similarity(Call& c) {
  Algebra f(c);
  Tensor a = c.tensor(arg::x1), b = c.tensor(arg::x2);
  core::Dims sizes = core::broadcast(a.sizes(), b.sizes());
  int64_t dim = core::wrap_dim(c.integer(arg::dim), static_cast<int64_t>(sizes.size()));
  auto wide = [&](const Tensor& t) {
    return c.call_tensor("aten::expand", {t, Value(core::make_int_list(sizes))});
  };
  base::check(!core::is_integral(a.dtype(), true) || !core::is_integral(b.dtype(), true),
              "expected common dtype to be floating point, yet common dtype is ",
              core::script_name(core::promote(a.dtype(), b.dtype())));
  auto normalized = [&](const Tensor& t) {
    double eps = c.floating(arg::eps);
    Tensor squares = f.sum(f.mul(t, t), dim, true);
    return f.div(t, f.one("sqrt", f.clamp_min(squares, eps * eps)));
  };
  c.finish(Value(f.sum(f.mul(normalized(wide(a)), normalized(wide(b))), dim)));
}

/// The length of v over all dimensions but one; over all of them where dim is -1.
Tensor length_beside(const Call& c, const Tensor& v, int64_t dim) {
  if (dim == -1) return vector_norm(c, v, Value(2), Value(), Value(false), Value());
  core::Dims others;
  int64_t kept = core::wrap_dim(dim, v.dim());
  for (int64_t d = 0; d < v.dim(); ++d) {
    if (d != kept) others.push_back(d);
  }
  if (others.empty()) {
    // A norm over no dimension would be one over all.
    Tensor column = c.call_tensor("aten::unsqueeze", {v, Value(1)});
    return vector_norm(c, column, Value(2), int_list({1}), Value(false), Value());
  }
  return vector_norm(c, v, Value(2), Value(core::make_int_list(others)), Value(true), Value());
}

/// v / |v| * g. Salimans and Kingma 2016.
void weight_norm(Call& c) {
  Algebra f(c);
  Tensor v = c.tensor(arg::v), g = c.tensor(arg::g);
  int64_t dim = c.integer(arg::dim);
  bool half = v.dtype() == DType::float16 || g.dtype() == DType::float16;
  bool sized = v.dim() > 0 || (dim == -1 && half);
  base::check_index(sized, "Dimension specified as ", dim, " but tensor has no dimensions");
  v = c.call_tensor("aten::contiguous", {v});
  // PyTorch has a kernel for the outermost and the innermost dimension, which takes fewer types and
  // reads g as a plain row of numbers.
  bool own_kernel = (dim == 0 || dim == v.dim() - 1) && !half;
  if (!own_kernel) return c.finish(Value(f.mul(v, f.div(g, length_beside(c, v, dim)))));
  DType dtype = v.dtype();
  base::check(core::is_floating(dtype), "\"weight_norm_kernel\" not implemented for '",
              core::script_name(dtype), "'");
  base::check(g.dtype() == dtype, "expected scalar type ", core::script_name(dtype), " but found ",
              core::script_name(g.dtype()));
  if (dtype == DType::bfloat16) {
    v = c.call_tensor("aten::to.dtype", {v, Value(static_cast<int64_t>(DType::float32))});
    g = c.call_tensor("aten::to.dtype", {g, Value(static_cast<int64_t>(DType::float32))});
  }
  Tensor length = length_beside(c, v, dim);
  base::check(g.numel() == length.numel(), "_weight_norm: g must have ", length.numel(),
              " elements, but has ", g.numel());
  g = c.call_tensor("aten::reshape", {g, Value(core::make_int_list(length.sizes()))});
  Tensor out = f.mul(v, f.div(g, length));
  c.finish(c.call("aten::to.dtype", {out, Value(static_cast<int64_t>(dtype))}));
}

void cdist(Call& c) {
  c.finish(c.call("aten::_cdist_forward", {c.value(arg::x1), c.value(arg::x2), c.value(arg::p),
                                           c.value(arg::compute_mode)}));
}
void pdist(Call& c) {
  c.finish(c.call("aten::_pdist_forward", {c.value(arg::self), c.value(arg::p)}));
}

// Histograms.

/// The edges of equal bins, as many in each dimension or as the list tells, and the counts.
void histogramdd(Call& c) {
  Value counts = c.value(arg::bins);
  if (!counts.is_list()) {
    Tensor self = c.tensor(arg::self);
    base::check(self.dim() >= 1, "torch.histogramdd: input tensor should have dimensions");
    core::Dims each(static_cast<size_t>(self.sizes().back()), counts.to_int());
    counts = core::make_int_list(each);
  }
  core::Values args{c.value(arg::self), counts, c.value(arg::range), c.value(arg::weight),
                    c.value(arg::density)};
  Value edges = c.call("aten::_histogramdd_bin_edges", args);
  c.finish(core::Values{c.call("aten::_histogramdd_from_bin_cts", args), edges});
}

void histogramdd_of_edges(Call& c) {
  Value counts =
      c.call("aten::_histogramdd_from_bin_tensors",
             {c.value(arg::self), c.value(arg::bins), c.value(arg::weight), c.value(arg::density)});
  c.finish(core::Values{counts, c.value(arg::bins)});
}

// Orders and tests.

/// any or all over several dimensions; over all of them where there is no list.
template <const char* const& along>
void test_dims(Call& c) {
  Tensor self = c.tensor(arg::self);
  core::Dims dims = views::wrap_dims(c.ints(arg::dim), self.dim());
  bool keep = c.boolean(arg::keepdim), every = c.is_none(arg::dim);
  if (every && self.dim() > 0) {
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  }
  Tensor out = self;
  if (dims.empty()) {
    // Element by element; bytes stay bytes.
    out = c.call_tensor("aten::ne.Scalar", {c.call_tensor("aten::contiguous", {self, 0}), 0});
    if (self.dtype() == DType::uint8)
      out = c.call_tensor("aten::to.dtype", {out, static_cast<int64_t>(DType::uint8)});
  }
  for (int64_t d : dims) out = c.call_tensor(along, {out, d, true});
  std::sort(dims.begin(), dims.end(), std::greater<>());
  for (int64_t d : dims) {
    if (!keep && self.dim() > 0) out = c.call_tensor("aten::squeeze.dim", {out, d});
  }
  c.finish(out);
}

constexpr const char* any_along = "aten::any.dim";
constexpr const char* all_along = "aten::all.dim";

void allclose(Call& c) {
  Tensor close = c.call_tensor("aten::isclose", {c.args.begin(), c.args.end()});
  Tensor all = c.call_tensor("aten::all", {close});
  c.finish(c.call("aten::is_nonzero", {all}));
}

void argsort(Call& c) {
  auto sorted = call(c.context, get_operator("aten::sort"),
                     core::Values{c.value(arg::self), c.value(arg::dim), c.value(arg::descending)});
  c.finish(sorted[1]);
}

void argsort_stable(Call& c) {
  core::Values args{c.value(arg::self), c.value(arg::stable), c.value(arg::dim),
                    c.value(arg::descending)};
  c.finish(call(c.context, get_operator("aten::sort.stable"), args)[1]);
}

void msort(Call& c) { c.finish(c.call("aten::sort", {c.value(arg::self), Value(0)})); }

constexpr Kernel statistics_table[] = {
    {"aten::std", moment<std_name>},
    {"aten::std.dim", moment<std_name>},
    {"aten::var", moment<var_name>},
    {"aten::var.dim", moment<var_name>},
    {"aten::std_mean", moment<std_mean_name>},
    {"aten::std_mean.dim", moment<std_mean_name>},
    {"aten::var_mean", moment<var_mean_name>},
    {"aten::var_mean.dim", moment<var_mean_name>},
    {"aten::nanmean", nanmean},
    {"aten::linalg_norm", linalg_norm},
    {"aten::linalg_norm.ord_str", linalg_norm},
    {"aten::linalg_matrix_norm", linalg_matrix_norm},
    {"aten::linalg_matrix_norm.str_ord", linalg_matrix_norm},
    {"aten::frobenius_norm", frobenius_norm},
    {"aten::frobenius_norm.dim", frobenius_norm},
    {"aten::dist", dist},
    {"aten::pairwise_distance", pairwise_distance},
    {"aten::cosine_similarity", cosine_similarity},
    {"aten::_weight_norm", weight_norm},
    {"aten::cdist", cdist},
    {"aten::pdist", pdist},
    {"aten::histogramdd", histogramdd},
    {"aten::histogramdd.int_bins", histogramdd},
    {"aten::histogramdd.TensorList_bins", histogramdd_of_edges},
    {"aten::any.dims", test_dims<any_along>},
    {"aten::all.dims", test_dims<all_along>},
    {"aten::allclose", allclose},
    {"aten::argsort", argsort},
    {"aten::argsort.stable", argsort_stable},
    {"aten::msort", msort},
};

}  // namespace

std::span<const Kernel> statistics_composites() { return statistics_table; }

}  // namespace assay::ops::composite
