#include "engine/ops/infer/creation.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/engine/ops/infer/inferred.h"

namespace assay::ops {
namespace {

using core::Dims;
using core::DType;
using core::Value;
using testing::inferred;
using testing::on_meta;

// Expected: sizes and dtypes of PyTorch 1.13.1.
TEST(Vander, ARowOfPowersPerElement) {
  auto powers = [](const Dims& sizes, DType dtype, Value count) {
    return inferred("aten::linalg_vander", {on_meta(sizes, dtype), count});
  };
  EXPECT_EQ(powers(Dims{2, 3}, DType::float32, Value()).sizes(), (Dims{2, 3, 3}));
  EXPECT_EQ(powers(Dims{2, 3}, DType::float32, 5).sizes(), (Dims{2, 3, 5}));
  EXPECT_EQ(powers(Dims{2}, DType::uint8, Value()).dtype(), DType::int64);
  EXPECT_THROW(powers(Dims{1}, DType::float32, Value()), base::Error);
  EXPECT_THROW(powers(Dims{3}, DType::boolean, Value()), base::Error);
}

}  // namespace
}  // namespace assay::ops
