#include "verify/run/probe_spec.h"

#include <gtest/gtest.h>

#include <functional>

#include "engine/core/value.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

/// Returns where a rule over the arguments' tensors says so.
class Picky : public Runner {
 public:
  using Rule = std::function<bool(const std::vector<core::Tensor>&)>;
  explicit Picky(Rule rule) : rule_(std::move(rule)) {}

  Observation run(const Case& c) override {
    ++runs;
    std::vector<core::Tensor> tensors;
    for (const core::Value& value : materialize(c).args) collect(value, tensors);
    Observation o;
    o.ending = rule_(tensors) ? Ending::returned : Ending::raised;
    if (o.ending == Ending::raised) o.failure = Failure{"E", "too picky\nfor this", {}, {}, {}};
    return o;
  }
  std::string name() const override { return "picky"; }

  int runs = 0;

 private:
  static void collect(const core::Value& value, std::vector<core::Tensor>& out) {
    if (value.is_tensor()) out.push_back(value.to_tensor());
    if (!value.is_list()) return;
    for (const core::Value& item : value.list().items) collect(item, out);
  }

  Rule rule_;
};

std::string probed(const std::vector<UnknownInput>& inputs, const std::vector<Weight>& weights,
                   const Picky::Rule& rule) {
  Picky runner(rule);
  Probe probe = probe_spec(inputs, weights, runner, 10);
  EXPECT_LE(runner.runs, 310);
  return probe.spec ? spec_text(*probe.spec) : probe.refusal;
}

const std::vector<UnknownInput> one{{"x", "@"}};

TEST(ProbeSpec, TakesTheSizesOfWeights) {
  EXPECT_EQ(probed(one, {{{8, 16}}, {{8}}}, [](auto& t) { return t[0].sizes().back() == 16; }),
            "--input 'x: f32[b, 16]'\n--dim b=1..4\n");
  EXPECT_EQ(
      probed(one, {{{6, 3, 5, 5}}}, [](auto& t) { return t[0].dim() == 4 && t[0].size(1) == 3; }),
      "--input 'x: f32[b, 3, 32, 32]'\n--dim b=1..4\n");
  EXPECT_EQ(probed(one, {{{30, 8}}}, [](auto& t) { return t[0].dtype() == core::DType::int64; }),
            "--input 'x: i64[b, t] in 0..29'\n--dim b=1..4\n--dim t=1..8\n");
}

TEST(ProbeSpec, TakesTheElementTypeOfWeights) {
  auto doubles = [](auto& t) { return t[0].dtype() == core::DType::float64; };
  EXPECT_EQ(probed(one, {{{8, 3}, core::DType::float64}}, doubles),
            "--input 'x: f64[b, 3]'\n--dim b=1..4\n");
}

TEST(ProbeSpec, FixesSizesThatTheModelFixes) {
  auto two_rows = [](auto& t) { return t[0].dim() == 2 && t[0].size(0) == 2; };
  EXPECT_EQ(probed(one, {}, two_rows), "--input 'x: f32[b, 4]'\n--dim b=2\n");
}

TEST(ProbeSpec, FindsTensorsOfTwoForms) {
  auto rule = [](auto& t) {
    return t[0].dtype() == core::DType::int64 && t[1].dtype() == core::DType::float32 &&
           t[1].sizes() == core::Dims{t[0].size(0), 8};
  };
  EXPECT_EQ(probed({{"ids", "@"}, {"n", "2"}, {"x", "@"}}, {{{30, 8}}}, rule),
            "--input 'ids: i64[b, t] in 0..29'\n--input 'n: 2'\n--input 'x: f32[b, 8]'\n"
            "--dim b=1..4\n--dim t=1..8\n");
}

TEST(ProbeSpec, FillsLists) {
  EXPECT_EQ(probed({{"xs", "[@, @]"}}, {}, [](auto& t) { return t.size() == 2; }),
            "--input 'xs: [f32[b, 4], f32[b, 4]]'\n--dim b=1..4\n");
}

TEST(ProbeSpec, PassesOverShapesThatNoCaseCanHold) {
  EXPECT_EQ(probed(one, {{{int64_t{1} << 40, int64_t{1} << 40}}},
                   [](auto& t) { return t[0].dim() == 1; }),
            "--input 'x: f32[b]'\n--dim b=1..4\n");
}

TEST(ProbeSpec, GivesUpWhereNothingIsTakenWithTheFirstAnswer) {
  EXPECT_EQ(probed({{"x", "@"}, {"y", "@"}}, {}, [](auto&) { return false; }),
            "x: f32[b, 4]: too picky");
}

}  // namespace
}  // namespace assay::verify
