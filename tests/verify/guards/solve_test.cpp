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

}  // namespace
}  // namespace assay::verify::guards
