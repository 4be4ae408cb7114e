#pragma once

#include <array>
#include <cstddef>
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

  /// torch.manual_seed: also forgets the cached normal deviates, and begins anew on GPUs.
  void set_seed(uint64_t seed);
  uint64_t seed() const { return seed_; }
  /// The next 32 bits.
  uint32_t random() {
    if (next_ == size_) refill();
    return drawn_[next_++];
  }
  /// Two draws: the first is the high half.
  uint64_t random64() {
    uint64_t high = random();
    return (high << 32) | random();
  }

  /// What GPUs draw needs no state but the seed and this: how many numbers every one of their
  /// threads has taken (see kernels/cuda/philox.h). A new seed begins at 0.
  uint64_t philox_offset = 0;

  std::optional<float> cached_normal_float;
  std::optional<double> cached_normal_double;

 private:
  void refill();

  static constexpr size_t size_ = 624;
  uint64_t seed_ = 0;
  bool ready_ = false;  // Whether the state is the seed's: most programs draw nothing.
  std::array<uint32_t, size_> state_{};
  std::array<uint32_t, size_> drawn_{};  // What the state gives, and how much of it was taken.
  size_t next_ = size_;
};

}  // namespace assay::core
