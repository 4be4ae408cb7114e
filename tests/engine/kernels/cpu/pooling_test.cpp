#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "engine/api/engine.h"
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

}  // namespace
}  // namespace assay::kernels::cpu
