// Elementwise work on float32 tensors of equal layout: flat loops, in parallel blocks.

#include <array>
#include <cmath>

#include "engine/base/error.h"
#include "engine/kernels/cpu/families.h"
#include "engine/kernels/cpu/vectorized.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cpu {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::TensorImpl;
using ops::Call;

constexpr int64_t block = 16384;

/// Calls body(begin, end) for blocks of [0, count), in parallel where there are several.
template <typename Body>
void in_blocks(int64_t count, Body&& body) {
  // Entering a parallel region costs more than a small tensor, even where it stays serial.
  if (count <= block) return body(0, count);
  int64_t blocks = (count + block - 1) / block;
#pragma omp parallel for schedule(static)
  for (int64_t b = 0; b < blocks; ++b) body(b * block, std::min(count, (b + 1) * block));
}

// Small calls are many: these look at tensors without counting references.

const TensorImpl& argument(const Call& c, ops::ArgName name) {
  return *c.value(name).tensor_impl();
}
// Operands of a binary operator, by place: looking for their names takes a tenth of a small call.
const TensorImpl& left_of(const Call& c) { return *c.first().tensor_impl(); }
const TensorImpl& right_of(const Call& c) { return *c.second().tensor_impl(); }
const TensorImpl& result(const Call& c) { return *c.results[0].tensor_impl(); }

/// Whether the elements fill a piece of memory without gaps, in any order of dimensions.
bool is_dense(const TensorImpl& t) {
  return t.dtype == DType::float32 && t.numel > 0 &&
         core::is_non_overlapping_and_dense(t.sizes, t.strides);
}

bool same_layout(const TensorImpl& a, const TensorImpl& b) {
  if (a.dtype != b.dtype || a.sizes != b.sizes) return false;
  for (size_t d = 0; d < a.sizes.size(); ++d) {
    if (a.sizes[d] != 1 && a.strides[d] != b.strides[d]) return false;
  }
  return true;
}

// One argument.

struct Parameters {
  float a = 0, b = 0;
};
using Unary = void (*)(const float* in, float* out, int64_t count, Parameters p);

void bounded(const float* in, float* out, int64_t count, Parameters p) {
  clamp(in, out, count, p.a, p.b);
}

ASSAY_VECTORIZED void leaky_relu(const float* in, float* out, int64_t count, Parameters p) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = in[i] > 0 ? in[i] : in[i] * p.a;
}

ASSAY_VECTORIZED void exponential(const float* in, float* out, int64_t count, Parameters) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = vector_exp(in[i]);
}

ASSAY_VECTORIZED void tangent(const float* in, float* out, int64_t count, Parameters) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = vector_tanh(in[i]);
}

ASSAY_VECTORIZED void sigmoid(const float* in, float* out, int64_t count, Parameters) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = vector_sigmoid(in[i]);
}

ASSAY_VECTORIZED void silu(const float* in, float* out, int64_t count, Parameters) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = in[i] / (1.0f + vector_exp(-in[i]));
}

ASSAY_VECTORIZED void hardswish(const float* in, float* out, int64_t count, Parameters) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    float gate = in[i] + 3.0f;
    gate = gate < 0.0f ? 0.0f : gate;
    gate = gate > 6.0f ? 6.0f : gate;
    out[i] = in[i] * gate / 6.0f;
  }
}

ASSAY_VECTORIZED void negate(const float* in, float* out, int64_t count, Parameters) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = -in[i];
}

ASSAY_VECTORIZED void magnitude(const float* in, float* out, int64_t count, Parameters) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = __builtin_fabsf(in[i]);
}

ASSAY_VECTORIZED void root(const float* in, float* out, int64_t count, Parameters) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = __builtin_sqrtf(in[i]);
}

/// x times the normal distribution function.
ASSAY_VECTORIZED void gelu(const float* in, float* out, int64_t count, Parameters) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    float tail = 0.5f * vector_erfc(__builtin_fabsf(in[i]) * 0.70710678118654752f);
    out[i] = in[i] * (in[i] < 0 ? tail : 1.0f - tail);
  }
}

