#include "engine/ops/infer/linear.h"

#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"
#include "engine/ops/views.h"

namespace assay::ops::infer {

using core::Dims;
using core::DType;
using core::Tensor;

void check_expandable(core::DimSpan sizes, core::DimSpan to) {
  base::check(sizes.size() <= to.size(), "expand: the number of sizes provided (", to.size(),
              ") must be greater or equal to the number of dimensions in the tensor (",
              sizes.size(), ")");
  for (size_t i = 0; i < sizes.size(); ++i) {
    size_t dim = to.size() - sizes.size() + i;
    base::check(sizes[i] == to[dim] || sizes[i] == 1, "The expanded size of the tensor (", to[dim],
                ") must match the existing size (", sizes[i], ") at non-singleton dimension ", dim,
                ".  Target sizes: ", to, ".  Tensor sizes: ", sizes);
  }
}

namespace {

void check_same_dtype(const Tensor& a, const Tensor& b) {
  base::check(a.dtype() == b.dtype(), "expected scalar type ", core::script_name(a.dtype()),
              " but found ", core::script_name(b.dtype()));
}

void check_matrices(const Tensor& a, const Tensor& b) {
  base::check(a.size(1) == b.size(0), "mat1 and mat2 shapes cannot be multiplied (", a.size(0), "x",
              a.size(1), " and ", b.size(0), "x", b.size(1), ")");
  check_same_dtype(a, b);
}

Dims mm_sizes(const Tensor& a, const Tensor& b) {
  base::check(a.dim() == 2, "self must be a matrix");
  base::check(b.dim() == 2, "mat2 must be a matrix");
  check_matrices(a, b);
  return {a.size(0), b.size(1)};
}

Dims bmm_sizes(const Tensor& a, const Tensor& b) {
  base::check(a.dim() == 3, "batch1 must be a 3D tensor");
  base::check(b.dim() == 3, "batch2 must be a 3D tensor");
  base::check(b.size(0) == a.size(0) && b.size(1) == a.size(2),
              "Expected size for first two dimensions of batch2 tensor to be: [", a.size(0), ", ",
              a.size(2), "] but got: [", b.size(0), ", ", b.size(1), "].");
  check_same_dtype(a, b);
  return {a.size(0), a.size(1), b.size(2)};
}

Dims mv_sizes(const Tensor& a, const Tensor& v, int64_t rows) {
  base::check(a.dim() == 2 && v.dim() == 1, "vector + matrix @ vector expected, got ", v.dim(),
              ", ", a.dim(), ", ", v.dim());
  base::check(a.size(1) == v.size(0), "size mismatch, got ", rows, ", ", a.size(0), "x", a.size(1),
              ",", v.size(0));
  check_same_dtype(a, v);
  return {a.size(0)};
}

void check_dot(const Tensor& a, const Tensor& b) {
  base::check(a.dim() == 1 && b.dim() == 1, "1D tensors expected, but got ", a.dim(), "D and ",
              b.dim(), "D tensors");
  base::check(a.dtype() == b.dtype(), "dot : expected both vectors to have same dtype, but found ",
              core::script_name(a.dtype()), " and ", core::script_name(b.dtype()));
  base::check(a.size(0) == b.size(0), "inconsistent tensor size, expected tensor [", a.size(0),
              "] and src [", b.size(0), "] to have the same number of elements, but got ",
              a.size(0), " and ", b.size(0), " elements respectively");
}

void infer_mm(RuleCall& c) {
  Tensor a = c.tensor(arg::self);
  c.declare(mm_sizes(a, c.tensor(arg::mat2)), a.dtype());
}

void infer_bmm(RuleCall& c) {
  Tensor a = c.tensor(arg::self);
  c.declare(bmm_sizes(a, c.tensor(arg::mat2)), a.dtype());
}

void infer_mv(RuleCall& c) {
  Tensor a = c.tensor(arg::self);
  c.declare(mv_sizes(a, c.tensor(arg::vec), a.dim() > 0 ? a.size(0) : 0), a.dtype());
}

void infer_dot(RuleCall& c) {
  check_dot(c.tensor(arg::self), c.second().to_tensor());
  c.declare({}, c.tensor(arg::self).dtype());
}

void infer_outer(RuleCall& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::vec2);
  base::check(a.dim() == 1, "outer: Expected 1-D argument self, but got ", a.dim(), "-D");
  base::check(b.dim() == 1, "outer: Expected 1-D argument vec2, but got ", b.dim(), "-D");
  Tensor both[] = {a, b};
  c.declare(Dims{a.size(0), b.size(0)}, result_type(both, c.context.default_dtype));
}

void infer_addmm(RuleCall& c) {
  Tensor self = c.tensor(arg::self), a = c.tensor(arg::mat1), b = c.tensor(arg::mat2);
  base::check(a.dim() == 2, "mat1 must be a matrix, got ", a.dim(), "-D tensor");
  base::check(b.dim() == 2, "mat2 must be a matrix, got ", b.dim(), "-D tensor");
  check_matrices(a, b);
  Dims sizes{a.size(0), b.size(1)};
  check_expandable(self.sizes(), sizes);
  base::check(self.dtype() == b.dtype(), "self and mat2 must have the same dtype");
  c.declare(sizes, a.dtype());
}

void infer_addmv(RuleCall& c) {
  Tensor self = c.tensor(arg::self), a = c.tensor(arg::mat), v = c.tensor(arg::vec);
  base::check(a.dim() == 2 && v.dim() == 1 && self.dim() <= 1,
              "vector + matrix @ vector expected, got ", self.dim(), ", ", a.dim(), ", ", v.dim());
  base::check(self.numel() == 1 || self.size(0) == a.size(0), "size mismatch, got ", self.numel(),
              ", ", a.size(0), "x", a.size(1), ",", v.size(0));
  Dims sizes = mv_sizes(a, v, self.numel());
  check_same_dtype(self, a);
  c.declare(sizes, a.dtype());
}

void infer_addr(RuleCall& c) {
  Tensor self = c.tensor(arg::self), a = c.tensor(arg::vec1), b = c.tensor(arg::vec2);
  base::check(a.dim() == 1, "addr: Expected 1-D argument vec1, but got ", a.dim(), "-D");
  base::check(b.dim() == 1, "addr: Expected 1-D argument vec2, but got ", b.dim(), "-D");
  Dims sizes{a.size(0), b.size(0)};
  check_expandable(self.sizes(), sizes);
  Tensor all[] = {self, a, b};
  DType dtype = result_type(all, c.context.default_dtype);
  // Laid out as the elementwise self + column * row.
  Tensor parts[] = {self, views::unsqueeze(a, 1), b};
  c.declare(sizes, elementwise_strides(sizes, parts), dtype);
}

void infer_baddbmm(RuleCall& c) {
  Tensor a = c.tensor(arg::batch1);
  Dims sizes = bmm_sizes(a, c.tensor(arg::batch2));
  check_expandable(c.tensor(arg::self).sizes(), sizes);
  check_same_dtype(c.tensor(arg::self), a);
  c.declare(sizes, a.dtype());
}

void infer_addbmm(RuleCall& c) {
  Tensor a = c.tensor(arg::batch1);
  Dims sizes = bmm_sizes(a, c.tensor(arg::batch2));
  sizes.erase(0);
  check_expandable(c.tensor(arg::self).sizes(), sizes);
  check_same_dtype(c.tensor(arg::self), a);
  c.declare(sizes, a.dtype());
}

/// Leading dimensions of a product of at least one batch of matrices. PyTorch multiplies a batch
/// with a matrix or a vector as one big matrix, and complains about that one.
Dims batched_sizes(const Tensor& a, const Tensor& b) {
  size_t x = a.sizes().size(), y = b.sizes().size();
  int64_t inner_a = a.size(x - 1), inner_b = y == 1 ? b.size(0) : b.size(y - 2);
  if (inner_a != inner_b) {
    int64_t rows = x == 1 ? 1 : a.size(x - 2), columns = y == 1 ? 1 : b.size(y - 1);
    if (y <= 2 && inner_a != 0) rows = a.numel() / inner_a;
    base::check(x <= 2 || y <= 2,
                "Expected size for first two dimensions of batch2 tensor to be: ", "[", a.size(0),
                ", ", inner_a, "] but got: [", b.size(0), ", ", inner_b, "].");
    base::fail("mat1 and mat2 shapes cannot be multiplied (", rows, "x", inner_a, " and ", inner_b,
               "x", columns, ")");
  }
  check_same_dtype(a, b);
  Dims lead_a, lead_b;
  for (size_t i = 0; i + 2 < x; ++i) lead_a.push_back(a.size(i));
  for (size_t i = 0; i + 2 < y; ++i) lead_b.push_back(b.size(i));
  Dims sizes = core::broadcast(lead_a, lead_b);
  if (x > 1) sizes.push_back(a.size(x - 2));
  if (y > 1) sizes.push_back(b.size(y - 1));
  return sizes;
}

void infer_matmul(RuleCall& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::other);
  base::check(a.dim() > 0 && b.dim() > 0,
              "both arguments to matmul need to be at least 1D, but they are ", a.dim(), "D and ",
              b.dim(), "D");
  if (a.dim() == 1 && b.dim() == 1) {
    check_dot(a, b);
    return c.declare({}, a.dtype());
  }
  if (a.dim() == 2 && b.dim() == 1) return c.declare(mv_sizes(a, b, a.size(0)), a.dtype());
  c.declare(batched_sizes(a, b), a.dtype());
}

