// Products that PyTorch builds from a matrix product of rearranged operands.

#include <algorithm>
#include <map>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"
#include "engine/ops/views.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::Tensor;
using core::Value;

size_t index(int64_t dim) { return static_cast<size_t>(dim); }

Tensor reshape(const Call& c, const Tensor& t, const Dims& sizes) {
  return c.call_tensor("aten::reshape", {t, core::make_int_list(sizes)});
}
Tensor sum(const Call& c, const Tensor& t, const Dims& dims, bool keepdim) {
  return c.call_tensor("aten::sum.dim_IntList", {t, core::make_int_list(dims), keepdim, {}});
}
Tensor mul(const Call& c, const Tensor& a, const Tensor& b) {
  return c.call_tensor("aten::mul.Tensor", {a, b});
}
Tensor matmul(const Call& c, const Tensor& a, const Tensor& b) {
  return c.call_tensor("aten::matmul", {a, b});
}

void cross(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::other);
  int64_t dim = 0;
  if (c.is_none(arg::dim)) {
    Dims sizes = core::broadcast(a.sizes(), b.sizes());
    auto three = std::find(sizes.begin(), sizes.end(), 3);
    base::check(three != sizes.end(), "no dimension of size 3 in input");
    dim = three - sizes.begin();
  } else {
    dim = c.integer(arg::dim);
  }
  c.finish(c.call_tensor("aten::linalg_cross", {a, b, dim}));
}

/// Sums products over the named dimensions of two tensors: one matrix product.
Tensor contract(const Call& c, Tensor a, Tensor b, const Dims& over_a, const Dims& over_b) {
  base::check(over_a.size() == over_b.size(), "both dimension lists should have same length");
  Dims dims_a = views::wrap_dims(over_a, a.dim()), dims_b = views::wrap_dims(over_b, b.dim());
  Dims free_a, free_b, sizes;
  int64_t inner = 1;
  for (size_t i = 0; i < dims_a.size(); ++i) {
    int64_t x = a.size(index(dims_a[i])), y = b.size(index(dims_b[i]));
    base::check(x == y || x == 1 || y == 1, "contracted dimensions need to match, but first has ",
                "size ", x, " in dim ", dims_a[i], " and second has size ", y, " in dim ",
                dims_b[i]);
    if (y == 1 && x != 1) a = sum(c, a, Dims{dims_a[i]}, true);
    if (x == 1 && y != 1) b = sum(c, b, Dims{dims_b[i]}, true);
    inner *= std::min(x, y);
  }
  auto others = [&](const Tensor& t, const Dims& used, Dims& free) {
    int64_t count = 1;
    for (int64_t d = 0; d < t.dim(); ++d) {
      if (std::find(used.begin(), used.end(), d) != used.end()) continue;
      free.push_back(d);
      sizes.push_back(t.size(index(d)));
      count *= t.size(index(d));
    }
    return count;
  };
  int64_t rows = others(a, dims_a, free_a), columns = others(b, dims_b, free_b);
  Dims order_a = free_a, order_b = dims_b;
  for (int64_t d : dims_a) order_a.push_back(d);
  for (int64_t d : free_b) order_b.push_back(d);
  Tensor left = reshape(c, views::permute(a, order_a), Dims{rows, inner});
  Tensor right = reshape(c, views::permute(b, order_b), Dims{inner, columns});
  return reshape(c, c.call_tensor("aten::mm", {left, right}), sizes);
}

void tensordot(Call& c) {
  c.finish(contract(c, c.tensor(arg::self), c.tensor(arg::other), c.ints(arg::dims_self),
                    c.ints(arg::dims_other)));
}

void inner(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::other);
  if (a.dim() == 0 || b.dim() == 0) return c.finish(mul(c, a, b));
  base::check(a.sizes().back() == b.sizes().back(),
              "inner() the last dimension must match on both input tensors but got shapes ",
              a.sizes(), " and ", b.sizes());
  c.finish(contract(c, a, b, Dims{-1}, Dims{-1}));
}

/// Each element of the first operand replaced by its product with the second.
void kron(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::other);
  size_t rank = std::max(a.sizes().size(), b.sizes().size());
  Dims wide_a, wide_b, sizes;
  for (size_t d = 0; d < rank; ++d) {
    auto size = [&](const Tensor& t) {
      size_t missing = rank - t.sizes().size();
      return d < missing ? 1 : t.size(d - missing);
    };
    for (int64_t s : {size(a), int64_t{1}}) wide_a.push_back(s);
    for (int64_t s : {int64_t{1}, size(b)}) wide_b.push_back(s);
    sizes.push_back(base::checked_mul(size(a), size(b)));
  }
  c.finish(reshape(c, mul(c, reshape(c, a, wide_a), reshape(c, b, wide_b)), sizes));
}

void chain_matmul(Call& c) {
  auto matrices = c.tensors(arg::matrices);
  base::check(!matrices.empty(), "chain_matmul(): Expected one or more matrices");
  for (size_t i = 0; i < matrices.size(); ++i) {
    base::check(matrices[i].dim() == 2, "Expected a tensor of dimension 2 and tensor.dim() == 2, ",
                "but got tensor ", i, " with dim ", matrices[i].dim());
  }
  Tensor product = matrices[0];
  for (size_t i = 1; i < matrices.size(); ++i) {
    product = c.call_tensor("aten::mm", {product, matrices[i]});
  }
  c.finish(product);
}

