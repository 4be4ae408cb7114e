// Rows that fit into the registers of the threads that work on them: read once, normalized,
// written.

#include <cmath>

#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/normalization.h"
#include "engine/kernels/cuda/parallel.h"

namespace assay::kernels::cuda {
namespace {

using core::Tensor;

template <typename T>
struct RowJob {
  using C = Computed<T>;

  const T *x, *weight, *bias;
  T *y, *mean, *inverse;
  int64_t rows, length;
  C eps;
  bool centered;

  /// What distances are taken from before there is a mean: they lose little to rounding.
  ASSAY_ANYWHERE C origin(int64_t row) const {
    if (!centered) return 0;
    auto first = convert<C>(x[row * length]);
    return first - first == 0 ? first : C(0);  // Not from an infinity.
  }
  ASSAY_ANYWHERE C inverse_of(C squares) const {
    return inverse_root(squares / static_cast<C>(length) + eps);
  }
  ASSAY_ANYWHERE T normalized(C distance, C factor, int64_t i) const {
    C v = distance * factor;
    if (weight) v *= convert<C>(weight[i]);
    if (bias) v += convert<C>(bias[i]);
    return convert<T>(v);
  }
  ASSAY_ANYWHERE void keep(int64_t row, C row_mean, C factor) const {
    if (mean) mean[row] = convert<T>(row_mean);
    if (inverse) inverse[row] = convert<T>(factor);
  }
};

#ifdef ASSAY_CUDA_ON_HOST

template <typename T>
void launch(const Queue&, const RowJob<T>& job) {
  using C = Computed<T>;
  for (int64_t row = 0; row < job.rows; ++row) {
    const T* x = job.x + row * job.length;
    C origin = job.origin(row), sum = 0, squares = 0;
    for (int64_t i = 0; i < job.length; ++i) sum += convert<C>(x[i]) - origin;
    C shift = job.centered ? sum / static_cast<C>(job.length) : C(0);
    auto distance = [&](int64_t i) { return (convert<C>(x[i]) - origin) - shift; };
    for (int64_t i = 0; i < job.length; ++i) squares += distance(i) * distance(i);
    C factor = job.inverse_of(squares);
    job.keep(row, origin + shift, factor);
    for (int64_t i = 0; i < job.length; ++i)
      job.y[row * job.length + i] = job.normalized(distance(i), factor, i);
  }
}

#else

/// The sum of what all threads of a row have, for each of them. A row's threads are a warp or, a
/// row for each block, several.
template <typename C>
__device__ C sum_over_row(C value, C* shared) {
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
  int warps = static_cast<int>(blockDim.x) / 32;
  if (warps == 1) return value;
  int lane = static_cast<int>(threadIdx.x) % 32;
  if (lane == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = lane < warps ? shared[lane] : C(0);
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
  __syncthreads();  // Before the next sum is written over this one.
  return value;
}

template <typename T, int width>
struct alignas(width * sizeof(T)) Chunk {
  T of[width];
};

template <typename T, int width, int chunks>
__device__ void normalize_row(const RowJob<T>& job, int64_t row, Computed<T>* shared) {
  using C = Computed<T>;
  using Read = Chunk<T, width>;
  const T* x = job.x + row * job.length;
  T* y = job.y + row * job.length;
  C values[chunks * width];
  C origin = job.origin(row), sum = 0, squares = 0;
  auto place = [&](int k) { return (static_cast<int64_t>(k) * blockDim.x + threadIdx.x) * width; };
#pragma unroll
  for (int k = 0; k < chunks; ++k) {
    if (place(k) >= job.length) continue;
    Read read = *reinterpret_cast<const Read*>(x + place(k));
#pragma unroll
    for (int j = 0; j < width; ++j) {
      values[k * width + j] = convert<C>(read.of[j]) - origin;
      sum += values[k * width + j];
    }
  }
  C shift = job.centered ? sum_over_row(sum, shared) / static_cast<C>(job.length) : C(0);
#pragma unroll
  for (int k = 0; k < chunks; ++k) {
    if (place(k) >= job.length) continue;
#pragma unroll
    for (int j = 0; j < width; ++j) {
      values[k * width + j] -= shift;
      squares += values[k * width + j] * values[k * width + j];
    }
  }
  C factor = job.inverse_of(sum_over_row(squares, shared));
  if (threadIdx.x == 0) job.keep(row, origin + shift, factor);
#pragma unroll
  for (int k = 0; k < chunks; ++k) {
    if (place(k) >= job.length) continue;
    Read made;
#pragma unroll
    for (int j = 0; j < width; ++j)
      made.of[j] = job.normalized(values[k * width + j], factor, place(k) + j);
    *reinterpret_cast<Read*>(y + place(k)) = made;
  }
}

template <typename T, int width, int chunks, int most_threads>
__global__ void __launch_bounds__(most_threads) normalize_all(RowJob<T> job) {
  __shared__ Computed<T> shared[32];
  int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.y;
  int64_t row = static_cast<int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
  for (; row < job.rows; row += step) normalize_row<T, width, chunks>(job, row, shared);
}

/// `width` elements are read at once; longer rows have more of them for each thread.
template <typename T, int width>
void launch_wide(const Queue& queue, const RowJob<T>& job) {
  constexpr int few = width == 1 ? 4 : 1;
  constexpr int many = (width > 1 && sizeof(T) == 8 ? 16 : 32) / width;
  constexpr int few_threads = 1024;
  constexpr int many_threads = static_cast<int>(longest_row) / (many * width);
  bool short_rows = job.length <= 128 * few * width ||
                    (job.rows < 512 && job.length <= few_threads * few * width);
  int each = (short_rows ? few : many) * width;
  unsigned threads = 32;
  while (threads * static_cast<int64_t>(each) < job.length) threads *= 2;
  dim3 block(threads, threads == 32 ? 4 : 1);
  unsigned grid = blocks_for(job.rows, block.y);
  if (short_rows)
    normalize_all<T, width, few, few_threads><<<grid, block, 0, queue.stream>>>(job);
  else
    normalize_all<T, width, many, many_threads><<<grid, block, 0, queue.stream>>>(job);
  check(cudaGetLastError(), "launching a normalization");
}

template <typename T>
void launch(const Queue& queue, const RowJob<T>& job) {
  constexpr int width = 16 / sizeof(T);
  auto places = reinterpret_cast<uintptr_t>(job.x) | reinterpret_cast<uintptr_t>(job.y);
  if (places % 16 == 0 && job.length % width == 0)
    launch_wide<T, width>(queue, job);
  else
    launch_wide<T, 1>(queue, job);
}

#endif

template <typename T>
T* data_of(const Tensor& t) {
  return t ? t.device_data<T>() : nullptr;
}

template <typename T>
void run(const ops::Call& call, const RowNormalization& all) {
  RowJob<T> job{data_of<T>(all.input),
                data_of<T>(all.weight),
                data_of<T>(all.bias),
                data_of<T>(all.output),
                data_of<T>(all.mean),
                data_of<T>(all.inverse),
                all.rows,
                all.length,
                static_cast<Computed<T>>(all.eps),
                all.centered};
  if (job.rows > 0 && job.length > 0) launch(queue_of(call), job);
}

}  // namespace

void normalize_rows(const ops::Call& call, const RowNormalization& all) {
  common::over_floating(all.input.dtype(), "layer_norm",
                        [&](auto zero) { run<decltype(zero)>(call, all); });
}

}  // namespace assay::kernels::cuda
