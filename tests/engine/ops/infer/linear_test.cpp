#include "engine/ops/infer/linear.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/engine/ops/infer/inferred.h"

namespace assay::ops {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

using testing::inferred;
using testing::on_meta;

// Expected: sizes and strides of PyTorch 1.13.1.
TEST(Cholesky, FactorsAreColumnMajor) {
  Tensor factor = inferred("aten::linalg_cholesky", {on_meta(Dims{2, 3, 3}, DType::float64)});
  EXPECT_EQ(factor.sizes(), (Dims{2, 3, 3}));
  EXPECT_EQ(factor.strides(), (Dims{9, 1, 3}));
  EXPECT_EQ(factor.dtype(), DType::float64);
  for (const Tensor& wrong : {on_meta(Dims{3}, DType::float64), on_meta(Dims{2, 3}, DType::float64),
                              on_meta(Dims{3, 3}, DType::int64)}) {
    EXPECT_THROW(inferred("aten::linalg_cholesky", {wrong}), base::Error);
  }
}

}  // namespace
}  // namespace assay::ops
