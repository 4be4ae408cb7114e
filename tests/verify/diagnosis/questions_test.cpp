#include "verify/diagnosis/questions.h"

#include <gtest/gtest.h>

namespace assay::verify::diagnosis {
namespace {

Escape answer(int line, bool value) {
  return {"bool", core::Scalar(value), {"model.py", line, "forward"}};
}

TEST(Questions, AreCountedByLineAndAnswer) {
  Escape number{"int", core::Scalar(int64_t{3}), {"model.py", 7, "forward"}};
  std::vector<Escape> escapes{answer(5, true), answer(5, false), answer(5, false), number};
  Questions asked = questions(nullptr, &escapes);
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked.begin()->first.second, 5);
  EXPECT_EQ(asked.begin()->second.yes, 1);
  EXPECT_EQ(asked.begin()->second.no, 2);
}

TEST(Questions, TheTracesOwnWordComesFirst) {
  Origins origins;
  origins.guards.push_back({"x.sum() > 0", core::Value(true), {"/a/model.py", 5, "forward"}});
  std::vector<Escape> escapes{answer(5, true), answer(6, true)};
  EXPECT_EQ(questions(&origins, &escapes).size(), 1U);
  EXPECT_TRUE(questions(nullptr, nullptr).empty());
}

TEST(Questions, AskedEquallyOftenTheyAccountForRoundsThatAreLeftOut) {
  std::vector<Escape> all{answer(5, false), answer(5, false), answer(5, false)};
  std::vector<Escape> two{answer(5, false), answer(5, true), answer(5, false)};
  Questions none_left_out = questions(nullptr, &all), one_left_out = questions(nullptr, &two);
  EXPECT_TRUE(account_for(none_left_out, one_left_out, -1));
  EXPECT_TRUE(account_for(one_left_out, none_left_out, 1));
  EXPECT_TRUE(account_for(none_left_out, one_left_out, -2));  // Twice in a round.
  EXPECT_FALSE(account_for(none_left_out, none_left_out, 1));
  EXPECT_FALSE(account_for(none_left_out, one_left_out, 0));
}

TEST(Questions, AskedOnceMoreTheyCountTheRounds) {
  std::vector<Escape> two{answer(5, true), answer(5, true), answer(5, false)};
  std::vector<Escape> three{answer(5, true), answer(5, true), answer(5, true), answer(5, false)};
  EXPECT_FALSE(account_for(questions(nullptr, &two), questions(nullptr, &three), 1));
}

}  // namespace
}  // namespace assay::verify::diagnosis
