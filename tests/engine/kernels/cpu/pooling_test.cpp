#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/api/engine.h"
#include "engine/base/deadline.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cpu {
namespace {

core::Value ints(int64_t a, int64_t b) { return core::make_list(core::int_type(), {a, b}); }

TEST(Pooling, AStrideNearTheLargestIntegerStaysInsideTheImage) {
  api::Engine engine;
  core::Tensor x = core::Tensor::empty(core::Dims{1, 1, 4, 5}, core::DType::float32);
  std::fill_n(x.device_data<float>(), x.numel(), 1.0f);
  constexpr int64_t far = std::numeric_limits<int64_t>::max();
  // One window: rows -1 and 0, columns -2 to 2. Three of its ten elements lie in the image.
  core::Tensor mean = ops::call(engine.context(), "aten::avg_pool2d",
                                {x, ints(2, 5), ints(far, far), ints(1, 2), false, true, {}})
                          .to_tensor();
  ASSERT_EQ(mean.numel(), 1);
  EXPECT_FLOAT_EQ(mean.device_data<float>()[0], 0.3f);
}

/// The mean over the whole image by a window of a billion rows, its sum divided by 2.
TEST(Pooling, AWindowFarLargerThanTheImageTakesNoLonger) {
  api::Engine engine;
  base::DeadlineScope deadline(std::chrono::seconds(2));
  for (int64_t format : {0, 2}) {  // Contiguous; channels last.
    core::Tensor x = core::Tensor::empty(core::Dims{1, 2, 4, 5}, core::DType::float32);
    std::fill_n(x.device_data<float>(), x.numel(), 1.0f);
    x = ops::call(engine.context(), "aten::contiguous", {x, format}).to_tensor();
    constexpr int64_t many = 1000000000;
    core::Tensor mean =
        ops::call(engine.context(), "aten::avg_pool2d",
                  {x, ints(many, many), ints(2 * many, 2 * many), ints(1, 2), true, true, 2})
            .to_tensor();
    ASSERT_EQ(mean.numel(), 2);
    EXPECT_FLOAT_EQ(mean.device_data<float>()[0], 10.0f);
  }
}

/// PyTorch takes the first of equal elements, in row-major order: where rows were folded first, the
/// 0 in the second row of the first column would come before the -0 beside it.
TEST(Pooling, OfBothZerosAWindowTakesTheFirst) {
  api::Engine engine;
  core::Tensor x = core::Tensor::empty(core::Dims{1, 1, 2, 4}, core::DType::float32);
  std::ranges::copy(std::array{-1.f, -0.f, 0.f, -0.f, 0.f, -1.f, -0.f, 0.f},
                    x.device_data<float>());
  core::Tensor out = ops::call(engine.context(), "aten::max_pool2d",
                               {x, ints(2, 2), ints(1, 1), ints(0, 0), ints(1, 1), false})
                         .to_tensor();
  ASSERT_EQ(out.numel(), 3);
  const float* got = out.device_data<float>();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(got[i], 0.f) << i;
  EXPECT_TRUE(std::signbit(got[0]));
  EXPECT_TRUE(std::signbit(got[1]));
  EXPECT_FALSE(std::signbit(got[2]));
}

}  // namespace
}  // namespace assay::kernels::cpu
