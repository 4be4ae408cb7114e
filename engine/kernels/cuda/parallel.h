#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/kernels/common/anywhere.h"
#include "engine/kernels/cuda/queue.h"

// The ways in which own kernels run in parallel. Bodies are function objects, or lambdas
// `[=] ASSAY_ANYWHERE(int64_t i) { ... }`, which CUDA's compiler takes neither inside of generic
// lambdas nor in private member functions, and never as generic lambdas.
//
// Everything can be compiled for the host, too (ASSAY_CUDA_ON_HOST): loops take the place of the
// threads, so that tests run the bodies where there is no GPU, under sanitizers.
namespace assay::kernels::cuda {

/// How a reduction begins, joins two partial results and ends. `join` is associative and
/// commutative. Results are made by `load(row, i)` for each element i of a row.
///   Acc start() const; Acc load(int64_t row, int64_t i) const;
///   Acc join(Acc a, Acc b) const; void finish(int64_t row, Acc total) const;
#ifdef ASSAY_CUDA_ON_HOST

/// body(i) for each i from 0 to before count, in any order.
template <typename Body>
void for_each(const Queue&, int64_t count, Body body) {
  for (int64_t i = 0; i < count; ++i) body(i);
}

/// For each row, its elements joined.
template <typename Reduction>
void reduce(const ops::Call&, const Queue&, int64_t rows, int64_t length, Reduction reduction) {
  for (int64_t row = 0; row < rows; ++row) {
    auto total = reduction.start();
    for (int64_t i = 0; i < length; ++i) total = reduction.join(total, reduction.load(row, i));
    reduction.finish(row, total);
  }
}

template <typename T>
T atomic_add(T* at, T value) {
  T before = *at;
  *at = static_cast<T>(before + value);
  return before;
}

#else

constexpr int threads_per_block = 256;

inline unsigned blocks_for(int64_t threads, int64_t per_block = threads_per_block) {
  return static_cast<unsigned>(
      std::min<int64_t>((threads + per_block - 1) / per_block, int64_t{1} << 20));
}

template <typename Body>
__global__ void __launch_bounds__(threads_per_block) run_body(int64_t count, Body body) {
  int64_t step = int64_t{blockDim.x} * gridDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) body(i);
}

template <typename Body>
void for_each(const Queue& queue, int64_t count, Body body) {
  if (count <= 0) return;
  run_body<<<blocks_for(count), threads_per_block, 0, queue.stream> > >(count, body);
  check(cudaGetLastError(), "launching a kernel");
}

/// A value of any type from another thread of the warp.
template <typename T>
__device__ T from_lane(T value, int lane_offset) {
  if constexpr (sizeof(T) % 4 == 0) {
    union Words {
      __device__ Words() {}
      T whole;
      unsigned words[sizeof(T) / 4];
    } in, out;
    in.whole = value;
    for (size_t w = 0; w < sizeof(T) / 4; ++w)
      out.words[w] = __shfl_down_sync(0xffffffffu, in.words[w], lane_offset);
    return out.whole;
  } else {
    return static_cast<T>(__shfl_down_sync(0xffffffffu, static_cast<unsigned>(value), lane_offset));
  }
}

/// The threads' values joined; the result is the first thread's.
template <typename Acc, typename Reduction>
__device__ Acc join_block(Acc total, const Reduction& reduction, Acc* shared) {
  for (int offset = 16; offset > 0; offset /= 2)
    total = reduction.join(total, from_lane(total, offset));
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (warps == 1) return total;
  if (lane == 0) shared[warp] = total;
  __syncthreads();
  if (warp == 0) {
    total = lane < warps ? shared[lane] : reduction.start();
    for (int offset = 16; offset > 0; offset /= 2)
      total = reduction.join(total, from_lane(total, offset));
  }
  __syncthreads();
  return total;
}

/// A block for a row.
template <typename Reduction>
__global__ void reduce_by_blocks(int64_t rows, int64_t length, Reduction reduction) {
  using Acc = decltype(reduction.start());
  __shared__ alignas(16) unsigned char room[32 * sizeof(Acc)];
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    Acc total = reduction.start();
    for (int64_t i = threadIdx.x; i < length; i += blockDim.x)
      total = reduction.join(total, reduction.load(row, i));
    total = join_block(total, reduction, reinterpret_cast<Acc*>(room));
    if (threadIdx.x == 0) reduction.finish(row, total);
  }
}

