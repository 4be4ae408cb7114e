#include "fuzz/counts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/support/fake_model.h"
#include "verify/properties/deterministic.h"

namespace assay::fuzz {
namespace {

using verify::Case;
using verify::testing::FakeRunner;
using verify::testing::gave;
using verify::testing::raised;
using verify::testing::Trial;

/// A model with something of everything: sizes that it rejects, NaN, an output that stays.
verify::Observation model(const Case& c) {
  int64_t n = c.point.sizes.at("n");
  if (n % 7 == 3) return raised("not this size");
  return gave({n}, n % 5 == 2 ? std::nanf("") : 1);
}

verify::Observation export_of_it(const Case& c) {
  int64_t n = c.point.sizes.at("n");
  return n % 11 == 5 ? gave({n}, 1.5F) : model(c);
}

struct Judged {
  Trial trial{{{"input", "x: f32[n]"}, {"dim", "n=0..40"}}, export_of_it, model};
  Properties properties{std::make_shared<verify::Parity>(),
                        std::make_shared<verify::Deterministic>()};
  std::vector<JudgedCase> cases;

  explicit Judged(const std::vector<int64_t>& sizes) {
    trial.reference_runner->refuse = [](const Case& c) {
      return c.point.sizes.at("n") == 20 ? "no room" : "";
    };
    for (int64_t n : sizes) {
      JudgedCase one;
      one.number = static_cast<int64_t>(cases.size()) + 1;
      one.tested = std::make_shared<const Case>(
          build_case(trial.spec, *nearest_point(trial.spec, verify::Point{{{"n", n}}, {}, 1})));
      for (const auto& property : properties) {
        one.judgements.push_back(property->judge(trial.context, *one.tested));
      }
      cases.push_back(std::move(one));
    }
  }

  Counts count(size_t begin, size_t end) const {
    Counts out(trial.context, properties);
    for (size_t i = begin; i < end; ++i) out.add(cases[i]);
    return out;
  }
};

void expect_equal(Counts& a, Counts& b) {
  for (size_t i = 0; i < a.rows().size(); ++i) {
    const Counts::Row &x = a.rows()[i], &y = b.rows()[i];
    RC_ASSERT(x.outcome.valid == y.outcome.valid);
    RC_ASSERT(x.outcome.discarded == y.outcome.discarded);
    RC_ASSERT(x.outcome.rejected == y.outcome.rejected);
    RC_ASSERT(x.outcome.comparisons == y.outcome.comparisons);
    RC_ASSERT(x.outcome.elements == y.outcome.elements);
    RC_ASSERT(x.outcome.adjudicated == y.outcome.adjudicated);
    RC_ASSERT(x.errored == y.errored);
    RC_ASSERT(x.values == y.values);
    RC_ASSERT(x.nan == y.nan);
    RC_ASSERT(x.not_tested == y.not_tested);
    RC_ASSERT(x.in_part == y.in_part);
    RC_ASSERT(x.error == y.error);
    RC_ASSERT(x.right == y.right);
  }
  RC_ASSERT(a.totals().cases == b.totals().cases);
  RC_ASSERT(a.totals().valid == b.totals().valid);
  RC_ASSERT(a.totals().discarded == b.totals().discarded);
  RC_ASSERT(a.totals().uncompared == b.totals().uncompared);
  RC_ASSERT(a.totals().comparisons == b.totals().comparisons);
  RC_ASSERT(a.totals().elements == b.totals().elements);
  RC_ASSERT(a.exercised() == b.exercised());
  RC_ASSERT(a.missed() == b.missed());
  RC_ASSERT(a.uncompared() == b.uncompared());
  RC_ASSERT(a.errors().size() == b.errors().size());
  for (const auto& [place, error] : a.errors()) {
    RC_ASSERT(b.errors().at(place).needed_atol == error.needed_atol);
    RC_ASSERT(b.errors().at(place).mismatched == error.mismatched);
  }
  for (const auto& [place, output] : a.outputs()) {
    RC_ASSERT(b.outputs().at(place).cases == output.cases);
    RC_ASSERT(b.outputs().at(place).changes == output.changes);
  }
  RC_ASSERT(a.take_points().size() == b.take_points().size());
}

RC_GTEST_PROP(Counts, OfPartsAddedAreThoseOfTheWhole, ()) {
  auto sizes = *rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 41));
  Judged judged(sizes);
  size_t first = *rc::gen::inRange<size_t>(0, sizes.size() + 1);
  size_t second = *rc::gen::inRange<size_t>(first, sizes.size() + 1);
  Counts whole = judged.count(0, sizes.size());
  Counts sum = judged.count(0, first);
  sum.add(judged.count(first, second));
  sum.add(judged.count(second, sizes.size()));
  expect_equal(whole, sum);
}

TEST(Counts, TellCasesThatWereComparedFromThoseThatWereNot) {
  Judged judged({1, 3, 5, 20, 2});
  Counts counts = judged.count(0, judged.cases.size());
  EXPECT_EQ(counts.totals().cases, 5);
  EXPECT_EQ(counts.totals().valid, 3);       // 1, 5 and 2, of which 5 fails.
  EXPECT_EQ(counts.totals().discarded, 1);   // 3: both raise.
  EXPECT_EQ(counts.totals().uncompared, 1);  // 20: the reference cannot run it.
  EXPECT_EQ(counts.rows()[0].nan, 2);        // 2 gives two elements that say nothing.
  EXPECT_EQ(counts.rows()[0].right.size(), 2u);
  EXPECT_EQ(counts.exercised().at("n").count("3"), 0u);
  EXPECT_EQ(counts.missed().at("n").count("20"), 1u);
}

}  // namespace
}  // namespace assay::fuzz
