#include <cmath>

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/infer/indexing.h"
#include "engine/ops/infer/layout.h"

namespace assay::ops::infer {
namespace {

using core::Dims;
using core::MemoryFormat;
using core::Tensor;

std::string short_name(const Call& c) { return std::string(c.op.symbol.name()); }

/// Reflection may not reach beyond the other edge.
void pad_rule(RuleCall& c, bool reflects) {
  Tensor self = c.tensor(arg::self);
  size_t spatial = c.op.schema.arguments[1].list_size.value_or(2) / 2u;
  Dims pad = c.ints(arg::padding, spatial * 2), sizes = self.sizes();
  bool batched = sizes.size() == spatial + 2;
  bool fits = (batched || sizes.size() == spatial + 1);
  for (size_t i = batched ? 1 : 0; i < sizes.size() && fits; ++i) fits = sizes[i] != 0;
  base::check(fits, "Expected ", spatial + 1, "D or ", spatial + 2,
              "D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for "
              "input, but got: ",
              self.sizes());
  for (size_t i = 0; i < spatial; ++i) {
    size_t d = sizes.size() - 1 - i;
    int64_t before = pad[2 * i], after = pad[2 * i + 1];
    base::check(!reflects || (before < sizes[d] && after < sizes[d]),
                "Argument #4: Padding size should be less than the corresponding input dimension, "
                "but got: padding (",
                before, ", ", after, ") at dimension ", d, " of input ", self.sizes());
    int64_t size = 0;
    bool overflows = __builtin_add_overflow(sizes[d], before, &size) ||
                     __builtin_add_overflow(size, after, &size);
    base::check(!overflows && size >= 1, "input (", self.sizes(), ") is too small. Calculated ",
                "output size ", size, " at dimension ", d);
    sizes[d] = size;
  }
  bool computes = core::is_floating(self.dtype()) || core::is_complex(self.dtype());
  base::check(computes, "\"", short_name(c), "\" not implemented for '",
              core::script_name(self.dtype()), "'");
  c.declare(sizes, self.dtype());
}
void reflection_pad_rule(RuleCall& c) { pad_rule(c, true); }
void replication_pad_rule(RuleCall& c) { pad_rule(c, false); }

/// Nearest neighbours: of no integer but uint8, and of half only where there is a GPU for it.
void check_nearest(const Call& c, const Tensor& input, bool exact) {
  bool cpu = input.device().type == core::DeviceType::cpu;
  core::DType dtype = input.dtype();
  bool half = dtype == core::DType::float16 || (dtype == core::DType::bfloat16 && exact);
  bool computes = core::is_floating(dtype) || dtype == core::DType::uint8;
  base::check(computes && !(cpu && half), "\"", short_name(c), "\" not implemented for '",
              core::script_name(dtype), "'");
}

/// What an element of a resampled image is made of.
enum class Sampling { nearest, nearest_exact, linear, cubic };

template <Sampling sampling>
void declare_upsampled(RuleCall& c, const Dims& wanted) {
  Tensor input = c.first().to_tensor();
  size_t spatial = wanted.size();
  base::check(input.dim() == static_cast<int64_t>(spatial) + 2,
              "It is expected input_size equals to ", spatial + 2, ", but got size ", input.dim());
  Dims sizes{input.size(0), input.size(1)};
  for (size_t i = 0; i < spatial; ++i) {
    base::check(input.size(i + 2) > 0 && wanted[i] > 0,
                "Input and output sizes should be greater than 0, but got input ", input.sizes(),
                " and output ", wanted);
    sizes.push_back(wanted[i]);
  }
  base::check(input.size(1) > 0, "Non-empty ", spatial + 2,
              "D data tensor expected but got a tensor with sizes ", input.sizes());
  if (sampling == Sampling::nearest) check_nearest(c, input, false);
  if (sampling == Sampling::nearest_exact) check_nearest(c, input, true);
  MemoryFormat format =
      sampling == Sampling::cubic ? MemoryFormat::contiguous : suggested_format(input);
  c.declare(sizes, core::format_strides(sizes, format), input.dtype());
}

template <Sampling sampling, size_t spatial>
void upsample_rule(RuleCall& c) {
  Dims wanted = c.ints(arg::output_size);
  base::check(wanted.size() == spatial, "It is expected output_size equals to ", spatial,
              ", but got size ", wanted.size());
  declare_upsampled<sampling>(c, wanted);
}

/// A size is the input's size times the scale, rounded down.
template <Sampling sampling>
void upsample_vec_rule(RuleCall& c) {
  Tensor input = c.tensor(arg::input);
  base::check(c.is_none(arg::output_size) != c.is_none(arg::scale_factors),
              "Must specify exactly one of output_size and scale_factors");
  if (!c.is_none(arg::output_size)) {
    Dims wanted = c.ints(arg::output_size);
    base::check(input.dim() == static_cast<int64_t>(wanted.size()) + 2,
                "It is expected input_size equals to ", wanted.size() + 2, ", but got size ",
                input.dim());
    return declare_upsampled<sampling>(c, wanted);
  }
  auto scales = c.floats(arg::scale_factors);
  base::check(input.dim() == static_cast<int64_t>(scales.size()) + 2,
              "It is expected input_size equals to ", scales.size() + 2, ", but got size ",
              input.dim());
  Dims wanted;
  for (size_t i = 0; i < scales.size(); ++i) {
    double size = static_cast<double>(input.size(i + 2)) * scales[i];
    base::check(size >= 0 && size < 0x1p62, short_name(c), ": the scale ", scales[i],
                " gives no valid size");
    wanted.push_back(static_cast<int64_t>(size));
  }
  declare_upsampled<sampling>(c, wanted);
}

void grid_sampler_rule(RuleCall& c) {
  Tensor input = c.tensor(arg::input), grid = c.tensor(arg::grid);
  int64_t rank = input.dim();
  base::check(
      (rank == 4 || rank == 5) && grid.dim() == rank,
      "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but "
      "got input with sizes ",
      input.sizes(), " and grid with sizes ", grid.sizes());
  base::check(input.dtype() == grid.dtype(),
              "grid_sampler(): expected input and grid to have same ", "dtype, but input has ",
              core::script_name(input.dtype()), " and grid has ", core::script_name(grid.dtype()));
  base::check(input.size(0) == grid.size(0),
              "grid_sampler(): expected grid and input to have same ",
              "batch size, but got input with sizes ", input.sizes(), " and grid with sizes ",
              grid.sizes());
  base::check(grid.sizes().back() == rank - 2, "grid_sampler(): expected grid to have size ",
              rank - 2, " in last dimension, but got grid with sizes ", grid.sizes());
  for (size_t d = 2; d < input.sizes().size(); ++d) {
    base::check(input.size(d) > 0,
                "grid_sampler(): expected input to have non-empty spatial "
                "dimensions, but input has sizes ",
                input.sizes(), " with dimension ", d, " being empty");
  }
  base::check(rank == 4 || c.integer(arg::interpolation_mode) != 2,
              "grid_sampler(): bicubic interpolation only supports 4D input");
  Dims sizes{input.size(0), input.size(1)};
  for (size_t d = 1; d + 1 < grid.sizes().size(); ++d) sizes.push_back(grid.size(d));
  c.declare(sizes, input.dtype());
}

void affine_grid_rule(RuleCall& c) {
  Tensor theta = c.tensor(arg::theta);
  Dims size = c.ints(arg::size);
  base::check(size.size() == 4 || size.size() == 5,
              "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
  auto spatial = static_cast<int64_t>(size.size()) - 2;
  bool fits = theta.dim() == 3 && theta.size(0) == size[0] && theta.size(1) == spatial &&
              theta.size(2) == spatial + 1;
  base::check(fits, "Expected a batch of ", spatial, "D affine matrices of shape Nx", spatial, "x",
              spatial + 1, " for size ", size, ". Got ", theta.sizes());
  Dims sizes{size[0]};
  for (size_t d = 2; d < size.size(); ++d) sizes.push_back(size[d]);
  sizes.push_back(spatial);
  c.declare(sizes, theta.dtype());
}

void pixel_shuffle_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  int64_t factor = c.integer(arg::upscale_factor);
  base::check(self.dim() >= 3,
              "pixel_shuffle expects input to have at least 3 dimensions, but got ", "input with ",
              self.dim(), " dimension(s)");
  base::check(factor > 0 && factor < 1 << 20,
              "pixel_shuffle expects a positive upscale_factor, but got ", factor);
  Dims sizes = self.sizes();
  size_t rank = sizes.size();
  int64_t& channels = sizes[rank - 3];
  base::check(channels % (factor * factor) == 0,
              "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square "
              "of upscale_factor, but input.size(-3)=",
              channels, " is not divisible by ", factor * factor);
  channels /= factor * factor;
  sizes[rank - 2] = base::checked_mul(sizes[rank - 2], factor);
  sizes[rank - 1] = base::checked_mul(sizes[rank - 1], factor);
  c.declare(sizes, core::format_strides(sizes, suggested_format(self)), self.dtype());
}

void pixel_unshuffle_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  int64_t factor = c.integer(arg::downscale_factor);
  base::check(self.dim() >= 3, "pixel_unshuffle expects input to have at least 3 dimensions, but ",
              "got input with ", self.dim(), " dimension(s)");
  base::check(factor > 0 && factor < 1 << 20,
              "pixel_unshuffle expects a positive downscale_factor, but got ", factor);
  Dims sizes = self.sizes();
  size_t rank = sizes.size();
  for (size_t d : {rank - 2, rank - 1}) {
    base::check(sizes[d] % factor == 0, "pixel_unshuffle expects ",
                d == rank - 2 ? "height" : "width",
                " to be divisible by downscale_factor, but input.size(", d == rank - 2 ? -2 : -1,
                ")=", sizes[d], " is not divisible by ", factor);
    sizes[d] /= factor;
  }
  sizes[rank - 3] = base::checked_mul(sizes[rank - 3], factor * factor);
  c.declare(sizes, core::format_strides(sizes, suggested_format(self)), self.dtype());
}

void channel_shuffle_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  int64_t groups = c.integer(arg::groups);
  base::check(self.dim() > 2,
              "channel_shuffle expects input with > 2 dims, but got input with "
              "sizes ",
              self.sizes());
  base::check(groups > 0,
              "Number of groups to divide channels in must be positive. Value of "
              "groups:",
              groups);
  base::check(self.size(1) % groups == 0, "Number of channels must be divisible by groups. Got ",
              self.size(1), " channels and ", groups, " groups.");
  c.declare(self.sizes(), core::format_strides(self.sizes(), suggested_format(self)), self.dtype());
}

