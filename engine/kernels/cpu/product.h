#pragma once

#include "engine/core/tensor.h"

namespace assay::kernels::cpu {

/// out = a b + bias, of float32 matrices (rows, inner) x (inner, columns), or of batches of them.
struct Product {
  core::Tensor a;
  core::Tensor b;
  core::Tensor bias;         ///< One entry per column; undefined for none.
  core::Tensor out;          ///< Row-major.
  bool b_is_weight = false;  ///< Pack b and keep the copy with its storage.
};

/// None of the tensors may be empty or have strides of 0 or less (onednn::readable).
void multiply(const Product& product);

}  // namespace assay::kernels::cpu
