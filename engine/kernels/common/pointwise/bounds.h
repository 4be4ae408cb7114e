#pragma once

#include "engine/kernels/common/pointwise/numbers.h"

namespace assay::kernels::pointwise {

/// NaN wins, as in PyTorch's maximum and clamp.
struct Larger {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    if constexpr (is_real<C>) {
      if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
    }
    return a < b ? b : a;
  }
};
struct Smaller {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    if constexpr (is_real<C>) {
      if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? a : b;
    }
    return b < a ? b : a;
  }
};

/// NaN loses. Of zeros the first operand is meant, whatever their signs: std::fmax leaves that
/// open.
struct LargerNumber {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    if constexpr (is_real<C>)
      return a >= b || std::isnan(b) ? a : b;
    else
      return a < b ? b : a;
  }
};
struct SmallerNumber {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    if constexpr (is_real<C>)
      return a <= b || std::isnan(b) ? a : b;
    else
      return b < a ? b : a;
  }
};

template <class On, typename F>
void extreme(Call& c) {
  auto in = operands_of<2>(c);
  DType common = common_dtype(c, in);
  base::check(!core::is_complex(common), c.op.symbol.name(),
              " not implemented for complex tensors.");
  On::template compute_over<reals>(c, c.out(), common, in, F{});
}

struct Heaviside {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C a, C b) const {
    return a == C(0) ? b : static_cast<C>(a > C(0));
  }
};

template <class On>
void heaviside(Call& c) {
  auto in = operands_of<2>(c);
  base::check(in[0].dtype() == in[1].dtype(),
              "heaviside is not yet implemented for tensors with different dtypes.");
  On::template compute_over<reals>(c, c.out(), in[0].dtype(), in, Heaviside{});
}

/// An argument of clamp as a tensor, or an undefined one where the bound is open.
inline Tensor bound(const Call& c, ops::ArgName name) {
  if (!c.value(name).is_number()) return c.tensor(name);
  return ops::wrapped_number(c.scalar(name), c.context.default_dtype);
}

struct Between {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C v, C lowest, C highest) const {
    return Smaller{}(Larger{}(v, lowest), highest);
  }
};

/// One bound that is a tensor makes it a minimum or maximum, which half has on CPU too.
template <class On>
void clamp_between(Call& c, const Tensor& low, const Tensor& high) {
  Tensor in = c.tensor(arg::self);
  DType common = c.out().dtype();
  bool number = false;
  for (const core::Value& v : c.args.subspan(1)) number |= v.is_number();
  if (number && common == DType::float16 && c.device().type == core::DeviceType::cpu) {
    common::not_implemented_for(common, common::kernel_name(c).c_str());
  }
  if (!high) return On::template compute_over<reals, 2>(c, c.out(), common, {in, low}, Larger{});
  if (!low) return On::template compute_over<reals, 2>(c, c.out(), common, {in, high}, Smaller{});
  On::template compute_over<reals | no_half, 3>(c, c.out(), common, {in, low, high}, Between{});
}

template <class On>
void clamp(Call& c) {
  clamp_between<On>(c, bound(c, arg::min), bound(c, arg::max));
}
template <class On>
void clamp_min(Call& c) {
  clamp_between<On>(c, bound(c, arg::min), {});
}
template <class On>
void clamp_max(Call& c) {
  clamp_between<On>(c, {}, bound(c, arg::max));
}

/// Picks from its second and third operand; the condition is cast along, and is true if not zero.
struct Chosen {
  template <typename C>
  ASSAY_ANYWHERE C operator()(C chosen, C a, C b) const {
    return chosen != C{} ? a : b;
  }
};

template <class On>
void where(Call& c) {
  On::template compute_over<all_kinds>(c, c.out(), c.out().dtype(), operands_of<3>(c), Chosen{});
}

template <class On>
inline constexpr ops::Kernel bound_table[] = {
    {"aten::maximum", extreme<On, Larger>},    {"aten::minimum", extreme<On, Smaller>},
    {"aten::fmax", extreme<On, LargerNumber>}, {"aten::fmin", extreme<On, SmallerNumber>},
    {"aten::heaviside", heaviside<On>},        {"aten::clamp", clamp<On>},
    {"aten::clamp.Tensor", clamp<On>},         {"aten::clamp_min", clamp_min<On>},
    {"aten::clamp_min.Tensor", clamp_min<On>}, {"aten::clamp_max", clamp_max<On>},
    {"aten::clamp_max.Tensor", clamp_max<On>}, {"aten::where.self", where<On>},
};

}  // namespace assay::kernels::pointwise
