#pragma once

#include "engine/core/host_access.h"
#include "engine/kernels/cuda/parallel.h"

// What is true of elements, counted and picked out in order.
namespace assay::kernels::cuda {

/// Elements of a parallel loop, in chunks, with the number of true ones before
/// each chunk.
struct Ranks {
  int64_t count = 0;    ///< Of all elements.
  core::Tensor before;  ///< int64, on the device: one per chunk, and the number
                        ///< of true ones.

  /// The number of true ones. Waits for the device.
  int64_t total(const ops::Call& call) const {
    call.synchronized();
    core::Tensor last =
        before.view(core::Dims{1}, core::Dims{1}, before.offset() + before.numel() - 1);
    return *core::to_host(last).device_data<int64_t>();
  }
};

/// Each number becomes the sum of those before it.
void sums_before(const ops::Call& call, const Queue& queue, int64_t* numbers, int64_t count);

#ifdef ASSAY_CUDA_ON_HOST

/// Counts the elements of which `is_true(i)` holds.
template <typename Predicate>
Ranks rank_true(const ops::Call& call, const Queue&, int64_t count, Predicate is_true) {
  Ranks ranks{count, core::Tensor::empty(core::Dims{1}, core::DType::int64, call.device())};
  int64_t total = 0;
  for (int64_t i = 0; i < count; ++i) total += is_true(i) ? 1 : 0;
  *ranks.before.device_data<int64_t>() = total;
  return ranks;
}

/// Calls `take(rank, i)` for the elements of which it holds, the first of them
/// with rank 0.
template <typename Predicate, typename Take>
void for_each_true(const Queue&, const Ranks& ranks, Predicate is_true, Take take) {
  int64_t rank = 0;
  for (int64_t i = 0; i < ranks.count; ++i) {
    if (is_true(i)) take(rank++, i);
  }
}

#else

constexpr int elements_per_chunk = 2048;  // A block's.

template <typename Predicate>
__global__ void __launch_bounds__(threads_per_block)
    count_true(int64_t count, int64_t chunks, Predicate is_true, int64_t* counts) {
  for (int64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
    int total = 0;
    for (int k = 0; k < elements_per_chunk; k += threads_per_block) {
      int64_t i = chunk * elements_per_chunk + k + threadIdx.x;
      total += __syncthreads_count(i < count && is_true(i));
    }
    if (threadIdx.x == 0) counts[chunk] = total;
  }
}

template <typename Predicate, typename Take>
__global__ void __launch_bounds__(threads_per_block)
    take_true(int64_t count, int64_t chunks, Predicate is_true, const int64_t* before, Take take) {
  constexpr int warps = threads_per_block / 32;
  __shared__ int of_warp[warps];
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
    int64_t rank = before[chunk];
    for (int k = 0; k < elements_per_chunk; k += threads_per_block) {
      int64_t i = chunk * elements_per_chunk + k + threadIdx.x;
      bool taken = i < count && is_true(i);
      unsigned votes = __ballot_sync(0xffffffffu, taken);
      if (lane == 0) of_warp[warp] = __popc(votes);
      __syncthreads();
      int earlier = __popc(votes & ((1u << lane) - 1)), all = 0;
      for (int w = 0; w < warps; ++w) {
        if (w < static_cast<int>(warp)) earlier += of_warp[w];
        all += of_warp[w];
      }
      if (taken) take(rank + earlier, i);
      rank += all;
      __syncthreads();
    }
  }
}

template <typename Predicate>
Ranks rank_true(const ops::Call& call, const Queue& queue, int64_t count, Predicate is_true) {
  int64_t chunks = (count + elements_per_chunk - 1) / elements_per_chunk;
  Ranks ranks{count,
              core::Tensor::empty(core::Dims{chunks + 1}, core::DType::int64, call.device())};
  int64_t* counts = ranks.before.device_data<int64_t>();
  check(cudaMemsetAsync(counts + chunks, 0, sizeof *counts, queue.stream), "filling memory");
  if (chunks == 0) return ranks;
  launch(queue, blocks_for(chunks, 1), threads_per_block, count_true<Predicate>, count, chunks,
         is_true, counts);
  sums_before(call, queue, counts, chunks + 1);
  return ranks;
}

template <typename Predicate, typename Take>
void for_each_true(const Queue& queue, const Ranks& ranks, Predicate is_true, Take take) {
  int64_t chunks = ranks.before.numel() - 1;
  if (chunks == 0) return;
  const int64_t* before = ranks.before.device_data<int64_t>();
  launch(queue, blocks_for(chunks, 1), threads_per_block, take_true<Predicate, Take>, ranks.count,
         chunks, is_true, before, take);
}

#endif

}  // namespace assay::kernels::cuda
