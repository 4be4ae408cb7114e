#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/api/engine.h"
#include "engine/ops/dispatch.h"

namespace assay::kernels::cpu {
namespace {

using core::Dims;
using core::Tensor;
using core::Value;

constexpr int64_t channels_in = 8, channels_out = 16, size = 5;

Value ints(int64_t of_both) { return core::make_int_list(Dims{of_both, of_both}); }

Tensor filled(const Dims& sizes, float value) {
  Tensor t = Tensor::empty(sizes, core::DType::float32);
  std::fill_n(t.data<float>(), t.numel(), value);
  return t;
}

/// The result of ones by windows of one element, all 1 but those of the first result, which are
/// NaN, with a bias of 0.5 and 3 zeros around: of one channel, row by row.
std::vector<float> result(int64_t channel, int64_t format, int64_t stride) {
  api::Engine engine;
  auto call = [&](const char* name, core::Values arguments) {
    return ops::call(engine.context(), name, std::move(arguments)).to_tensor();
  };
  Tensor x = call("aten::contiguous", {filled({1, channels_in, size, size}, 1), format});
  Tensor weight = filled({channels_out, channels_in, 1, 1}, 1), bias = filled({channels_out}, 0.5);
  std::fill_n(weight.data<float>(), channels_in, std::numeric_limits<float>::quiet_NaN());
  Tensor out = call("aten::conv2d", {x, weight, bias, ints(stride), ints(3), ints(1), int64_t{1}});
  out = call("aten::contiguous", {out, int64_t{0}});
  int64_t positions = out.size(2) * out.size(3);
  const float* from = out.data<const float>() + channel * positions;
  return {from, from + positions};
}

/// PyTorch's results are the bias there, whatever the weight: nothing is multiplied by the zeros.
TEST(Convolution, WindowsThatSeeOnlyPaddingGiveTheBias) {
  for (int64_t format : {0, 2}) {  // Contiguous; channels last.
    for (int64_t stride : {1, 2}) {
      std::vector<float> of_nan = result(0, format, stride), of_ones = result(1, format, stride);
      int64_t wide = (size + 5) / stride + 1;
      ASSERT_EQ(of_nan.size(), static_cast<size_t>(wide * wide));
      for (int64_t i = 0; i < wide * wide; ++i) {
        auto inside = [&](int64_t at) { return at * stride >= 3 && at * stride < 3 + size; };
        bool seen = inside(i / wide) && inside(i % wide);
        auto at = static_cast<size_t>(i);
        EXPECT_EQ(of_ones[at], seen ? channels_in + 0.5f : 0.5f) << i;
        if (seen) {
          EXPECT_TRUE(std::isnan(of_nan[at])) << i;
        } else {
          EXPECT_EQ(of_nan[at], 0.5f) << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::kernels::cpu
