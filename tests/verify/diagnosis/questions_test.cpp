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

Counted counted(const std::vector<bool>& answers, int64_t count, int line = 5) {
  std::vector<Escape> escapes;
  for (bool yes : answers) escapes.push_back(answer(line, yes));
  return {questions(nullptr, &escapes), count};
}

TEST(Questions, TellOfRoundsThatAreLeftOut) {
  EXPECT_TRUE(answers_tell({counted({false, false, false}, 3), counted({false, true, false}, 2)}));
  EXPECT_TRUE(answers_tell({counted({false, true}, 2), counted({true, true}, 0)}));
  EXPECT_FALSE(answers_tell({counted({false, true}, 2), counted({true, false}, 3)}));
}

TEST(Questions, TellOfABranchThatRepeats) {
  Counted once = counted({true}, 1), twice = counted({false}, 2);
  EXPECT_TRUE(answers_tell({once, twice, twice, once}));
  EXPECT_FALSE(answers_tell({once, twice}));  // By chance.
  EXPECT_FALSE(answers_tell({once, twice, twice, counted({true}, 3)}));
  EXPECT_FALSE(answers_tell({once, twice, twice, counted({true}, 1, 6)}));
}

TEST(Questions, AskedOnceMoreTheyCountTheRounds) {
  std::vector<Counted> exports{counted({true, true, false}, 2), counted({true, false}, 1),
                               counted({true, true, true, false}, 3), counted({false}, 0)};
  EXPECT_FALSE(answers_tell(exports));
  EXPECT_FALSE(answers_tell({}));
}

}  // namespace
}  // namespace assay::verify::diagnosis
