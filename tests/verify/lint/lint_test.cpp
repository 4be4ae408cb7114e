#include "verify/lint/lint.h"

#include <gtest/gtest.h>

namespace assay::verify::lint {
namespace {

Sign sign(const std::string& file, int line, Strength strength, const std::string& literal,
          RuleId rule = RuleId::pinned_size) {
  Sign s;
  s.rule = rule;
  s.strength = strength;
  s.method = "forward";
  s.op = "aten::arange";
  s.file = file;
  s.line = line;
  s.literal = literal;
  return s;
}

TEST(Arranged, PutsTheStrongestLineFirst) {
  auto signs =
      arranged({sign("a.py", 3, Strength::possible, "1"), sign("a.py", 9, Strength::note, "2"),
                sign("a.py", 5, Strength::note, "3"), sign("a.py", 9, Strength::likely, "4")});
  std::vector<std::string> literals;
  for (const Sign& s : signs) literals.push_back(s.literal);
  EXPECT_EQ(literals, (std::vector<std::string>{"4", "2", "1", "3"}));
}

TEST(Arranged, TellsOnceWhatALineDoesOften) {
  std::vector<Sign> many;
  for (int i = 0; i < 100; ++i) {
    many.push_back(sign("a.py", 3, Strength::possible, std::to_string(i % 50)));
  }
  auto signs = arranged(many);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].count, 100);
  EXPECT_EQ(signs[0].literal, "0, 1, 2, 3 and 46 more");
}

TEST(Arranged, KeepsWhatDiffersApart) {
  EXPECT_EQ(
      arranged({sign("a.py", 3, Strength::possible, "1"), sign("b.py", 3, Strength::possible, "1"),
                sign("a.py", 3, Strength::likely, "1"),
                sign("a.py", 3, Strength::possible, "1", RuleId::pinned_device)})
          .size(),
      4u);
  EXPECT_TRUE(arranged({}).empty());
}

TEST(Report, CountsByStrength) {
  Report report;
  report.signs = {sign("a.py", 3, Strength::possible, "1"), sign("a.py", 4, Strength::likely, "1"),
                  sign("a.py", 5, Strength::possible, "1")};
  EXPECT_EQ(report.count(Strength::possible), 2u);
  EXPECT_EQ(report.count(Strength::likely), 1u);
  EXPECT_EQ(report.count(Strength::note), 0u);
}

}  // namespace
}  // namespace assay::verify::lint
