#include "engine/kernels/cpu/convolution.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "engine/base/error.h"
#include "engine/kernels/cpu/families.h"
#include "engine/kernels/cpu/few_positions.h"
#include "engine/kernels/cpu/onednn.h"
#include "engine/kernels/cpu/team.h"
#include "engine/kernels/cpu/vectorized.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"

namespace assay::kernels::cpu {
namespace {

namespace arg = ops::arg;

using core::Dims;
using core::Tensor;
using dnnl::memory;
using ops::Call;
using ops::infer::Convolution;

/// A convolution that oneDNN can run, and the layouts that it wants.
struct Plan {
  dnnl::primitive primitive;
  memory::desc own_source, own_weights, own_destination;
  memory::desc source, weights, destination, scratchpad;
  dnnl::reorder copy_in, copy_out;  ///< Where the layouts are not the tensors' own.
};

/// The weight as oneDNN counts its dimensions: (groups, out / groups, in / groups, window...).
memory::desc weights_desc(const Convolution& conv) {
  Dims sizes = conv.weight.sizes(), strides = conv.weight.strides();
  if (conv.groups > 1) {
    sizes[0] /= conv.groups;
    sizes.insert(0, conv.groups);
    strides.insert(0, sizes[1] * strides[0]);
  }
  size_t out = conv.groups > 1 ? 1 : 0;
  if (conv.transposed) {  // Stored as (in, out / groups, ...).
    std::swap(sizes[out], sizes[out + 1]);
    std::swap(strides[out], strides[out + 1]);
  }
  return onednn::desc_of(sizes, strides);
}

memory::desc any_of(const memory::desc& desc) {
  return memory::desc(desc.dims(), desc.data_type(), memory::format_tag::any);
}

bool is_channels_last(const Tensor& t) { return core::is_channels_last(t.sizes(), t.strides()); }

/// How images are told to lie: their own layout, and the one they are wanted in.
struct Layout {
  memory::desc own, wanted;
};

/// Channels-last results are computed as such; for others oneDNN chooses and copies are made.
Layout layout_of(const Tensor& t, const Tensor& out, const Epilogue& epilogue) {
  if (!is_channels_last(out)) return {onednn::desc_of(t), onednn::any_layout(t.sizes())};
  auto strides = core::format_strides(t.sizes(), core::MemoryFormat::channels_last);
  memory::desc last = onednn::desc_of(t.sizes(), strides);
  // oneDNN's fast kernels know the layout by all strides, those of dimensions of size 1 too, but
  // version 2.6 then reads a residual wrongly that has several strides of 1.
  if (!epilogue.residual) {
    last = memory::desc(last.dims(), last.data_type(), onednn::dims_of(strides));
  }
  bool lies_so = t.is_contiguous(core::MemoryFormat::channels_last);
  return {lies_so ? last : onednn::desc_of(t), last};
}

memory::desc bias_desc(const Convolution& conv) {
  if (!conv.bias) return memory::desc();
  return onednn::desc_of(Dims{conv.bias.size(0)}, Dims{1});
}

dnnl::primitive_attr attributes_of(const Epilogue& epilogue) {
  dnnl::primitive_attr attr = onednn::attributes();
  dnnl::post_ops after;
  if (epilogue.residual) {
    after.append_binary(dnnl::algorithm::binary_add, onednn::desc_of(epilogue.residual));
  }
  bool relu = epilogue.low == 0 && epilogue.high == HUGE_VALF;
  if (epilogue.clamps && relu) {
    after.append_eltwise(1.f, dnnl::algorithm::eltwise_relu, 0.f, 0.f);
  } else if (epilogue.clamps) {
    after.append_eltwise(1.f, dnnl::algorithm::eltwise_clip, epilogue.low, epilogue.high);
  }
  if (after.len() > 0) attr.set_post_ops(after);
  return attr;
}

template <typename Forward, typename Descriptor>
std::unique_ptr<Plan> finish(const Descriptor& descriptor, const dnnl::primitive_attr& attr,
                             Plan plan) {
  typename Forward::primitive_desc chosen(descriptor, attr, onednn::engine());
  plan.primitive = Forward(chosen);
  plan.source = chosen.src_desc();
  plan.weights = chosen.weights_desc();
  plan.destination = chosen.dst_desc();
  plan.scratchpad = chosen.scratchpad_desc();
  plan.copy_in = onednn::copy_between(plan.own_source, plan.source);
  plan.copy_out = onednn::copy_between(plan.destination, plan.own_destination);
  return std::make_unique<Plan>(std::move(plan));
}

/// Whether some windows see nothing but zeros around the input. oneDNN 2.6 multiplies these by the
/// weights, too, in some of its kernels: NaN where a weight is NaN or infinite, in place of the
/// bias.
bool sees_only_padding(const Convolution& conv) {
  if (conv.transposed) return false;
  for (size_t d = 0; d < conv.spatial(); ++d) {
    int64_t span = conv.dilation[d] * (conv.weight.size(d + 2) - 1);
    if (conv.padding[d] > span || conv.padding_end[d] > span) return true;
  }
  return false;
}

std::unique_ptr<Plan> make_plan(const Convolution& conv, const Tensor& out,
                                const Epilogue& epilogue) {
  Plan plan;
  auto source = layout_of(conv.input, out, epilogue), destination = layout_of(out, out, epilogue);
  plan.own_source = source.own;
  plan.own_weights = weights_desc(conv);
  plan.own_destination = destination.own;
  auto weights = any_of(plan.own_weights), bias = bias_desc(conv);
  memory::dims stride = onednn::dims_of(conv.stride), before = onednn::dims_of(conv.padding);
  memory::dims dilation, after;
  for (size_t i = 0; i < conv.spatial(); ++i) {
    dilation.push_back(conv.dilation[i] - 1);
    after.push_back(conv.padding_end[i] - conv.output_padding[i]);
    if (conv.transposed) continue;
    // oneDNN wants the zeros that windows really reach.
    int64_t reach = (out.size(i + 2) - 1) * conv.stride[i] +
                    conv.dilation[i] * (conv.weight.size(i + 2) - 1) + 1;
    after[i] = reach - conv.input.size(i + 2) - conv.padding[i];
  }
  auto attr = attributes_of(epilogue);
  if (conv.transposed) {
    dnnl::deconvolution_forward::desc descriptor(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::deconvolution_direct, source.wanted,
        weights, bias, destination.wanted, stride, dilation, before, after);
    return finish<dnnl::deconvolution_forward>(descriptor, attr, plan);
  }
  // For inference oneDNN 2.6 takes its kernels for channels-last images, to which others are copied
  // first. Those that it has for training, too, take images in blocks of channels, and are faster
  // where a copy is made anyway: 1.1 times for windows of 3 x 3, up to 1.5 for those of one
  // element, 1.9 for one channel in each group.
  bool in_blocks = !is_channels_last(out);
  auto kind = in_blocks ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  dnnl::convolution_forward::desc descriptor(kind, dnnl::algorithm::convolution_direct,
                                             source.wanted, weights, bias, destination.wanted,
                                             stride, dilation, before, after);
  return finish<dnnl::convolution_forward>(descriptor, attr, plan);
}

/// Each element of the one side meets a window for every channel of the other.
double products(const Convolution& conv, const Tensor& out) {
  int64_t each = conv.weight.numel() / conv.weight.size(0);
  return static_cast<double>((conv.transposed ? conv.input : out).numel()) *
         static_cast<double>(each);
}

const Plan* plan_of(const Convolution& conv, const Tensor& out, const Epilogue& epilogue) {
  thread_local onednn::Plans<Plan> plans;
  onednn::Key key;
  onednn::append(key, conv.input);
  onednn::append(key, conv.weight);
  onednn::append(key, out.strides());
  for (const Dims* list :
       {&conv.stride, &conv.padding, &conv.padding_end, &conv.dilation, &conv.output_padding}) {
    onednn::append(key, *list);
  }
  key.push_back(conv.groups);
  key.push_back(conv.transposed + 2 * conv.bias.defined() + 4 * epilogue.clamps +
                8 * epilogue.residual.defined());
  key.push_back(std::bit_cast<int32_t>(epilogue.low));
  key.push_back(std::bit_cast<int32_t>(epilogue.high));
  if (epilogue.residual) onednn::append(key, epilogue.residual.strides());
  return plans.get(std::move(key), [&] { return make_plan(conv, out, epilogue); });
}

bool readable(const Convolution& conv, const Tensor& out) {
  bool bias = !conv.bias || (onednn::readable(conv.bias) && conv.bias.is_contiguous());
  return onednn::readable(conv.input) && onednn::readable(conv.weight) && bias &&
         out.dtype() == core::DType::float32 && out.numel() > 0;
}

void execute(const Convolution& conv, const Tensor& out, const Epilogue& epilogue) {
  const Plan* found = plan_of(conv, out, epilogue);
  base::invariant(found != nullptr, "oneDNN has no convolution of ", conv.input.sizes(), " by ",
                  conv.weight.sizes());
  const Plan& plan = *found;
  std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC, onednn::in_layout(conv.input, plan.own_source, plan.source, plan.copy_in,
                                       onednn::for_source)},
      {DNNL_ARG_WEIGHTS, onednn::packed(conv.weight, conv.scale, plan.own_weights, plan.weights)},
  };
  if (conv.bias)
    arguments[DNNL_ARG_BIAS] = onednn::wrap(bias_desc(conv), conv.bias.device_address());
  if (epilogue.residual) {
    arguments[DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1] =
        onednn::wrap(onednn::desc_of(epilogue.residual), epilogue.residual.device_address());
  }
  bool direct = !plan.copy_out;
  memory own = onednn::wrap(plan.own_destination, out.device_address());
  memory target =
      direct ? own
             : onednn::wrap(plan.destination,
                            onednn::scratch(onednn::for_destination, plan.destination.get_size()));
  arguments[DNNL_ARG_DST] = target;
  onednn::run(plan.primitive, plan.scratchpad, std::move(arguments));
  if (!direct) onednn::reorder(target, own, plan.copy_out);
}

