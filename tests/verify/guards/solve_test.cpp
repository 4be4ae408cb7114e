#include "verify/guards/solve.h"

#include <gtest/gtest.h>

#include "verify/spec/parser.h"

namespace assay::verify::guards {
namespace {

Spec spec() {
  return parse_spec({{"input", "x: f32[b, 3, h, w]"},
                     {"dim", "b=1..4"},
                     {"dim", "h=32..256:32"},
                     {"dim", "w=h..2*h"}});
}

Solution ask(const char* condition) {
  Spec s = spec();
  TermPtr term = parse(condition, [](const Looked& looked) { return letter(looked.name); });
  Point base{{{"b", 2}, {"h", 32}, {"w", 32}}, {}, 0};
  Solution found = solve(s, {term}, base);
  if (found.kind == Solution::Kind::found) {
    EXPECT_EQ(evaluate(*term, found.sizes), 1) << condition;
    auto point = nearest_point(s, Point{found.sizes, {}, 0});
    EXPECT_TRUE(point && point->sizes == found.sizes) << condition << ": not in the spec";
  }
  return found;
}

TEST(Solve, finds_sizes_within_the_ranges) {
  for (const char* condition :
       {"b == 3", "h * w > 60000", "h // 7 % 5 == 3", "w - h == 17", "max(h, w) == 384",
        "h % 64 == 32 and b > 3", "(b - 5) // 2 == -1"}) {
    EXPECT_EQ(ask(condition).kind, Solution::Kind::found) << condition;
  }
}

TEST(Solve, proves_that_there_are_none) {
  for (const char* condition : {"b > 4", "h == 33", "w < h", "h % 32 != 0", "w > 2 * h"}) {
    EXPECT_EQ(ask(condition).kind, Solution::Kind::none) << condition;
  }
}

TEST(Solve, large_spaces_are_the_solvers) {
  Spec s =
      parse_spec({{"input", "x: f32[h, w]"}, {"dim", "h=1..1000000"}, {"dim", "w=h..3000000"}});
  auto ask_large = [&](const char* condition) {
    TermPtr term = parse(condition, [](const Looked& looked) { return letter(looked.name); });
    Point base{{{"h", 2}, {"w", 3}}, {}, 0};
    Solution found = solve(s, {term}, base);
    if (found.kind == Solution::Kind::found) {
      EXPECT_EQ(evaluate(*term, found.sizes), 1) << condition;
      EXPECT_TRUE(in_domain(s, *nearest_point(s, Point{found.sizes, {}, 0})));
    }
    return found.kind;
  };
  EXPECT_EQ(ask_large("3 * h + 2 * w == 1000001"), Solution::Kind::found);
  EXPECT_EQ(ask_large("h - w == -777777"), Solution::Kind::found);
  EXPECT_EQ(ask_large("h // 1000 == 613 and w % 8 == 5"), Solution::Kind::found);
  EXPECT_EQ(ask_large("max(h, w) > 2999999"), Solution::Kind::found);
  EXPECT_EQ(ask_large("w < h"), Solution::Kind::none);
  EXPECT_EQ(ask_large("h + w > 4000000"), Solution::Kind::none);
  EXPECT_EQ(ask_large("(2 * h) % 2 == 1"), Solution::Kind::none);
}

}  // namespace
}  // namespace assay::verify::guards
