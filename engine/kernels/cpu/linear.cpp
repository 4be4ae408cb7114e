// Products of float32 matrices by oneDNN. Weights of linear layers are packed once.

#include <cstring>
#include <optional>
#include <utility>

#include "engine/kernels/cpu/families.h"
#include "engine/kernels/cpu/onednn.h"
#include "engine/kernels/cpu/product.h"
#include "engine/kernels/cpu/team.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::cpu {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using dnnl::memory;
using ops::Call;

struct Plan {
  dnnl::matmul primitive;
  memory::desc source, weights, scratchpad;
};

/// The tensor, or a copy that oneDNN can read: expanded and overlapping views are copied.
Tensor readable(const Call& c, const Tensor& t) {
  return onednn::readable(t) ? t : c.call_tensor("aten::contiguous", {t, 0});
}

bool is_matrix(const Tensor& t) { return t.dtype() == core::DType::float32 && t.numel() > 0; }

/// Whether the last two dimensions are a matrix that lies row by row or column by column.
bool is_plain(const memory::desc& desc) {
  const auto& strides = desc.data.format_desc.blocking.strides;
  int rank = desc.data.ndims;
  return strides[rank - 1] == 1 || strides[rank - 2] == 1;
}

memory::desc row_major(const memory::desc& desc) {
  memory::dims dims = desc.dims(), strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return memory::desc(dims, desc.data_type(), strides);
}

std::unique_ptr<Plan> make_plan(const Product& p) {
  auto source = onednn::desc_of(p.a), weights = onednn::desc_of(p.b);
  if (!is_plain(source)) source = row_major(source);
  if (!is_plain(weights)) weights = row_major(weights);
  auto wanted = weights;
  if (p.b_is_weight) {
    wanted = memory::desc(weights.dims(), weights.data_type(), memory::format_tag::any);
  }
  memory::desc bias;
  if (p.bias) {
    Dims sizes(p.out.sizes().size(), 1);
    sizes.back() = p.bias.size(0);
    bias = onednn::desc_of(sizes, core::contiguous_strides(sizes));
  }
  dnnl::matmul::desc descriptor(source, wanted, bias, onednn::desc_of(p.out));
  dnnl::matmul::primitive_desc chosen(descriptor, onednn::attributes(), onednn::engine());
  return std::make_unique<Plan>(Plan{dnnl::matmul(chosen), chosen.src_desc(), chosen.weights_desc(),
                                     chosen.scratchpad_desc()});
}

const Plan* plan_of(const Product& p) {
  thread_local onednn::Plans<Plan> plans;
  onednn::Key key;
  for (const Tensor* t : {&p.a, &p.b, &p.out}) onednn::append(key, *t);
  key.push_back(p.bias.defined() + 2 * p.b_is_weight);
  return plans.get(std::move(key), [&] { return make_plan(p); });
}

/// The leading dimensions as one, if one step leads through them all.
std::optional<Tensor> merged(const Tensor& t, size_t keep) {
  size_t lead = t.sizes().size() - keep;
  int64_t count = 1, step = 0;
  for (size_t d = lead; d-- > 0;) {
    if (t.size(d) == 1) continue;
    if (count == 1) {
      step = t.stride(d);
    } else if (t.stride(d) != step * count) {
      return std::nullopt;
    }
    count *= t.size(d);
  }
  Dims sizes{count}, strides{step};
  for (size_t d = lead; d < t.sizes().size(); ++d) {
    sizes.push_back(t.size(d));
    strides.push_back(t.stride(d));
  }
  return t.view(sizes, strides, t.offset());
}

/// As merged; copies where it must.
Tensor merged_copy(const Call& c, const Tensor& t, size_t keep) {
  if (auto view = merged(t, keep)) return *view;
  return *merged(c.call_tensor("aten::contiguous", {t, 0}), keep);
}

/// (..., k) as (rows, k).
Tensor as_rows(const Call& c, const Tensor& t) {
  return t.dim() == 1 ? ops::views::unsqueeze(t, 0) : merged_copy(c, t, 1);
}

