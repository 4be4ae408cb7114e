// Random numbers on GPUs: PyTorch's, and those that have no order of PyTorch's by what they are
// like.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/core/elements.h"
#include "engine/core/host_access.h"
#include "engine/kernels/cuda/philox.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/kernels/cuda/gpu.h"

namespace assay::kernels::testing {
namespace {

using core::Dims;
using core::Tensor;
using core::Value;
using cuda::PhiloxWords;

constexpr core::Device gpu{core::DeviceType::cuda, 0};

void expect_words(const PhiloxWords& got, const PhiloxWords& expected) {
  for (int k = 0; k < 4; ++k) EXPECT_EQ(got.of[k], expected.of[k]) << k;
}

TEST(Philox, GivesTheAnswersOfItsPaper) {
  constexpr uint32_t all = 0xffffffffu;
  expect_words(cuda::philox({{0, 0, 0, 0}}, 0),
               {{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}});
  expect_words(cuda::philox({{all, all, all, all}}, ~uint64_t{0}),
               {{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}});
  // The digits of pi.
  expect_words(
      cuda::philox({{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}}, 0x299f31d0a4093822u),
      {{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}});
}

class CudaRandom : public OnGpu<> {
 protected:
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    engine_.emplace(gpu_engine());
    engine_->set_seed(0);
  }

  Tensor call(const char* op, core::Values args) {
    return ops::call(engine_->context(), op, std::move(args)).to_tensor();
  }
  Tensor on_gpu(const std::vector<double>& numbers) {
    std::vector<core::Scalar> scalars(numbers.begin(), numbers.end());
    Tensor host = core::tensor_from(scalars, Dims{static_cast<int64_t>(numbers.size())},
                                    core::DType::float32);
    return ops::relocate(engine_->context(), host, gpu, host.dtype());
  }
  Tensor fresh(const char* op, int64_t count) {
    return call(op, {core::make_int_list(Dims{count}), Value(), Value(), gpu});
  }
  static std::vector<double> numbers(const Tensor& t) {
    std::vector<double> all;
    for (const core::Scalar& item : core::elements(core::to_host(t)))
      all.push_back(item.to_double());
    return all;
  }
  static void expect_numbers(const Tensor& t, const std::vector<double>& expected) {
    auto got = numbers(t);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 6e-5) << i;
  }
  static double mean(const Tensor& t) {
    auto all = numbers(t);
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  }

  std::optional<api::Engine> engine_;
};

TEST_F(CudaRandom, UniformNumbersArePyTorchs) {
  // torch.manual_seed(0); torch.rand(10, device="cuda"), twice.
  expect_numbers(fresh("aten::rand", 10),
                 {0.3990, 0.5167, 0.0249, 0.9401, 0.9459, 0.7967, 0.4150, 0.8203, 0.2290, 0.9096});
  expect_numbers(fresh("aten::rand", 10),
                 {0.9722, 0.7910, 0.4690, 0.3300, 0.3345, 0.3783, 0.7640, 0.6405, 0.1103, 0.3594});
}

TEST_F(CudaRandom, NormalNumbersArePyTorchs) {
  // torch.manual_seed(0); torch.randn(8, device="cuda")
  expect_numbers(fresh("aten::randn", 8),
                 {-0.9247, -0.4253, -2.6438, 0.1452, -0.1209, -0.5797, -0.6229, -0.3284});
}

TEST_F(CudaRandom, ASeedBeginsAnew) {
  auto first = numbers(fresh("aten::rand", 1000));
  EXPECT_NE(numbers(fresh("aten::rand", 1000)), first);
  engine_->set_seed(0);
  EXPECT_EQ(numbers(fresh("aten::rand", 1000)), first);
}

TEST_F(CudaRandom, DistributionsHaveTheirMeans) {
  constexpr int64_t many = 100000;
  EXPECT_NEAR(mean(fresh("aten::rand", many)), 0.5, 0.01);
  EXPECT_NEAR(mean(fresh("aten::randn", many)), 0, 0.02);
  Tensor room = fresh("aten::zeros", many);
  EXPECT_NEAR(mean(call("aten::bernoulli_.float", {room, 0.3, Value()})), 0.3, 0.01);
  EXPECT_NEAR(mean(call("aten::exponential_", {room, 2.0, Value()})), 0.5, 0.01);
  EXPECT_NEAR(mean(call("aten::geometric_", {room, 0.25, Value()})), 4, 0.1);
  EXPECT_NEAR(mean(call("aten::log_normal_", {room, 0.0, 0.5, Value()})), std::exp(0.125), 0.02);
  EXPECT_NEAR(mean(call("aten::random_.from", {room, 10, 20, Value()})), 14.5, 0.05);
  for (double rate : {0.5, 4.0, 30.0}) {
    call("aten::fill_.Scalar", {room, rate});
    EXPECT_NEAR(mean(call("aten::poisson", {room, Value()})), rate, 0.1);
    EXPECT_NEAR(mean(call("aten::_standard_gamma", {room, Value()})), rate, 0.1);
  }
  Tensor count = fresh("aten::zeros", many), chance = fresh("aten::zeros", many);
  call("aten::fill_.Scalar", {count, 50.0});
  call("aten::fill_.Scalar", {chance, 0.4});
  EXPECT_NEAR(mean(call("aten::binomial", {count, chance, Value()})), 20, 0.1);
}

TEST_F(CudaRandom, DropoutKeepsTheMean) {
  for (int64_t count : {100000, 100002, 99999}) {  // By fours, by twos, one by one.
    Tensor ones = fresh("aten::ones", count);
    Tensor kept = call("aten::dropout", {ones, 0.25, true});
    EXPECT_NEAR(mean(kept), 1, 0.02);
    for (double v : numbers(kept)) ASSERT_TRUE(v == 0 || std::fabs(v - 4 / 3.0) < 1e-6);
  }
}

TEST_F(CudaRandom, PermutationsHoldEveryNumberOnce) {
  for (int64_t count : {1, 2, 3, 100, 5000}) {
    auto drawn = numbers(call("aten::randperm", {count, Value(), Value(), gpu}));
    bool ordered = std::is_sorted(drawn.begin(), drawn.end());
    EXPECT_TRUE(!ordered || count < 100);
    std::sort(drawn.begin(), drawn.end());
    for (size_t i = 0; i < drawn.size(); ++i) ASSERT_EQ(drawn[i], static_cast<double>(i));
  }
}

TEST_F(CudaRandom, IndicesAreDrawnByWeight) {
  Tensor weights = on_gpu({1, 0, 3, 4});
  auto drawn = numbers(call("aten::multinomial", {weights, 80000, true, Value()}));
  double counts[4]{};
  for (double index : drawn) ++counts[static_cast<size_t>(index)];
  for (size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(counts[k] / 10000, std::vector<double>({1, 0, 3, 4})[k], 0.2);
  for (int draw = 0; draw < 20; ++draw) {
    auto some = numbers(call("aten::multinomial", {weights, 3, false, Value()}));
    std::sort(some.begin(), some.end());
    EXPECT_EQ(some, (std::vector<double>{0, 2, 3}));
    EXPECT_NE(numbers(call("aten::multinomial", {weights, 1, false, Value()}))[0], 1);
  }
}

}  // namespace
}  // namespace assay::kernels::testing