ASSAY_VECTORIZED void gelu_tanh(const float* in, float* out, int64_t count, Parameters) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) {
    float x = in[i];
    float inner = 0.79788456080286536f * (x + 0.044715f * x * x * x);
    out[i] = 0.5f * x * (1.0f + vector_tanh(inner));
  }
}

bool accepts_unary(const Call& c) {
  const TensorImpl& in = argument(c, arg::self);
  return is_dense(in) && same_layout(in, result(c));
}

void apply(Call& c, Unary loop, Parameters p = {}) {
  const float* in = argument(c, arg::self).device_data<float>();
  float* out = result(c).device_data<float>();
  in_blocks(result(c).numel,
            [&](int64_t begin, int64_t end) { loop(in + begin, out + begin, end - begin, p); });
}

template <Unary loop>
void apply(Call& c) {
  apply(c, loop);
}

void run_relu(Call& c) { apply(c, bounded, {0, INFINITY}); }
void run_relu6(Call& c) { apply(c, bounded, {0, 6}); }
void run_leaky_relu(Call& c) {
  apply(c, leaky_relu, {static_cast<float>(c.floating(arg::negative_slope)), 0});
}

bool accepts_gelu(const Call& c) {
  return accepts_unary(c) &&
         (c.string(arg::approximate) == "none" || c.string(arg::approximate) == "tanh");
}

void run_gelu(Call& c) { apply(c, c.string(arg::approximate) == "tanh" ? gelu_tanh : gelu); }

/// The bounds of clamp and hardtanh; None leaves a side of clamp open.
std::array<const core::Value*, 2> bounds_of(const Call& c) {
  bool clamp = c.has(arg::min);
  return {&c.value(clamp ? arg::min : arg::min_val), &c.value(clamp ? arg::max : arg::max_val)};
}

/// NaN bounds are left to the reference.
bool accepts_clamp(const Call& c) {
  for (const core::Value* bound : bounds_of(c)) {
    if (!bound->is_none() && std::isnan(bound->to_scalar().to_double())) return false;
  }
  return accepts_unary(c);
}

void run_clamp(Call& c) {
  auto [low, high] = bounds_of(c);
  auto or_open = [](const core::Value& bound, float open) {
    return bound.is_none() ? open : static_cast<float>(bound.to_scalar().to_double());
  };
  apply(c, bounded, {or_open(*low, -INFINITY), or_open(*high, INFINITY)});
}

// Two arguments.

/// Steps are 1, or 0 for an operand that stays the same.
using Binary = void (*)(const float* a, const float* b, float* out, int64_t count, int64_t step_a,
                        int64_t step_b, float alpha);

ASSAY_VECTORIZED void add(const float* a, const float* b, float* out, int64_t count, int64_t step_a,
                          int64_t step_b, float alpha) {
  if (step_a == 1 && step_b == 1) {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) out[i] = a[i] + alpha * b[i];
    return;
  }
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = a[i * step_a] + alpha * b[i * step_b];
}

ASSAY_VECTORIZED void multiply_elements(const float* a, const float* b, float* out, int64_t count,
                                        int64_t step_a, int64_t step_b, float) {
  if (step_a == 1 && step_b == 1) {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) out[i] = a[i] * b[i];
    return;
  }
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = a[i * step_a] * b[i * step_b];
}

ASSAY_VECTORIZED void divide(const float* a, const float* b, float* out, int64_t count,
                             int64_t step_a, int64_t step_b, float) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) out[i] = a[i * step_a] / b[i * step_b];
}

/// A number that a wrapped Python number or a tensor of one element holds.
bool is_number(const TensorImpl& t) {
  bool known = t.dtype == DType::float32 || t.dtype == DType::float64 || t.dtype == DType::int64;
  return known && t.sizes.empty();
}

float number_of(const TensorImpl& t) {
  if (t.dtype == DType::float32) return *t.device_data<float>();
  if (t.dtype == DType::float64) return static_cast<float>(*t.device_data<double>());
  return static_cast<float>(*t.device_data<int64_t>());
}

/// How an operand is read: as the result lies, as one number, or as a row that is repeated.
enum class Reading { none, flat, number, row };