/// The windows that see some of the input, as a convolution of their own, and their part of `out`.
struct Seen {
  Convolution conv;
  Tensor out;  ///< Without elements where no window sees any.

  Seen(Convolution whole, Tensor of) : conv(std::move(whole)), out(std::move(of)) {
    for (size_t d = 0; d < conv.spatial(); ++d) {
      int64_t stride = conv.stride[d], span = conv.window(d) - 1;
      int64_t before = std::max<int64_t>(conv.padding[d] - span, 0);
      int64_t first = (before + stride - 1) / stride;
      int64_t last = (conv.input.size(d + 2) - 1 + conv.padding[d]) / stride;
      int64_t count = std::min(last, out.size(d + 2) - 1) - first + 1;
      out =
          ops::views::narrow(out, static_cast<int64_t>(d) + 2, first, std::max<int64_t>(count, 0));
      conv.padding[d] -= first * stride;
    }
  }
};

/// Sets a dense result to the bias.
void fill_with_bias(const Convolution& conv, const Tensor& out) {
  float* to = out.device_data<float>();
  if (!conv.bias) {
    std::fill_n(to, out.numel(), 0.f);
    return;
  }
  const float* bias = conv.bias.device_data<float>();
  int64_t channels = out.size(1), positions = out.numel() / out.size(0) / channels;
  int64_t step = out.is_contiguous() ? positions : 1;
  for (int64_t i = 0; i < out.numel(); ++i) to[i] = bias[i / step % channels];
}

