#include <cmath>
#include <numbers>

#include "engine/kernels/common/distributions.h"
#include "engine/kernels/reference/dense.h"
#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"
#include "engine/ops/constraint.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

template <typename T>
inline constexpr bool is_int = std::is_same_v<T, int64_t>;

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

constexpr auto hardswish = [](double x) { return x * std::fmin(std::fmax(x + 3, 0), 6) / 6; };
constexpr auto hardsigmoid = [](double x) { return std::fmin(std::fmax(x + 3, 0), 6) / 6; };
constexpr auto mish = [](double x) { return x * std::tanh(std::log1p(std::exp(x))); };
constexpr auto silu = [](auto x) { return x / (1.0 + std::exp(-x)); };
constexpr auto log_sigmoid = [](double x) {
  return std::fmin(0, x) - std::log1p(std::exp(-std::fabs(x)));
};
constexpr auto exponential_linear = [](double x, double negative, double positive, double input) {
  return x <= 0 ? std::expm1(x * input) * negative : x * positive;
};

/// A kernel with parameters: f(x) of the first argument, floats only.
template <typename F>
void over_floats(Call& c, F f) {
  Tensor in = c.tensor(arg::self);
  compute_over<floats | no_half, 1>(c, c.out(), in.dtype(), {in}, f);
}

/// As over_floats, for integers too.
template <typename F>
void over_numbers(Call& c, F f) {
  Tensor in = c.tensor(arg::self);
  compute_over<ints | floats | no_half, 1>(c, c.out(), in.dtype(), {in}, f);
}

/// A bound as the operand's own type holds it.
template <typename C>
C parameter(const Call& c, ops::ArgName name, DType dtype) {
  if constexpr (is_int<C>)
    return c.scalar(name).to_int();
  else
    return rounded_to(dtype, c.scalar(name).to_double());
}

/// NaN stays; the upper bound wins where the bounds cross.
template <typename C>
C between(C x, C low, C high) {
  C raised = x < low ? low : x;
  return raised > high ? high : raised;
}

void relu(Call& c) {
  base::check(c.tensor(arg::self).dtype() != DType::boolean,
              "Boolean inputs not supported for relu");
  over_numbers(c, [](auto x) { return x < decltype(x)(0) ? decltype(x)(0) : x; });
}

void relu6(Call& c) {
  base::check(c.tensor(arg::self).dtype() != DType::boolean,
              "Bool inputs not supported for hardtanh");
  over_numbers(c, [](auto x) { return between<decltype(x)>(x, 0, 6); });
}

void hardtanh(Call& c) {
  DType dtype = c.tensor(arg::self).dtype();
  base::check(dtype != DType::boolean, "Bool inputs not supported for hardtanh");
  bool negative = c.floating(arg::min_val) < 0 || c.floating(arg::max_val) < 0;
  base::check(dtype != DType::uint8 || !negative,
              "cannot do hardtanh on an unsigned type with negative limits");
  over_numbers(c, [&](auto x) {
    using C = decltype(x);
    return between(x, parameter<C>(c, arg::min_val, dtype), parameter<C>(c, arg::max_val, dtype));
  });
}

void hardshrink(Call& c) {
  double lambda = parameter<double>(c, arg::lambd, c.tensor(arg::self).dtype());
  over_floats(c, [&](double x) { return x >= -lambda && x <= lambda ? 0 : x; });
}

void softshrink(Call& c) {
  double lambda = parameter<double>(c, arg::lambd, c.tensor(arg::self).dtype());
  base::check(c.floating(arg::lambd) >= 0, "lambda must be greater or equal to 0, but found to be ",
              c.floating(arg::lambd), ".");
  over_floats(c, [&](double x) { return x > lambda ? x - lambda : x < -lambda ? x + lambda : 0; });
}

void threshold(Call& c) {
  DType dtype = c.tensor(arg::self).dtype();
  over_numbers(c, [&](auto x) {
    using C = decltype(x);
    return x <= parameter<C>(c, arg::threshold, dtype) ? parameter<C>(c, arg::value, dtype) : x;
  });
}

void leaky_relu(Call& c) {
  double slope = parameter<double>(c, arg::negative_slope, c.tensor(arg::self).dtype());
  over_floats(c, [&](double x) { return x > 0 ? x : x * slope; });
}