void infer_linear(RuleCall& c) {
  Tensor x = c.tensor(arg::input), w = c.tensor(arg::weight), bias = c.tensor(arg::bias);
  base::check(x.dim() > 0 && (w.dim() == 1 || w.dim() == 2),
              "both arguments to linear need to be at least 1D, and the weight at most 2D, but ",
              "they are ", x.dim(), "D and ", w.dim(), "D");
  int64_t in = x.sizes().back(), wanted = w.sizes().back();
  int64_t out = w.dim() == 2 ? w.size(0) : 1;
  int64_t rows = in == 0 ? 0 : x.numel() / in;
  base::check(in == wanted, "mat1 and mat2 shapes cannot be multiplied (", rows, "x", in, " and ",
              wanted, "x", out, ")");
  check_same_dtype(x, w);
  Dims sizes = x.sizes();
  sizes.pop_back();
  if (w.dim() == 2) sizes.push_back(out);
  if (bias) {
    check_expandable(bias.sizes(), sizes);
    base::check(bias.dtype() == x.dtype(), "self and mat2 must have the same dtype");
  }
  c.declare(sizes, x.dtype());
}

void infer_bilinear(RuleCall& c) {
  Tensor a = c.tensor(arg::input1), b = c.tensor(arg::input2), w = c.tensor(arg::weight),
         bias = c.tensor(arg::bias);
  base::check(a.dim() == b.dim(), "bilinear(): input dimensions do not match: got ", a.dim(),
              " and ", b.dim());
  base::check(w.dim() == 3 && a.dim() > 0, "bilinear(): the weight must have 3 dimensions, got ",
              w.dim());
  for (size_t i = 0; i + 1 < a.sizes().size(); ++i) {
    base::check(a.size(i) == b.size(i), "bilinear(): input batch dimensions do not match at dim ",
                i, ": got ", a.size(i), " and ", b.size(i));
  }
  base::check(a.sizes().back() == w.size(1),
              "bilinear(): input1 size does not match weight size: got ", a.sizes().back(),
              " but expected ", w.size(1));
  base::check(b.sizes().back() == w.size(2),
              "bilinear(): input2 size does not match weight size: got ", b.sizes().back(),
              " but expected ", w.size(2));
  base::check(!bias || (bias.numel() == w.size(0)),
              "bilinear(): bias size does not match weight size: got ", bias ? bias.numel() : 0,
              " but expected ", w.size(0));
  Dims sizes = a.sizes();
  sizes.back() = w.size(0);
  c.declare(sizes, a.dtype());
}

