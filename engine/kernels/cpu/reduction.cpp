// Sums, means and extremes of float32 over dimensions that lie side by side.

#include "engine/ops/infer/reduction.h"

#include <cmath>
#include <limits>
#include <optional>

#include "engine/kernels/cpu/families.h"
#include "engine/kernels/cpu/team.h"
#include "engine/kernels/cpu/vectorized.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cpu {
namespace {

namespace arg = ops::arg;

using core::DType;
using core::Tensor;
using ops::Call;

/// A contiguous tensor as outer × length × inner elements, of which `length` are made one.
struct Run {
  int64_t outer = 1, length = 1, inner = 1;
};

/// Nothing if other dimensions lie between those that are reduced.
std::optional<Run> run_of(const Call& c) {
  Tensor in = c.tensor(arg::self);
  auto reduced = ops::infer::reduction_of(c).reduced;
  Run run;
  for (size_t d = 0; d < reduced.size(); ++d) {
    if (in.size(d) == 1) continue;
    if (reduced[d]) {
      if (run.inner > 1) return std::nullopt;
      run.length *= in.size(d);
    } else {
      (run.length > 1 ? run.inner : run.outer) *= in.size(d);
    }
  }
  return run;
}

bool accepts_extreme(const Call& c) {
  Tensor in = c.tensor(arg::self);
  if (in.dtype() != DType::float32 || in.numel() == 0 || !in.is_contiguous()) return false;
  auto run = run_of(c);
  return run && run->length <= std::numeric_limits<int32_t>::max();
}

bool accepts_sum(const Call& c) { return c.out().dtype() == DType::float32 && accepts_extreme(c); }

/// As many neighbouring columns as one pass over the rows keeps at hand.
constexpr int64_t chunk = 256;

/// Calls body(first element, result index, columns) for each piece of the result: one column where
/// the elements lie side by side, else up to `chunk` neighbouring ones.
template <typename Body>
void over_pieces(const Tensor& in, const Run& run, Body body) {
  const float* from = in.device_data<float>();
  int64_t chunks = (run.inner + chunk - 1) / chunk;
  auto team = Team::for_elements(static_cast<double>(in.numel()));
#pragma omp parallel for schedule(static)
  for (int64_t piece = 0; piece < run.outer * chunks; ++piece) {
    int64_t o = piece / chunks, first = piece % chunks * chunk;
    body(from + o * run.length * run.inner + first, o * run.inner + first,
         std::min(chunk, run.inner - first));
  }
}

// Sums
// ---------------------------------------------------------------------------------------------

ASSAY_VECTORIZED float sum_of(const float* in, int64_t count) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; ++i) sum += in[i];
  return sum;
}

ASSAY_VECTORIZED void add_row(const float* row, double* sums, int64_t columns) {
#pragma omp simd
  for (int64_t i = 0; i < columns; ++i) sums[i] += static_cast<double>(row[i]);
}

/// Blocks keep the partial sums of long rows small, and with them the rounding error.
double sum_in_blocks(const float* in, int64_t count) {
  constexpr int64_t block = 4096;
  double sum = 0;
  for (int64_t i = 0; i < count; i += block) {
    sum += static_cast<double>(sum_of(in + i, std::min(block, count - i)));
  }
  return sum;
}

template <bool mean>
void sum(Call& c) {
  Tensor in = c.tensor(arg::self);
  Run run = *run_of(c);
  float* out = c.out().device_data<float>();
  double divisor = mean ? static_cast<double>(run.length) : 1;
  over_pieces(in, run, [&](const float* from, int64_t at, int64_t columns) {
    if (run.inner == 1) {
      out[at] = static_cast<float>(sum_in_blocks(from, run.length) / divisor);
      return;
    }
    double sums[chunk] = {};
    for (int64_t l = 0; l < run.length; ++l) add_row(from + l * run.inner, sums, columns);
    for (int64_t i = 0; i < columns; ++i) out[at + i] = static_cast<float>(sums[i] / divisor);
  });
}

