#include "verify/properties/batch_independent.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::verify {
namespace {

using testing::Trial;

Observation mapped(const Case& c, const std::function<float(const core::Tensor&, int64_t)>& row) {
  core::Tensor x = materialize(c).args[0].to_tensor();
  core::Tensor out = core::Tensor::empty(core::Dims{x.size(0), 1}, core::DType::float32);
  for (int64_t b = 0; b < x.size(0); ++b) out.data<float>()[b] = row(x, b);
  Observation run;
  run.ending = Ending::returned;
  run.outputs = out;
  return run;
}

/// Twice the first element of the row.
Observation by_row(const Case& c) {
  return mapped(
      c, [](const core::Tensor& x, int64_t b) { return 2 * x.data<float>()[b * x.stride(0)]; });
}

/// The first element of the row before: rows see each other.
Observation shifted(const Case& c) {
  return mapped(c, [](const core::Tensor& x, int64_t b) {
    return x.data<float>()[(b == 0 ? x.size(0) - 1 : b - 1) * x.stride(0)];
  });
}

const std::vector<SpecPiece> rows{{"input", "x: f32[b, 3]"}, {"dim", "b=0..9"}};

Judgement judged(const testing::FakeRunner::Body& body, int64_t b) {
  Trial trial(rows, body, body);
  trial.context.reference = nullptr;
  Case c = build_case(trial.spec, *nearest_point(trial.spec, Point{{{"b", b}}, {}, 4}));
  EXPECT_EQ(BatchIndependent().not_applicable(trial.context), "");
  return BatchIndependent().judge(trial.context, c);
}

TEST(BatchIndependent, HoldsWhereRowsDoNotSeeEachOther) {
  EXPECT_EQ(judged(by_row, 5).verdict, Judgement::Verdict::holds);
  EXPECT_EQ(judged(shifted, 5).verdict, Judgement::Verdict::violated);
}

TEST(BatchIndependent, SaysWhenThereIsNothingToSplit) {
  EXPECT_EQ(judged(by_row, 1).verdict, Judgement::Verdict::discarded);  // It speaks of several.
  auto whole = [](const Case&) { return testing::gave({}); };
  EXPECT_EQ(judged(whole, 4).verdict, Judgement::Verdict::not_tested);
}

TEST(BatchIndependent, APartThatRaisesIsAViolation) {
  auto picky = [](const Case& c) {
    return materialize(c).args[0].to_tensor().size(0) == 2 ? testing::raised("two") : by_row(c);
  };
  EXPECT_EQ(judged(picky, 4).verdict, Judgement::Verdict::violated);
}

TEST(BatchIndependent, AppliesAloneOrWhenAskedFor) {
  Trial trial(rows, by_row, by_row);
  EXPECT_NE(BatchIndependent().not_applicable(trial.context), "");
  trial.spec.properties = {"batch_independent"};
  EXPECT_EQ(BatchIndependent().not_applicable(trial.context), "");
}

TEST(BatchIndependent, FindsTheLetterThatLeadsEveryTensor) {
  auto letter = [](std::vector<SpecPiece> pieces) {
    pieces.push_back({"dim", "b=1..4"});
    pieces.push_back({"dim", "t=1..4"});
    return batch_letter(parse_spec(pieces));
  };
  EXPECT_EQ(letter({{"input", "x: f32[b, t]"}, {"input", "m: {k: bool[b], n: int}"}}), "b");
  EXPECT_EQ(letter({{"input", "x: f32[b, t]"}, {"input", "y: f32[t]"}}), "");
  EXPECT_EQ(letter({{"input", "x: f32[b, b]"}}), "");
  EXPECT_EQ(letter({{"input", "x: f32[3, b]"}}), "");
}

}  // namespace
}  // namespace assay::verify
