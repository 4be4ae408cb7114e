#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "engine/base/ref.h"

namespace assay::core {

/// PyTorch's CPU random generator: mt19937 (Matsumoto and Nishimura 1998), with the cached second
/// normal deviate that PyTorch keeps. The same seed gives PyTorch's numbers.
class Generator final : public base::RefCounted {
 public:
  static constexpr uint64_t default_seed = 67280421310721;

  explicit Generator(uint64_t seed = default_seed) { set_seed(seed); }

  /// torch.manual_seed: also forgets the cached normal deviates.
  void set_seed(uint64_t seed);
  uint64_t seed() const { return seed_; }
  /// The next 32 bits.
  uint32_t random();
  /// Two draws: the first is the high half.
  uint64_t random64();

  std::optional<float> cached_normal_float;
  std::optional<double> cached_normal_double;

 private:
  void refill();

  static constexpr int size_ = 624;
  uint64_t seed_ = 0;
  std::array<uint32_t, size_> state_{};
  int left_ = 1;
  int next_ = 0;
};

}  // namespace assay::core
