#include "engine/ops/composite/families.h"
#include "engine/ops/dispatch.h"

namespace assay::ops::composite {
namespace {

using core::DType;
using core::Tensor;
using core::Value;

/// A convolution whose residual no kernel reads in place: the sum and the clamp are steps of their
/// own.
void convolve_apart(Call& c) {
  core::Values plain(c.args.begin(), c.args.end());
  for (ArgName left_out : {arg::residual, arg::low, arg::high}) {
    plain[c.op.position(left_out)] = Value();
  }
  const Value &low = c.value(arg::low), &high = c.value(arg::high);
  Tensor sum = c.call_tensor(
      "aten::add.Tensor", {c.call_tensor("assay::convolution", plain), c.value(arg::residual), 1});
  bool clamps = !low.is_none() || !high.is_none();
  if (clamps) sum = c.call_tensor("aten::clamp", {sum, low, high});
  c.call("aten::copy_", {c.out(), sum, false});
}

/// Narrower types would be rounded once more than the definition says.
bool has_wide_residual(const Call& c) {
  DType dtype = c.out().dtype();
  return !c.is_none(arg::residual) && (dtype == DType::float32 || dtype == DType::float64);
}

}  // namespace

std::span<const Kernel> convolution_composites() {
  static constexpr Kernel kernels[] = {{"assay::convolution", convolve_apart, has_wide_residual}};
  return kernels;
}

}  // namespace assay::ops::composite
