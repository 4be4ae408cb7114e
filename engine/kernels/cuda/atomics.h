#pragma once

#include <cstring>

#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/parallel.h"

// Changes of elements that other threads change, too, of any element type.
namespace assay::kernels::cuda {

/// Whether atomic_update can change such an element: it has to fit into a word
/// of the memory.
template <typename T>
inline constexpr bool has_atomic_update = sizeof(T) <= 8;

#ifdef __CUDA_ARCH__

template <typename To, typename From>
__device__ To same_bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

/// *at = f(*at).
template <typename T, typename F>
__device__ void atomic_update(T* at, const F& f) {
  if constexpr (sizeof(T) == 8 || sizeof(T) == 4) {
    using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    Word* word = reinterpret_cast<Word*>(at);
    Word seen = *word, before;
    do {
      before = seen;
      Word wanted = same_bits_as<Word>(f(same_bits_as<T>(before)));
      if (wanted == before) return;
      seen = atomicCAS(word, before, wanted);
    } while (seen != before);
  } else if constexpr (sizeof(T) < 4) {
    // The aligned word of 32 bits around it.
    using Part = std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>;
    auto address = reinterpret_cast<uintptr_t>(at);
    auto* word = reinterpret_cast<unsigned*>(address & ~uintptr_t{3});
    unsigned shift = static_cast<unsigned>(address & 3) * 8;
    unsigned mask = (sizeof(T) == 2 ? 0xffffu : 0xffu) << shift;
    unsigned seen = *word, before;
    do {
      before = seen;
      T there = same_bits_as<T>(static_cast<Part>((before & mask) >> shift));
      unsigned wanted = same_bits_as<Part>(f(there));
      wanted = (before & ~mask) | (wanted << shift);
      if (wanted == before) return;
      seen = atomicCAS(word, before, wanted);
    } while (seen != before);
  } else {
    static_assert(sizeof(T) <= 8, "no word of the memory is so large");
  }
}

#else

template <typename T, typename F>
ASSAY_ANYWHERE void atomic_update(T* at, const F& f) {
  *at = f(*at);
}

#endif

}  // namespace assay::kernels::cuda
