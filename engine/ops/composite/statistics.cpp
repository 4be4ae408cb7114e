#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/ops/composite/algebra.h"
#include "engine/ops/composite/families.h"

namespace assay::ops::composite {
namespace {

using core::DType;
using core::Tensor;
using core::Value;

/// std, var and the like in their older forms: `unbiased` takes one off the count.
template <const char* const& name, bool with_dim>
void moment(Call& c) {
  bool unbiased = c.boolean(with_dim ? 2 : 1);
  core::Values args{c.arg(0), with_dim ? c.arg(1) : Value(), Value(unbiased ? 1 : 0),
                    with_dim ? c.arg(3) : Value(false)};
  c.finish(call(c.context, get_operator(name), args));
}

constexpr const char* std_name = "aten::std.correction";
constexpr const char* var_name = "aten::var.correction";
constexpr const char* std_mean_name = "aten::std_mean.correction";
constexpr const char* var_mean_name = "aten::var_mean.correction";

void nanmean(Call& c) {
  Algebra f(c);
  base::check(core::is_floating(c.tensor(0).dtype()),
              "nanmean(): expected input to have floating point dtype but got ",
              core::script_name(c.tensor(0).dtype()));
  core::Values args(c.args.begin(), c.args.end());
  Tensor total = c.call_tensor("aten::nansum", args);
  Tensor present = c.call_tensor("aten::logical_not", {f.one("isnan", c.arg(0))});
  Tensor count = c.call_tensor("aten::sum.dim_IntList", {present, c.arg(1), c.arg(2)});
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
    base::unsupported("the nuclear norm");
  }
  double number = order.to_scalar().to_double();
  bool by_sums = std::fabs(number) == 1 || std::isinf(number);
  base::check(by_sums || std::fabs(number) == 2, "linalg.matrix_norm: Order ", number,
              " not supported.");
  if (!by_sums) base::unsupported("matrix norms of order 2");
  if (!dtype.is_none()) t = c.call_tensor("aten::to.dtype", {t, dtype});
  return matrix_sum_norm(c, t, number, p, keepdim);
}

void linalg_matrix_norm(Call& c) {
  c.finish(Value(matrix_norm(c, c.tensor(0), c.arg(1), c.ints(2), c.boolean(3), c.arg(4))));
}

void linalg_norm(Call& c) {
  Tensor t = c.tensor(0);
  base::check(core::is_floating(t.dtype()) || core::is_complex(t.dtype()),
              "linalg.norm: Expected a floating point or complex tensor as input. Got ",
              core::script_name(t.dtype()));
  core::Dims dims = c.ints(2);
  bool has_order = !c.is_none(1), has_dims = !c.is_none(2);
  bool matrix = has_order && (has_dims ? dims.size() == 2 : t.dim() == 2);
  if (has_order && !has_dims) {
    base::check(t.dim() == 1 || t.dim() == 2,
                "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ",
                t.dim(), "D.");
  }
  if (c.arg(1).is_string()) {
    base::check(matrix,
                "linalg.norm: If ord is a string, the input must be a matrix or dim a pair");
  }
  if (matrix) {
    if (!has_dims) dims = {0, 1};
    return c.finish(Value(matrix_norm(c, t, c.arg(1), dims, c.boolean(3), c.arg(4))));
  }
  Value order = has_order ? c.arg(1) : Value(2);
  c.finish(Value(vector_norm(c, t, order, c.arg(2), c.arg(3), c.arg(4))));
}

void frobenius_norm(Call& c) {
  Value dims = c.args.size() > 1 ? c.arg(1) : Value();
  Value keepdim = c.args.size() > 2 ? c.arg(2) : Value(false);
  if (dims.is_list()) {
    base::check(dims.list().items.size() <= 2, "Expected at most 2 dimensions, but got ",
                dims.list().items.size(), " dimensions instead.");
  }
  c.finish(Value(vector_norm(c, c.arg(0), Value(2), dims, keepdim, Value())));
}

// Distances.

void dist(Call& c) {
  Algebra f(c);
  Tensor difference = f.sub(c.arg(0), c.arg(1));
  c.finish(c.call("aten::norm.Scalar", {difference, c.arg(2)}));
}

void pairwise_distance(Call& c) {
  Algebra f(c);
  Tensor difference = f.add(f.sub(c.arg(0), c.arg(1)), c.floating(3));
  c.finish(c.call("aten::norm.ScalarOpt_dim",
                  {difference, c.arg(2), int_list({difference.dim() - 1}), c.arg(4)}));
}

/// Each is divided by its length first, which is kept above eps.
void cosine_similarity(Call& c) {
  Algebra f(c);
  Tensor a = c.tensor(0), b = c.tensor(1);
  core::Dims sizes = core::broadcast(a.sizes(), b.sizes());
  int64_t dim = core::wrap_dim(c.integer(2), static_cast<int64_t>(sizes.size()));
  auto wide = [&](const Tensor& t) {
    return c.call_tensor("aten::expand", {t, Value(core::make_int_list(sizes))});
  };
  base::check(!core::is_integral(a.dtype(), true) || !core::is_integral(b.dtype(), true),
              "expected common dtype to be floating point, yet common dtype is ",
              core::script_name(core::promote(a.dtype(), b.dtype())));
  auto normalized = [&](const Tensor& t) {
    double eps = c.floating(3);
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
  Tensor v = c.tensor(0), g = c.tensor(1);
  int64_t dim = c.integer(2);
  bool half = v.dtype() == DType::float16 || g.dtype() == DType::float16;
  bool sized = v.dim() > 0 || (dim == -1 && half);
  base::check(sized, "Dimension specified as ", dim, " but tensor has no dimensions");
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
  c.finish(c.call("aten::_cdist_forward", {c.arg(0), c.arg(1), c.arg(2), c.arg(3)}));
}
void pdist(Call& c) { c.finish(c.call("aten::_pdist_forward", {c.arg(0), c.arg(1)})); }

// Orders and tests.

void allclose(Call& c) {
  Tensor close = c.call_tensor("aten::isclose", {c.args.begin(), c.args.end()});
  Tensor all = c.call_tensor("aten::all", {close});
  c.finish(c.call("aten::is_nonzero", {all}));
}

void argsort(Call& c) {
  auto sorted =
      call(c.context, get_operator("aten::sort"), core::Values{c.arg(0), c.arg(1), c.arg(2)});
  c.finish(sorted[1]);
}

void argsort_stable(Call& c) {
  core::Values args{c.arg(0), c.arg(1), c.arg(2), c.arg(3)};
  c.finish(call(c.context, get_operator("aten::sort.stable"), args)[1]);
}

void msort(Call& c) { c.finish(c.call("aten::sort", {c.arg(0), Value(0)})); }

constexpr Kernel kernels[] = {
    {"aten::std", moment<std_name, false>},
    {"aten::std.dim", moment<std_name, true>},
    {"aten::var", moment<var_name, false>},
    {"aten::var.dim", moment<var_name, true>},
    {"aten::std_mean", moment<std_mean_name, false>},
    {"aten::std_mean.dim", moment<std_mean_name, true>},
    {"aten::var_mean", moment<var_mean_name, false>},
    {"aten::var_mean.dim", moment<var_mean_name, true>},
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
    {"aten::allclose", allclose},
    {"aten::argsort", argsort},
    {"aten::argsort.stable", argsort_stable},
    {"aten::msort", msort},
};

}  // namespace

std::span<const Kernel> statistics_composites() { return kernels; }

}  // namespace assay::ops::composite