void clamp_all(const Tensor& out, const Epilogue& epilogue) {
  float* values = out.device_data<float>();
  clamp(values, values, out.numel(), epilogue.low, epilogue.high);
}

/// oneDNN counts places around the input by ints; windows that reach so far have nothing to gain.
bool is_moderate(const Convolution& conv) {
  constexpr int64_t most = 1 << 16;
  for (size_t i = 0; i < conv.spatial(); ++i) {
    if (conv.stride[i] > most || conv.window(i) > most || conv.padding[i] > most ||
        conv.padding_end[i] > most || conv.output_padding[i] > most || conv.dilation[i] > most) {
      return false;
    }
  }
  return true;
}

bool accepts_convolution(const Call& c) {
  Convolution conv = ops::infer::convolution_of(c);
  return can_convolve(conv, conv.batched_view(c.out()), {});
}

void run_convolution(Call& c) {
  Convolution conv = ops::infer::convolution_of(c);
  convolve(conv, conv.batched_view(c.out()), {});
}

Epilogue epilogue_of(const Call& c) {
  Epilogue e;
  e.residual = c.tensor(arg::residual);
  e.clamps = !c.is_none(arg::low) || !c.is_none(arg::high);
  e.low = c.is_none(arg::low) ? -std::numeric_limits<float>::infinity()
                              : static_cast<float>(c.floating(arg::low));
  if (!c.is_none(arg::high)) e.high = static_cast<float>(c.floating(arg::high));
  return e;
}

/// Whether the result lies as a convolution lays it out, not as a residual does.
bool lies_as_convolved(const Call& c, const Convolution& conv) {
  bool last = c.boolean(arg::channels_last) || ops::infer::keeps_channels_last(conv);
  auto format = last ? core::MemoryFormat::channels_last : core::MemoryFormat::contiguous;
  return c.out().is_contiguous(format);
}

/// The residual is read in place, so it must have the layout of the result.
bool accepts_fused(const Call& c) {
  Epilogue e = epilogue_of(c);
  Convolution conv = ops::infer::fused_convolution_of(c);
  if (e.residual && (!onednn::readable(e.residual) || sees_only_padding(conv) ||
                     !lies_as_convolved(c, conv) || c.out().sizes() != conv.out_sizes() ||
                     onednn::desc_of(e.residual) != onednn::desc_of(c.out()))) {
    return false;
  }
  bool scalable =
      !conv.scale || (conv.weight.is_contiguous() && conv.scale.storage() != conv.weight.storage());
  return scalable && can_convolve(conv, c.out(), e);
}

