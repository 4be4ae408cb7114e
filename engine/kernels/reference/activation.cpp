#include "engine/kernels/common/pointwise/activation.h"

#include "engine/kernels/common/distributions.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"
#include "engine/ops/constraint.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::Tensor;
using ops::Call;

void check_bounds(const Call& c, double lower, double upper) {
  base::check(lower <= upper, c.op.qualified_name, ": the lower bound, ", lower,
              ", should be less than or equal to the upper bound, ", upper);
}

/// leaky_relu with a slope between two bounds: their mean, or while training one drawn for each
/// element that is not positive. `noise`, if there is one, receives the factors.
void rectify_randomly(Call& c, const Tensor& noise, double lower, double upper, bool training) {
  Tensor in = c.tensor(arg::self), out = c.out();
  if (!training) {
    double slope = (lower + upper) / 2;
    ops::check_fits(c.op, c.op.position(arg::upper), slope, in.dtype());
    return pointwise::over_floats<Host>(c, pointwise::LeakyRectify{slope});
  }
  check_bounds(c, lower, upper);
  if (!core::is_floating(in.dtype()))
    common::not_implemented_for(in.dtype(), "rrelu_with_noise_out_cpu");
  const core::Value& given = c.value(arg::generator);
  core::Generator& generator = given.is_generator() ? given.generator() : *c.context.generator;
  Dense<double> values = dense<double>(in), factors(in.sizes(), 1);
  for (size_t i = 0; i < values.values.size(); ++i) {
    if (values.values[i] > 0) continue;
    factors.values[i] = common::uniform<double>(generator, lower, upper);
    values.values[i] *= factors.values[i];
  }
  store(values, out);
  if (noise) store(factors, noise);
}

void rrelu(Call& c) {
  double lower = c.floating(arg::lower), upper = c.floating(arg::upper);
  check_bounds(c, lower, upper);
  rectify_randomly(c, {}, lower, upper, c.boolean(arg::training));
}
void rrelu_with_noise(Call& c) {
  Tensor in = c.tensor(arg::self), noise = c.tensor(arg::noise);
  bool fits = noise.dtype() == in.dtype() && noise.numel() == in.numel();
  base::check(fits || !c.boolean(arg::training), "rrelu_with_noise: expected noise of type ",
              core::script_name(in.dtype()), " with ", in.numel(), " elements, but it is of ",
              core::script_name(noise.dtype()), " with shape ", noise.sizes());
  rectify_randomly(c, noise, c.floating(arg::lower), c.floating(arg::upper),
                   c.boolean(arg::training));
}

constexpr ops::Kernel random_activation_table[] = {
    {"aten::rrelu", rrelu},
    {"aten::rrelu_with_noise", rrelu_with_noise},
};

}  // namespace

std::span<const ops::Kernel> activation_kernels() { return pointwise::activation_table<Host>; }
std::span<const ops::Kernel> random_activation_kernels() { return random_activation_table; }

}  // namespace assay::kernels::reference
