#pragma once

#include "engine/kernels/cuda/parallel.h"

namespace assay::kernels::cuda {

/// Running results along rows. As a Reduction (see parallel.h), but for `finish` it has
///   void store(int64_t row, int64_t i, Acc running) const;
#ifdef ASSAY_CUDA_ON_HOST

template <typename Scan>
void scan_rows(const ops::Call&, const Queue&, int64_t rows, int64_t length, Scan scan) {
  for (int64_t row = 0; row < rows; ++row) {
    auto running = scan.start();
    for (int64_t i = 0; i < length; ++i) {
      running = scan.join(running, scan.load(row, i));
      scan.store(row, i, running);
    }
  }
}

#else

/// A thread for a row.
template <typename Scan>
__global__ void __launch_bounds__(threads_per_block)
    scan_by_threads(int64_t rows, int64_t length, Scan scan) {
  int64_t step = int64_t{blockDim.x} * gridDim.x;
  for (int64_t row = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; row < rows; row += step) {
    auto running = scan.start();
    for (int64_t i = 0; i < length; ++i) {
      running = scan.join(running, scan.load(row, i));
      scan.store(row, i, running);
    }
  }
}

/// The threads' values joined from the first thread's to each one's own. `room` has place for a
/// value of each warp and one more, which becomes the whole block's.
template <typename Scan, typename Acc>
__device__ Acc scan_block(const Scan& scan, Acc own, Acc* room) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int lanes = 1; lanes < 32; lanes *= 2) {
    Acc below = from_lane<true>(own, lanes);
    if (lane >= lanes) own = scan.join(below, own);
  }
  if (lane == 31) room[warp] = own;
  __syncthreads();
  Acc before = scan.start();
  for (int w = 0; w < warp; ++w) before = scan.join(before, room[w]);
  own = scan.join(before, own);
  if (threadIdx.x == blockDim.x - 1) room[warps] = own;
  __syncthreads();
  return own;
}

/// All that comes before a part of a row; every thread gets it. `room` is as for scan_block().
template <typename Scan, typename Acc>
__device__ Acc before_part(const Scan& scan, int64_t row, int64_t rows, int64_t part,
                           const Acc* partial, Acc* room) {
  if (part == 0) return scan.start();
  Acc total = scan.start();
  for (int64_t p = threadIdx.x; p < part; p += blockDim.x)
    total = scan.join(total, partial[p * rows + row]);
  total = join_block(total, scan, room);
  if (threadIdx.x == 0) room[0] = total;
  __syncthreads();
  total = room[0];
  __syncthreads();
  return total;
}

/// A block for a part of a row; each thread takes some neighbouring elements at a time. What comes
/// before a part is joined of what reduce_by_blocks() left in `partial`.
template <typename Scan, typename Acc>
__global__ void __launch_bounds__(threads_per_block)
    scan_by_blocks(int64_t rows, int64_t length, int64_t parts, Scan scan, const Acc* partial) {
  constexpr int items = 4, warps = threads_per_block / 32;
  __shared__ alignas(16) unsigned char bytes[(warps + 1) * sizeof(Acc)];
  Acc* room = reinterpret_cast<Acc*>(bytes);
  int64_t part_length = (length + parts - 1) / parts;
  for (int64_t job = blockIdx.x; job < rows * parts; job += gridDim.x) {
    int64_t part = job / rows, row = job % rows, begin = part * part_length;
    int64_t end = begin + part_length < length ? begin + part_length : length;
    Acc before = before_part(scan, row, rows, part, partial, room);
    for (int64_t tile = begin; tile < end; tile += items * threads_per_block) {
      int64_t first = tile + items * static_cast<int64_t>(threadIdx.x);
      Acc own[items];
      for (int k = 0; k < items; ++k) {
        own[k] = first + k < end ? scan.load(row, first + k) : scan.start();
        if (k > 0) own[k] = scan.join(own[k - 1], own[k]);
      }
      Acc through = scan_block(scan, own[items - 1], room);
      Acc whole = room[warps];
      Acc left = from_lane<true>(through, 1);
      if (threadIdx.x % 32 == 0) {
        left = scan.start();
        for (unsigned w = 0; w < threadIdx.x / 32; ++w) left = scan.join(left, room[w]);
      }
      left = scan.join(before, left);
      for (int k = 0; k < items; ++k) {
        if (first + k < end) scan.store(row, first + k, scan.join(left, own[k]));
      }
      before = scan.join(before, whole);
      __syncthreads();
    }
  }
}

template <typename Scan>
void scan_rows(const ops::Call& call, const Queue& queue, int64_t rows, int64_t length, Scan scan) {
  using Acc = decltype(scan.start());
  if (rows <= 0 || length <= 0) return;
  if (length <= 16 || (scan.neighbours_are_rows() && rows >= 2048)) {
    return launch(queue, blocks_for(rows), threads_per_block, scan_by_threads<Scan>, rows, length,
                  scan);
  }
  int64_t parts = parts_of_rows(rows, length, 8192);
  unsigned blocks = blocks_for(rows * parts, 1);
  core::Tensor room;
  Acc* partial = nullptr;
  if (parts > 1) {
    room = scratch(call, rows * parts * static_cast<int64_t>(sizeof(Acc)));
    partial = reinterpret_cast<Acc*>(room.device_address());
    launch(queue, blocks, threads_per_block, reduce_by_blocks<Scan, Acc>, rows, length, parts, scan,
           partial);
  }
  launch(queue, blocks, threads_per_block, scan_by_blocks<Scan, Acc>, rows, length, parts, scan,
         static_cast<const Acc*>(partial));
}

#endif

}  // namespace assay::kernels::cuda