/// Kernel, dilation, padding and stride, two numbers each.
struct Windows {
  Dims kernel, dilation, padding, stride;
  explicit Windows(const Call& c)
      : kernel(c.ints(arg::kernel_size, 2)),
        dilation(c.ints(arg::dilation, 2)),
        padding(c.ints(arg::padding, 2)),
        stride(c.ints(arg::stride, 2)) {
    constexpr int64_t most = INT32_MAX;
    for (size_t i = 0; i < 2; ++i) {
      base::check(kernel[i] > 0 && kernel[i] < most,
                  "kernel size should be greater than zero, but got kernel ", kernel);
      base::check(dilation[i] > 0 && dilation[i] < most,
                  "dilation should be greater than zero, but got dilation ", dilation);
      base::check(padding[i] >= 0 && padding[i] < most,
                  "padding should be non-negative, but got padding ", padding);
      base::check(stride[i] > 0 && stride[i] < most,
                  "stride should be greater than zero, but got stride ", stride);
    }
  }
  /// Number of windows along a dimension.
  int64_t count(size_t i, int64_t size) const {
    return (size + 2 * padding[i] - (dilation[i] * (kernel[i] - 1) + 1)) / stride[i] + 1;
  }
};

/// im2col.s1: (N, C, H, W) to (N, C * kernel, windows); without N likewise.
void im2col_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  Windows windows(c);
  bool fits = (self.dim() == 3 || self.dim() == 4);
  for (size_t d = self.dim() == 4 ? 1 : 0; d < self.sizes().size() && fits; ++d) {
    fits = self.size(d) != 0;
  }
  base::check(fits,
              "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other "
              "non-zero dimensions for input, but got: ",
              self.sizes());
  size_t first = self.sizes().size() - 3;
  int64_t high = windows.count(0, self.size(first + 1)),
          wide = windows.count(1, self.size(first + 2));
  base::check(high >= 1 && wide >= 1, "Given input with spatial size (", self.size(first + 1), ", ",
              self.size(first + 2), "), kernel_size=", windows.kernel,
              ", dilation=", windows.dilation, ", padding=", windows.padding,
              ", calculated shape of the array of sliding blocks as (", high, ", ", wide,
              "), but its components must be at least one.");
  Dims sizes;
  if (first == 1) sizes.push_back(self.size(0));
  int64_t per_channel = windows.kernel[0] * windows.kernel[1];
  sizes.push_back(base::checked_mul(self.size(first), per_channel));
  sizes.push_back(base::checked_mul(high, wide));
  c.declare(sizes, self.dtype());
}

