#include <gtest/gtest.h>

#include "tests/engine/ops/infer/inferred.h"

namespace assay::ops {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

using testing::inferred;
using testing::on_meta;

// Expected: dtypes and strides of PyTorch 1.13.1.
TEST(Pointwise, NumbersWidenOnlyByCategory) {
  auto product = [](DType dtype, Value number) {
    return inferred("aten::mul.Scalar", {on_meta(Dims{2, 3}, dtype), number}).dtype();
  };
  EXPECT_EQ(product(DType::int64, 2.5), DType::float32);
  EXPECT_EQ(product(DType::float16, 2), DType::float16);
  EXPECT_EQ(product(DType::bfloat16, 2.5), DType::bfloat16);
  EXPECT_EQ(product(DType::uint8, 300), DType::uint8);
  EXPECT_EQ(product(DType::boolean, 1), DType::int64);
  EXPECT_EQ(product(DType::boolean, true), DType::boolean);
  EXPECT_EQ(product(DType::int32, true), DType::int32);
  EXPECT_EQ(product(DType::float32, core::Complex128(0, 1)), DType::complex64);
}

TEST(Pointwise, ResultsLieAsTheirOperands) {
  auto strides = [](const Dims& sizes, const Dims& of) {
    Value t(Tensor::empty_strided(sizes, of, DType::float32, {core::DeviceType::meta, -1}));
    return std::vector<Dims>{inferred("aten::add.Tensor", {t, t, 1}).strides(),
                             inferred("aten::mul.Scalar", {t, 2.5}).strides(),
                             inferred("aten::relu", {t}).strides()};
  };
  // One channel: row-major and channels-last at once.
  EXPECT_EQ(strides(Dims{2, 1, 3, 4}, Dims{12, 1, 4, 1}),
            (std::vector<Dims>{{12, 12, 4, 1}, {12, 1, 4, 1}, {12, 12, 4, 1}}));
  Dims last{60, 1, 15, 3};
  EXPECT_EQ(strides(Dims{2, 3, 4, 5}, last), (std::vector<Dims>{last, last, last}));
}

}  // namespace
}  // namespace assay::ops
