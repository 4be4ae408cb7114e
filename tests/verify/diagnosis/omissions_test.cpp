#include "verify/diagnosis/omissions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/fake_model.h"
#include "verify/diagnosis/escapes.h"
#include "verify/diagnosis/fewest.h"

namespace assay::verify::diagnosis {
namespace {

using Lines = std::vector<int>;

Lines lines_of(const std::vector<Omission>& omitted) {
  Lines lines;
  for (const Omission& o : omitted) lines.push_back(o.place.line);
  return lines;
}

Judgement holds() {
  Judgement judgement;
  judgement.verdict = Judgement::Verdict::holds;
  return judgement;
}

/// Of a model that raises at the first of its checks that is not left out.
Judgement raising_at(const Lines& checks, const std::vector<Omission>& omitted) {
  Lines left_out = lines_of(omitted);
  for (int line : checks) {
    if (std::ranges::count(left_out, line)) continue;
    Judgement judgement;
    judgement.verdict = Judgement::Verdict::violated;
    judgement.reference = testing::raised("no");
    judgement.reference.failure->place = {"model.py", line, "forward"};
    return judgement;
  }
  return holds();
}

Lines lost(const Lines& checks) {
  auto judge = [&](const std::vector<Omission>& omitted, const std::shared_ptr<Runner>&,
                   const Case&) { return raising_at(checks, omitted); };
  return lines_of(lost_checks(raising_at(checks, {}), judge, {}));
}

TEST(Omissions, ChecksAreLeftOutAsTheyRaise) {
  EXPECT_EQ(lost({7}), Lines{7});
  EXPECT_EQ(lost({7, 3}), (Lines{7, 3}));
  EXPECT_EQ(lost({1, 2, 3, 4, 5}), Lines{});  // So many are another fault.
}

TEST(Omissions, WhatRaisesAgainIsNoCheck) {
  int asked = 0;
  auto still = [&](const std::vector<Omission>&, const std::shared_ptr<Runner>&, const Case&) {
    ++asked;
    return raising_at({7}, {});
  };
  EXPECT_TRUE(lost_checks(raising_at({7}, {}), still, {}).empty());
  EXPECT_EQ(asked, 1);
}

TEST(Omissions, OtherValuesWithoutACheckAreNoProof) {
  auto differs = [&](const std::vector<Omission>&, const std::shared_ptr<Runner>&, const Case&) {
    Judgement judgement = raising_at({7}, {});
    judgement.reference = testing::gave({3});
    return judgement;
  };
  EXPECT_TRUE(lost_checks(raising_at({7}, {}), differs, {}).empty());
}

Escape escape(const char* kind, int line) {
  return {kind, std::nullopt, {"model.py", line, "forward"}, {}};
}

TEST(Omissions, AsFewLinesThatHandOutMemoryAsCure) {
  std::vector<Escape> escapes{escape("numpy", 3), escape("int", 4), escape("data", 5),
                              escape("data", 5), escape("numpy", 9)};
  std::vector<Lines> tried;
  auto needs = [&](std::set<int> needed) {
    auto judge = [&](const std::vector<Omission>& omitted, const std::shared_ptr<Runner>&,
                     const Case&) {
      tried.push_back(lines_of(omitted));
      std::set<int> given(tried.back().begin(), tried.back().end());
      return std::ranges::includes(given, needed) ? holds() : Judgement{};
    };
    return lines_of(lost_effects(escapes, hands_out_memory, Omission::Kind::write, judge, {}));
  };
  EXPECT_EQ(needs({5}), Lines{5});
  EXPECT_EQ(tried[0], (Lines{3, 5, 9}));
  EXPECT_EQ(needs({3, 9}), (Lines{3, 9}));
  EXPECT_EQ(needs({4}), Lines{});
}

TEST(Omissions, WithoutAModelNothingIsLeftOut) {
  EXPECT_TRUE(lost_checks(raising_at({7}, {}), nullptr, {}).empty());
  EXPECT_TRUE(
      lost_effects({escape("numpy", 3)}, hands_out_memory, Omission::Kind::write, nullptr, {})
          .empty());
}

TEST(Omissions, NothingIsAskedWhereNothingIsHandedOut) {
  auto never = [](const std::vector<Omission>&, const std::shared_ptr<Runner>&,
                  const Case&) -> Judgement {
    ADD_FAILURE() << "asked";
    return {};
  };
  EXPECT_TRUE(
      lost_effects({escape("int", 4)}, hands_out_memory, Omission::Kind::write, never, {}).empty());
}

TEST(Fewest, AreThoseWithoutWhichTheRestDoesNot) {
  auto holds_two = [](const std::vector<int>& set) { return std::ranges::count(set, 2) > 0; };
  EXPECT_EQ(fewest_that_cure(std::vector<int>{1, 2, 3}, holds_two), std::vector<int>{2});
  EXPECT_EQ(fewest_that_cure(std::vector<int>{1, 3}, holds_two), std::vector<int>{});
  EXPECT_EQ(fewest_that_cure(std::vector<int>{}, [](const auto&) { return true; }),
            std::vector<int>{});
}

}  // namespace
}  // namespace assay::verify::diagnosis
