#include <cmath>

#include "engine/kernels/reference/families.h"
#include "engine/kernels/reference/pointwise.h"

namespace assay::kernels::reference {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// NaN wins, as in PyTorch's maximum and clamp.
template <typename C>
C larger(C a, C b) {
  if constexpr (std::is_same_v<C, double>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
  }
  return a < b ? b : a;
}
template <typename C>
C smaller(C a, C b) {
  if constexpr (std::is_same_v<C, double>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
  }
  return b < a ? b : a;
}

constexpr auto maximum_of = [](auto a, auto b) { return larger(a, b); };
constexpr auto minimum_of = [](auto a, auto b) { return smaller(a, b); };
/// NaN loses.
constexpr auto fmax_of = [](auto a, auto b) {
  if constexpr (std::is_same_v<decltype(a), double>)
    return std::fmax(a, b);
  else
    return a < b ? b : a;
};
constexpr auto fmin_of = [](auto a, auto b) {
  if constexpr (std::is_same_v<decltype(a), double>)
    return std::fmin(a, b);
  else
    return b < a ? b : a;
};

template <auto f>
void extreme(Call& c) {
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  base::check(!core::is_complex(common), c.op.symbol.name(),
              " not implemented for complex tensors.");
  compute_over<reals>(c, c.out(), common, in, f);
}

void heaviside(Call& c) {
  auto in = operands_of<2>(c);
  base::check(in[0].dtype() == in[1].dtype(),
              "heaviside is not yet implemented for tensors with different dtypes.");
  compute_over<reals>(c, c.out(), in[0].dtype(), in, [](auto a, auto b) {
    using C = decltype(a);
    return a == C(0) ? b : static_cast<C>(a > C(0));
  });
}

/// An argument of clamp as a tensor, or an undefined one where the bound is open.
Tensor bound(const Call& c, ops::ArgName name) {
  if (!c.value(name).is_number()) return c.tensor(name);
  return ops::wrapped_number(c.scalar(name), c.context.default_dtype);
}

/// One bound that is a tensor makes it a minimum or maximum, which half has on CPU too.
void clamp_between(Call& c, const Tensor& low, const Tensor& high) {
  Tensor in = c.tensor(arg::self);
  DType common = c.out().dtype();
  bool number = false;
  for (const core::Value& v : c.args.subspan(1)) number |= v.is_number();
  if (number && common == DType::float16 && c.device().type == core::DeviceType::cpu) {
    common::not_implemented_for(common, kernel_name(c).c_str());
  }
  if (!high) return compute_over<reals, 2>(c, c.out(), common, {in, low}, maximum_of);
  if (!low) return compute_over<reals, 2>(c, c.out(), common, {in, high}, minimum_of);
  compute_over<reals | no_half, 3>(
      c, c.out(), common, {in, low, high},
      [](auto v, auto lowest, auto highest) { return smaller(larger(v, lowest), highest); });
}

void clamp(Call& c) { clamp_between(c, bound(c, arg::min), bound(c, arg::max)); }
void clamp_min(Call& c) { clamp_between(c, bound(c, arg::min), {}); }
void clamp_max(Call& c) { clamp_between(c, {}, bound(c, arg::max)); }

/// Picks from its second and third operand; the condition is cast along, and is true if not zero.
void where(Call& c) {
  auto in = operands_of<3>(c);
  compute_over<all_kinds>(c, c.out(), c.out().dtype(), in, [](auto chosen, auto a, auto b) {
    return chosen != decltype(chosen){} ? a : b;
  });
}

constexpr ops::Kernel pointwise_bounds_table[] = {
    {"aten::maximum", extreme<maximum_of>}, {"aten::minimum", extreme<minimum_of>},
    {"aten::fmax", extreme<fmax_of>},       {"aten::fmin", extreme<fmin_of>},
    {"aten::heaviside", heaviside},         {"aten::clamp", clamp},
    {"aten::clamp.Tensor", clamp},          {"aten::clamp_min", clamp_min},
    {"aten::clamp_min.Tensor", clamp_min},  {"aten::clamp_max", clamp_max},
    {"aten::clamp_max.Tensor", clamp_max},  {"aten::where.self", where},
};

}  // namespace

std::span<const ops::Kernel> bound_kernels() { return pointwise_bounds_table; }

}  // namespace assay::kernels::reference
