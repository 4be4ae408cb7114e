#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "engine/kernels/common/anywhere.h"
#include "engine/kernels/common/generator_of.h"

// The numbers that PyTorch draws on GPUs: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel
// random numbers: as easy as 1, 2, 3", 2011), whose state is a counter, so that every thread has
// its numbers at once; and what cuRAND makes of them. A seed is the key; a thread is the upper half
// of the counter; how many fours the thread has drawn is the lower half.
namespace assay::kernels::cuda {

struct PhiloxWords {
  uint32_t of[4];
};

ASSAY_ANYWHERE inline PhiloxWords philox(PhiloxWords counter, uint64_t seed) {
  auto first = static_cast<uint32_t>(seed), second = static_cast<uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t{0xD2511F53u} * counter.of[0], b = uint64_t{0xCD9E8D57u} * counter.of[2];
    counter = {{static_cast<uint32_t>(b >> 32) ^ counter.of[1] ^ first, static_cast<uint32_t>(b),
                static_cast<uint32_t>(a >> 32) ^ counter.of[3] ^ second, static_cast<uint32_t>(a)}};
    first += 0x9E3779B9u;
    second += 0xBB67AE85u;
  }
  return counter;
}

/// What a call draws from: the numbers of every thread from a place on.
struct PhiloxDraws {
  uint64_t seed = 0;
  uint64_t begin = 0;  ///< Counts fours.

  /// The n-th four of a thread.
  ASSAY_ANYWHERE PhiloxWords of(int64_t thread, int64_t n) const {
    uint64_t at = begin + static_cast<uint64_t>(n), whose = static_cast<uint64_t>(thread);
    return philox({{static_cast<uint32_t>(at), static_cast<uint32_t>(at >> 32),
                    static_cast<uint32_t>(whose), static_cast<uint32_t>(whose >> 32)}},
                  seed);
  }
};

/// Takes `per_thread` numbers, rounded up to fours, of every thread from the call's generator.
inline PhiloxDraws draw(const ops::Call& c, int64_t per_thread) {
  core::Generator& generator = common::generator_of(c);
  PhiloxDraws draws{generator.seed(), generator.philox_offset / 4};
  generator.philox_offset += static_cast<uint64_t>(per_thread + 3) / 4 * 4;
  return draws;
}

/// Numbers of a kind that one four gives: `count` of them at once.
template <typename Real>
struct UniformDraw;

/// In (0, 1].
template <>
struct UniformDraw<float> {
  static constexpr int count = 4;
  using Value = float;

  ASSAY_ANYWHERE static float one(uint32_t word) {
    return static_cast<float>(word) * 0x1p-32f + 0x1p-33f;
  }
  ASSAY_ANYWHERE static void make(const PhiloxWords& from, float (&to)[4]) {
    for (int k = 0; k < 4; ++k) to[k] = one(from.of[k]);
  }
};
template <>
struct UniformDraw<double> {
  static constexpr int count = 2;
  using Value = double;

  ASSAY_ANYWHERE static uint64_t bits(uint32_t low, uint32_t high) {
    return uint64_t{low} ^ (uint64_t{high} << 21);
  }
  ASSAY_ANYWHERE static double one(uint32_t low, uint32_t high) {
    return static_cast<double>(bits(low, high)) * 0x1p-53 + 0x1p-54;
  }
  ASSAY_ANYWHERE static void make(const PhiloxWords& from, double (&to)[2]) {
    to[0] = one(from.of[0], from.of[1]);
    to[1] = one(from.of[2], from.of[3]);
  }
};

/// Box and Muller's pairs, of mean 0 and deviation 1.
template <typename Real>
struct NormalDraw;

template <>
struct NormalDraw<float> {
  static constexpr int count = 4;
  using Value = float;

  ASSAY_ANYWHERE static void make(const PhiloxWords& from, float (&to)[4]) {
    constexpr float turn = 2.3283064e-10f * 6.2831855f;
    for (int k = 0; k < 4; k += 2) {
      float u = UniformDraw<float>::one(from.of[k]);
      float angle = std::fma(static_cast<float>(from.of[k + 1]), turn, turn / 2);
      float radius = std::sqrt(-2.0f * std::log(u)), sine, cosine;
#ifdef __CUDA_ARCH__
      __sincosf(angle, &sine, &cosine);
#else
      sine = std::sin(angle);
      cosine = std::cos(angle);
#endif
      to[k] = sine * radius;
      to[k + 1] = cosine * radius;
    }
  }
};
template <>
struct NormalDraw<double> {
  static constexpr int count = 2;
  using Value = double;

  ASSAY_ANYWHERE static void make(const PhiloxWords& from, double (&to)[2]) {
    double u = UniformDraw<double>::one(from.of[0], from.of[1]);
    auto turned = static_cast<double>(UniformDraw<double>::bits(from.of[2], from.of[3]));
    double half_turns = turned * 0x1p-52 + 0x1p-53;
    double radius = std::sqrt(-2.0 * std::log(u)), sine, cosine;
#ifdef __CUDA_ARCH__
    sincospi(half_turns, &sine, &cosine);
#else
    constexpr double pi = 3.14159265358979323846;
    sine = std::sin(half_turns * pi);
    cosine = std::cos(half_turns * pi);
#endif
    to[0] = sine * radius;
    to[1] = cosine * radius;
  }
};

/// Integers of 32 or of 64 bits.
template <typename Word>
struct IntegerDraw {
  static constexpr int count = sizeof(Word) == 4 ? 4 : 2;
  using Value = Word;

  ASSAY_ANYWHERE static void make(const PhiloxWords& from, Word (&to)[count]) {
    for (int k = 0; k < count; ++k) {
      if constexpr (sizeof(Word) == 4)
        to[k] = from.of[k];
      else
        to[k] = (uint64_t{from.of[2 * k]} << 32) | from.of[2 * k + 1];
    }
  }
};

// As PyTorch computes distributions of floats: by what the hardware approximates.
ASSAY_ANYWHERE inline double quick_log(double x) { return std::log(x); }
ASSAY_ANYWHERE inline double quick_exp(double x) { return std::exp(x); }
ASSAY_ANYWHERE inline double quick_tan(double x) { return std::tan(x); }
ASSAY_ANYWHERE inline float quick_log(float x) {
#ifdef __CUDA_ARCH__
  return __logf(x);
#else
  return std::log(x);
#endif
}
ASSAY_ANYWHERE inline float quick_exp(float x) {
#ifdef __CUDA_ARCH__
  return __expf(x);
#else
  return std::exp(x);
#endif
}
ASSAY_ANYWHERE inline float quick_tan(float x) {
#ifdef __CUDA_ARCH__
  return __tanf(x);
#else
  return std::tan(x);
#endif
}

}  // namespace assay::kernels::cuda
