#include <cmath>

#include "engine/base/error.h"
#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

Value number(const Call& c, double value) {
  return wrapped_number(core::Scalar(value), c.context.default_dtype);
}

/// Zeros and ones; for whole features, one per row and channel.
Tensor noise_like(const Call& c, const Tensor& input, double keep, bool features) {
  Tensor noise;
  if (features) {
    base::check(input.dim() >= 2, "Feature dropout requires at least 2 dimensions in the input");
    Dims sizes(input.sizes().size(), 1);
    sizes[0] = input.size(0);
    sizes[1] = input.size(1);
    noise = c.call_tensor("aten::new_empty", {input, core::make_int_list(sizes)});
  } else {
    // Row-major whatever the input's layout: the order decides who gets which draw.
    constexpr auto row_major = static_cast<int64_t>(core::MemoryFormat::contiguous);
    noise =
        c.call_tensor("aten::empty_like", {input, Value(), Value(), Value(), Value(), row_major});
  }
  return c.call_tensor("aten::bernoulli_.float", {noise, keep});
}

struct Kind {
  bool features;
  bool alpha;
};

/// The factor and the shift that dropout puts on each element. alpha dropout keeps
/// mean and variance of SELU's outputs (Klambauer et al. 2017).
Tensor dropped(const Call& c, const Tensor& input, double p, Kind kind, bool in_place) {
  const char* multiply = in_place ? "aten::mul_.Tensor" : "aten::mul.Tensor";
  if (p == 1) {
    Tensor zeros = c.call_tensor(
        "aten::zeros",
        {core::make_int_list({}), static_cast<int64_t>(input.dtype()), Value(), input.device()});
    return c.call_tensor(multiply, {input, zeros});
  }
  Tensor noise = noise_like(c, input, 1 - p, kind.features);
  if (!kind.alpha) {
    noise = c.call_tensor("aten::div_.Tensor", {noise, number(c, 1 - p)});
    return c.call_tensor(multiply, {input, noise});
  }
  constexpr double alpha = 1.7580993408473766;
  double a = 1.0 / std::sqrt((alpha * alpha * p + 1) * (1 - p));
  Tensor shift = c.call_tensor("aten::add.Tensor", {noise, number(c, -1)});
  shift = c.call_tensor("aten::mul_.Tensor", {shift, number(c, alpha * a)});
  shift = c.call_tensor("aten::add_.Tensor", {shift, number(c, alpha * a * p)});
  noise = c.call_tensor("aten::mul_.Tensor", {noise, number(c, a)});
  Tensor scaled = c.call_tensor(multiply, {input, noise});
  return c.call_tensor(in_place ? "aten::add_.Tensor" : "aten::add.Tensor", {scaled, shift});
}

template <bool features, bool alpha, bool in_place>
void dropout(Call& c) {
  Tensor input = c.first().to_tensor();
  double p = c.floating(arg::p);
  base::check(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p);
  if (p == 0 || !c.boolean(arg::train) || input.numel() == 0) return c.finish(c.first());
  c.finish(dropped(c, input, p, {features, alpha}, in_place));
}

/// Returns the mask too.
void native_dropout(Call& c) {
  Tensor input = c.tensor(arg::input);
  double p = c.floating(arg::p);
  bool train = c.is_none(arg::train) || c.boolean(arg::train);
  Value mask_type = static_cast<int64_t>(DType::boolean);
  if (!train || input.numel() == 0) {
    if (input.numel() == 0) mask_type = Value();
    Tensor all = c.call_tensor("aten::ones_like", {input, mask_type});
    return c.finish({c.call("aten::clone", {input}), all});
  }
  Tensor mask = c.call_tensor("aten::empty_like", {input, mask_type});
  c.call("aten::bernoulli_.float", {mask, 1 - p});
  Tensor kept = c.call_tensor("aten::mul.Tensor", {input, mask});
  double scale = p == 1 ? 0 : 1 / (1 - p);
  c.finish({c.call("aten::mul_.Tensor", {kept, number(c, scale)}), mask});
}

constexpr Kernel dropout_table[] = {
    {"aten::dropout", dropout<false, false, false>},
    {"aten::dropout_", dropout<false, false, true>},
    {"aten::feature_dropout", dropout<true, false, false>},
    {"aten::feature_dropout_", dropout<true, false, true>},
    {"aten::alpha_dropout", dropout<false, true, false>},
    {"aten::alpha_dropout_", dropout<false, true, true>},
    {"aten::feature_alpha_dropout", dropout<true, true, false>},
    {"aten::feature_alpha_dropout_", dropout<true, true, true>},
    {"aten::native_dropout", native_dropout},
};

}  // namespace

std::span<const Kernel> dropout_composites() { return dropout_table; }

}  // namespace assay::ops::composite
