#include "engine/ops/infer/detection.h"

#include "engine/base/checked.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"

namespace assay::ops::infer {
namespace {

using base::checked_add;
using base::checked_mul;
using core::Dims;
using core::DType;
using core::Tensor;

/// The sizes of what a number of channels gives.
Dims region_sizes(const Call& c, int64_t channels) {
  Tensor rois = c.tensor(arg::rois);
  base::check(rois.size(1) == 5, c.op.qualified_name,
              ": rois must be of shape (K, 5), but they are ", rois.sizes());
  return {rois.size(0), channels, c.integer(arg::pooled_height), c.integer(arg::pooled_width)};
}

void roi_align_rule(RuleCall& c) {
  Tensor input = c.tensor(arg::input);
  c.declare(region_sizes(c, input.size(1)), input.dtype());
}

void roi_pool_rule(RuleCall& c) {
  Tensor input = c.tensor(arg::input);
  Dims sizes = region_sizes(c, input.size(1));
  c.declare(sizes, input.dtype());
  c.declare(sizes, DType::int32);
}

void position_sensitive_rule(RuleCall& c) {
  Tensor input = c.tensor(arg::input);
  int64_t bins = checked_mul(c.integer(arg::pooled_height), c.integer(arg::pooled_width));
  base::check(bins > 0 && input.size(1) % bins == 0, c.op.qualified_name, ": the input's ",
              input.size(1), " channels must be a multiple of the ", bins, " bins of a region");
  Dims sizes = region_sizes(c, input.size(1) / bins);
  c.declare(sizes, input.dtype());
  c.declare(sizes, DType::int32);
}

/// How many places a filter has along a side of the input.
int64_t places(int64_t size, int64_t taps, int64_t stride, int64_t pad, int64_t dilation) {
  int64_t reach = checked_add(checked_mul(dilation, taps - 1), 1);
  return (checked_add(size, checked_mul(2, pad)) - reach) / stride + 1;
}

void deform_conv2d_rule(RuleCall& c) {
  Tensor input = c.tensor(arg::input), weight = c.tensor(arg::weight), bias = c.tensor(arg::bias);
  int64_t groups = c.integer(arg::groups), moved = c.integer(arg::offset_groups);
  int64_t taps = checked_mul(weight.size(2), weight.size(3));
  base::check(taps > 0, "deform_conv2d: a filter has no taps: ", weight.sizes());
  base::check(checked_mul(weight.size(1), groups) == input.size(1) && weight.size(0) % groups == 0,
              "deform_conv2d: filters ", weight.sizes(), " in ", groups,
              " groups do not fit the input ", input.sizes());
  base::check(input.size(1) % moved == 0, "deform_conv2d: ", input.size(1),
              " channels cannot be parted into ", moved, " groups of offsets");
  Dims sizes{input.size(0), weight.size(0),
             places(input.size(2), weight.size(2), c.integer(arg::stride_h), c.integer(arg::pad_h),
                    c.integer(arg::dilation_h)),
             places(input.size(3), weight.size(3), c.integer(arg::stride_w), c.integer(arg::pad_w),
                    c.integer(arg::dilation_w))};
  base::check(sizes[2] > 0 && sizes[3] > 0, "deform_conv2d: the filter does not fit the input ",
              input.sizes());
  auto fits = [&](const Tensor& t, int64_t numbers, const char* what) {
    Dims expected{sizes[0], checked_mul(checked_mul(moved, numbers), taps), sizes[2], sizes[3]};
    base::check(t && t.sizes() == expected, "deform_conv2d: expected ", what, " of shape ",
                expected, ", but got ", t ? t.sizes() : Dims());
  };
  fits(c.tensor(arg::offset), 2, "offsets");
  if (c.boolean(arg::use_mask)) fits(c.tensor(arg::mask), 1, "a mask");
  base::check(bias && bias.numel() == sizes[1], "deform_conv2d: expected a bias of ", sizes[1],
              " elements");
  c.declare(sizes, input.dtype());
}

}  // namespace

const Rule roi_align{roi_align_rule};
const Rule roi_pool{roi_pool_rule};
const Rule position_sensitive_pool{position_sensitive_rule};
const Rule deform_conv2d{deform_conv2d_rule};

}  // namespace assay::ops::infer
