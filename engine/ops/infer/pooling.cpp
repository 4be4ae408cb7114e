#include "engine/ops/infer/pooling.h"

#include <algorithm>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"

namespace assay::ops::infer {

using core::Dims;
using core::DType;
using core::Tensor;

Dims with_spatial(core::DimSpan sizes, core::DimSpan spatial) {
  Dims out(sizes);
  for (size_t i = 0; i < spatial.size(); ++i) out[out.size() - spatial.size() + i] = spatial[i];
  return out;
}

namespace {

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

int64_t pooled_size(const Pooling& p, size_t i, int64_t in) {
  // Kernels are not negative and paddings at most half of them, so that only products overflow.
  int64_t window = base::checked_add(base::checked_mul(p.dilation[i], p.kernel[i] - 1), 1);
  int64_t reach = base::checked_add(in, 2 * p.padding[i]) - window;
  int64_t rounding = p.ceil_mode ? p.stride[i] - 1 : 0;
  int64_t out = floor_div(base::checked_add(reach, rounding), p.stride[i]) + 1;
  // The last window must start inside the input or its padding before it.
  if (p.ceil_mode && base::checked_mul(out - 1, p.stride[i]) >= in + p.padding[i]) --out;
  return out;
}

/// A batch of images keeps channels-last, and so does a batch of rows, which PyTorch pools as
/// images of height 1. Volumes keep no memory format.
Dims pooled_strides(const Tensor& input, const Dims& sizes, size_t spatial) {
  constexpr size_t height = 2;
  bool rows = spatial == 1 && sizes.size() == 3;
  Dims seen = input.sizes(), steps = input.strides(), images = sizes;
  if (rows) {
    steps.insert(height, base::checked_mul(seen[height], steps[height]));
    seen.insert(height, 1);
    images.insert(height, 1);
  }
  bool last = spatial < 3 && images.size() == 4 && core::is_channels_last(seen, steps);
  if (!last) return core::contiguous_strides(sizes);
  Dims strides = core::format_strides(images, core::MemoryFormat::channels_last);
  if (rows) strides.erase(height);
  return strides;
}

void declare_pooled(RuleCall& c, const Tensor& input, const Dims& sizes, size_t spatial,
                    bool indices) {
  Dims strides = pooled_strides(input, sizes, spatial);
  c.declare(sizes, strides, input.dtype());
  if (indices) c.declare(sizes, strides, DType::int64);
}

/// As many as the window or the result has sizes: the `2` of `int[2] kernel_size`.
size_t spatial_of(const Call& c) {
  for (const Argument& a : c.op.schema.arguments) {
    if (a.list_size) return static_cast<size_t>(*a.list_size);
  }
  base::unreachable(c.op.qualified_name, " is no pooling operator");
}

/// All but the batch: the last dimensions and the channels before them.
void check_not_empty(const Call& c, const Tensor& input, size_t spatial) {
  size_t rank = input.sizes().size();
  for (size_t i = rank - spatial - 1; i < rank; ++i) {
    base::check(input.size(i) > 0, c.op.symbol.name(), "(): Expected input to have ",
                "non-zero size for non-batch dimensions, but it has sizes ", input.sizes());
  }
}

void check_windows(const Call& c, const Pooling& p) {
  base::check(!p.divisor || *p.divisor != 0, "divisor must be not zero");
  for (size_t i = 0; i < p.spatial(); ++i) {
    base::check(p.padding[i] <= p.kernel[i] / 2,
                "pad should be at most half of kernel size, but got pad=", p.padding[i],
                " and kernel_size=", p.kernel[i]);
  }
  Dims out = p.out_sizes();
  for (size_t i = out.size() - p.spatial(); i < out.size(); ++i) {
    base::check(out[i] >= 1, "Given input size: ", p.input.sizes(),
                ". Calculated output size: ", out, ". Output size is too small");
  }
  check_not_empty(c, p.input, p.spatial());
}

void infer_pooling(RuleCall& c) {
  Pooling p = pooling_of(c);
  declare_pooled(c, p.input, p.out_sizes(), p.spatial(), false);
}

void infer_pooling_to_rows(RuleCall& c) {
  Pooling p = pooling_of(c);
  c.declare(p.out_sizes(), p.input.dtype());
}

void infer_with_indices(RuleCall& c) {
  Pooling p = pooling_of(c);
  declare_pooled(c, p.input, p.out_sizes(), p.spatial(), true);
}

Dims adaptive_sizes(const Call& c, const Tensor& input, size_t spatial) {
  Dims wanted = c.ints(arg::output_size);
  if (wanted.size() == 1 && c.op.schema.arguments[1].list_size)
    wanted = c.ints(arg::output_size, spatial);
  base::check(wanted.size() == spatial, c.op.symbol.name(), ": output_size must be ", spatial);
  check_not_empty(c, input, spatial);
  return with_spatial(input.sizes(), wanted);
}

void infer_adaptive_avg(RuleCall& c) {
  Tensor input = c.tensor(arg::self);
  size_t spatial = spatial_of(c);
  Dims sizes = adaptive_sizes(c, input, spatial);
  Dims strides = pooled_strides(input, sizes, spatial);
  c.declare(sizes, strides, input.dtype());
}

void infer_adaptive_max(RuleCall& c) {
  Tensor input = c.tensor(arg::self);
  size_t spatial = spatial_of(c);
  declare_pooled(c, input, adaptive_sizes(c, input, spatial), spatial, true);
}

void infer_fractional_max(RuleCall& c) {
  Tensor input = c.tensor(arg::self), samples = c.tensor(arg::random_samples);
  size_t spatial = spatial_of(c);
  check_not_empty(c, input, spatial);
  Dims kernel = c.ints(arg::kernel_size, spatial), wanted = c.ints(arg::output_size, spatial);
  for (size_t i = 0; i < spatial; ++i) {
    int64_t in = input.size(input.sizes().size() - spatial + i);
    bool fits = kernel[i] <= in && wanted[i] <= in - kernel[i] + 1;
    base::check(fits, c.op.symbol.name(), "(): pool size ", kernel[i],
                " too large relative to input size ", in, ", or an output size of ", wanted[i],
                " is");
  }
  bool batched = input.sizes().size() == spatial + 2;
  int64_t batch = batched ? input.size(0) : 1, channels = input.size(batched ? 1 : 0);
  bool enough = samples.dim() == 3 && samples.size(0) >= batch && samples.size(1) == channels &&
                samples.size(2) == static_cast<int64_t>(spatial);
  base::check(enough, "Expect _random_samples to have sizes [", batch, " or more, ", channels, ", ",
              spatial, "] for an input of sizes ", input.sizes(), ", got ", samples.sizes());
  Dims sizes = with_spatial(input.sizes(), wanted);
  c.declare(sizes, input.dtype());
  c.declare(sizes, DType::int64);
}

void infer_max_unpool(RuleCall& c) {
  Tensor input = c.tensor(arg::self), indices = c.tensor(arg::indices);
  size_t spatial = spatial_of(c);
  Dims wanted = c.ints(arg::output_size);
  check_not_empty(c, input, spatial);
  base::check(input.sizes() == indices.sizes(),
              "Expected shape of indices to be same as that of the input tensor (", input.sizes(),
              ") but got indices tensor with shape: ", indices.sizes());
  Dims sizes = with_spatial(input.sizes(), wanted);
  declare_pooled(c, input, sizes, spatial, false);
}

}  // namespace

Dims Pooling::out_sizes() const {
  Dims pooled;
  size_t lead = input.sizes().size() - spatial();
  for (size_t i = 0; i < spatial(); ++i) {
    pooled.push_back(pooled_size(*this, i, input.size(lead + i)));
  }
  return with_spatial(input.sizes(), pooled);
}

Pooling pooling_of(const Call& c) {
  size_t spatial = spatial_of(c);
  bool average = c.has(arg::count_include_pad);
  Pooling p;
  p.input = c.tensor(arg::self);
  p.kernel = c.ints(arg::kernel_size, spatial);
  Dims stride = c.ints(arg::stride);
  p.stride = stride.empty() ? p.kernel : c.ints(arg::stride, spatial);
  p.padding = c.ints(arg::padding, spatial);
  p.dilation = average ? Dims(spatial, 1) : c.ints(arg::dilation, spatial);
  p.ceil_mode = c.boolean(arg::ceil_mode);
  if (average) {
    p.include_padding = c.boolean(arg::count_include_pad);
    if (spatial > 1) p.divisor = c.optional_integer(arg::divisor_override);
  }
  check_windows(c, p);
  return p;
}

const Rule pooling{infer_pooling};
const Rule pooling_to_rows{infer_pooling_to_rows};
const Rule pooling_with_indices{infer_with_indices};
const Rule adaptive_avg_pool{infer_adaptive_avg};
const Rule adaptive_max_pool{infer_adaptive_max};
const Rule fractional_max_pool{infer_fractional_max};
const Rule max_unpool{infer_max_unpool};

}  // namespace assay::ops::infer
