#pragma once

#include "engine/kernels/common/pointwise/numbers.h"

namespace assay::kernels::pointwise {

/// A kernel with parameters: f(x) of the first argument, floats only.
template <class On, typename F>
void over_floats(Call& c, F f) {
  Tensor in = c.tensor(arg::self);
  On::template compute_over<floats | no_half, 1>(c, c.out(), in.dtype(), {in}, f);
}

/// As over_floats, for integers too.
template <class On, typename F>
void over_numbers(Call& c, F f) {
  Tensor in = c.tensor(arg::self);
  On::template compute_over<ints | floats | no_half, 1>(c, c.out(), in.dtype(), {in}, f);
}

/// A bound as the operand's own type holds it.
template <class On>
Number parameter(const Call& c, ops::ArgName name, DType dtype) {
  Number number(c.scalar(name), dtype);
  number.real = On::rounded_to(dtype, number.real);
  return number;
}

/// NaN stays.
struct Rectify {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    return x < C(0) ? C(0) : x;
  }
};

template <class On>
void relu(Call& c) {
  base::check(c.tensor(arg::self).dtype() != DType::boolean,
              "Boolean inputs not supported for relu");
  over_numbers<On>(c, Rectify{});
}

/// NaN stays; the upper bound wins where the bounds cross.
struct Hardtanh {
  Number lowest, highest;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    C low = lowest.as<C>(), high = highest.as<C>();
    C raised = x < low ? low : x;
    return raised > high ? high : raised;
  }
};

template <class On>
void relu6(Call& c) {
  DType dtype = c.tensor(arg::self).dtype();
  base::check(dtype != DType::boolean, "Bool inputs not supported for hardtanh");
  over_numbers<On>(c, Hardtanh{Number(int64_t{0}, dtype), Number(int64_t{6}, dtype)});
}

template <class On>
void hardtanh(Call& c) {
  DType dtype = c.tensor(arg::self).dtype();
  base::check(dtype != DType::boolean, "Bool inputs not supported for hardtanh");
  bool negative = c.floating(arg::min_val) < 0 || c.floating(arg::max_val) < 0;
  base::check(dtype != DType::uint8 || !negative,
              "cannot do hardtanh on an unsigned type with negative limits");
  over_numbers<On>(
      c, Hardtanh{parameter<On>(c, arg::min_val, dtype), parameter<On>(c, arg::max_val, dtype)});
}

struct Hardshrink {
  double lambda;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    C l = static_cast<C>(lambda);
    return x >= -l && x <= l ? C(0) : x;
  }
};
struct Softshrink {
  double lambda;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    C l = static_cast<C>(lambda);
    return x > l ? x - l : x < -l ? x + l : C(0);
  }
};

template <class On>
void hardshrink(Call& c) {
  over_floats<On>(c, Hardshrink{parameter<On>(c, arg::lambd, c.tensor(arg::self).dtype()).real});
}

template <class On>
void softshrink(Call& c) {
  double lambda = parameter<On>(c, arg::lambd, c.tensor(arg::self).dtype()).real;
  base::check(c.floating(arg::lambd) >= 0, "lambda must be greater or equal to 0, but found to be ",
              c.floating(arg::lambd), ".");
  over_floats<On>(c, Softshrink{lambda});
}

struct Threshold {
  Number limit, value;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    return x <= limit.as<C>() ? value.as<C>() : x;
  }
};

template <class On>
void threshold(Call& c) {
  DType dtype = c.tensor(arg::self).dtype();
  over_numbers<On>(
      c, Threshold{parameter<On>(c, arg::threshold, dtype), parameter<On>(c, arg::value, dtype)});
}

struct LeakyRectify {
  double slope;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    return x > 0 ? x : x * static_cast<C>(slope);
  }
};
struct LeakyRectifyBy {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x, C slope) const {
    return x > 0 ? x : x * slope;
  }
};

template <class On>
void leaky_relu(Call& c) {
  DType dtype = c.tensor(arg::self).dtype();
  over_floats<On>(c, LeakyRectify{parameter<On>(c, arg::negative_slope, dtype).real});
}

/// One weight for all, or one for each channel (dimension 1).
template <class On>
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
  On::template compute_over<floats | no_half, 2>(c, c.out(), in.dtype(), {in, shaped},
                                                 LeakyRectifyBy{});
}

/// exp(x * factor) - 1 of negative numbers, times a number; positive ones times another one.
struct ExponentialLinear {
  double negative, positive, factor;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    if (!(x <= 0)) return static_cast<C>(x * positive);
    return static_cast<C>(minus_one<C>(x * factor) * negative);
  }
  /// In float where that tells the same: not of what is too small for one, nor of larger numbers,
  /// which a negative factor gives, where rounding the argument shows.
  template <typename C>
  ASSAY_ANYWHERE static double minus_one(double v) {
    if (std::is_same_v<C, double> || v > 1) return std::expm1(v);
    return std::fabs(v) < 0x1p-30 ? v : std::expm1(static_cast<float>(v));
  }
};

template <class On>
void elu(Call& c) {
  double scale = c.floating(arg::scale);
  over_floats<On>(
      c, ExponentialLinear{c.floating(arg::alpha) * scale, scale, c.floating(arg::input_scale)});
}

template <class On>
void selu(Call& c) {
  constexpr double alpha = 1.6732632423543772848170429916717;
  constexpr double scale = 1.0507009873554804934193349852946;
  over_floats<On>(c, ExponentialLinear{alpha * scale, scale, 1});
}

template <class On>
void celu(Call& c) {
  double alpha = c.floating(arg::alpha);
  base::check(alpha != 0, "ZeroDivisionError: alpha cannot be 0 for CELU");
  over_floats<On>(c, ExponentialLinear{alpha, 1, 1 / alpha});
}