/// The cheapest order of a chain of matrix products (Cormen et al., matrix-chain order).
class Chain {
 public:
  Chain(const Call& call, std::vector<Tensor> matrices)
      : call_(call), matrices_(std::move(matrices)) {}

  Tensor product(size_t first, size_t last) {
    if (first == last) return matrices_[first];
    size_t cut = plan(first, last).cut;
    return call_.call_tensor("aten::mm", {product(first, cut), product(cut + 1, last)});
  }

 private:
  struct Plan {
    double cost = 0;
    size_t cut = 0;
  };
  double size(size_t matrix, size_t dim) const {
    return static_cast<double>(matrices_[matrix].size(dim));
  }
  Plan plan(size_t first, size_t last) {
    if (first == last) return {};
    auto known = plans_.find({first, last});
    if (known != plans_.end()) return known->second;
    Plan best{-1, first};
    for (size_t cut = first; cut < last; ++cut) {
      double cost = plan(first, cut).cost + plan(cut + 1, last).cost +
                    size(first, 0) * size(cut, 1) * size(last, 1);
      if (best.cost < 0 || cost < best.cost) best = {cost, cut};
    }
    return plans_[{first, last}] = best;
  }

  const Call& call_;
  std::vector<Tensor> matrices_;
  std::map<std::pair<size_t, size_t>, Plan> plans_;
};

void multi_dot(Call& c) {
  auto tensors = c.tensors(arg::tensors);
  size_t n = tensors.size();
  base::check(n >= 2, "multi_dot(): expected at least 2 tensors but got ", n);
  bool row = tensors[0].dim() == 1, column = tensors[n - 1].dim() == 1;
  if (row) tensors[0] = views::unsqueeze(tensors[0], 0);
  if (column) tensors[n - 1] = views::unsqueeze(tensors[n - 1], -1);
  for (size_t i = 0; i < n; ++i) {
    base::check(tensors[i].dim() == 2, "multi_dot(): tensor ", i, " must be 2D but got ",
                tensors[i].dim(), "D");
  }
  Tensor product = Chain(c, std::move(tensors)).product(0, n - 1);
  if (column) product = views::squeeze(product, -1);
  if (row) product = views::squeeze(product, 0);
  c.finish(product);
}

/// By repeated squaring; negative powers of the inverse.
void matrix_power(Call& c) {
  Tensor base = c.tensor(arg::self);
  int64_t n = c.integer(arg::n);
  base::check(
      base.dim() >= 2 && base.size(index(base.dim() - 1)) == base.size(index(base.dim() - 2)),
      "linalg.matrix_power: A must be batches of square matrices, but they are ",
      base.dim() < 2 ? 0 : base.size(index(base.dim() - 2)), " by ",
      base.dim() < 1 ? 0 : base.sizes().back(), " matrices");
  if (n < 0) base = c.call_tensor("aten::linalg_inv", {base});
  uint64_t rest = n < 0 ? ~static_cast<uint64_t>(n) + 1 : static_cast<uint64_t>(n);
  Tensor result;
  for (; rest > 0; rest >>= 1) {
    if (rest & 1) result = result ? matmul(c, result, base) : base;
    if (rest > 1) base = matmul(c, base, base);
  }
  if (!result) {
    Tensor eye = c.call_tensor("aten::zeros_like", {base, {}, {}, {}, {}, {}});
    Tensor diagonal = views::diagonal(eye, 0, -2, -1);
    c.call("aten::fill_.Scalar", {diagonal, 1});
    result = eye;
  }
  c.finish(n == 1 ? c.call_tensor("aten::clone", {result, {}}) : result);
}

void vecdot(Call& c) {
  Tensor x = c.tensor(arg::x);
  if (core::is_complex(x.dtype())) x = c.call_tensor("aten::conj", {x});
  c.finish(sum(c, mul(c, x, c.tensor(arg::y)), Dims{c.integer(arg::dim)}, false));
}

/// (time, batch, in) with a weight of (kernel, in, out): a convolution over the time.
void conv_tbc(Call& c) {
  Tensor x = c.tensor(arg::self), w = c.tensor(arg::weight), bias = c.tensor(arg::bias);
  base::check(x.dim() == 3, "Input must have 3 dims: time, batch, in_channel");
  base::check(w.dim() == 3,
              "Weight tensor must have 3 dims: kernel_width, in_channels, "
              "out_channels.");
  base::check(bias.dim() == 1, "Bias must be 1-D");
  Value list = core::make_int_list(Dims{1}), pad = core::make_int_list(Dims{c.integer(arg::pad)});
  Tensor out =
      c.call_tensor("aten::conv1d", {views::permute(x, Dims{1, 2, 0}),
                                     views::permute(w, Dims{2, 1, 0}), bias, list, pad, list, 1});
  c.finish(c.call_tensor("aten::contiguous", {views::permute(out, Dims{2, 0, 1}), 0}));
}

constexpr Kernel products_table[] = {
    {"aten::cross", cross},
    {"aten::tensordot", tensordot},
    {"aten::inner", inner},
    {"aten::kron", kron},
    {"aten::chain_matmul", chain_matmul},
    {"aten::linalg_multi_dot", multi_dot},
    {"aten::linalg_matrix_power", matrix_power},
    {"aten::linalg_vecdot", vecdot},
    {"aten::conv_tbc", conv_tbc},
};

}  // namespace

std::span<const Kernel> product_composites() { return products_table; }

}  // namespace assay::ops::composite
