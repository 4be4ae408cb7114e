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
/// A reduction may also have `begin(row)`, which is called once for a row, and load what that gives
/// instead of the row. And it may say `bool neighbours_are_rows() const`: whether what lies side by
/// side in memory are elements of different rows, not those of one.

/// What a reduction loads elements of a row by.
template <typename Reduction>
ASSAY_ANYWHERE auto begin_row(const Reduction& reduction, int64_t row) {
  if constexpr (requires { reduction.begin(row); })
    return reduction.begin(row);
  else
    return row;
}

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
    auto from = begin_row(reduction, row);
    auto total = reduction.start();
    for (int64_t i = 0; i < length; ++i) total = reduction.join(total, reduction.load(from, i));
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

/// Issues a kernel. (The layout of the code has no room for CUDA's own signs for that.)
template <typename... Parameters, typename... Arguments>
void launch(const Queue& queue, unsigned blocks, int threads, void (*kernel)(Parameters...),
            Arguments... arguments) {
  cudaLaunchConfig_t how{};
  how.gridDim = dim3(blocks);
  how.blockDim = dim3(static_cast<unsigned>(threads));
  how.stream = queue.stream;
  check(cudaLaunchKernelEx(&how, kernel, arguments...), "launching a kernel");
}

template <typename Body>
__global__ void __launch_bounds__(threads_per_block) run_body(int64_t count, Body body) {
  int64_t step = int64_t{blockDim.x} * gridDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) body(i);
}

template <typename Body>
void for_each(const Queue& queue, int64_t count, Body body) {
  if (count <= 0) return;
  launch(queue, blocks_for(count), threads_per_block, run_body<Body>, count, body);
}