struct GeluByTanh {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    C scale = static_cast<C>(0.79788456080286535588);  // sqrt(2 / pi)
    C inner = scale * (x + static_cast<C>(0.044715) * x * x * x);
    return C(0.5) * x * (C(1) + std::tanh(inner));
  }
};
struct Gelu {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    return C(0.5) * x * (C(1) + std::erf(x / std::numbers::sqrt2_v<C>));
  }
};

template <class On>
void gelu(Call& c) {
  const std::string& approximate = c.string(arg::approximate);
  if (approximate == "tanh") return over_floats<On>(c, GeluByTanh{});
  base::check(approximate == "none", "approximate argument must be either none or tanh.");
  over_floats<On>(c, Gelu{});
}

/// log(1 + exp(x beta)) / beta, which is x where that is large.
struct Softplus {
  double beta, limit;

  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    double inner = static_cast<double>(x) * beta;
    if (inner > limit) return x;
    if (std::is_same_v<C, double> || inner > 80)  // No float has exp(inner).
      return static_cast<C>(std::log1p(std::exp(inner)) / beta);
    C rest = std::log1p(exponential<C>(-std::fabs(inner))) / static_cast<C>(beta);
    return inner > 0 ? x + rest : rest;
  }
  /// What rounding the argument loses is made good by the first term of the series.
  template <typename C>
  ASSAY_ANYWHERE static C exponential(double v) {
    C rounded = static_cast<C>(v), power = std::exp(rounded);
    return power > 0 ? power + power * static_cast<C>(v - static_cast<double>(rounded)) : power;
  }
};

template <class On>
void softplus(Call& c) {
  over_floats<On>(c, Softplus{c.floating(arg::beta), c.floating(arg::threshold)});
}

struct Hardswish {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    return x * std::fmin(std::fmax(x + C(3), C(0)), C(6)) / C(6);
  }
};
struct Hardsigmoid {
  template <typename C>
  ASSAY_ANYWHERE double operator()(C x) const {
    return std::fmin(std::fmax(static_cast<double>(x) + 3, 0.0), 6.0) / 6;
  }
};
/// x * tanh(log(1 + e^x)).
struct Mish {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    if constexpr (std::is_same_v<C, double>) {
      return x * std::tanh(std::log1p(std::exp(x)));
    } else {
      // The same without three functions' errors: tanh(log y) is (y^2 - 1) / (y^2 + 1).
      if (x > 20) return x;
      C power = std::exp(x), n = power * (power + 2);
      return x * n / (n + 2);
    }
  }
};
struct Silu {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    using std::exp;
    return x / (Part<C>(1) + exp(-x));
  }
};
struct LogSigmoid {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    return std::fmin(C(0), x) - std::log1p(std::exp(-std::fabs(x)));
  }
};
struct ExponentialOfMinusSize {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C x) const {
    return std::exp(-std::fabs(x));
  }
};

/// The buffer holds exp(-|x|), which the gradient wants.
template <class On>
void log_sigmoid_forward(Call& c) {
  Tensor in = c.tensor(arg::self);
  On::template compute_over<floats | no_half, 1>(c, c.out(0), in.dtype(), {in}, LogSigmoid{});
  On::template compute_over<floats | no_half, 1>(c, c.out(1), in.dtype(), {in},
                                                 ExponentialOfMinusSize{});
}

struct Gate {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    // Where exp(-b) is too large for a float, the product may yet be none that is 0.
    if (std::is_same_v<C, float> && b < -80)
      return static_cast<C>(a * (1 / (1 + std::exp(-static_cast<double>(b)))));
    return a * (C(1) / (C(1) + std::exp(-b)));
  }
};

template <class On>
void glu(Call& c) {
  Tensor in = c.tensor(arg::self), out = c.out();
  auto dim = static_cast<size_t>(core::wrap_dim(c.integer(arg::dim), in.dim()));
  int64_t second = in.offset() + out.size(dim) * in.stride(dim);
  Tensor value = in.view(out.sizes(), in.strides(), in.offset());
  Tensor gate = out.numel() == 0 ? value : in.view(out.sizes(), in.strides(), second);
  On::template compute_over<floats | no_half, 2>(c, out, in.dtype(), {value, gate}, Gate{});
}

template <class On>
inline constexpr ops::Kernel activation_table[] = {
    {"aten::relu", relu<On>},
    {"aten::relu6", relu6<On>},
    {"aten::hardtanh", hardtanh<On>},
    {"aten::hardshrink", hardshrink<On>},
    {"aten::softshrink", softshrink<On>},
    {"aten::threshold", threshold<On>},
    {"aten::leaky_relu", leaky_relu<On>},
    {"aten::prelu", prelu<On>},
    {"aten::elu", elu<On>},
    {"aten::selu", selu<On>},
    {"aten::celu", celu<On>},
    {"aten::gelu", gelu<On>},
    {"aten::softplus", softplus<On>},
    {"aten::hardswish", elementwise<On, 1, floats | no_half, Hardswish>},
    {"aten::hardsigmoid", elementwise<On, 1, floats | no_half, Hardsigmoid>},
    {"aten::mish", elementwise<On, 1, floats | no_half | no_bfloat, Mish>},
    {"aten::silu", elementwise<On, 1, floats | complexes | no_half, Silu>},
    {"aten::log_sigmoid", elementwise<On, 1, floats | no_half, LogSigmoid>},
    {"aten::log_sigmoid_forward", log_sigmoid_forward<On>},
    {"aten::glu", glu<On>},
};

}  // namespace assay::kernels::pointwise
