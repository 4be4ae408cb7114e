// Products of matrices: how tensors in any layout become what BLAS multiplies.

#include "engine/kernels/cuda/products.h"

#include <utility>

#include "engine/base/checked.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/copy_elements.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/gemm.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/product_elements.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;
namespace views = ops::views;

using core::Dims;
using core::DimSpan;
using core::Scalar;
using core::Tensor;
using ops::Call;

/// out = alpha left right + beta out, of matrices, or of batches of them that are broadcast to the
/// result's.
struct Product {
  Tensor left, right, out;
  Scalar alpha = 1.0;
  Scalar beta = 0.0;
  Tensor bias;  ///< One entry for each column, without gaps; then alpha is 1 and beta 0.
};

int64_t rows_of(const Tensor& t) { return t.size(t.sizes().size() - 2); }
int64_t columns_of(const Tensor& t) { return t.sizes().back(); }

Dims batch_of(const Tensor& t) { return Dims(t.sizes().begin(), t.sizes().end() - 2); }

MatrixLayout matrix_of(const Tensor& t) {
  return {rows_of(t), columns_of(t), t.stride(t.sizes().size() - 2), t.strides().back()};
}

bool is_zero(const Scalar& number) { return number.to_complex() == core::Complex128{}; }

/// A batch of one and the same matrix as that matrix alone, to be broadcast.
Tensor unrepeated(const Tensor& t) {
  Dims sizes = t.sizes();
  for (size_t d = 0; d + 2 < sizes.size(); ++d) {
    if (t.stride(d) == 0 && sizes[d] > 1) sizes[d] = 1;
  }
  return t.view(sizes, t.strides(), t.offset());
}

/// The tensor, or a copy that BLAS can read.
Tensor readable(const Call& c, const Tensor& t) {
  return blas_operand(matrix_of(t)) ? t : contiguous(c, unrepeated(t));
}

/// The first matrix of each batch, as it lies in it.
Tensor first_matrices(const Tensor& t) {
  DimSpan sizes = t.sizes(), strides = t.strides();
  size_t batch = sizes.size() - 2;
  return t.view(sizes.first(batch), strides.first(batch), t.offset());
}

/// A batch of rows (..., k) as one matrix, if one step leads through all of its rows.
std::optional<Tensor> as_rows(const Tensor& t) {
  int64_t rows = 1, step = 0;
  for (size_t d = t.sizes().size() - 1; d-- > 0;) {
    if (t.size(d) == 1) continue;
    if (rows == 1) {
      step = t.stride(d);
    } else if (t.stride(d) != step * rows) {
      return std::nullopt;
    }
    rows *= t.size(d);
  }
  return t.view(Dims{rows, t.sizes().back()}, Dims{step, t.strides().back()}, t.offset());
}

/// A batch of matrices times one matrix is one larger product, where the rows can be had as one
/// matrix; otherwise the one matrix is repeated.
void join_rows(const Call& c, Product& p) {
  if (p.right.dim() != 2 || p.left.dim() <= 2) return;
  auto out = as_rows(p.out);
  if (!out || out->size(0) == 0) return;
  auto left = as_rows(p.left);
  bool apart = !left && blas_operand(matrix_of(p.left));
  if (apart || p.left.numel() / columns_of(p.left) != out->size(0)) return;
  p.left = left ? *left : *as_rows(contiguous(c, p.left));
  p.out = *out;
}

/// How the matrices of a batch follow each other.
Tensor lay_batch(const Call& c, const Product& p, Gemm& gemm) {
  Dims batch = batch_of(p.out);
  Tensor out = first_matrices(p.out), left = first_matrices(p.left),
         right = first_matrices(p.right);
  const Tensor& first = gemm.plan.swapped ? right : left;
  const Tensor& second = gemm.plan.swapped ? left : right;
  auto layout = Layout<3>::of(batch, {out, first, second});
  gemm.batches = layout.count;
  if (layout.rank > 1) {
    Tensor room = addresses_of(c, batch, first, second, out);
    gemm.addresses = reinterpret_cast<const std::byte* const*>(room.device_address());
    return room;
  }
  auto item = static_cast<int64_t>(p.out.item_size());
  gemm.out_step = layout.steps[0][0] / item;
  gemm.first_step = layout.steps[0][1] / item;
  gemm.second_step = layout.steps[0][2] / item;
  return {};
}

