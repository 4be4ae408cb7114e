// Softmax and its logarithm along a dimension.

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/kernels/common/dtype_switch.h"
#include "engine/kernels/cuda/families.h"
#include "engine/kernels/cuda/log_sum.h"
#include "engine/kernels/cuda/parallel.h"
#include "engine/kernels/cuda/rows.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cuda {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// Elements of stored type In become ones of type Out; void stands for any type.
template <typename In, typename Out, typename C>
struct Softmax {
  using Number = C;
  static constexpr bool of_any_type = std::is_void_v<In>;

  Lines<2> lines;  ///< The input, the result.
  Reader<In, C> read_as;
  bool logarithm;

  ASSAY_ANYWHERE C read(const Offsets<2>& row, int64_t i) const {
    return read_as(lines.at(0, row, i));
  }
  /// There is no softmax where the largest element is infinite.
  ASSAY_ANYWHERE static C total_of(LogSum<C> all) {
    return all.largest - all.largest == 0 ? all.sum : std::numeric_limits<C>::quiet_NaN();
  }
  /// The last factor of a row: one over the sum, or its logarithm.
  ASSAY_ANYWHERE C scale_of(LogSum<C> all) const {
    using std::log;
    return logarithm ? log(total_of(all)) : 1 / total_of(all);
  }
  ASSAY_ANYWHERE void write(const Offsets<2>& row, int64_t i, C v, C largest, C scale) const {
    using std::exp;
    C result = logarithm ? v - largest - scale : exp(v - largest) * scale;
    std::byte* to = lines.at(1, row, i);
    if constexpr (of_any_type)
      store(to, lines.dtype[1], result);
    else
      *reinterpret_cast<Out*>(to) = convert<Out>(result);
  }
  /// LogSum's joined() for one more element, with one branch for most.
  ASSAY_ANYWHERE static LogSum<C> with(LogSum<C> all, C v) {
    using std::exp;
    if (v <= all.largest && all.largest - all.largest == 0)
      return {all.largest, all.sum + exp(v - all.largest)};
    return LogSum<C>::joined(all, LogSum<C>::of(v));
  }
};

#ifdef ASSAY_CUDA_ON_HOST

template <typename Job>
void run(const Queue&, const Job& job) {
  using C = typename Job::Number;
  for (int64_t row = 0; row < job.lines.rows; ++row) {
    Offsets<2> at = job.lines.kept.offsets(row);
    auto all = LogSum<C>::of_nothing();
    for (int64_t i = 0; i < job.lines.length; ++i) all = Job::with(all, job.read(at, i));
    C scale = job.scale_of(all);
    for (int64_t i = 0; i < job.lines.length; ++i)
      job.write(at, i, job.read(at, i), all.largest, scale);
  }
}

#else

template <typename C>
__device__ LogSum<C> join_warp(LogSum<C> all) {
  for (int offset = 16; offset > 0; offset /= 2) {
    C largest = __shfl_xor_sync(0xffffffffu, all.largest, offset);
    C sum = __shfl_xor_sync(0xffffffffu, all.sum, offset);
    all = LogSum<C>::joined(all, {largest, sum});
  }
  return all;
}

/// A warp for a row of up to 32 * items elements, which it holds.
template <int items, typename Job>
__global__ void __launch_bounds__(threads_per_block) softmax_by_warps(Job job) {
  using C = typename Job::Number;
  int lane = threadIdx.x % 32, length = static_cast<int>(job.lines.length);
  int64_t step = int64_t{blockDim.x / 32} * gridDim.x;
  for (int64_t row = int64_t{blockIdx.x} * (blockDim.x / 32) + threadIdx.x / 32;
       row < job.lines.rows; row += step) {
    Offsets<2> at = job.lines.kept.offsets(row);
    C held[items];
    C largest = LogSum<C>::lowest(), sum = 0;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      int i = lane + 32 * k;
      held[k] = i < length ? job.read(at, i) : LogSum<C>::lowest();
      largest = held[k] > largest ? held[k] : largest;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
      C other = __shfl_xor_sync(0xffffffffu, largest, offset);
      largest = other > largest ? other : largest;
    }
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (lane + 32 * k < length) sum += exp(held[k] - largest);
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    C scale = job.scale_of({largest, sum});
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (lane + 32 * k < length) job.write(at, lane + 32 * k, held[k], largest, scale);
    }
  }
}

/// A block for a row of any length, which is read twice.
template <typename Job>
__global__ void __launch_bounds__(512) softmax_by_blocks(Job job) {
  using C = typename Job::Number;
  __shared__ LogSum<C> room[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int64_t row = blockIdx.x; row < job.lines.rows; row += gridDim.x) {
    Offsets<2> at = job.lines.kept.offsets(row);
    auto all = LogSum<C>::of_nothing();
#pragma unroll 4
    for (int64_t i = threadIdx.x; i < job.lines.length; i += blockDim.x)
      all = Job::with(all, job.read(at, i));
    all = join_warp(all);
    if (lane == 0) room[warp] = all;
    __syncthreads();
    all = join_warp(lane < warps ? room[lane] : LogSum<C>::of_nothing());
    C scale = job.scale_of(all);
#pragma unroll 4
    for (int64_t i = threadIdx.x; i < job.lines.length; i += blockDim.x)
      job.write(at, i, job.read(at, i), all.largest, scale);
    __syncthreads();
  }
}

