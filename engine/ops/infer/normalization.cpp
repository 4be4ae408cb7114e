#include "engine/ops/infer/normalization.h"

#include <fmt/core.h>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"

namespace assay::ops::infer {

using core::Dims;
using core::DType;
using core::Tensor;

namespace {

void check_entries(const Call& c, ArgName name, int64_t channels) {
  Tensor t = c.tensor(name);
  base::check(!t || t.numel() == channels, name.text(), " should contain ", channels,
              " elements not ", t ? t.numel() : 0);
}

/// Channels-last where the input is; row-major otherwise.
Dims suggested_strides(const Tensor& t) {
  bool last = core::is_channels_last(t.sizes(), t.strides());
  if (!last) return core::contiguous_strides(t.sizes());
  return core::format_strides(t.sizes(), t.dim() == 4 ? core::MemoryFormat::channels_last
                                                      : core::MemoryFormat::channels_last_3d);
}

void declare_like(RuleCall& c, const Tensor& t) {
  c.declare(t.sizes(), suggested_strides(t), t.dtype());
}

/// (input, weight, bias, running_mean, running_var, training, ...)
void check_batch_norm(const Call& c) {
  Tensor input = c.tensor(arg::input);
  int64_t channels = 0;
  // An empty vector has no channels either.
  if (input.dim() > 1 || input.numel() > 0) {
    channels = input.size(static_cast<size_t>(core::wrap_dim(1, input.dim(), false)));
  }
  bool training = c.boolean(arg::training);
  for (ArgName name : {arg::running_mean, arg::running_var}) {
    base::check(training || !c.is_none(name), name.text(), " must be defined in evaluation mode");
    check_entries(c, name, channels);
  }
  check_entries(c, arg::weight, channels);
  check_entries(c, arg::bias, channels);
}

void infer_batch_norm(RuleCall& c) {
  check_batch_norm(c);
  declare_like(c, c.tensor(arg::input));
}

void infer_native_batch_norm(RuleCall& c) {
  check_batch_norm(c);
  Tensor input = c.tensor(arg::input), weight = c.tensor(arg::weight);
  declare_like(c, input);
  Dims saved{c.boolean(arg::training) && input.dim() > 1 ? input.size(1) : 0};
  DType dtype = weight ? weight.dtype() : input.dtype();
  c.declare(saved, dtype);
  c.declare(saved, dtype);
  if (c.op.schema.returns.size() == 3) return;
  c.declare(Dims{0}, DType::uint8);  // cuDNN's reserve
}

void infer_instance_norm(RuleCall& c) {
  Tensor input = c.tensor(arg::input);
  base::check(input.dim() > 1, "instance_norm: the input must have a batch and channels");
  bool stats = c.boolean(arg::use_input_stats);
  base::check(stats || (!c.is_none(arg::running_mean) && !c.is_none(arg::running_var)),
              "Expected running_mean and running_var to be defined when use_input_stats is false");
  for (ArgName name : {arg::weight, arg::bias, arg::running_mean, arg::running_var}) {
    check_entries(c, name, input.size(1));
  }
  c.declare(input.sizes(), input.dtype());
}

/// How many leading dimensions layer_norm leaves alone.
size_t check_layer_norm(const Call& c) {
  Tensor input = c.tensor(arg::input);
  Dims shape = c.ints(arg::normalized_shape);
  base::check(!shape.empty(),
              "Expected normalized_shape to be at least 1-dimensional, i.e., "
              "containing at least one element, but got normalized_shape = ",
              shape);
  for (ArgName name : {arg::weight, arg::bias}) {
    Tensor t = c.tensor(name);
    base::check(!t || t.sizes() == shape, "Expected ", name.text(),
                " to be of same shape as normalized_shape, but got ", name.text(), " of shape ",
                t ? t.sizes() : Dims(), " and normalized_shape = ", shape);
    bool mixed = t && t.dtype() != input.dtype();
    base::check(!mixed, "expected scalar type ", core::script_name(input.dtype()), " but found ",
                core::script_name(t ? t.dtype() : input.dtype()));
  }
  size_t rank = input.sizes().size();
  bool fits = rank >= shape.size();
  size_t lead = fits ? rank - shape.size() : 0;
  for (size_t i = 0; fits && i < shape.size(); ++i) fits = input.size(lead + i) == shape[i];
  std::string tail;
  for (int64_t size : shape) tail += fmt::format(", {}", size);
  base::check(fits, "Given normalized_shape=", shape, ", expected input with shape [*", tail,
              "], but got input of size", input.sizes());
  return lead;
}

void infer_layer_norm(RuleCall& c) {
  check_layer_norm(c);
  c.declare(c.tensor(arg::input).sizes(), c.tensor(arg::input).dtype());
}

void infer_native_layer_norm(RuleCall& c) {
  size_t lead = check_layer_norm(c);
  Tensor input = c.tensor(arg::input);
  c.declare(input.sizes(), input.dtype());
  Dims rows = input.sizes();
  for (size_t i = lead; i < rows.size(); ++i) rows[i] = 1;
  c.declare(rows, input.dtype());
  c.declare(rows, input.dtype());
}

void infer_group_norm(RuleCall& c) {
  Tensor input = c.tensor(arg::input);
  int64_t groups = c.integer(arg::num_groups);
  base::check(input.dim() > 1, "group_norm: the input must have a batch and channels");
  base::check(groups > 0 && input.size(1) % groups == 0,
              "Expected number of channels in input to be divisible by num_groups, but got input "
              "of shape ",
              input.sizes(), " and num_groups=", groups);
  for (ArgName name : {arg::weight, arg::bias}) {
    Tensor t = c.tensor(name);
    base::check(!t || (t.dim() == 1 && t.size(0) == input.size(1)), "Expected ", name.text(),
                " to be a vector of size equal to the number of channels in input, but got ",
                name.text(), " of shape ", t ? t.sizes() : Dims(), " and input of shape ",
                input.sizes());
  }
  declare_like(c, input);
}

/// (input, weight, bias, N, C, HxW, group, eps)
void infer_native_group_norm(RuleCall& c) {
  Tensor input = c.tensor(arg::input);
  int64_t batch = c.integer(arg::N), channels = c.integer(arg::C), area = c.integer(arg::HxW),
          groups = c.integer(arg::group);
  base::check(groups > 0 && channels % groups == 0,
              "Expected number of channels in input to be divisible by num_groups, but got input "
              "of shape ",
              input.sizes(), " and num_groups=", groups);
  base::check(input.numel() == base::checked_mul(base::checked_mul(batch, channels), area),
              "Expected input.numel() == N * C * HxW, but got ", input.sizes());
  check_entries(c, arg::weight, channels);
  check_entries(c, arg::bias, channels);
  declare_like(c, input);
  c.declare(Dims{batch, groups}, input.dtype());
  c.declare(Dims{batch, groups}, input.dtype());
}

void infer_embedding(RuleCall& c) {
  Tensor weight = c.tensor(arg::weight), indices = c.tensor(arg::indices);
  base::check(weight.dim() == 2, "'weight' must be 2-D");
  base::check(
      indices.dtype() == DType::int64 || indices.dtype() == DType::int32,
      "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
      "Long, Int; but got torch.",
      core::script_name(indices.dtype()),
      "Tensor instead (while checking arguments for embedding)");
  Dims sizes = indices.sizes();
  sizes.push_back(weight.size(1));
  c.declare(sizes, weight.dtype());
}

void infer_masked_softmax(RuleCall& c) {
  Tensor input = c.tensor(arg::self), mask = c.tensor(arg::mask);
  base::check(mask.dtype() == DType::boolean, "Mask should be a boolean tensor");
  base::check(!c.is_none(arg::mask_type), "Mask Type should be defined");
  base::check(mask.sizes() == input.sizes(), "Mask shape should match input shape");
  c.declare(input.sizes(), input.dtype());
}

void infer_rescale_qkv(RuleCall& c) {
  Tensor qkv = c.tensor(arg::qkv);
  int64_t heads = c.integer(arg::num_heads);
  base::check(qkv.dim() == 3 && heads > 0 && qkv.size(2) % 3 == 0 && qkv.size(2) / 3 % heads == 0,
              "expected (batch, time, 3 * heads * width) for ", heads, " heads, got ", qkv.sizes());
  base::check(c.tensor(arg::qkv_bias).numel() == qkv.size(2), "expected a bias of ", qkv.size(2),
              " elements, got ", c.tensor(arg::qkv_bias).sizes());
  Dims sizes{qkv.size(0), heads, qkv.size(1), qkv.size(2) / 3 / heads};
  for (int i = 0; i < 3; ++i) c.declare(sizes, qkv.dtype());
}

}  // namespace

const Rule batch_norm{infer_batch_norm};
const Rule native_batch_norm{infer_native_batch_norm};
const Rule instance_norm{infer_instance_norm};
const Rule layer_norm{infer_layer_norm};
const Rule native_layer_norm{infer_native_layer_norm};
const Rule group_norm{infer_group_norm};
const Rule native_group_norm{infer_native_group_norm};
const Rule embedding{infer_embedding};
const Rule masked_softmax{infer_masked_softmax};
const Rule rescale_qkv{infer_rescale_qkv};

}  // namespace assay::ops::infer