/// Every row of the result becomes the bias, to which the product is added.
void begin_with_bias(const Call& c, Product& p) {
  copy_elements(c, p.out, p.bias);
  p.bias = {};
  p.beta = 1.0;
}

void multiply_by_library(const Call& c, Product p) {
  p.left = readable(c, p.left);
  p.right = readable(c, p.right);
  auto plan = plan_product(matrix_of(p.left), matrix_of(p.right), matrix_of(p.out));
  base::invariant(plan.has_value(), c.op.qualified_name, ": a result that BLAS cannot write");
  Gemm gemm;
  gemm.dtype = p.out.dtype();
  gemm.plan = *plan;
  gemm.alpha = p.alpha;
  gemm.out = p.out.device_address();
  gemm.first = (plan->swapped ? p.right : p.left).device_address();
  gemm.second = (plan->swapped ? p.left : p.right).device_address();
  Tensor room = lay_batch(c, p, gemm);
  if (p.bias) {
    bool at_once =
        plan->swapped && gemm.batches == 1 && run_gemm_with_bias(c, gemm, p.bias.device_address());
    if (at_once) return;
    begin_with_bias(c, p);
  }
  gemm.beta = p.beta;
  run_gemm(c, gemm);
}

/// BLAS has no products of integers. PyTorch's GPU kernels refuse bool.
void multiply_integers(Call& c, const Product& p) {
  if (p.out.dtype() == core::DType::boolean)
    common::not_implemented_for(p.out.dtype(), "addmm_cuda");
  bool plain = p.alpha.to_int() == 1 && p.beta.to_int() == 0 && !p.bias;
  if (plain) return multiply_by_elements(c, p.left, p.right, p.out);
  Tensor self = p.bias ? p.bias : p.beta.to_int() == 0 ? Tensor() : p.out;
  if (self && !p.bias) {
    self = Tensor::empty(p.out.sizes(), p.out.dtype(), p.out.device());
    copy_elements(c, self, p.out);
  }
  multiply_by_elements(c, p.left, p.right, p.out);
  add_scaled(c, p.out, self, p.bias ? Scalar(1) : p.beta, p.alpha);
}

/// Where there is nothing to add up, or alpha is 0: out = beta out.
void multiply_nothing(Call& c, const Product& p) {
  if (p.bias) return copy_elements(c, p.out, p.bias);
  if (is_zero(p.beta)) return fill_elements(c, p.out, 0);
  add_scaled(c, p.out, {}, 0, p.beta);
}

void multiply(Call& c, Product p) {
  if (p.out.numel() == 0) return;
  if (columns_of(p.left) == 0 || is_zero(p.alpha)) return multiply_nothing(c, p);
  join_rows(c, p);
  if (core::is_integral(p.out.dtype(), true)) return multiply_integers(c, p);
  multiply_by_library(c, std::move(p));
}

// Operators

/// With vectors as matrices of one row, of one column.
Product product_of(Tensor left, Tensor right, Tensor out) {
  if (right.dim() == 1) {
    right = views::unsqueeze(right, 1);
    out = views::unsqueeze(out, -1);
  }
  if (left.dim() == 1) {
    left = views::unsqueeze(left, 0);
    out = views::unsqueeze(out, out.dim() - 1);
  }
  return {left, right, out, 1.0, 0.0, {}};
}

void run_product(Call& c) {
  multiply(c, product_of(c.first().to_tensor(), c.second().to_tensor(), c.out()));
}

void run_matmul(Call& c) {
  Tensor a = c.tensor(arg::self), b = c.tensor(arg::other);
  if (a.dim() != 1 || b.dim() != 1) return multiply(c, product_of(a, b, c.out()));
  inner_product(c, a, b, false, c.out());
}

/// Whether one number is added to each column.
bool is_bias(const Product& p, const Tensor& t) {
  return t.dim() == 1 && t.is_contiguous() && t.size(0) == columns_of(p.out) &&
         t.device() == p.out.device();
}

