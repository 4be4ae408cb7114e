#pragma once

#include <algorithm>

#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/philox.h"

// Tensors filled with random numbers, with the same numbers for the same elements as PyTorch.
namespace assay::kernels::cuda {

/// How PyTorch shares the elements of a tensor among threads, of which a device has so many at
/// most: each draws fours, and gives its numbers to every threads-th element.
struct DrawingThreads {
  int64_t threads = 0;
  int64_t fours = 0;  ///< That each draws.

  DrawingThreads(const ops::Call& c, int64_t elements, int64_t numbers_per_four) {
    constexpr int64_t block = 256;
    int64_t blocks = std::min((elements + block - 1) / block, threads_at_once(c) / block);
    threads = blocks * block;
    if (elements > 0) fours = (elements - 1) / (threads * numbers_per_four) + 1;
  }
};

/// Each four of each thread: to[i] = make(number).
template <typename T, typename Draw, typename Make>
struct DrawBody {
  PhiloxDraws draws;
  int64_t threads;
  T* to;
  Layout<1> layout;
  Make make;

  ASSAY_ANYWHERE void operator()(int64_t i) const {
    int64_t four = i / threads, thread = i - four * threads;
    typename Draw::Value numbers[Draw::count];
    Draw::make(draws.of(thread, four), numbers);
    for (int k = 0; k < Draw::count; ++k) {
      int64_t element = thread + threads * (k + Draw::count * four);
      if (element >= layout.count) break;
      auto* at = reinterpret_cast<std::byte*>(to) + layout.offsets(element).of[0];
      *reinterpret_cast<T*>(at) = make(numbers[k]);
    }
  }
};

/// Elements are drawn in the order in which they lie in memory.
template <typename Draw, typename T, typename Make>
void draw_elements(const ops::Call& c, const core::Tensor& out, Make make) {
  auto layout = Layout<1>::of(out.sizes(), {out});
  if (layout.count == 0) return;
  DrawingThreads shared(c, layout.count, Draw::count);
  PhiloxDraws draws = draw(c, 4 * shared.fours);
  DrawBody<T, Draw, Make> body{draws, shared.threads, reinterpret_cast<T*>(out.device_address()),
                               layout, make};
  for_each(queue_of(c), shared.threads * shared.fours, body);
}

}  // namespace assay::kernels::cuda