/// A value of any type from another thread of the warp: one that many lanes above, or below.
template <bool below = false, typename T>
__device__ T from_lane(T value, int lanes) {
  auto moved = [&](unsigned word) {
    return below ? __shfl_up_sync(0xffffffffu, word, lanes)
                 : __shfl_down_sync(0xffffffffu, word, lanes);
  };
  if constexpr (sizeof(T) % 4 == 0) {
    union Words {
      __device__ Words() {}
      T whole;
      unsigned words[sizeof(T) / 4];
    } in, out;
    in.whole = value;
    for (size_t w = 0; w < sizeof(T) / 4; ++w) out.words[w] = moved(in.words[w]);
    return out.whole;
  } else {
    return static_cast<T>(moved(static_cast<unsigned>(value)));
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

/// How many elements a thread loads at once: fewer of those whose code is long.
template <typename Reduction>
constexpr int loads_at_once() {
  if constexpr (requires { Reduction::at_once; })
    return Reduction::at_once;
  else
    return 4;
}

/// The elements i, i + step, ... of a row before `end`, joined by one thread: several at a time, so
/// that their loads are under way together.
template <typename Reduction>
__device__ auto join_strided(const Reduction& reduction, int64_t row, int64_t i, int64_t end,
                             int64_t step) {
  using Acc = decltype(reduction.start());
  constexpr int n = loads_at_once<Reduction>();
  auto from = begin_row(reduction, row);
  Acc total = reduction.start();
  if constexpr (n > 1) {
    Acc of[n];
    for (int k = 0; k < n; ++k) of[k] = total;
    for (; i + (n - 1) * step < end; i += n * step) {
#pragma unroll
      for (int k = 0; k < n; ++k) of[k] = reduction.join(of[k], reduction.load(from, i + k * step));
    }
    for (int k = 0; k < n; ++k) total = reduction.join(total, of[k]);
  }
#pragma unroll 1
  for (; i < end; i += step) total = reduction.join(total, reduction.load(from, i));
  return total;
}

/// A thread for a row.
template <typename Reduction>
__global__ void __launch_bounds__(threads_per_block)
    reduce_by_threads(int64_t rows, int64_t length, Reduction reduction) {
  int64_t step = int64_t{blockDim.x} * gridDim.x;
  for (int64_t row = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; row < rows; row += step)
    reduction.finish(row, join_strided(reduction, row, 0, length, 1));
}

/// A warp for a row.
template <typename Reduction>
__global__ void __launch_bounds__(threads_per_block)
    reduce_by_warps(int64_t rows, int64_t length, Reduction reduction) {
  int lane = threadIdx.x % 32, warps = blockDim.x / 32;
  int64_t step = int64_t{warps} * gridDim.x;
  for (int64_t row = int64_t{blockIdx.x} * warps + threadIdx.x / 32; row < rows; row += step) {
    auto total = join_strided(reduction, row, lane, length, 32);
    for (int offset = 16; offset > 0; offset /= 2)
      total = reduction.join(total, from_lane(total, offset));
    if (lane == 0) reduction.finish(row, total);
  }
}

/// Where one of several parts of a row ends. Without `partial` there is one part, the whole row.
template <typename Reduction, typename Acc>
__device__ void end_part(const Reduction& reduction, int64_t row, int64_t rows, int64_t part,
                         Acc total, Acc* partial) {
  if (partial)
    partial[part * rows + row] = total;
  else
    reduction.finish(row, total);
}

/// A block for a part of a row.
template <typename Reduction, typename Acc>
__global__ void reduce_by_blocks(int64_t rows, int64_t length, int64_t parts, Reduction reduction,
                                 Acc* partial) {
  __shared__ alignas(16) unsigned char room[32 * sizeof(Acc)];
  int64_t part_length = (length + parts - 1) / parts;
  for (int64_t job = blockIdx.x; job < rows * parts; job += gridDim.x) {
    int64_t part = job / rows, row = job % rows, begin = part * part_length;
    int64_t end = begin + part_length < length ? begin + part_length : length;
    Acc total = join_strided(reduction, row, begin + threadIdx.x, end, blockDim.x);
    total = join_block(total, reduction, reinterpret_cast<Acc*>(room));
    if (threadIdx.x == 0) end_part(reduction, row, rows, part, total, partial);
  }
}

constexpr int column_threads = 8;

/// A block for parts of 32 rows whose elements are neighbours: each warp reads one element of each
/// row at a time.
template <typename Reduction, typename Acc>
__global__ void __launch_bounds__(32 * column_threads)
    reduce_columns(int64_t rows, int64_t length, int64_t parts, Reduction reduction, Acc* partial) {
  __shared__ alignas(16) unsigned char room[column_threads * 32 * sizeof(Acc)];
  Acc* shared = reinterpret_cast<Acc*>(room);
  int column = threadIdx.x % 32, first = threadIdx.x / 32;
  int64_t tiles = (rows + 31) / 32, part_length = (length + parts - 1) / parts;
  for (int64_t job = blockIdx.x; job < tiles * parts; job += gridDim.x) {
    int64_t part = job / tiles, row = job % tiles * 32 + column, begin = part * part_length;
    int64_t end = begin + part_length < length ? begin + part_length : length;
    if (row < rows)
      shared[threadIdx.x] = join_strided(reduction, row, begin + first, end, column_threads);
    __syncthreads();
    if (first == 0 && row < rows) {
      Acc total = shared[column];
      for (int k = 1; k < column_threads; ++k)
        total = reduction.join(total, shared[32 * k + column]);
      end_part(reduction, row, rows, part, total, partial);
    }
    __syncthreads();
  }
}

/// A reduction of partial results, which ends as the one that it goes on with.
template <typename Reduction, typename Acc>
struct OfPartialResults {
  Reduction reduction;
  const Acc* partial;
  int64_t rows;

  __device__ Acc start() const { return reduction.start(); }
  __device__ Acc load(int64_t row, int64_t i) const { return partial[i * rows + row]; }
  __device__ Acc join(Acc a, Acc b) const { return reduction.join(a, b); }
  __device__ void finish(int64_t row, Acc total) const { reduction.finish(row, total); }
};

/// Blocks that keep a large GPU busy.
constexpr int64_t enough_blocks = 1024;

/// Into how many parts rows are cut for which there are so many blocks, at least so long each.
inline int64_t parts_of_rows(int64_t blocks, int64_t length, int64_t shortest) {
  int64_t wanted = (enough_blocks + blocks - 1) / blocks;
  return std::max<int64_t>(1, std::min(wanted, length / shortest));
}

/// Rows whose elements are neighbours of the same element of other rows.
template <typename Reduction>
void launch_columns(const ops::Call& call, const Queue& queue, int64_t rows, int64_t length,
                    const Reduction& reduction) {
  using Acc = decltype(reduction.start());
  int64_t tiles = (rows + 31) / 32, parts = parts_of_rows(tiles, length, 128);
  unsigned blocks = blocks_for(tiles * parts, 1);
  constexpr int threads = 32 * column_threads;
  if (parts == 1) {
    launch(queue, blocks, threads, reduce_columns<Reduction, Acc>, rows, length, parts, reduction,
           static_cast<Acc*>(nullptr));
    return;
  }
  core::Tensor room = scratch(call, rows * parts * static_cast<int64_t>(sizeof(Acc)));
  Acc* partial = reinterpret_cast<Acc*>(room.device_address());
  launch(queue, blocks, threads, reduce_columns<Reduction, Acc>, rows, length, parts, reduction,
         partial);
  using Rest = OfPartialResults<Reduction, Acc>;
  launch(queue, blocks_for(tiles, 1), threads, reduce_columns<Rest, Acc>, rows, parts, int64_t{1},
         Rest{reduction, partial, rows}, static_cast<Acc*>(nullptr));
}

/// Long rows, each for a block or, where they are few, for several.
template <typename Reduction>
void launch_blocks(const ops::Call& call, const Queue& queue, int64_t rows, int64_t length,
                   const Reduction& reduction) {
  using Acc = decltype(reduction.start());
  int64_t parts = parts_of_rows(rows, length, 4096);
  unsigned blocks = blocks_for(rows * parts, 1);
  if (parts == 1) {
    launch(queue, blocks, 256, reduce_by_blocks<Reduction, Acc>, rows, length, parts, reduction,
           static_cast<Acc*>(nullptr));
    return;
  }
  core::Tensor room = scratch(call, rows * parts * static_cast<int64_t>(sizeof(Acc)));
  Acc* partial = reinterpret_cast<Acc*>(room.device_address());
  launch(queue, blocks, 256, reduce_by_blocks<Reduction, Acc>, rows, length, parts, reduction,
         partial);
  using Rest = OfPartialResults<Reduction, Acc>;
  launch(queue, blocks_for(rows, 1), 128, reduce_by_blocks<Rest, Acc>, rows, parts, int64_t{1},
         Rest{reduction, partial, rows}, static_cast<Acc*>(nullptr));
}

template <typename Reduction>
void reduce(const ops::Call& call, const Queue& queue, int64_t rows, int64_t length,
            Reduction reduction) {
  if (rows <= 0) return;
  bool columns = false;
  if constexpr (requires { reduction.neighbours_are_rows(); })
    columns = reduction.neighbours_are_rows();
  if (length < 32) {
    launch(queue, blocks_for(rows), threads_per_block, reduce_by_threads<Reduction>, rows, length,
           reduction);
  } else if (columns && rows >= 8) {
    launch_columns(call, queue, rows, length, reduction);
  } else if (length <= 1024) {
    launch(queue, blocks_for(rows, threads_per_block / 32), threads_per_block,
           reduce_by_warps<Reduction>, rows, length, reduction);
  } else {
    launch_blocks(call, queue, rows, length, reduction);
  }
}

/// Adds to an element that other threads add to, too; gives what was there before.
template <typename T>
ASSAY_ANYWHERE T atomic_add([[maybe_unused]] T* at, T value) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> ||
                    std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>,
                "add to such elements in another way");
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<T, int64_t>)
    return static_cast<T>(atomicAdd(reinterpret_cast<unsigned long long*>(at),
                                    static_cast<unsigned long long>(value)));
  else
    return atomicAdd(at, value);
#else
  return value;  // The processor does not get here.
#endif
}

#endif

}  // namespace assay::kernels::cuda
