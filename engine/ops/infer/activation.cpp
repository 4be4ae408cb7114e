#include "engine/ops/infer/activation.h"

#include "engine/ops/dispatch.h"
#include "engine/ops/infer/layout.h"
#include "engine/ops/promotion.h"

namespace assay::ops::infer {
namespace {

using core::DType;
using core::Tensor;

void declare_like(RuleCall& call, const Tensor& t) {
  call.declare(t.sizes(), elementwise_strides(t.sizes(), std::span(&t, 1)), t.dtype());
}

void like_first(RuleCall& call) { declare_like(call, call.tensor(arg::self)); }

void like_first_twice(RuleCall& call) {
  like_first(call);
  like_first(call);
}

void keeps_format(RuleCall& call) {
  Tensor t = call.tensor(arg::self);
  call.declare(t.sizes(), core::format_strides(t.sizes(), suggested_format(t)), t.dtype());
}

/// The halves go through a product: their layout is its.
void halved(RuleCall& call) {
  Tensor t = call.tensor(arg::self);
  base::check(t.dim() > 0, "glu does not support 0-dimensional tensors");
  auto dim = static_cast<size_t>(core::wrap_dim(call.integer(arg::dim), t.dim()));
  base::check(t.size(dim) % 2 == 0, "Halving dimension must be even, but dimension ", dim,
              " is size ", t.size(dim));
  core::Dims sizes = t.sizes();
  sizes[dim] /= 2;
  Tensor half = t.view(sizes, t.strides(), t.offset());
  call.declare(sizes, elementwise_strides(sizes, std::span(&half, 1)), t.dtype());
}

void softmax(RuleCall& call) {
  Tensor t = call.tensor(arg::self);
  core::wrap_dim(call.integer(arg::dim), t.dim());
  call.declare(t.sizes(), call.dtype_or(arg::dtype, t.dtype()));
}

void softmax_widened(RuleCall& call) {
  Tensor t = call.tensor(arg::self);
  core::wrap_dim(call.integer(arg::dim), t.dim());
  base::check(!call.boolean(arg::half_to_float) || call.device().type != core::DeviceType::cpu,
              "softmax with half to float conversion is not supported on CPU");
  call.declare(t.sizes(), call.boolean(arg::half_to_float) ? DType::float32 : t.dtype());
}

}  // namespace

const Rule activation{like_first, true};
const Rule channelwise_activation{keeps_format, true};
const Rule activation_pair{like_first_twice};
const Rule gated_half{halved};
const Rule softmax_like{softmax};
const Rule softmax_half{softmax_widened};

}  // namespace assay::ops::infer
