// Normalizations as formulas.

#include <limits>
#include <numeric>

#include "engine/base/error.h"
#include "engine/ops/composite/algebra.h"
#include "engine/ops/composite/families.h"

namespace assay::ops::composite {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

/// x / sqrt(mean(x²) + eps) over the last dimensions, in single precision for half types. Zhang and
/// Sennrich 2019.
void rms_norm(Call& c) {
  Algebra f(c);
  Tensor x = c.tensor(arg::input);
  Dims shape = c.ints(arg::normalized_shape);
  size_t rank = x.sizes().size(), last = shape.size();
  base::check(
      last >= 1 && last <= rank &&
          std::equal(shape.begin(), shape.end(), x.sizes().end() - static_cast<int64_t>(last)),
      "rms_norm: expected an input whose sizes end in ", shape, ", got ", x.sizes());
  Tensor weight = c.tensor(arg::weight);
  base::check(!weight || weight.sizes() == shape, "rms_norm: expected a weight of ", shape,
              ", got ", weight ? weight.sizes() : Dims{});
  DType dtype = x.dtype();
  base::check(core::is_floating(dtype), "rms_norm: expected floating point numbers, got ",
              core::script_name(dtype));
  bool half = dtype == DType::float16 || dtype == DType::bfloat16;
  if (half) x = c.call_tensor("aten::to.dtype", {x, static_cast<int64_t>(DType::float32)});
  double least = dtype == DType::float64 ? std::numeric_limits<double>::epsilon()
                                         : std::numeric_limits<float>::epsilon();
  double eps = c.is_none(arg::eps) ? least : c.floating(arg::eps);
  Dims dims(last, 0);
  std::iota(dims.begin(), dims.end(), -static_cast<int64_t>(last));
  Tensor mean = c.call_tensor("aten::mean.dim", {f.mul(x, x), core::make_int_list(dims), true, {}});
  Tensor out = f.mul(x, f.one("rsqrt", f.add(mean, eps)));
  if (weight) out = f.mul(out, weight);
  c.finish(c.call("aten::to.dtype", {out, static_cast<int64_t>(dtype)}));
}

/// The norm of v over all dimensions but one; over all of them where dim is -1.
void norm_except_dim(Call& c) {
  Tensor v = c.tensor(arg::v);
  int64_t dim = c.integer(arg::dim), power = c.integer(arg::pow);
  if (dim == -1) return c.finish(c.call("aten::norm.Scalar", {v, power}));
  base::check(dim >= 0 && dim < v.dim(), "norm_except_dim: dimension ", dim, " of ", v.sizes());
  auto at = static_cast<size_t>(dim);
  Tensor rows = c.call_tensor("aten::transpose.int", {v, 0, dim});
  rows = c.call_tensor("aten::reshape", {rows, core::make_int_list(Dims{v.size(at), -1})});
  Tensor norm =
      c.call_tensor("aten::norm.ScalarOpt_dim", {rows, power, core::make_int_list(Dims{1}), false});
  Dims sizes(v.sizes().size(), 1);
  sizes[at] = v.size(at);
  c.finish(c.call("aten::reshape", {norm, core::make_int_list(sizes)}));
}

constexpr Kernel normalization_table[] = {
    {"aten::rms_norm", rms_norm},
    {"aten::norm_except_dim", norm_except_dim},
};

}  // namespace

std::span<const Kernel> normalization_composites() { return normalization_table; }

}  // namespace assay::ops::composite
