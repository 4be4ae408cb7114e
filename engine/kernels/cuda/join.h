#pragma once

#include "engine/kernels/cuda/atomics.h"
#include "engine/kernels/cuda/write_elements.h"

namespace assay::kernels::cuda {

/// A written element joined with the one that is there, as the type holds it.
/// NaN stays.
template <typename T>
ASSAY_ANYWHERE T joined(Join how, T there, T value) {
  if constexpr (std::is_same_v<T, core::Bool>) {
    if (how == Join::replace) return value;
    bool both = how == Join::product || how == Join::minimum;
    core::Bool out;
    out.bits = both ? there.bits != 0 && value.bits != 0 : there.bits != 0 || value.bits != 0;
    return out;
  } else if constexpr (is_half_type<T>) {
    return half_from<T>(joined<float>(how, to_float(there), to_float(value)));
  } else if constexpr (std::is_integral_v<T>) {
    auto a = static_cast<uint64_t>(there), b = static_cast<uint64_t>(value);
    switch (how) {
      case Join::sum:
        return static_cast<T>(a + b);
      case Join::product:
        return static_cast<T>(a * b);
      case Join::minimum:
        return value < there ? value : there;
      case Join::maximum:
        return value > there ? value : there;
      default:
        return value;
    }
  } else {
    switch (how) {
      case Join::sum:
        return there + value;
      case Join::product:
        return there * value;
      case Join::minimum:
      case Join::maximum:
        if constexpr (!is_complex_type<T>) {
          if (there != there) return there;
          bool takes = how == Join::minimum ? value < there : value > there;
          return takes || value != value ? value : there;
        }
        return there;
      default:
        return value;
    }
  }
}

template <typename T>
struct JoinWith {
  Join how;
  T value;

  ASSAY_ANYWHERE T operator()(T there) const { return joined(how, there, value); }
};

/// The same for an element that other threads change, too.
template <typename T>
ASSAY_ANYWHERE void atomic_join(Join how, T* at, T value) {
#ifdef __CUDA_ARCH__
  constexpr bool plain = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                         std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>;
  if constexpr (plain) {
    if (how == Join::sum) {
      atomic_add(at, value);
      return;
    }
  }
  if constexpr (is_complex_type<T>) {
    if (how == Join::sum) {
      auto* parts = reinterpret_cast<typename T::value_type*>(at);
      atomic_add(parts, value.real());
      atomic_add(parts + 1, value.imag());
      return;
    }
  }
  if constexpr (has_atomic_update<T>) atomic_update(at, JoinWith<T>{how, value});
#else
  *at = joined(how, *at, value);
#endif
}

}  // namespace assay::kernels::cuda
