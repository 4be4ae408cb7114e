#include "engine/ops/infer/convolution.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/promotion.h"

namespace assay::ops::infer {

using base::checked_add;
using base::checked_mul;
using core::Dims;
using core::Tensor;

int64_t Convolution::window(size_t i) const {
  return checked_add(checked_mul(dilation[i], weight.size(i + 2) - 1), 1);
}

int64_t Convolution::padded(size_t i) const {
  return checked_add(input.size(i + 2), checked_add(padding[i], padding_end[i]));
}

Dims Convolution::out_sizes() const {
  Dims sizes{input.size(0), out_channels()};
  for (size_t i = 0; i < spatial(); ++i) {
    if (transposed) {
      int64_t spread = checked_mul(input.size(i + 2) - 1, stride[i]);
      int64_t whole = checked_add(spread, checked_add(window(i), output_padding[i]));
      sizes.push_back(whole - checked_add(padding[i], padding_end[i]));
    } else {
      sizes.push_back((padded(i) - window(i)) / stride[i] + 1);
    }
  }
  return sizes;
}

Tensor Convolution::batched_view(const Tensor& out) const {
  if (batched) return out;
  Dims sizes = out.sizes(), strides = out.strides();
  sizes.insert(0, 1);
  strides.insert(0, out.numel());
  return out.view(sizes, strides, out.offset());
}

namespace {

Tensor with_batch(const Tensor& t) {
  Dims sizes = t.sizes(), strides = t.strides();
  sizes.insert(0, 1);
  strides.insert(0, t.size(0) * t.stride(0));
  return t.view(sizes, strides, t.offset());
}

/// A list argument of one entry per spatial dimension; a single value counts for all.
Dims spatial_list(const Call& c, ArgName name, size_t spatial, int64_t otherwise) {
  if (!c.has(name)) return Dims(spatial, otherwise);
  Dims list = c.ints(name);
  if (list.size() == 1) return Dims(spatial, list[0]);
  base::check(list.size() == spatial, "expected ", name.text(),
              " to be a single integer value or a list of ", spatial,
              " values to match the convolution dimensions, but got ", name.text(), "=", list);
  return list;
}

/// padding="same" | "valid": zeros so that the result is as large as the input; an odd one goes
/// after it.
void pad_by_name(Convolution& conv, const std::string& mode) {
  conv.padding = conv.padding_end = Dims(conv.spatial(), 0);
  base::check(mode == "same" || mode == "valid", "Invalid padding string: '", mode, "'");
  if (mode == "valid") return;
  for (size_t i = 0; i < conv.spatial(); ++i) {
    base::check(conv.stride[i] == 1, "padding='same' is not supported for strided convolutions");
    int64_t total = checked_mul(conv.dilation[i], conv.weight.size(i + 2) - 1);
    conv.padding[i] = total / 2;
    conv.padding_end[i] = total - total / 2;
  }
}

void check_channels(const Convolution& conv) {
  const Tensor &x = conv.input, &w = conv.weight;
  base::check(w.size(0) >= conv.groups, "Given groups=", conv.groups,
              ", expected weight to be at least ", conv.groups,
              " at dimension 0, but got weight of size ", w.sizes(), " instead");
  base::check(w.size(0) % conv.groups == 0, "Given groups=", conv.groups,
              ", expected weight to be divisible by ", conv.groups,
              " at dimension 0, but got weight of size ", w.sizes(), " instead");
  int64_t wanted = conv.transposed ? w.size(0) : checked_mul(w.size(1), conv.groups);
  if (x.size(1) != wanted) {
    std::string kind = conv.transposed ? "transposed=1" : fmt::format("groups={}", conv.groups);
    base::fail("Given ", kind, ", weight of size ", w.sizes(), ", expected input", x.sizes(),
               " to have ", wanted, " channels, but got ", x.size(1), " channels instead");
  }
  bool fits = !conv.bias || (conv.bias.dim() == 1 && conv.bias.size(0) == conv.out_channels());
  base::check(fits, "Given ", conv.transposed ? "transposed=1, weight" : "weight", " of size ",
              w.sizes(), ", expected bias to be 1-dimensional with ", conv.out_channels(),
              " elements, but got bias of size ", conv.bias ? conv.bias.sizes() : Dims(),
              " instead");
}

void check_window(const Convolution& conv) {
  std::vector<std::string> padded, window;
  bool small = false;
  for (size_t i = 0; i < conv.spatial(); ++i) {
    padded.push_back(std::to_string(conv.padded(i)));
    window.push_back(std::to_string(conv.window(i)));
    small |= conv.padded(i) < conv.window(i);
    base::check(!conv.transposed || conv.output_padding[i] < conv.stride[i] ||
                    conv.output_padding[i] < conv.dilation[i],
                "output padding must be smaller than either stride or dilation, but got "
                "output_padding: ",
                conv.output_padding, " stride: ", conv.stride, " dilation: ", conv.dilation);
  }
  base::check(conv.transposed || !small, "Calculated padded input size per channel: (",
              base::join(padded, " x "), "). Kernel size: (", base::join(window, " x "),
              "). Kernel size can't be greater than actual input size");
}

/// Transposed ones are other kernels, with fewer types; some operators say by an argument that they
/// are.
void check_transposed(const Convolution& conv) {
  core::DType x = conv.input.dtype();
  bool computes = !conv.transposed || core::is_floating(x) || x == core::DType::int64;
  base::check(computes, "\"slow_conv_transpose", conv.spatial(),
              "d_out_cpu\" not implemented for '", core::script_name(x), "'");
}

void check_not_empty(const Convolution& conv, const Dims& sizes) {
  for (size_t i = 2; i < sizes.size(); ++i) {
    base::check(sizes[i] > 0,
                "Given input size per channel: ", core::DimSpan(conv.input.sizes()).subspan(2),
                ". Calculated output size per channel: ", core::DimSpan(sizes).subspan(2),
                ". Output size is too small");
  }
}

bool channels_last(const Tensor& t) { return core::is_channels_last(t.sizes(), t.strides()); }

void infer_convolution(RuleCall& c) {
  Convolution conv = convolution_of(c);
  Dims sizes = conv.out_sizes();
  check_not_empty(conv, sizes);
  bool last = keeps_channels_last(conv);
  Dims strides = last ? core::format_strides(sizes, core::MemoryFormat::channels_last)
                      : core::contiguous_strides(sizes);
  if (!conv.batched) {
    sizes.erase(0);
    strides.erase(0);
  }
  c.declare(sizes, strides, conv.input.dtype());
}

void check_scale(const Convolution& conv) {
  if (!conv.scale) return;
  base::check(conv.scale.dim() == 1 && conv.scale.size(0) == conv.out_channels(),
              "the scale of a convolution has shape ", conv.scale.sizes(), ", but the result ",
              conv.out_channels(), " channels");
  base::check(conv.scale.dtype() == core::DType::float64 && core::is_floating(conv.weight.dtype()),
              "a weight of ", core::script_name(conv.weight.dtype()), " cannot be scaled by ",
              core::script_name(conv.scale.dtype()));
}

/// Whether a sum is channels-last whose first summand this is, as aten::add lays it out:
/// `otherwise` where the summand does not tell.
bool leads_to_channels_last(const Tensor& first, const Dims& sizes, bool otherwise) {
  if (!first || sizes.size() != 4 || !(first.sizes() == sizes)) return otherwise;
  bool last = channels_last(first);
  return last == first.is_contiguous() ? otherwise : last;
}

void infer_fused_convolution(RuleCall& c) {
  Convolution conv = fused_convolution_of(c);
  check_scale(conv);
  Dims sizes = conv.out_sizes();
  check_not_empty(conv, sizes);
  core::DType dtype = conv.input.dtype();
  if (Tensor residual = c.tensor(arg::residual)) {
    sizes = core::broadcast(sizes, residual.sizes());
    const Tensor summands[] = {conv.input, residual};
    dtype = result_type(summands);
  }
  bool asked = c.boolean(arg::channels_last);
  bool last = sizes.size() == 4 && (asked || keeps_channels_last(conv));
  if (!asked && c.boolean(arg::residual_first)) {
    last = leads_to_channels_last(c.tensor(arg::residual), sizes, last);
  }
  c.declare(sizes,
            last ? core::format_strides(sizes, core::MemoryFormat::channels_last)
                 : core::contiguous_strides(sizes),
            dtype);
}

void infer_scale_channels(RuleCall& c) {
  Tensor input = c.tensor(arg::input), scale = c.tensor(arg::scale), shift = c.tensor(arg::shift);
  bool fits = input.dim() >= 2 && scale.dim() == 1 && shift.dim() == 1 &&
              scale.size(0) == input.size(1) && shift.size(0) == input.size(1);
  base::check(fits, "running_mean should contain ", input.dim() >= 2 ? input.size(1) : 0,
              " elements not ", scale.numel());
  base::check(input.dtype() == scale.dtype(), "expected scalar type ",
              core::script_name(input.dtype()), " but found ", core::script_name(scale.dtype()));
  bool last = input.dim() == 4 && channels_last(input);
  c.declare(input.sizes(),
            last ? core::format_strides(input.sizes(), core::MemoryFormat::channels_last)
                 : core::contiguous_strides(input.sizes()),
            input.dtype());
}

void infer_row_major(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  if (self.is_contiguous()) {
    return c.finish(self.view(self.sizes(), core::contiguous_strides(self.sizes()), self.offset()));
  }
  c.declare(self.sizes(), self.dtype());
}

}  // namespace

bool keeps_channels_last(const Convolution& conv) {
  return !conv.transposed && conv.spatial() == 2 &&
         (channels_last(conv.input) || channels_last(conv.weight));
}

Convolution fused_convolution_of(const Call& c) {
  Convolution conv;
  conv.input = c.tensor(arg::input);
  conv.weight = c.tensor(arg::weight);
  conv.bias = c.tensor(arg::bias);
  auto rank = static_cast<size_t>(conv.weight.dim());
  base::check(rank >= 3 && conv.input.sizes().size() == rank, "Expected ", rank,
              "-dimensional input, but got input of size: ", conv.input.sizes());
  conv.stride = spatial_list(c, arg::stride, rank - 2, 1);
  conv.padding = conv.padding_end = spatial_list(c, arg::padding, rank - 2, 0);
  conv.dilation = spatial_list(c, arg::dilation, rank - 2, 1);
  conv.output_padding = Dims(rank - 2, 0);
  conv.groups = c.integer(arg::groups);
  conv.scale = c.tensor(arg::scale);
  check_transposed(conv);
  check_channels(conv);
  check_window(conv);
  return conv;
}

Convolution convolution_of(const Call& c) {
  Convolution conv;
  conv.input = c.first().to_tensor();
  conv.weight = c.tensor(arg::weight);
  conv.bias = c.tensor(arg::bias);
  int64_t rank = conv.weight.dim();
  base::check(rank >= 3, "weight should have at least three dimensions");
  bool any_rank = &c.op.rule() == &convolution_of_batches;
  if (!any_rank && conv.input.dim() == rank - 1) {
    conv.batched = false;
    conv.input = with_batch(conv.input);
  }
  auto spatial = static_cast<size_t>(rank - 2);
  base::check(any_rank || conv.input.dim() == rank, "Expected ", rank - 1, "D (unbatched) or ",
              rank, "D (batched) input to ", c.op.symbol.name(),
              ", but got input of size: ", conv.input.sizes());
  base::check(conv.input.dim() == rank, "Expected ", rank, "-dimensional input for ", rank,
              "-dimensional weight ", conv.weight.sizes(), ", but got ", conv.input.dim(),
              "-dimensional input of size ", conv.input.sizes(), " instead");
  conv.stride = spatial_list(c, arg::stride, spatial, 1);
  conv.dilation = spatial_list(c, arg::dilation, spatial, 1);
  conv.output_padding = spatial_list(c, arg::output_padding, spatial, 0);
  conv.groups = c.integer(arg::groups);
  conv.transposed =
      c.has(arg::transposed) ? c.boolean(arg::transposed) : c.has(arg::output_padding);
  const core::Value& padding = c.value(arg::padding);
  if (padding.is_string()) {
    pad_by_name(conv, padding.to_string());
  } else {
    conv.padding = conv.padding_end = spatial_list(c, arg::padding, spatial, 0);
  }
  check_transposed(conv);
  check_channels(conv);
  check_window(conv);
  return conv;
}

const Rule convolution{infer_convolution};
const Rule convolution_of_batches{infer_convolution};
const Rule fused_convolution{infer_fused_convolution};
const Rule scale_channels{infer_scale_channels};
const Rule row_major{infer_row_major};

}  // namespace assay::ops::infer