/// A block for 32 rows whose elements are neighbours.
template <typename Job>
__global__ void __launch_bounds__(32 * column_threads) softmax_of_columns(Job job) {
  using C = typename Job::Number;
  __shared__ LogSum<C> room[column_threads][32];
  int column = threadIdx.x % 32, first = threadIdx.x / 32;
  int64_t tiles = (job.lines.rows + 31) / 32;
  for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    int64_t row = tile * 32 + column, length = row < job.lines.rows ? job.lines.length : 0;
    Offsets<2> at = job.lines.kept.offsets(row < job.lines.rows ? row : 0);
    auto all = LogSum<C>::of_nothing();
    for (int64_t i = first; i < length; i += column_threads) all = Job::with(all, job.read(at, i));
    room[first][column] = all;
    __syncthreads();
    all = room[0][column];
    for (int k = 1; k < column_threads; ++k) all = LogSum<C>::joined(all, room[k][column]);
    C scale = job.scale_of(all);
    for (int64_t i = first; i < length; i += column_threads)
      job.write(at, i, job.read(at, i), all.largest, scale);
    __syncthreads();
  }
}

template <typename Job>
void run(const Queue& queue, const Job& job) {
  int64_t rows = job.lines.rows, length = job.lines.length;
  if (rows == 0 || length == 0) return;
  if (job.lines.across && rows >= 8) {
    launch(queue, blocks_for(rows, 32), 32 * column_threads, softmax_of_columns<Job>, job);
    return;
  }
  if constexpr (!Job::of_any_type) {
    unsigned blocks = blocks_for(rows, threads_per_block / 32);
    if (length <= 64)
      return launch(queue, blocks, threads_per_block, softmax_by_warps<2, Job>, job);
    if (length <= 256)
      return launch(queue, blocks, threads_per_block, softmax_by_warps<8, Job>, job);
    if (length <= 1024)
      return launch(queue, blocks, threads_per_block, softmax_by_warps<32, Job>, job);
  }
  launch(queue, blocks_for(rows, 1), length > 4096 ? 512 : 128, softmax_by_blocks<Job>, job);
}

#endif

template <typename In, typename Out, typename C>
void run_as(Call& c, const Lines<2>& lines, bool logarithm) {
  run(queue_of(c), Softmax<In, Out, C>{lines, {lines.dtype[0], lines.dtype[1]}, logarithm});
}

/// The pairs of types that models have.
void run_typed(Call& c, const Lines<2>& lines, bool logarithm) {
  using core::BFloat16;
  using core::Half;
  DType from = lines.dtype[0], to = lines.dtype[1];
  if (to == DType::float64) return run_as<void, void, double>(c, lines, logarithm);
  if (from == to && to == DType::float32) return run_as<float, float, float>(c, lines, logarithm);
  if (from == to && to == DType::float16) return run_as<Half, Half, float>(c, lines, logarithm);
  if (from == to) return run_as<BFloat16, BFloat16, float>(c, lines, logarithm);
  if (to == DType::float32 && from == DType::float16)
    return run_as<Half, float, float>(c, lines, logarithm);
  if (to == DType::float32 && from == DType::bfloat16)
    return run_as<BFloat16, float, float>(c, lines, logarithm);
  run_as<void, void, float>(c, lines, logarithm);
}

template <bool logarithm>
void softmax(Call& c) {
  Tensor in = c.tensor(arg::self), out = c.out();
  if (!core::is_floating(out.dtype()))
    common::not_implemented_for(out.dtype(), logarithm ? "log_softmax" : "softmax");
  bool widens = c.has(arg::half_to_float) && c.boolean(arg::half_to_float);
  base::check(!widens || in.dtype() == DType::float16,
              "conversion is supported for Half type only");
  if (out.numel() == 0) return;
  int64_t dim = in.dim() == 0 ? 0 : core::wrap_dim(c.integer(arg::dim), in.dim());
  run_typed(c, Lines<2>::of({in, out}, dim), logarithm);
}

constexpr ops::Kernel softmax_table[] = {
    {"aten::softmax.int", softmax<false>},
    {"aten::log_softmax.int", softmax<true>},
    {"aten::_softmax", softmax<false>},
    {"aten::_log_softmax", softmax<true>},
};

}  // namespace

std::span<const ops::Kernel> softmax_kernels() { return softmax_table; }

}  // namespace assay::kernels::cuda
