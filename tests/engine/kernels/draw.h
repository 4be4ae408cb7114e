#pragma once

#include <vector>

#include "engine/core/scalar.h"
#include "engine/core/tensor.h"

/// Random pieces of operator calls, for RapidCheck properties: each function draws where it is
/// called, inside of a property, and shrinks as RapidCheck shrinks draws.
namespace assay::kernels::testing {

/// low <= n <= high; small cases and shrinking lean towards `low`.
int64_t between(int64_t low, int64_t high);
/// True in about that many of 100 draws; shrinks to false.
bool chance(int percent);
/// Shrinks towards the first choice.
template <typename T>
T one_of(const std::vector<T>& choices) {
  return choices[static_cast<size_t>(between(0, static_cast<int64_t>(choices.size()) - 1))];
}

/// Which elements a tensor gets.
enum class Fill {
  grid,     ///< Multiples of 1/8 up to 4 in size; small integers.
  normal,   ///< Of size 1 or so; integers of any size.
  wide,     ///< Of any order of magnitude between 2^-30 and 2^30.
  special,  ///< Many NaNs, infinities, zeros of either sign, largest, smallest, edges of exp.
};

/// A size: mostly small, among them 0, 1 and primes.
int64_t draw_size();
core::Dims draw_sizes(int64_t min_rank, int64_t max_rank);
/// float32, which fast kernels are for, in most draws.
core::DType draw_dtype();
/// A tensor of these sizes that lies in one of many ways: row-major, with an offset, transposed,
/// with gaps, repeated by a stride of 0, channels-last.
core::Tensor draw_tensor(core::DimSpan sizes, core::DType dtype, Fill fill);
/// As draw_tensor, row-major: for arguments whose layout does not matter here.
core::Tensor draw_plain(core::DimSpan sizes, core::DType dtype, Fill fill);
core::Tensor int_tensor(core::DimSpan sizes, const std::vector<int64_t>& elements);
/// Any Python number.
core::Scalar draw_number();
/// One that float32 holds with all its digits, if at all: a factor.
core::Scalar draw_factor();
/// Sometimes a special one.
double draw_float();

}  // namespace assay::kernels::testing
