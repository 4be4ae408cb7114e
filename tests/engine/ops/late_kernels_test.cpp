#include "engine/ops/late_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/core/host_access.h"

namespace assay::ops {
namespace {

using core::Tensor;

Tensor floats(std::initializer_list<float> numbers) {
  Tensor t = Tensor::empty(core::Dims{static_cast<int64_t>(numbers.size())}, core::DType::float32);
  std::ranges::copy(numbers, t.device_data<float>());
  return t;
}

/// Counts the runs of one kernel.
int runs = 0;
void doubled(Call& c) {
  ++runs;
  const float* from = c.tensor(arg::self).device_data<float>();
  float* to = c.out().device_data<float>();
  for (int64_t i = 0; i < c.out().numel(); ++i) to[i] = 2 * from[i];
}

/// aten::exp doubles here, and is counted.
class Counted : public ::testing::Test {
 protected:
  Counted() {
    static const Kernel kernel{"aten::exp", doubled};
    table_.add(Backend::cpu, "counted", {&kernel, 1});
    context_.kernels = &table_;
    runs = 0;
  }
  Tensor doubled_of(const Tensor& t) { return ops::call(context_, "aten::exp", {t}).to_tensor(); }
  void double_in_place(const Tensor& t) { ops::call(context_, "aten::exp_", {t}); }

  KernelTable table_;
  Context context_;
};

TEST_F(Counted, RunsWhenSomebodyLooks) {
  LateKernels late;
  Tensor y = doubled_of(doubled_of(floats({1, 2})));
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(y.data<const float>()[1], 8);
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(core::first_element(doubled_of(y)).to_double(), 8);
  EXPECT_EQ(runs, 3);
}

TEST_F(Counted, ComputesInTheEndWhatSomebodyHoldsAndNothingElse) {
  Tensor x = floats({1, 2}), kept, view;
  {
    LateKernels late;
    Tensor y = doubled_of(x);
    kept = doubled_of(y);
    doubled_of(kept);  // Nobody's.
    view = doubled_of(y).view(core::Dims{1}, core::Dims{1}, 1);
  }
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(kept.data<const float>()[0], 4);
  EXPECT_EQ(view.data<const float>()[0], 8);
}

TEST_F(Counted, WritesToWhatOthersHoldAreMade) {
  Tensor x = floats({1, 2});
  Tensor before;
  {
    LateKernels late;
    before = doubled_of(x);
    double_in_place(x);
    double_in_place(doubled_of(x));  // Of memory that nobody holds.
  }
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(x.version(), 1);
  EXPECT_EQ(before.data<const float>()[1], 4);
  EXPECT_EQ(x.data<const float>()[1], 4);
}

TEST_F(Counted, AVersionIsAskedForWhatWasWrittenByThen) {
  Tensor x = floats({1, 2});
  LateKernels late;
  double_in_place(x);
  EXPECT_EQ(x.version(), 1);
  EXPECT_EQ(runs, 1);
}

TEST_F(Counted, TakesSizesAndMemoryAsTheyWereAtTheCall) {
  LateKernels late;
  Tensor x = floats({1, 2}), y = doubled_of(x);
  x.assign(floats({7, 7, 7}));
  Tensor result = doubled_of(y);
  Tensor alias = result.alias();
  result.assign(floats({5}));
  EXPECT_EQ(alias.data<const float>()[1], 8);
}

TEST_F(Counted, AHostsWriteComesAfterWhatWaits) {
  LateKernels late;
  Tensor x = floats({1, 2}), y = doubled_of(x);
  { *reinterpret_cast<float*>(core::HostView(x.storage(), core::Access::write).data()) = 9; }
  EXPECT_EQ(y.data<const float>()[0], 2);
  x.storage()->expose();  // From now on somebody may write at any time.
  Tensor z = doubled_of(x);
  x.device_data<float>()[0] = 1;
  EXPECT_EQ(z.data<const float>()[0], 18);
}

TEST_F(Counted, WholeNumbersDoNotWait) {
  // An index of them may be refused, which the program shall hear at the call.
  LateKernels late;
  Tensor x = Tensor::empty(core::Dims{1}, core::DType::int64);
  *x.device_data<int64_t>() = 3;
  EXPECT_THROW(ops::call(context_, "aten::neg", {x}), base::Error);  // There is no kernel of it.
  Tensor y = doubled_of(floats({1}));
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(y.data<const float>()[0], 2);
}

}  // namespace
}  // namespace assay::ops
