#pragma once

#include <cstdint>
#include <vector>

namespace assay::kernels::common {

/// How the elements between source elements are made. The antialiasing ones widen with the scale.
enum class Filter { nearest, nearest_exact, linear, cubic, linear_antialias, cubic_antialias };

/// One dimension to resample.
struct Resampled {
  int64_t from = 1;  ///< Source size.
  int64_t to = 1;    ///< Result size.
  bool align_corners = false;
  double scale = 0;  ///< The scale asked for; 0 where the sizes alone decide.
};

/// What each result index is made of: element i is the sum over k < width of weights[i * width + k]
/// times the source at indices[i * width + k]. Unused taps have the index -1.
struct Taps {
  int64_t width = 1;
  std::vector<int64_t> indices;
  std::vector<double> weights;
};

/// `in_double` for float64 tensors; coordinates and weights of all others are computed in float,
/// as PyTorch does, because their rounding decides which indices are nearest.
Taps resampling_taps(Filter filter, const Resampled& dimension, bool in_double);

}  // namespace assay::kernels::common
