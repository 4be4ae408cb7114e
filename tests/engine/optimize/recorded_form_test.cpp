#include "engine/optimize/recorded_form.h"

#include <gtest/gtest.h>

#include "engine/api/engine.h"
#include "engine/core/backends.h"
#include "engine/core/fake_device.h"
#include "engine/core/host_access.h"
#include "engine/ops/dispatch.h"

namespace assay::optimize {
namespace {

using core::Tensor;
using core::Value;

/// On a GPU where there is one, else on a fake device.
class Recorded : public testing::Test {
 protected:
  void SetUp() override {
    auto* fake = core::find_backend(core::DeviceType::fake);
    dynamic_cast<core::FakeDevices&>(*fake).allow_recording();
  }

  Tensor numbers(std::vector<float> elements) {
    Tensor t =
        Tensor::empty(core::Dims{static_cast<int64_t>(elements.size())}, core::DType::float32);
    std::ranges::copy(elements, t.device_data<float>());
    return ops::relocate(context(), t, device(), core::DType::float32);
  }
  std::vector<float> elements(const Value& value) {
    Tensor t = core::to_host(value.to_tensor());
    return {t.device_data<float>(), t.device_data<float>() + t.numel()};
  }
  core::Device device() {
    auto* gpu = core::find_backend(core::DeviceType::cuda);
    bool there = gpu && !gpu->host_kernels() && gpu->count() > 0;
    return {there ? core::DeviceType::cuda : core::DeviceType::fake, 0};
  }
  ops::Context& context() { return engine_.context(); }

  /// 2x + x, and how often that was asked for.
  Value triple(const core::Values& arguments) {
    ++runs_;
    Value doubled = ops::call(context(), "aten::mul.Scalar", {arguments[0], 2});
    return ops::call(context(), "aten::add.Tensor", {doubled, arguments[0], 1});
  }
  Value call(const core::Values& arguments) {
    EXPECT_TRUE(RecordedForm::accepts(context(), arguments));
    return form_.call(context(), arguments, [this](const core::Values& a) { return triple(a); });
  }

  api::Engine engine_;
  RecordedForm form_;
  int runs_ = 0;
};

TEST_F(Recorded, RunsWithoutTheMethodOnceItKnowsIt) {
  std::vector<Value> results;
  for (int i = 0; i < 8; ++i) {
    auto x = static_cast<float>(i);
    results.push_back(call({numbers({x, x + 1})}));
  }
  EXPECT_EQ(runs_, 3);  // The last of them was recorded.
  for (int i = 0; i < 8; ++i) {
    auto x = static_cast<float>(i);
    EXPECT_EQ(elements(results[static_cast<size_t>(i)]), (std::vector{3 * x, 3 * x + 3}));
  }
}

TEST_F(Recorded, KeepsSizesApart) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(elements(call({numbers({1})})), (std::vector<float>{3}));
    EXPECT_EQ(elements(call({numbers({1, 2, 3})})), (std::vector<float>{3, 6, 9}));
  }
  EXPECT_EQ(runs_, 6);
}

TEST_F(Recorded, LeavesAMethodThatWaitsAsItIs) {
  int runs = 0;
  auto waits = [&](const core::Values& arguments) {
    ++runs;
    Value total = ops::call(context(), "aten::sum", {arguments[0], {}});
    Value number = ops::call(context(), "aten::item", {total});
    return ops::call(context(), "aten::mul.Scalar", {arguments[0], number});
  };
  for (float x : {1.f, 2.f, 3.f, 4.f, 5.f})
    EXPECT_EQ(elements(form_.call(context(), {numbers({x, 1})}, waits)),
              (std::vector{x * (x + 1), x + 1}));
  EXPECT_EQ(runs, 6);  // Once in vain.
}

TEST_F(Recorded, LeavesAMethodThatGivesItsArgumentBackAsItIs) {
  auto same = [](const core::Values& arguments) { return arguments[0]; };
  for (int i = 0; i < 5; ++i) {
    core::Values arguments{numbers({1})};
    EXPECT_TRUE(form_.call(context(), arguments, same).same(arguments[0]));
  }
}

TEST_F(Recorded, TakesNoArgumentsOfTheHost) {
  EXPECT_FALSE(
      RecordedForm::accepts(context(), {Tensor::empty(core::Dims{1}, core::DType::float32)}));
  EXPECT_FALSE(RecordedForm::accepts(context(), {Value(1)}));
}

}  // namespace
}  // namespace assay::optimize