void run_linear(Call& c) {
  Tensor w = c.tensor(arg::weight), bias = c.tensor(arg::bias);
  Tensor right = w.dim() == 1 ? w : views::transpose(w, 0, 1);
  Product p = product_of(c.tensor(arg::input), right, c.out());
  if (bias && is_bias(p, bias) && w.dim() == 2) {
    p.bias = bias;
  } else if (bias) {
    copy_elements(c, c.out(), bias);
    p.beta = 1.0;
  }
  multiply(c, p);
}

/// beta self + alpha (the product). Where beta is 0 self is not read.
void add_to_self(Call& c, Product p) {
  Tensor self = c.tensor(arg::self);
  p.alpha = c.scalar(arg::alpha);
  p.beta = c.scalar(arg::beta);
  if (core::is_integral(p.out.dtype(), true)) {
    p.alpha = p.alpha.to_int();
    p.beta = p.beta.to_int();
  }
  bool plain = p.alpha.to_complex() == 1.0 && p.beta.to_complex() == 1.0;
  if (plain && p.out.dim() == 2 && is_bias(p, self)) {
    p.bias = self;
    p.beta = 0.0;
  } else if (!is_zero(p.beta)) {
    copy_elements(c, c.out(), self);
  }
  multiply(c, std::move(p));
}

void run_addmm(Call& c) {
  add_to_self(c, product_of(c.tensor(arg::mat1), c.tensor(arg::mat2), c.out()));
}

void run_addmv(Call& c) {
  add_to_self(c, product_of(c.tensor(arg::mat), c.tensor(arg::vec), c.out()));
}

/// As a type in which products of elements do not overflow.
Tensor widened(const Call& c, const Tensor& t) {
  bool integral = core::is_integral(t.dtype(), true), complex = core::is_complex(t.dtype());
  core::DType wide = integral  ? t.dtype()
                     : complex ? core::DType::complex128
                               : core::DType::float64;
  Tensor made = c.new_empty(t.sizes(), wide);
  copy_elements(c, made, t);
  return made;
}

/// Unlike addmm it forms products even if alpha is 0, so that NaN and infinities show.
void run_baddbmm(Call& c) {
  Tensor a = c.tensor(arg::batch1), b = c.tensor(arg::batch2), out = c.out();
  Scalar beta = c.scalar(arg::beta);
  if (!is_zero(c.scalar(arg::alpha))) return add_to_self(c, product_of(a, b, out));
  a = widened(c, a);
  Tensor nothing = c.new_empty(out.sizes(), a.dtype());
  multiply(c, product_of(a, widened(c, b), nothing));
  add_scaled(c, nothing, {}, 0, 0);
  copy_elements(c, out, nothing);
  if (!is_zero(beta)) add_scaled(c, out, c.tensor(arg::self), beta, 1);
}

/// The sum of a batch of products is one product of the matrices beside and below each other.
void run_addbmm(Call& c) {
  Tensor a = c.tensor(arg::batch1), b = c.tensor(arg::batch2);
  int64_t inner = base::checked_mul(a.size(0), a.size(2));
  if (inner == 0 || c.out().numel() == 0) {
    Tensor none = c.new_empty(Dims{a.size(1), 0}, a.dtype());
    return add_to_self(
        c, product_of(none, views::transpose(c.new_empty(Dims{b.size(2), 0}, b.dtype()), 0, 1),
                      c.out()));
  }
  Tensor left = contiguous(c, views::permute(a, Dims{1, 0, 2}));
  Tensor below = as_rows(b) ? *as_rows(b) : *as_rows(contiguous(c, b));
  add_to_self(c, product_of(views::view(left, Dims{a.size(1), inner}), below, c.out()));
}

constexpr ops::Kernel products_table[] = {
    {"aten::mm", run_product},    {"aten::bmm", run_product},     {"aten::mv", run_product},
    {"aten::matmul", run_matmul}, {"aten::linear", run_linear},   {"aten::addmm", run_addmm},
    {"aten::addmv", run_addmv},   {"aten::baddbmm", run_baddbmm}, {"aten::addbmm", run_addbmm},
};

}  // namespace

void multiply_matrices(Call& call, const Tensor& left, const Tensor& right, double alpha,
                       const Tensor& out) {
  multiply(call, {left, right, out, alpha, 0.0, {}});
}

std::span<const ops::Kernel> product_kernels() { return products_table; }

}  // namespace assay::kernels::cuda
