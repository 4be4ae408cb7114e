#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/verify/lint/traced.h"

namespace assay::verify::lint {
namespace {

using testing::plain_weights;
using testing::signs_by;
using testing::traced;

/// cat([x, blank, blank, ...]) in line 6.
Program filled_up(int blanks) {
  std::string text =
      "graph(%self : NoneType, %x : Tensor):\n"
      "  %d : int = prim::Constant[value=0]()\n"
      "  %blank : Tensor = aten::relu(%x) # model.py:5:0\n"
      "  %all : Tensor[] = prim::ListConstruct(%x";
  for (int i = 0; i < blanks; ++i) text += ", %blank";
  return traced(text + ")\n  %y : Tensor = aten::cat(%all, %d) # model.py:6:0\n  return (%y)\n");
}

TEST(RepeatedEntry, IsAListTimesANumber) {
  auto signs = signs_by(RuleId::repeated_entry, filled_up(4), plain_weights());
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
  EXPECT_EQ(signs[0].literal, "4");
  EXPECT_EQ(signs[0].line, 5);
}

TEST(RepeatedEntry, APairMayHaveBeenWritten) {
  EXPECT_TRUE(signs_by(RuleId::repeated_entry, filled_up(2), plain_weights()).empty());
}

}  // namespace
}  // namespace assay::verify::lint
