#pragma once

#include "engine/core/tensor.h"
#include "engine/kernels/cuda/element.h"
#include "engine/kernels/cuda/layout.h"
#include "engine/kernels/cuda/queue.h"

namespace assay::kernels::cuda {

/// Numbers of any type, one for each channel, as device code reads them; there may be none.
struct Parameter {
  const std::byte* data = nullptr;
  core::DType dtype = core::DType::float32;
  int64_t step = 0;  ///< In bytes.

  Parameter() = default;
  /// An undefined tensor gives none. Several dimensions are read as one.
  Parameter(const ops::Call& call, core::Tensor& tensor);

  template <typename C>
  ASSAY_ANYWHERE C at(int64_t i, C otherwise) const {
    return data ? load<C>(data + i * step, dtype) : otherwise;
  }
};

/// 1 / sqrt(v), to the last place or two.
ASSAY_ANYWHERE inline float inverse_root(float v) {
#ifdef __CUDA_ARCH__
  return rsqrtf(v);
#else
  return 1 / std::sqrt(v);
#endif
}
ASSAY_ANYWHERE inline double inverse_root(double v) { return 1 / std::sqrt(v); }

/// Rows that lie one after the other, each normalized by itself, by one kernel that reads them
/// once.
struct RowNormalization {
  core::Tensor input, output;  ///< Row-major, of one floating type.
  core::Tensor weight, bias;   ///< Row-major, of that type, as long as a row; may be undefined.
  core::Tensor mean, inverse;  ///< Row-major, one for each row; may be undefined.
  int64_t rows, length;
  double eps;
  bool centered;  ///< Otherwise the mean counts as 0: root mean square normalization.
};
/// The longest row that is taken.
inline constexpr int64_t longest_row = 16384;
void normalize_rows(const ops::Call& call, const RowNormalization& rows);

}  // namespace assay::kernels::cuda
