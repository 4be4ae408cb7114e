#include "engine/core/generator.h"

namespace assay::core {

void Generator::set_seed(uint64_t seed) {
  seed_ = seed;
  ready_ = false;
  next_ = size_;
  philox_offset = 0;
  cached_normal_float.reset();
  cached_normal_double.reset();
}

void Generator::refill() {
  if (!ready_) {
    state_[0] = static_cast<uint32_t>(seed_);
    for (uint32_t i = 1; i < size_; ++i) {
      state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
    }
    ready_ = true;
  }
  constexpr size_t shift = 397;
  auto twist = [this](size_t i, size_t next, size_t far) {
    uint32_t mixed = (state_[i] & 0x80000000u) | (state_[next] & 0x7fffffffu);
    uint32_t odd = 0u - (state_[next] & 1u);  // All bits of it, or none.
    state_[i] = state_[far] ^ (mixed >> 1) ^ (odd & 0x9908b0dfu);
  };
  for (size_t i = 0; i < size_ - shift; ++i) twist(i, i + 1, i + shift);
  for (size_t i = size_ - shift; i < size_ - 1; ++i) twist(i, i + 1, i + shift - size_);
  twist(size_ - 1, 0, shift - 1);
  for (size_t i = 0; i < size_; ++i) {
    uint32_t y = state_[i];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    drawn_[i] = y ^ (y >> 18);
  }
  next_ = 0;
}

}  // namespace assay::core
