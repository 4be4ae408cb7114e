#include "engine/core/generator.h"

namespace assay::core {

namespace {

constexpr int unseeded = -1;  // Of next_: most programs draw nothing, and seeding takes a while.

}  // namespace

void Generator::set_seed(uint64_t seed) {
  seed_ = seed;
  left_ = 1;
  next_ = unseeded;
  cached_normal_float.reset();
  cached_normal_double.reset();
}

void Generator::refill() {
  if (next_ == unseeded) {
    state_[0] = static_cast<uint32_t>(seed_);
    for (uint32_t i = 1; i < size_; ++i) {
      state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
    }
  }
  constexpr int shift = 397;
  auto twist = [](uint32_t u, uint32_t v) {
    uint32_t mixed = (u & 0x80000000u) | (v & 0x7fffffffu);
    return (mixed >> 1) ^ ((v & 1u) ? 0x9908b0dfu : 0u);
  };
  for (int i = 0; i < size_; ++i) {
    auto at = [&](int k) -> uint32_t& { return state_[static_cast<size_t>(k % size_)]; };
    at(i) = at(i + shift) ^ twist(at(i), at(i + 1));
  }
  left_ = size_;
  next_ = 0;
}

uint32_t Generator::random() {
  if (--left_ == 0) refill();
  uint32_t y = state_[static_cast<size_t>(next_++)];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  y ^= y >> 18;
  return y;
}

uint64_t Generator::random64() {
  uint64_t high = random();
  uint64_t low = random();
  return (high << 32) | low;
}

}  // namespace assay::core
