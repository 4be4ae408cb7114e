#pragma once

#include <array>
#include <cstdint>

#include "engine/kernels/cuda/layout.h"

// Elements that are only moved, as words of their size.
namespace assay::kernels::cuda {

struct alignas(16) Words16 {
  uint64_t of[2];
};

/// Calls `body` with a word of the size (1, 2, 4, 8, 16 bytes).
template <typename Body>
void over_words(int64_t size, Body&& body) {
  switch (size) {
    case 1:
      return body(uint8_t{});
    case 2:
      return body(uint16_t{});
    case 4:
      return body(uint32_t{});
    case 8:
      return body(uint64_t{});
    default:
      return body(Words16{});
  }
}

/// An operand of a layout, as widen() asks about it.
struct Moved {
  const std::byte* data = nullptr;  ///< Null: not moved, but the same for all words of a row.
  int64_t jump = 0;                 ///< Distances in bytes besides the layout's.
};

/// Sees rows of small elements as rows of larger words, where every operand
/// allows it: a thread moves 16 bytes as fast as one. Returns the size of the
/// words, `item` where nothing changed.
template <size_t N>
int64_t widen(Layout<N>& layout, int64_t item, const std::array<Moved, N>& operands) {
  if (layout.rank == 0) return item;
  auto fits = [&](int64_t width) {
    if (layout.sizes[0].divisor() * item % width != 0) return false;
    for (size_t k = 0; k < N; ++k) {
      const Moved& operand = operands[k];
      if (layout.steps[0][k] != (operand.data ? item : 0)) return false;
      if (!operand.data) continue;
      if (reinterpret_cast<uintptr_t>(operand.data) % static_cast<uintptr_t>(width) != 0)
        return false;
      if (operand.jump % width != 0) return false;
      for (int d = 1; d < layout.rank; ++d) {
        if (layout.steps[d][k] % width != 0) return false;
      }
    }
    return true;
  };
  int64_t width = 16;
  while (width > item && !fits(width)) width /= 2;
  if (width <= item) return item;
  int64_t length = layout.sizes[0].divisor();
  layout.count = layout.count / length * (length * item / width);
  layout.sizes[0] = Divider(length * item / width);
  layout.narrow = layout.count < (int64_t{1} << 31);
  for (size_t k = 0; k < N; ++k) {
    if (operands[k].data) layout.steps[0][k] = width;
  }
  return width;
}

}  // namespace assay::kernels::cuda
