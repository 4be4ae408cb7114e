#include "verify/diagnosis/questions.h"

#include <gtest/gtest.h>

namespace assay::verify::diagnosis {
namespace {

Escape answer(int line, bool value) {
  return {"bool", core::Scalar(value), {"model.py", line, "forward"}};
}

TEST(Questions, AreKeptInTheirOrder) {
  Escape number{"int", core::Scalar(int64_t{3}), {"model.py", 7, "forward"}};
  std::vector<Escape> escapes{answer(5, true), answer(5, false), answer(5, false), number};
  Questions asked = questions(nullptr, &escapes);
  ASSERT_EQ(asked.size(), 3U);
  EXPECT_EQ(asked[0].line.second, 5);
  EXPECT_TRUE(asked[0].answer);
  EXPECT_FALSE(asked[1].answer);
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

/// Rounds of a loop: a letter for each answer, of line 5 and, behind it, of line 6.
Counted in_rounds(const std::vector<std::string>& rounds, int64_t count) {
  std::vector<Escape> escapes;
  for (const std::string& round : rounds) {
    int line = 5;
    for (char given : round) escapes.push_back(answer(line++, given == 'y'));
  }
  return {questions(nullptr, &escapes), count};
}

TEST(Questions, OfTwoLinesTellTogether) {
  // if a: if b: step
  EXPECT_TRUE(answers_tell({in_rounds({"n", "n", "n"}, 0), in_rounds({"yy", "n", "yn"}, 1),
                            in_rounds({"yy", "yy", "n"}, 2), in_rounds({"yn", "yn", "n"}, 0)}));
  // if a or b: step
  EXPECT_TRUE(answers_tell({in_rounds({"nn", "nn", "nn"}, 0), in_rounds({"yn", "ny", "nn"}, 2),
                            in_rounds({"yy", "nn", "nn"}, 1), in_rounds({"yy", "ny", "yn"}, 3),
                            in_rounds({"ny", "nn", "nn"}, 1)}));
  // A `while a and b`: asked for once more than there are rounds.
  EXPECT_FALSE(answers_tell({in_rounds({"n"}, 0), in_rounds({"yy", "n"}, 1),
                             in_rounds({"yy", "yy", "yn"}, 2), in_rounds({"yy", "yy", "n"}, 2)}));
}

TEST(Questions, AskedOnceMoreTheyCountTheRounds) {
  std::vector<Counted> exports{counted({true, true, false}, 2), counted({true, false}, 1),
                               counted({true, true, true, false}, 3), counted({false}, 0)};
  EXPECT_FALSE(answers_tell(exports));
  EXPECT_FALSE(answers_tell({}));
}

}  // namespace
}  // namespace assay::verify::diagnosis