/// col2im.s1: the inverse; windows that overlap add up.
void col2im_rule(RuleCall& c) {
  Tensor self = c.tensor(arg::self);
  Dims size = c.ints(arg::output_size, 2);
  Windows windows(c);
  base::check(self.dim() == 2 || self.dim() == 3,
              "Expected 2D or 3D (batch mode) tensor for input "
              "with possibly 0 batch size and non-zero dimensions for input, but got: ",
              self.sizes());
  size_t first = self.sizes().size() - 2;
  int64_t per_channel = windows.kernel[0] * windows.kernel[1];
  base::check(self.size(first) % per_channel == 0 && self.size(first) > 0,
              "Expected size of input's dimension 1 to be divisible by the product of kernel_size, "
              "but got input.size(1)=",
              self.size(first), " and kernel_size=", windows.kernel, ".");
  base::check(
      size[0] >= 0 && size[1] >= 0 && size[0] <= core::max_reach && size[1] <= core::max_reach,
      "output_size should be non-negative, and of no more than ", core::max_reach, ", but got ",
      size);
  int64_t blocks = base::checked_mul(windows.count(0, size[0]), windows.count(1, size[1]));
  base::check(self.size(first + 1) == blocks, "Given output_size=", size,
              ", kernel_size=", windows.kernel, ", dilation=", windows.dilation,
              ", padding=", windows.padding, ", stride=", windows.stride,
              ", expected size of input's dimension 2 to match the "
              "calculated number of sliding blocks ",
              blocks, ", but got input.size(2)=", self.size(first + 1), ".");
  Dims sizes;
  if (first == 1) sizes.push_back(self.size(0));
  sizes.push_back(self.size(first) / per_channel);
  sizes.push_back(size[0]);
  sizes.push_back(size[1]);
  c.declare(sizes, self.dtype());
}

}  // namespace

