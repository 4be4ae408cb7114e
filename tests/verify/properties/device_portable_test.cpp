#include "verify/properties/device_portable.h"

#include <gtest/gtest.h>

#include "engine/core/backends.h"
#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using testing::gave;
using testing::raised;
using testing::Trial;
using Verdict = Judgement::Verdict;

const std::vector<SpecPiece> pieces{{"input", "x: f32[3]"}, {"devices", "cpu,fake:0"}};

/// What a portable model gives: its result lies where the case's inputs lie.
Observation portable(const Case& c) {
  Observation o = gave({3});
  o.outputs = relocated(o.outputs, c.device());
  return o;
}

Judgement judged(const testing::FakeRunner::Body& subject, bool with_reference = true) {
  core::register_fake_devices(false);
  Trial trial(pieces, subject, [](const Case&) { return gave({3}); });
  if (!with_reference) trial.context.reference = nullptr;
  Point point{{}, {{"device", "fake:0"}}, 0};
  Case c = build_case(trial.spec, *nearest_point(trial.spec, point));
  EXPECT_TRUE(DevicePortable().concerns(trial.context, c));
  return DevicePortable().judge(trial.context, c);
}

TEST(DevicePortable, HoldsWhereTheResultFollowsTheInputs) {
  EXPECT_EQ(judged(portable).verdict, Verdict::holds);
  EXPECT_EQ(judged(portable, false).verdict, Verdict::holds);
}

TEST(DevicePortable, IsViolatedByAResultElsewhereAndByAnError) {
  Judgement elsewhere = judged([](const Case&) { return gave({3}); });
  EXPECT_EQ(elsewhere.verdict, Verdict::violated);
  EXPECT_EQ(elsewhere.comparison.headline()->layer, Layer::device);
  auto loud = [](const Case& c) {
    return c.device().type == core::DeviceType::cpu ? gave({3}) : raised("two devices");
  };
  EXPECT_EQ(judged(loud).verdict, Verdict::violated);
  EXPECT_EQ(judged(loud, false).verdict, Verdict::violated);
}

TEST(DevicePortable, ConcernsOtherDevicesThanTheCpu) {
  Trial trial({{"input", "x: f32[3]"}}, portable, portable);
  EXPECT_FALSE(DevicePortable().not_applicable(trial.context).empty());
  Case c = build_case(trial.spec, *nearest_point(trial.spec, Point{}));
  EXPECT_FALSE(DevicePortable().concerns(trial.context, c));
  EXPECT_EQ(DevicePortable().judge(trial.context, c).verdict, Verdict::not_tested);
}

TEST(Relocated, KeepsSharedStorages) {
  core::register_fake_devices(false);
  core::Tensor a = gave({4}).outputs.to_tensor();
  core::Value both = relocated(core::make_tuple({a, a.alias()}), *core::parse_device("fake:0"));
  core::Tensor x = both.tuple().items[0].to_tensor(), y = both.tuple().items[1].to_tensor();
  EXPECT_EQ(x.device().text(), "fake:0");
  EXPECT_EQ(x.storage().get(), y.storage().get());
  EXPECT_EQ(a.device().text(), "cpu");
}

}  // namespace
}  // namespace assay::verify
