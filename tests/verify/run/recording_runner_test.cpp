#include "verify/run/recording_runner.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using testing::gave;

const Spec spec =
    parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..9"}, {"devices", "cpu,fake:0"}});

core::Tensor numbers(int64_t n, float first) {
  core::Tensor t = core::Tensor::empty(core::Dims{n}, core::DType::float32);
  for (int64_t i = 0; i < n; ++i) t.data<float>()[i] = first + static_cast<float>(i);
  return t;
}

RecordedCall call_with(const core::Tensor& x, float result) {
  RecordedCall call;
  call.args = {x};
  call.observation = gave({1}, result);
  return call;
}

std::shared_ptr<const Recording> recorded() {
  auto recording = std::make_shared<Recording>();
  recording->calls = {call_with(numbers(3, 1), 10), call_with(numbers(3, 2), 20),
                      call_with(numbers(5, 1), 30)};
  recording->calls[1].mode = "train";
  return recording;
}

float result_of(const Observation& o) { return *o.outputs.to_tensor().data<float>(); }

TEST(RecordingRunner, HasItsCallsAsCasesPlacedInTheSpec) {
  RecordingRunner runner(recorded(), "calls.rec", spec);
  const std::vector<Case>& cases = *runner.only_cases();
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].point.sizes.at("n"), 3);
  EXPECT_EQ(cases[2].point.sizes.at("n"), 5);
  EXPECT_EQ(cases[1].setting("mode"), "train");
  EXPECT_EQ(runner.name(), "calls.rec");
}

TEST(RecordingRunner, AnswersItsOwnCasesAndNoOthers) {
  RecordingRunner runner(recorded(), "calls.rec", spec);
  const std::vector<Case>& cases = *runner.only_cases();
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(runner.cannot_run(cases[i]), "");
    EXPECT_EQ(result_of(runner.run(cases[i])), 10 * static_cast<float>(i + 1));
  }
  Case other = cases[0];
  other.point.choices["mode"] = "train";
  EXPECT_NE(runner.cannot_run(other), "");
  EXPECT_EQ(runner.run(other).ending, Ending::not_run);
  Case drawn = build_case(spec, *nearest_point(spec, Point{{{"n", 3}}, {}, 0}));
  EXPECT_NE(runner.cannot_run(drawn), "");
}

TEST(RecordingRunner, ACaseThatNamesTheCpuIsOneThatNamesNoDevice) {
  RecordingRunner runner(recorded(), "calls.rec", spec);
  Case named = (*runner.only_cases())[0];
  named.point.choices["device"] = "cpu";
  EXPECT_EQ(runner.cannot_run(named), "");
  EXPECT_EQ(result_of(runner.run(named)), 10);
  named.point.choices["device"] = "fake:0";
  EXPECT_NE(runner.cannot_run(named), "");
}

TEST(RecordingRunner, ACallOutsideTheSpecHasNoPlaceButIsCompared) {
  auto recording = std::make_shared<Recording>();
  recording->calls = {call_with(core::Tensor::empty(core::Dims{2, 2}, core::DType::float32), 1)};
  RecordingRunner runner(recording, "calls.rec", spec);
  EXPECT_TRUE((*runner.only_cases())[0].point.sizes.empty());
  EXPECT_EQ(runner.cannot_run((*runner.only_cases())[0]), "");
}

TEST(RecordingExporter, WithoutExportsSaysSo) {
  RecordingExporter exporter(recorded(), spec);
  EXPECT_TRUE(exporter.known().empty());
  Case c = build_case(spec, *nearest_point(spec, Point{{{"n", 3}}, {}, 0}));
  EXPECT_EQ(exporter.export_at(c, false).exported, nullptr);
  EXPECT_NE(exporter.export_at(c, false).failure, "");
  EXPECT_NE(exporter.export_at(c, true).failure, exporter.export_at(c, false).failure);
}

/// The recordings of the corpus hold exports.
TEST(RecordingExporter, GivesTheExportMadeAtEqualElseAtEquallyShapedInputs) {
  auto recording =
      std::make_shared<const Recording>(read_recording("corpus/sizes/arange_len/calls.rec"));
  Spec rows = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=0..16"}});
  RecordingExporter exporter(recording, rows);
  ASSERT_GT(exporter.known().size(), 3u);
  for (const auto& known : exporter.known()) {
    int64_t n = known->exported_at->point.sizes.at("n");
    Case drawn = build_case(rows, *nearest_point(rows, Point{{{"n", n}}, {}, 77}));
    ExportResult found = exporter.export_at(drawn, false);
    ASSERT_TRUE(found.exported) << n;
    bool has_its_length = false;
    for (const Step& s : found.exported->program().steps) {
      bool arange = s.op == "aten::arange";
      has_its_length = has_its_length || (arange && s.operands[0].literal.to_int() == n);
    }
    EXPECT_TRUE(has_its_length) << n;
  }
  Case other = build_case(rows, *nearest_point(rows, Point{{{"n", 15}}, {}, 0}));
  EXPECT_EQ(exporter.export_at(other, false).exported, nullptr);
}

}  // namespace
}  // namespace assay::verify
