// Attention on the GPU against the steps that it is made of, on the CPU.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/views.h"
#include "tests/engine/kernels/calls.h"
#include "tests/engine/kernels/cuda/gpu.h"
#include "tests/engine/kernels/outcome.h"

namespace assay::kernels::testing {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

class Attention : public OnGpu<> {
 protected:
  Tensor random(const Dims& sizes, DType dtype = DType::float32) {
    std::normal_distribution<double> normal;
    std::vector<core::Scalar> numbers;
    for (int64_t i = 0; i < core::numel(sizes); ++i) {
      double number = normal(source_);
      numbers.emplace_back(dtype == DType::boolean ? core::Scalar(number > 0)
                                                   : core::Scalar(number));
    }
    return core::tensor_from(numbers, sizes, dtype);
  }

  void compare(const core::Values& args, double tolerance = 1e-5) {
    const auto& op = ops::get_operator("aten::scaled_dot_product_attention");
    Tensor plain = ops::call(plain_.context(), op, args)[0].to_tensor();
    core::Values there = deep_copy(args, core::Device{core::DeviceType::cuda, 0});
    Tensor quick = core::to_host(ops::call(gpu_.context(), op, there)[0].to_tensor());
    ASSERT_EQ(quick.sizes(), plain.sizes());
    ASSERT_EQ(quick.strides(), plain.strides());
    auto x = core::elements(quick), y = core::elements(plain);
    for (size_t i = 0; i < x.size(); ++i) {
      double a = x[i].to_double(), b = y[i].to_double();
      if (std::isnan(a) && std::isnan(b)) continue;
      ASSERT_NEAR(a, b, tolerance * std::max(1.0, std::fabs(b))) << "element " << i;
    }
  }

  api::Engine gpu_ = gpu_engine(), plain_ = engine_of(true);
  std::mt19937 source_{3};
};

TEST_F(Attention, OfAnyRank) {
  for (const Dims& batch : {Dims{}, Dims{3}, Dims{2, 3}}) {
    auto with = [&](int64_t rows, int64_t columns) {
      Dims sizes = batch;
      sizes.push_back(rows);
      sizes.push_back(columns);
      return random(sizes);
    };
    compare({with(5, 4), with(7, 4), with(7, 6)});
    compare({with(5, 4), with(7, 4), with(7, 6), {}, 0.0, true});
    compare({with(5, 4), with(7, 4), with(7, 6), {}, 0.0, false, -0.3});
    compare({with(5, 4), with(7, 4), with(7, 6), random({5, 7})});
    compare({with(5, 4), with(7, 4), with(7, 6), random({5, 7}, DType::boolean)});
    compare({with(5, 4), with(7, 4), with(7, 6), random({5, 1}, DType::boolean)});
    compare({with(300, 8), with(500, 8), with(500, 8)});
  }
}

TEST_F(Attention, OfHeadsBesideEachOther) {
  auto heads = [&](int64_t time) { return ops::views::transpose(random({2, time, 3, 4}), 1, 2); };
  compare({heads(5), heads(7), heads(7)});
  compare({heads(5), heads(7), heads(7), random({2, 1, 1, 7}, DType::boolean)});
  compare({heads(5), heads(7), heads(7), random({2, 1, 5, 7})});
}

TEST_F(Attention, OfSharedHeads) {
  Tensor q = ops::views::transpose(random({2, 5, 6, 4}), 1, 2), k = random({2, 3, 7, 4}),
         v = random({2, 3, 7, 2});
  compare({q, k, v, {}, 0.0, false, {}, true});
  compare({q, k, v, random({6, 5, 7}), 0.0, false, {}, true});
  compare({q, k, v, random({2, 1, 5, 7}, DType::boolean), 0.0, false, {}, true});
}

TEST_F(Attention, OfNumbersThatAreNone) {
  Tensor q = random({3, 4}), k = random({5, 4}), v = random({5, 2}), mask = random({3, 5});
  auto put = [](const Tensor& t, int64_t row, int64_t column, double number) {
    t.data<float>()[row * t.size(1) + column] = static_cast<float>(number);
  };
  for (int64_t key = 0; key < 5; ++key) put(mask, 1, key, -INFINITY);
  compare({q, k, v, mask});
  put(mask, 0, 2, INFINITY);
  compare({q, k, v, mask});
  put(q, 2, 1, NAN);
  put(q, 1, 1, NAN);
  compare({q, k, v, mask});
  put(k, 2, 0, -INFINITY);
  compare({q, k, v});
}

TEST_F(Attention, OfOtherTypes) {
  for (DType dtype : {DType::float64, DType::float16, DType::bfloat16}) {
    double tolerance = dtype == DType::float64 ? 1e-12 : dtype == DType::float16 ? 1e-2 : 6e-2;
    Tensor q = random({2, 5, 4}, dtype), k = random({2, 7, 4}, dtype), v = random({2, 7, 6}, dtype);
    // The CPU has no products of float16.
    if (dtype == DType::float16) continue;
    compare({q, k, v}, tolerance);
    compare({q, k, v, random({5, 7}, dtype)}, tolerance);
  }
}

}  // namespace
}  // namespace assay::kernels::testing