void infer_cross(RuleCall& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::other);
  base::check(a.dim() == b.dim(), "linalg.cross: inputs must have the same number of dimensions.");
  base::check_index(a.dim() > 0, "Dimension specified as ", c.integer(arg::dim),
                    " but tensor has no dimensions");
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), a.dim()));
  base::check(a.size(dim) == 3 && b.size(dim) == 3, "linalg.cross: inputs dimension ",
              c.integer(arg::dim), " must have length 3. Got ", a.size(dim), " and ", b.size(dim));
  check_same_dtype(a, b);
  c.declare(core::broadcast(a.sizes(), b.sizes()), a.dtype());
}

void infer_cholesky(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  base::check(self.dim() >= 2,
              "linalg.cholesky: The input tensor A must have at least 2 dimensions.");
  size_t last = self.sizes().size() - 1;
  base::check(self.size(last) == self.size(last - 1),
              "linalg.cholesky: A must be batches of square matrices, but they are ",
              self.size(last - 1), " by ", self.size(last), " matrices");
  bool known = core::is_floating(self.dtype()) || core::is_complex(self.dtype());
  base::check(known, "linalg.cholesky: Expected a floating point or complex tensor as input. Got ",
              core::script_name(self.dtype()));
  Dims strides = core::contiguous_strides(self.sizes());
  std::swap(strides[last], strides[last - 1]);
  c.declare(self.sizes(), strides, self.dtype());
}

}  // namespace

const Rule mm{infer_mm};
const Rule bmm{infer_bmm};
const Rule mv{infer_mv};
const Rule dot{infer_dot};
const Rule outer{infer_outer};
const Rule addmm{infer_addmm};
const Rule addmv{infer_addmv};
const Rule addr{infer_addr};
const Rule baddbmm{infer_baddbmm};
const Rule addbmm{infer_addbmm};
const Rule matmul{infer_matmul};
const Rule linear{infer_linear};
const Rule bilinear{infer_bilinear};
const Rule linalg_cross{infer_cross};
const Rule linalg_cholesky{infer_cholesky};

}  // namespace assay::ops::infer
