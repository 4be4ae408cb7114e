#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

#include "engine/core/generator.h"
#include "engine/core/half.h"

/// PyTorch's CPU distributions: which draws they take from the generator and what they make of
/// them, so that the same seed gives the same numbers. Source: PyTorch's documentation of
/// reproducibility within a release, and runs of PyTorch 1.13.
namespace assay::kernels::common {

/// Significant bits of a floating type.
template <typename T>
inline constexpr int significant_bits = std::numeric_limits<T>::digits;
template <>
inline constexpr int significant_bits<core::Half> = 11;
template <>
inline constexpr int significant_bits<core::BFloat16> = 8;

/// In [0, 1), from the low bits of one 32-bit draw; of one 64-bit draw for double.
template <typename T>
auto unit(core::Generator& generator) {
  constexpr uint64_t range = uint64_t{1} << significant_bits<T>;
  if constexpr (std::is_same_v<T, double>) {
    return static_cast<double>(generator.random64() & (range - 1)) *
           (1.0 / static_cast<double>(range));
  } else {
    uint32_t bits = generator.random() & static_cast<uint32_t>(range - 1);
    return static_cast<float>(bits) * (1.0f / static_cast<float>(range));
  }
}

/// In [low, high), in T's precision.
template <typename T>
auto uniform(core::Generator& generator, double low, double high) {
  auto x = unit<T>(generator);
  using Real = decltype(x);
  return x * (static_cast<Real>(high) - static_cast<Real>(low)) + static_cast<Real>(low);
}

/// Box and Muller's pair in double; the second of a pair waits in the generator.
inline double normal(core::Generator& generator, double mean, double deviation) {
  if (generator.cached_normal_double) {
    double kept = *generator.cached_normal_double;
    generator.cached_normal_double.reset();
    return kept * deviation + mean;
  }
  double u1 = unit<double>(generator), u2 = unit<double>(generator);
  double radius = std::sqrt(-2.0 * std::log1p(-u2));
  double angle = 2.0 * std::numbers::pi * u1;
  generator.cached_normal_double = radius * std::sin(angle);
  return radius * std::cos(angle) * deviation + mean;
}

/// Makes 16 uniform numbers 16 normal ones; number j pairs with number j + 8. Each step
/// is rounded to T.
template <typename T>
void normal_block(T* data, T mean, T deviation) {
  using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;
  auto rounded = [](auto v) { return static_cast<Real>(static_cast<T>(static_cast<Real>(v))); };
  for (int j = 0; j < 8; ++j) {
    Real u1 = rounded(Real{1} - static_cast<Real>(data[j])), u2 = static_cast<Real>(data[j + 8]);
    Real radius = rounded(std::sqrt(rounded(Real{-2} * rounded(std::log(u1)))));
    Real angle = rounded(2.0 * std::numbers::pi * static_cast<double>(u2));
    auto placed = [&](Real part) {
      Real scaled = rounded(rounded(radius * part) * static_cast<Real>(deviation));
      return static_cast<T>(scaled + static_cast<Real>(mean));
    };
    data[j] = placed(rounded(std::cos(angle)));
    data[j + 8] = placed(rounded(std::sin(angle)));
  }
}

/// The same of several blocks, one behind the other, within a few units in the last place.
void normal_blocks(float* data, int64_t blocks, float mean, float deviation);

/// Row-major tensors of 16 or more elements are made in blocks of 16; a rest is covered
/// by a last block of fresh numbers that ends with the tensor.
template <typename T>
void fill_normal_blocks(core::Generator& generator, T* data, int64_t count, T mean, T deviation) {
  auto make_normal = [&](T* from, int64_t blocks) {
    if constexpr (std::is_same_v<T, float>) {
      normal_blocks(from, blocks, mean, deviation);
    } else {
      for (int64_t b = 0; b < blocks; ++b) normal_block(from + 16 * b, mean, deviation);
    }
  };
  for (int64_t i = 0; i < count; ++i) data[i] = static_cast<T>(unit<T>(generator));
  make_normal(data, count / 16);
  if (count % 16 == 0) return;
  T* last = data + count - 16;
  for (int64_t i = 0; i < 16; ++i) last[i] = static_cast<T>(unit<T>(generator));
  make_normal(last, 1);
}

/// True with this probability; one draw of Real's uniform numbers.
template <typename Real>
bool bernoulli(core::Generator& generator, Real probability) {
  return unit<Real>(generator) < probability;
}

/// From `low`, over a range; one 64-bit draw where the range needs it.
inline int64_t integer_below(core::Generator& generator, int64_t low, uint64_t range) {
  uint64_t drawn = range >= (uint64_t{1} << 32) ? generator.random64() : generator.random();
  return static_cast<int64_t>(static_cast<uint64_t>(low) + drawn % range);
}

}  // namespace assay::kernels::common
