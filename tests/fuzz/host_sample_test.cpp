#include "fuzz/host_sample.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/fake_model.h"

namespace assay::fuzz {
namespace {

using verify::Case;
using verify::Ending;
using verify::Judgement;
using verify::testing::FakeRunner;
using verify::testing::gave;
using verify::testing::raised;
using Verdict = Judgement::Verdict;

class Sampling : public ::testing::Test {
 protected:
  Case at(int64_t n, base::FlatMap<std::string> choices = {}, uint64_t seed = 0) const {
    return build_case(spec_, *nearest_point(spec_, verify::Point{{{"n", n}}, choices, seed}));
  }
  void tell(const Case& c, Verdict verdict) {
    Judgement judgement;
    judgement.verdict = verdict;
    sample_.case_judged(parity_, c, judgement);
  }

  verify::Spec spec_ = verify::parse_spec({{"input", "x: f32[n]"},
                                           {"dim", "n=1..99"},
                                           {"modes", "eval,train"},
                                           {"dtypes", "x:f32,f64,bf16"},
                                           {"layouts", "contiguous,strided"}});
  FakeRunner in_pytorch_{[](const Case&) { return gave({1}); }};
  std::vector<Case> remembered_;
  verify::Parity parity_;
  HostSample sample_{in_pytorch_, remembered_, 1};
};

TEST_F(Sampling, AFewOfManyThatPassHaveEveryWordAndBothEnds) {
  std::set<std::string> declared;
  for (int64_t n = 1; n <= 99; ++n) {
    const char* dtype = n % 7 == 0 ? "f64" : n % 11 == 0 ? "bf16" : "f32";
    tell(at(n, {{"mode", n == 40 ? "train" : "eval"},
                {"dtype x", dtype},
                {"layout x", n == 50 ? "strided" : "contiguous"}}),
         Verdict::holds);
  }
  std::vector<Case> drawn = sample_.drawn();
  EXPECT_EQ(sample_.passing(), 99);
  EXPECT_EQ(drawn.size(), HostSample::wanted);
  std::set<std::string> words;
  std::set<int64_t> sizes;
  for (const Case& c : drawn) {
    for (const auto& [key, word] : c.point.choices) words.insert(word);
    sizes.insert(c.point.sizes.at("n"));
  }
  EXPECT_EQ(sizes.size(), drawn.size());
  EXPECT_TRUE(sizes.count(1) && sizes.count(99));
  for (const char* word : {"eval", "train", "f32", "f64", "bf16", "contiguous", "strided"}) {
    EXPECT_TRUE(words.count(word)) << word;
  }
  EXPECT_TRUE(sample_.doubtful().empty() && sample_.refused().empty());
}

TEST_F(Sampling, AllOfAFew) {
  for (int64_t n : {2, 5, 7}) tell(at(n), Verdict::holds);
  EXPECT_EQ(sample_.drawn().size(), 3u);
}

TEST_F(Sampling, WhatSaysLittleIsDoubtful) {
  tell(at(2), Verdict::discarded);
  tell(at(3), Verdict::violated);
  Judgement adjudicated;
  adjudicated.verdict = Verdict::holds;
  verify::ValueError error;
  error.adjudicated = 1;
  adjudicated.comparison.errors = {{"output", error}};
  sample_.case_judged(parity_, at(4), adjudicated);
  Judgement refused;  // By the engine, and by both.
  refused.reference = gave({1});
  sample_.case_judged(parity_, at(5), refused);
  sample_.case_judged(parity_, at(6), Judgement());
  remembered_.push_back(at(7));
  tell(at(7), Verdict::holds);
  EXPECT_EQ(sample_.doubtful(), (std::vector<Case>{at(2), at(4), at(7)}));
  EXPECT_EQ(sample_.refused(), std::vector<Case>{at(5)});
  EXPECT_TRUE(sample_.drawn().empty());
  EXPECT_EQ(sample_.passing(), 3);
}

TEST_F(Sampling, OnlyOfParityAndOnlyWhatPytorchCanRun) {
  in_pytorch_.refuse = [](const Case& c) { return c.setting("mode") == "train" ? "no" : ""; };
  tell(at(2, {{"mode", "train"}}), Verdict::holds);
  tell(at(3, {{"mode", "eval"}}), Verdict::holds);
  for (const auto& property : verify::all_properties()) {
    Judgement holds;
    holds.verdict = Verdict::holds;
    if (property->id() != "parity") sample_.case_judged(*property, at(4), holds);
  }
  ASSERT_EQ(sample_.drawn().size(), 1u);
  EXPECT_EQ(sample_.drawn()[0].point.sizes.at("n"), 3);
  EXPECT_EQ(sample_.passing(), 2);  // The report tells of all.
}

// Equal campaigns ask for equal cases, however many there are: reports are equal to the byte.
RC_GTEST_PROP(HostSample, IsAFunctionOfTheCasesAndBounded, (std::vector<uint16_t> sizes)) {
  verify::Spec spec = verify::parse_spec({{"input", "x: f32[n]"}, {"dim", "n=0..65535"}});
  FakeRunner in_pytorch([](const Case&) { return gave({1}); });
  std::vector<Case> none;
  verify::Parity parity;
  HostSample one(in_pytorch, none, 3), other(in_pytorch, none, 3);
  for (uint64_t k = 0; k < sizes.size() * 5; ++k) {
    verify::Point point{{{"n", sizes[k % sizes.size()]}}, {}, k};
    Judgement holds;
    holds.verdict = Verdict::holds;
    for (HostSample* sample : {&one, &other}) {
      sample->case_judged(parity, build_case(spec, point), holds);
    }
  }
  std::vector<Case> drawn = one.drawn();
  RC_ASSERT(drawn == other.drawn());
  RC_ASSERT(drawn.size() == std::min(sizes.size() * 5, HostSample::wanted));
}

}  // namespace
}  // namespace assay::fuzz