/// One weight for all, or one for each channel (dimension 1).
void prelu(Call& c) {
  Tensor in = c.tensor(arg::self), weight = c.tensor(arg::weight);
  base::check(in.dtype() == weight.dtype(), "prelu: Type promoting not supported. Got ",
              core::script_name(in.dtype()), " and ", core::script_name(weight.dtype()));
  if (weight.numel() != 1) {
    base::check(in.dim() > 0, "Not allow zero-dim input tensor.");
    int64_t channels = in.dim() > 1 ? in.size(1) : 1;
    base::check(channels == weight.numel(),
                "Mismatch of parameter numbers and input channel "
                "size. Found parameter numbers = ",
                weight.numel(), " and channel size = ", channels, ".");
  }
  base::check(weight.dim() < 2,
              "prelu: Expected `weight` to be a scalar or 1D tensor, but got "
              "ndim = ",
              weight.dim());
  core::Dims sizes(static_cast<size_t>(in.dim()), 1), strides(static_cast<size_t>(in.dim()), 0);
  if (weight.numel() != 1 && in.dim() > 1) {
    sizes[1] = weight.numel();
    strides[1] = weight.stride(0);
  }
  Tensor shaped = weight.view(sizes, strides, weight.offset());
  compute_over<floats | no_half, 2>(c, c.out(), in.dtype(), {in, shaped},
                                    [](double x, double w) { return x > 0 ? x : x * w; });
}

void elu(Call& c) {
  double negative = c.floating(arg::alpha) * c.floating(arg::scale),
         positive = c.floating(arg::scale), input = c.floating(arg::input_scale);
  over_floats(c, [&](double x) { return exponential_linear(x, negative, positive, input); });
}

void selu(Call& c) {
  constexpr double alpha = 1.6732632423543772848170429916717;
  constexpr double scale = 1.0507009873554804934193349852946;
  over_floats(c, [&](double x) { return exponential_linear(x, alpha * scale, scale, 1); });
}

void celu(Call& c) {
  double alpha = c.floating(arg::alpha);
  base::check(alpha != 0, "ZeroDivisionError: alpha cannot be 0 for CELU");
  over_floats(c, [&](double x) { return exponential_linear(x, alpha, 1, 1 / alpha); });
}

void gelu(Call& c) {
  const std::string& approximate = c.string(arg::approximate);
  if (approximate == "tanh") {
    return over_floats(c, [](double x) {
      double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
      return 0.5 * x * (1 + std::tanh(inner));
    });
  }
  base::check(approximate == "none", "approximate argument must be either none or tanh.");
  over_floats(c, [](double x) { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); });
}

void softplus(Call& c) {
  double beta = c.floating(arg::beta), limit = c.floating(arg::threshold);
  over_floats(
      c, [&](double x) { return x * beta > limit ? x : std::log1p(std::exp(x * beta)) / beta; });
}

/// The buffer holds exp(-|x|), which the gradient wants.
void log_sigmoid_forward(Call& c) {
  Tensor in = c.tensor(arg::self);
  compute_over<floats | no_half, 1>(c, c.out(0), in.dtype(), {in}, log_sigmoid);
  compute_over<floats | no_half, 1>(c, c.out(1), in.dtype(), {in},
                                    [](double x) { return std::exp(-std::fabs(x)); });
}

void glu(Call& c) {
  Tensor in = c.tensor(arg::self), out = c.out();
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), in.dim()));
  int64_t second = in.offset() + out.size(dim) * in.stride(dim);
  Tensor value = in.view(out.sizes(), in.strides(), in.offset());
  Tensor gate = out.numel() == 0 ? value : in.view(out.sizes(), in.strides(), second);
  compute_over<floats | no_half, 2>(c, out, in.dtype(), {value, gate},
                                    [](double a, double b) { return a * sigmoid(b); });
}

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
    return over_floats(c, [&](double x) { return x <= 0 ? x * slope : x; });
  }
  check_bounds(c, lower, upper);
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

constexpr ops::Kernel activation_table[] = {
    {"aten::rrelu", rrelu},
    {"aten::rrelu_with_noise", rrelu_with_noise},
    {"aten::relu", relu},
    {"aten::relu6", relu6},
    {"aten::hardtanh", hardtanh},
    {"aten::hardshrink", hardshrink},
    {"aten::softshrink", softshrink},
    {"aten::threshold", threshold},
    {"aten::leaky_relu", leaky_relu},
    {"aten::prelu", prelu},
    {"aten::elu", elu},
    {"aten::selu", selu},
    {"aten::celu", celu},
    {"aten::gelu", gelu},
    {"aten::softplus", softplus},
    {"aten::hardswish", elementwise<1, floats | no_half, hardswish>},
    {"aten::hardsigmoid", elementwise<1, floats | no_half, hardsigmoid>},
    {"aten::mish", elementwise<1, floats | no_half | no_bfloat, mish>},
    {"aten::silu", elementwise<1, floats | complexes | no_half, silu>},
    {"aten::log_sigmoid", elementwise<1, floats | no_half, log_sigmoid>},
    {"aten::log_sigmoid_forward", log_sigmoid_forward},
    {"aten::glu", glu},
};

}  // namespace

std::span<const ops::Kernel> activation_kernels() { return activation_table; }

}  // namespace assay::kernels::reference