void run_fused(Call& c) { convolve(ops::infer::fused_convolution_of(c), c.out(), epilogue_of(c)); }

/// Where the residual is not read in place, the sum and the clamp are steps of their own.
void run_apart(Call& c) {
  core::Values plain(c.args.begin(), c.args.end());
  for (ops::ArgName left_out : {arg::residual, arg::low, arg::high}) {
    plain[c.op.position(left_out)] = core::Value();
  }
  Tensor sum = c.call_tensor(
      "aten::add.Tensor", {c.call_tensor("assay::convolution", plain), c.value(arg::residual), 1});
  // A bound that is NaN leaves its side open.
  auto bound = [&](ops::ArgName side) {
    return c.is_none(side) || std::isnan(c.floating(side)) ? core::Value() : c.value(side);
  };
  core::Value low = bound(arg::low), high = bound(arg::high);
  bool clamps = !low.is_none() || !high.is_none();
  if (clamps) sum = c.call_tensor("aten::clamp", {sum, low, high});
  c.call("aten::copy_", {c.out(), sum, false});
}

/// Narrower types would be rounded once more than the definition says.
bool accepts_apart(const Call& c) {
  core::DType dtype = c.out().dtype();
  return !c.is_none(arg::residual) &&
         (dtype == core::DType::float32 || dtype == core::DType::float64);
}

bool accepts_row_major(const Call& c) { return onednn::readable(c.tensor(arg::self)); }

void run_row_major(Call& c) {
  Tensor from = c.tensor(arg::self), to = c.out();
  auto team = Team::for_elements(static_cast<double>(to.numel()));
  onednn::reorder(onednn::wrap(onednn::desc_of(from), from.device_address()),
                  onednn::wrap(onednn::desc_of(to), to.device_address()));
}

constexpr ops::Kernel convolution_table[] = {
    {"assay::convolution", run_fused, accepts_fused},
    {"assay::convolution", run_apart, accepts_apart},
    {"assay::row_major", run_row_major, accepts_row_major},
    {"aten::convolution", run_convolution, accepts_convolution},
    {"aten::_convolution", run_convolution, accepts_convolution},
    {"aten::_convolution.deprecated", run_convolution, accepts_convolution},
    {"aten::_convolution_mode", run_convolution, accepts_convolution},
    {"aten::mkldnn_convolution", run_convolution, accepts_convolution},
    {"aten::conv1d", run_convolution, accepts_convolution},
    {"aten::conv1d.padding", run_convolution, accepts_convolution},
    {"aten::conv2d", run_convolution, accepts_convolution},
    {"aten::conv2d.padding", run_convolution, accepts_convolution},
    {"aten::conv3d", run_convolution, accepts_convolution},
    {"aten::conv3d.padding", run_convolution, accepts_convolution},
    {"aten::conv_transpose1d", run_convolution, accepts_convolution},
    {"aten::conv_transpose2d.input", run_convolution, accepts_convolution},
    {"aten::conv_transpose3d.input", run_convolution, accepts_convolution},
};

}  // namespace

bool can_convolve(const Convolution& conv, const Tensor& out, const Epilogue& epilogue) {
  bool bounded = !epilogue.clamps || epilogue.low <= epilogue.high;  // Not so where one is NaN.
  if (!bounded || !is_moderate(conv) || !readable(conv, out)) return false;
  auto team = Team::for_products(products(conv, out));
  if (!sees_only_padding(conv)) return plan_of(conv, out, epilogue) != nullptr;
  Seen seen(conv, out);
  return seen.out.numel() == 0 || plan_of(seen.conv, seen.out, {}) != nullptr;
}

void convolve(const Convolution& conv, const Tensor& out, const Epilogue& epilogue) {
  onednn::check_time_for_products(products(conv, out));
  auto team = Team::for_products(products(conv, out));
  bool plain = !epilogue.clamps && !epilogue.residual;
  if (plain && convolve_few_positions(conv, out)) return;
  if (sees_only_padding(conv)) {
    fill_with_bias(conv, out);
    Seen seen(conv, out);
    if (seen.out.numel() > 0) execute(seen.conv, seen.out, {});
    if (epilogue.clamps) clamp_all(out, epilogue);
    return;
  }
  if (!epilogue.clamps) return execute(conv, out, epilogue);
  // oneDNN's minimum and maximum give the bound for NaN, which is an invalid operation.
  if (!onednn::meets_invalid_operation([&] { execute(conv, out, epilogue); })) return;
  Epilogue rest = epilogue;
  rest.clamps = false;
  rest.low = Epilogue().low, rest.high = Epilogue().high;
  execute(conv, out, rest);
  clamp_all(out, epilogue);
}

std::span<const ops::Kernel> convolution_kernels() { return convolution_table; }

}  // namespace assay::kernels::cpu