/// A thread for a row.
template <typename Reduction>
__global__ void reduce_by_threads(int64_t rows, int64_t length, Reduction reduction) {
  int64_t step = int64_t{blockDim.x} * gridDim.x;
  for (int64_t row = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; row < rows; row += step) {
    auto total = reduction.start();
    for (int64_t i = 0; i < length; ++i) total = reduction.join(total, reduction.load(row, i));
    reduction.finish(row, total);
  }
}

/// A part of a row for a block: partial results instead of finished ones.
template <typename Reduction>
__global__ void reduce_parts(int64_t rows, int64_t length, int64_t parts, Reduction reduction,
                             decltype(reduction.start())* partial) {
  using Acc = decltype(reduction.start());
  __shared__ alignas(16) unsigned char room[32 * sizeof(Acc)];
  int64_t part_length = (length + parts - 1) / parts;
  for (int64_t job = blockIdx.x; job < rows * parts; job += gridDim.x) {
    int64_t row = job / parts, begin = (job % parts) * part_length;
    int64_t end = begin + part_length < length ? begin + part_length : length;
    Acc total = reduction.start();
    for (int64_t i = begin + threadIdx.x; i < end; i += blockDim.x)
      total = reduction.join(total, reduction.load(row, i));
    total = join_block(total, reduction, reinterpret_cast<Acc*>(room));
    if (threadIdx.x == 0) partial[job] = total;
  }
}

/// A reduction of partial results, which ends as the one that it goes on with.
template <typename Reduction, typename Acc>
struct OfPartialResults {
  Reduction reduction;
  const Acc* partial;
  int64_t parts;

  __device__ Acc start() const { return reduction.start(); }
  __device__ Acc load(int64_t row, int64_t i) const { return partial[row * parts + i]; }
  __device__ Acc join(Acc a, Acc b) const { return reduction.join(a, b); }
  __device__ void finish(int64_t row, Acc total) const { reduction.finish(row, total); }
};

template <typename Reduction>
void reduce(const ops::Call& call, const Queue& queue, int64_t rows, int64_t length,
            Reduction reduction) {
  using Acc = decltype(reduction.start());
  if (rows <= 0) return;
  constexpr int64_t few_rows = 512, long_row = 8192;
  if (rows < few_rows && length >= long_row) {
    int64_t parts = std::min<int64_t>((length + 2047) / 2048, std::max<int64_t>(1, 1024 / rows));
    core::Tensor room = scratch(call, rows * parts * static_cast<int64_t>(sizeof(Acc)));
    Acc* partial = reinterpret_cast<Acc*>(room.device_address());
    reduce_parts<<<blocks_for(rows * parts, 1), 256, 0, queue.stream> > >(rows, length, parts,
                                                                          reduction, partial);
    OfPartialResults<Reduction, Acc> rest{reduction, partial, parts};
    reduce_by_blocks<<<blocks_for(rows, 1), 128, 0, queue.stream> > >(rows, parts, rest);
  } else if (length < 32) {
    reduce_by_threads<<<blocks_for(rows), threads_per_block, 0, queue.stream> > >(rows, length,
                                                                                  reduction);
  } else {
    int threads = length >= 1024 ? 256 : length >= 256 ? 128 : length >= 64 ? 64 : 32;
    reduce_by_blocks<<<blocks_for(rows, 1), threads, 0, queue.stream> > >(rows, length, reduction);
  }
  check(cudaGetLastError(), "launching a reduction");
}

/// Adds to an element that other threads add to, too; gives what was there before.
template <typename T>
__device__ T atomic_add(T* at, T value) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                std::is_same_v<T, int32_t>) {
    return atomicAdd(at, value);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return static_cast<T>(atomicAdd(reinterpret_cast<unsigned long long*>(at),
                                    static_cast<unsigned long long>(value)));
  } else {
    static_assert(sizeof(T) == 0, "add to such elements in another way");
  }
}

#endif

}  // namespace assay::kernels::cuda