const Rule reflection_pad{reflection_pad_rule};
const Rule replication_pad{replication_pad_rule};
const Rule upsample_nearest_1d{upsample_rule<Sampling::nearest, 1>};
const Rule upsample_nearest_2d{upsample_rule<Sampling::nearest, 2>};
const Rule upsample_nearest_3d{upsample_rule<Sampling::nearest, 3>};
const Rule upsample_nearest_vec{upsample_vec_rule<Sampling::nearest>};
const Rule upsample_exact_1d{upsample_rule<Sampling::nearest_exact, 1>};
const Rule upsample_exact_2d{upsample_rule<Sampling::nearest_exact, 2>};
const Rule upsample_exact_3d{upsample_rule<Sampling::nearest_exact, 3>};
const Rule upsample_exact_vec{upsample_vec_rule<Sampling::nearest_exact>};
const Rule upsample_1d{upsample_rule<Sampling::linear, 1>};
const Rule upsample_2d{upsample_rule<Sampling::linear, 2>};
const Rule upsample_3d{upsample_rule<Sampling::linear, 3>};
const Rule upsample_vec{upsample_vec_rule<Sampling::linear>};
const Rule upsample_cubic_2d{upsample_rule<Sampling::cubic, 2>};
const Rule upsample_cubic_vec{upsample_vec_rule<Sampling::cubic>};
const Rule grid_sampler{grid_sampler_rule};
const Rule affine_grid_generator{affine_grid_rule};
const Rule pixel_shuffle{pixel_shuffle_rule};
const Rule pixel_unshuffle{pixel_unshuffle_rule};
const Rule channel_shuffle{channel_shuffle_rule};
const Rule im2col{im2col_rule};
const Rule col2im{col2im_rule};

}  // namespace assay::ops::infer