Product linear_product(const Call& c) {
  Tensor w = readable(c, c.tensor(arg::weight));
  Product p;
  p.a = as_rows(c, readable(c, c.tensor(arg::input)));
  p.b = w.dim() == 1 ? ops::views::unsqueeze(w, 1) : ops::views::transpose(w, 0, 1);
  p.bias = c.tensor(arg::bias);
  p.b_is_weight = true;
  p.out = c.out().view(Dims{p.a.size(0), p.b.size(1)}, Dims{p.b.size(1), 1}, c.out().offset());
  return p;
}

bool accepts_linear(const Call& c) {
  Tensor bias = c.tensor(arg::bias), w = c.tensor(arg::weight), x = c.tensor(arg::input);
  bool simple_bias = !bias || (bias.dim() == 1 && bias.is_contiguous() && w.dim() == 2 &&
                               bias.size(0) == w.size(0) && onednn::readable(bias));
  return simple_bias && is_matrix(x) && is_matrix(w) && c.out().is_contiguous();
}

void run_linear(Call& c) { multiply(linear_product(c)); }

/// Batches of matrices with equal batch dimensions, or a batch times one matrix.
Product batched_product(const Call& c, Tensor a, Tensor b, Tensor out) {
  using ops::views::expand;
  using ops::views::unsqueeze;
  a = readable(c, a);
  b = readable(c, b);
  if (b.dim() == 1) {
    b = unsqueeze(b, 1);
    out = unsqueeze(out, -1);
  }
  if (a.dim() == 1) {
    a = unsqueeze(a, 0);
    out = unsqueeze(out, out.dim() - 1);
  }
  if (b.dim() == 2) {
    Product p{as_rows(c, a), b, {}, {}, false};
    p.out = out.view(Dims{p.a.size(0), b.size(1)}, Dims{b.size(1), 1}, out.offset());
    return p;
  }
  auto batched = [&](const Tensor& t) {
    Dims sizes(out.sizes().begin(), out.sizes().end() - 2);
    bool whole = t.sizes().size() == out.sizes().size();
    for (size_t d = 0; whole && d < sizes.size(); ++d) whole = t.size(d) == sizes[d];
    auto rank = static_cast<size_t>(t.dim());
    sizes.push_back(t.size(rank - 2));
    sizes.push_back(t.size(rank - 1));
    return merged_copy(c, whole ? t : c.call_tensor("aten::contiguous", {expand(t, sizes), 0}), 2);
  };
  return {batched(a), batched(b), {}, batched(out), false};
}

bool accepts_matmul(const Call& c) {
  return is_matrix(c.tensor(arg::self)) && is_matrix(c.second().to_tensor()) && c.out().numel() > 0;
}

void run_matmul(Call& c) {
  multiply(batched_product(c, c.tensor(arg::self), c.second().to_tensor(), c.out()));
}

/// out = beta * self + alpha * out, where self has been broadcast to out's shape.
void add_scaled(const Tensor& self, float beta, float alpha, const Tensor& out) {
  size_t rank = out.sizes().size();
  int64_t columns = out.size(rank - 1), rows = out.numel() / columns;
  int64_t step = self.stride(rank - 1);
  for (int64_t r = 0; r < rows; ++r) {
    float* to = out.device_data<float>() + r * columns;
    int64_t at = 0, rest = r;
    for (size_t d = rank - 1; d-- > 0;) {
      at += rest % out.size(d) * self.stride(d);
      rest /= out.size(d);
    }
    const float* from = self.device_data<float>() + at;
    for (int64_t j = 0; j < columns; ++j) {
      to[j] = alpha * to[j] + (beta == 0 ? 0.f : beta * from[j * step]);
    }
  }
}

/// What addmm or baddbmm multiplies.
std::pair<Tensor, Tensor> factors_of(const Call& c) {
  bool batched = c.has(arg::batch1);
  return {c.tensor(batched ? arg::batch1 : arg::mat1), c.tensor(batched ? arg::batch2 : arg::mat2)};
}

bool accepts_addmm(const Call& c) {
  auto [a, b] = factors_of(c);
  bool formed = c.floating(arg::alpha) != 0;
  return formed && is_matrix(a) && is_matrix(b) && c.out().numel() > 0 && c.out().is_contiguous();
}