Reading reading_of(const TensorImpl& t, const TensorImpl& out) {
  if (same_layout(t, out)) return Reading::flat;
  if (is_number(t)) return Reading::number;
  // A vector along the last dimensions of a row-major result.
  if (t.dtype != DType::float32 || !core::is_contiguous(t.sizes, t.strides) ||
      !core::is_contiguous(out.sizes, out.strides)) {
    return Reading::none;
  }
  size_t lead = 0, rank = t.sizes.size(), wide = out.sizes.size();
  while (lead < rank && t.sizes[lead] == 1) ++lead;
  for (size_t d = lead; d < rank; ++d) {
    if (t.sizes[d] != out.sizes[wide - rank + d]) return Reading::none;
  }
  return lead < rank ? Reading::row : Reading::none;
}

bool accepts_binary(const Call& c) {
  const TensorImpl& out = result(c);
  if (!is_dense(out)) return false;
  Reading a = reading_of(left_of(c), out);
  Reading b = reading_of(right_of(c), out);
  return a == Reading::flat && b != Reading::none;
}

/// One binary operator over its operands; `alpha` scales the second one.
void apply(Call& c, Binary loop, float alpha) {
  const TensorImpl &b = right_of(c), &out = result(c);
  const float* left = left_of(c).device_data<float>();
  float* to = out.device_data<float>();
  switch (reading_of(b, out)) {
    case Reading::flat: {
      const float* right = b.device_data<float>();
      in_blocks(out.numel, [&](int64_t begin, int64_t end) {
        loop(left + begin, right + begin, to + begin, end - begin, 1, 1, alpha);
      });
      break;
    }
    case Reading::number: {
      float number = number_of(b);
      in_blocks(out.numel, [&](int64_t begin, int64_t end) {
        loop(left + begin, &number, to + begin, end - begin, 1, 0, alpha);
      });
      break;
    }
    default: {
      const float* right = b.device_data<float>();
      int64_t length = b.numel, rows = out.numel / length;
      auto row = [&](int64_t r) {
        loop(left + r * length, right, to + r * length, length, 1, 1, alpha);
      };
      if (out.numel <= block) {
        for (int64_t r = 0; r < rows; ++r) row(r);
        break;
      }
#pragma omp parallel for schedule(static)
      for (int64_t r = 0; r < rows; ++r) row(r);
    }
  }
}

void run_add(Call& c) { apply(c, add, static_cast<float>(c.floating(arg::alpha))); }
void run_subtract(Call& c) { apply(c, add, -static_cast<float>(c.floating(arg::alpha))); }
void run_multiply(Call& c) { apply(c, multiply_elements, 1); }
void run_divide(Call& c) { apply(c, divide, 1); }

constexpr ops::Kernel pointwise_table[] = {
    {"aten::relu", run_relu, accepts_unary},
    {"aten::relu6", run_relu6, accepts_unary},
    {"aten::leaky_relu", run_leaky_relu, accepts_unary},
    {"aten::hardtanh", run_clamp, accepts_clamp},
    {"aten::clamp", run_clamp, accepts_clamp},
    {"aten::exp", apply<exponential>, accepts_unary},
    {"aten::tanh", apply<tangent>, accepts_unary},
    {"aten::sigmoid", apply<sigmoid>, accepts_unary},
    {"aten::silu", apply<silu>, accepts_unary},
    {"aten::hardswish", apply<hardswish>, accepts_unary},
    {"aten::gelu", run_gelu, accepts_gelu},
    {"aten::neg", apply<negate>, accepts_unary},
    {"aten::abs", apply<magnitude>, accepts_unary},
    {"aten::sqrt", apply<root>, accepts_unary},
    {"aten::add.Tensor", run_add, accepts_binary},
    {"aten::sub.Tensor", run_subtract, accepts_binary},
    {"aten::mul.Tensor", run_multiply, accepts_binary},
    {"aten::div.Tensor", run_divide, accepts_binary},
};

}  // namespace

std::span<const ops::Kernel> pointwise_kernels() { return pointwise_table; }

}  // namespace assay::kernels::cpu
