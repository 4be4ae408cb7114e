#include "engine/ops/promotion.h"

#include <gtest/gtest.h>

namespace assay::ops {
namespace {

using core::Dims;
using core::DType;
using core::MemoryFormat;
using core::Tensor;

Tensor of(Dims sizes, DType dtype) { return Tensor::empty(sizes, dtype); }

TEST(Promotion, RanksDimensionedOverScalarsOverNumbers) {
  // Expected: torch.result_type of PyTorch 1.13.1.
  Tensor number = wrapped_number(1.5, DType::float32);
  EXPECT_EQ(result_type(std::vector{of({1}, DType::int64), number}), DType::float32);
  EXPECT_EQ(result_type(std::vector{of({1}, DType::float16), of({}, DType::float64)}),
            DType::float16);
  EXPECT_EQ(result_type(std::vector{of({1}, DType::int64), of({}, DType::float64)}),
            DType::float64);
  EXPECT_EQ(result_type(std::vector{of({1}, DType::boolean), wrapped_number(1, DType::float32)}),
            DType::int64);
  EXPECT_EQ(result_type(std::vector{of({1}, DType::uint8), wrapped_number(300, DType::float32)}),
            DType::uint8);
}

TEST(Promotion, CastsOnlyToAsHighACategory) {
  EXPECT_FALSE(can_cast(DType::float32, DType::int64));
  EXPECT_FALSE(can_cast(DType::int64, DType::boolean));
  EXPECT_FALSE(can_cast(DType::complex64, DType::float64));
  EXPECT_TRUE(can_cast(DType::float64, DType::float16));
  EXPECT_TRUE(can_cast(DType::int64, DType::uint8));
}

TEST(ElementwiseStrides, FollowTheOperands) {
  // Expected: strides of sums in PyTorch 1.13.1.
  Dims nchw{2, 3, 4, 5};
  Dims last = core::format_strides(nchw, MemoryFormat::channels_last);
  Tensor a = Tensor::empty_strided(nchw, last, DType::float32);
  EXPECT_EQ(elementwise_strides(nchw, std::vector{a, of({4, 1}, DType::float32)}), last);
  Tensor t = of({3, 4}, DType::float32).view(Dims{4, 3}, Dims{1, 4}, 0);
  EXPECT_EQ(elementwise_strides(Dims{4, 3}, std::vector{t, of({4, 3}, DType::float32)}),
            (Dims{1, 4}));
  // What stride a dimension of size 1 has decides nothing; here channels last does.
  Tensor cut = Tensor::empty_strided(Dims{1, 2, 1, 4}, Dims{8, 1, 1, 2}, DType::float32);
  EXPECT_EQ(elementwise_strides(cut.sizes(), std::vector{cut}), (Dims{8, 1, 8, 2}));
  Tensor expanded = of({3}, DType::float32).view(Dims{3, 4}, Dims{1, 0}, 0);
  EXPECT_EQ(elementwise_strides(Dims{3, 4}, std::vector{expanded}), (Dims{4, 1}));
}

TEST(ElementwiseStrides, BehindADimensionOfSizeZeroAreZeroUnlessRowMajor) {
  // Expected, in PyTorch 1.13.1: x + 1 of x = torch.zeros(0, 4)[:, 0::4] and of torch.zeros(3, 0).
  Tensor one = of({}, DType::float32);
  Tensor none = Tensor::empty_strided(Dims{0, 1}, Dims{4, 4}, DType::float32);
  EXPECT_EQ(elementwise_strides(none.sizes(), std::vector{none, one}), (Dims{1, 0}));
  Tensor rows = of({3, 0}, DType::float32);
  EXPECT_EQ(elementwise_strides(rows.sizes(), std::vector{rows, one}), (Dims{1, 1}));
}

}  // namespace
}  // namespace assay::ops