void run_addmm(Call& c) {
  Tensor self = c.tensor(arg::self), out = c.out();
  auto beta = static_cast<float>(c.floating(arg::beta)),
       alpha = static_cast<float>(c.floating(arg::alpha));
  auto [a, b] = factors_of(c);
  Product p = batched_product(c, a, b, out);
  p.b_is_weight = p.b.dim() == 2;
  bool is_bias = beta == 1 && alpha == 1 && self.dim() == 1 && self.is_contiguous() &&
                 self.size(0) == out.sizes().back();
  if (is_bias) p.bias = self;
  multiply(p);
  if (!is_bias) add_scaled(ops::views::expand(self, out.sizes()), beta, alpha, out);
}

/// Up to so many multiplications a plain loop takes no longer than oneDNN takes to be called; a
/// process without larger ones is spared the milliseconds in which oneDNN makes its code.
constexpr double small = 2048;

/// One matrix of a batch, by its address and steps.
struct Matrix {
  const float* data;
  int64_t row, column;
};

Matrix matrix_of(const Tensor& t, int64_t batch) {
  auto rank = t.sizes().size();
  return {t.device_data<float>() + (rank == 3 ? batch * t.stride(0) : 0), t.stride(rank - 2),
          t.stride(rank - 1)};
}

void multiply_small(const Product& p) {
  auto rank = p.out.sizes().size();
  int64_t batches = rank == 3 ? p.out.size(0) : 1, rows = p.out.size(rank - 2);
  int64_t columns = p.out.size(rank - 1), inner = p.a.size(rank - 1);
  float* to = p.out.device_data<float>();
  for (int64_t r = 0; r < batches * rows; ++r) {
    Matrix a = matrix_of(p.a, r / rows), b = matrix_of(p.b, r / rows);
    const float* left = a.data + r % rows * a.row;
    for (int64_t j = 0; j < columns; ++j) {
      const float* right = b.data + j * b.column;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < inner; ++k) sum += left[k * a.column] * right[k * b.row];
      if (p.bias) sum += p.bias.device_data<float>()[j];
      *to++ = sum;
    }
  }
}

constexpr ops::Kernel linear_table[] = {
    {"aten::linear", run_linear, accepts_linear}, {"aten::mm", run_matmul, accepts_matmul},
    {"aten::bmm", run_matmul, accepts_matmul},    {"aten::mv", run_matmul, accepts_matmul},
    {"aten::matmul", run_matmul, accepts_matmul}, {"aten::addmm", run_addmm, accepts_addmm},
    {"aten::baddbmm", run_addmm, accepts_addmm},
};

}  // namespace

void multiply(const Product& p) {
  size_t columns = p.out.sizes().size() - 1;
  double products = static_cast<double>(p.a.numel()) * static_cast<double>(p.out.size(columns));
  onednn::check_time_for_products(products);
  if (products <= small) return multiply_small(p);
  auto team = Team::for_products(products);
  const Plan* plan = plan_of(p);
  if (plan == nullptr)
    base::unreachable("oneDNN has no product of ", p.a.sizes(), " and ", p.b.sizes());
  auto own = onednn::desc_of(p.b);
  std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC,
       onednn::in_layout(p.a, onednn::desc_of(p.a), plan->source, onednn::for_source)},
      {DNNL_ARG_WEIGHTS, p.b_is_weight
                             ? onednn::packed(p.b, {}, own, plan->weights)
                             : onednn::in_layout(p.b, own, plan->weights, onednn::for_weights)},
      {DNNL_ARG_DST, onednn::wrap(onednn::desc_of(p.out), p.out.device_address())},
  };
  if (p.bias) {
    Dims sizes(p.out.sizes().size(), 1);
    sizes.back() = p.bias.size(0);
    auto bias = onednn::desc_of(sizes, core::contiguous_strides(sizes));
    arguments[DNNL_ARG_BIAS] = onednn::wrap(bias, p.bias.device_address());
  }
  onednn::run(plan->primitive, plan->scratchpad, std::move(arguments));
}

std::span<const ops::Kernel> linear_kernels() { return linear_table; }

}  // namespace assay::kernels::cpu