// Extremes: `sign` is 1 for the maximum and -1 for the minimum; NaN beats every number.
// ------------

ASSAY_VECTORIZED float extreme_of(const float* in, float sign, int64_t count) {
  constexpr int64_t width = 16;
  float lanes[width];
  for (int64_t j = 0; j < width; ++j) lanes[j] = in[0];
  int64_t whole = count / width * width;
  for (int64_t i = 0; i < whole; i += width) {
#pragma omp simd
    for (int64_t j = 0; j < width; ++j) {
      float x = in[i + j];
      lanes[j] = ((sign * x > sign * lanes[j]) | (x != x)) ? x : lanes[j];
    }
  }
  float best = lanes[0];
  for (int64_t j = 1; j < width; ++j) {
    best = ((sign * lanes[j] > sign * best) | (lanes[j] != lanes[j])) ? lanes[j] : best;
  }
  for (int64_t i = whole; i < count; ++i) {
    best = ((sign * in[i] > sign * best) | (in[i] != in[i])) ? in[i] : best;
  }
  return best;
}

/// The first index of the extreme: which of equal elements it is can be seen (0.0 and -0.0).
int64_t index_of_extreme(const float* in, float sign, int64_t count) {
  float best = extreme_of(in, sign, count);
  int64_t index = 0;
  while (in[index] != best && !(best != best && in[index] != in[index])) ++index;
  return index;
}

ASSAY_VECTORIZED void better_of_row(const float* row, int32_t number, float sign, float* best,
                                    int32_t* index, int64_t columns) {
#pragma omp simd
  for (int64_t i = 0; i < columns; ++i) {
    float x = row[i], b = best[i];
    bool better = (sign * x > sign * b) | ((x != x) & (b == b));
    best[i] = better ? x : b;
    index[i] = better ? number : index[i];
  }
}

/// Either of the results may be left out (null).
void extremes(const Call& c, float sign, float* values, int64_t* indices) {
  Tensor in = c.tensor(arg::self);
  Run run = *run_of(c);
  over_pieces(in, run, [&](const float* from, int64_t at, int64_t columns) {
    float best[chunk];
    int32_t index[chunk] = {};
    if (run.inner == 1) {
      index[0] = static_cast<int32_t>(index_of_extreme(from, sign, run.length));
      best[0] = from[index[0]];
    } else {
      std::copy_n(from, columns, best);
      for (int64_t l = 1; l < run.length; ++l) {
        better_of_row(from + l * run.inner, static_cast<int32_t>(l), sign, best, index, columns);
      }
    }
    if (values) std::copy_n(best, columns, values + at);
    if (indices) std::copy_n(index, columns, indices + at);
  });
}

template <int sign>
void value(Call& c) {
  extremes(c, sign, c.out().device_data<float>(), nullptr);
}
template <int sign>
void index(Call& c) {
  extremes(c, sign, nullptr, c.out().device_data<int64_t>());
}
template <int sign>
void value_and_place(Call& c) {
  extremes(c, sign, c.out(0).device_data<float>(), c.out(1).device_data<int64_t>());
}

constexpr ops::Kernel reduction_table[] = {
    {"aten::sum", sum<false>, accepts_sum},
    {"aten::sum.dim_IntList", sum<false>, accepts_sum},
    {"aten::mean", sum<true>, accepts_sum},
    {"aten::mean.dim", sum<true>, accepts_sum},
    {"aten::amax", value<1>, accepts_extreme},
    {"aten::amin", value<-1>, accepts_extreme},
    {"aten::max", value<1>, accepts_extreme},
    {"aten::min", value<-1>, accepts_extreme},
    {"aten::argmax", index<1>, accepts_extreme},
    {"aten::argmin", index<-1>, accepts_extreme},
    {"aten::max.dim", value_and_place<1>, accepts_extreme},
    {"aten::min.dim", value_and_place<-1>, accepts_extreme},
};

}  // namespace

std::span<const ops::Kernel> reduction_kernels() { return reduction_table; }

}  // namespace assay::kernels::cpu
