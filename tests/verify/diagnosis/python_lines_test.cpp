#include "verify/diagnosis/python_lines.h"

#include <gtest/gtest.h>

#include "tests/verify/diagnosis/lines_of.h"

namespace assay::verify::diagnosis::python {
namespace {

TEST(PythonLines, AWriteIsAnAssignmentOrACallThatChanges) {
  for (const char* after : {" = 1", " += 1", "[0] = 1", "[0] *= 2", ".append(1)", ".mul_(2)",
                            ".weight.data = 1", ".x[0].y += 1", ".fc.bias.zero_()"})
    EXPECT_TRUE(writes(after)) << after;
  for (const char* after : {" == 1", " >= 1", " <= 1", "[0] == 1", ".mul(2)", ".__len__()", "",
                            ".shape[0]", ".a == 1", ".a.mul(2)"})
    EXPECT_FALSE(writes(after)) << after;
  EXPECT_EQ(assigned("    eps *= 2").first, "eps");
  EXPECT_EQ(assigned("    self.eps = 2").first, "");
  EXPECT_TRUE(writes_any("self.n += other.m", {"n"}));
  EXPECT_FALSE(writes_any("self.n += self.m", {"m"}));
}

TEST(PythonLines, NamesAreWholeWords) {
  EXPECT_EQ(names_in("a = b_1[c]+d.e"), (Names{"a", "b_1", "c", "d", "e"}));
  auto found = attributes_in("y = self.n + myself.m + self.rate(x)");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].first, "n");
  EXPECT_EQ(found[1].first, "rate");
  EXPECT_EQ(found[1].second, "(x)");
  EXPECT_TRUE(starts_with_word("  for x in y:", {"for"}));
  EXPECT_FALSE(starts_with_word("  format = 1", {"for"}));
}

TEST(PythonLines, AFunctionEndsWhereItsIndentationDoes) {
  auto lines = lines_of(
      "class A:\n    def f(self):\n        x = 1\n\n        return x\n"
      "    def g(self):\n        return 2\n");
  EXPECT_EQ(function_around(lines, 5), (std::pair<std::string, int>{"f", 2}));
  EXPECT_EQ(function_around(lines, 1), (std::pair<std::string, int>{"", 0}));
  EXPECT_EQ(lines_of_function(lines, 2), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(lines_below(lines, 3), (std::vector<int>{4, 5}));
  EXPECT_EQ(head_of(lines, 3, "g"), 6);
  EXPECT_EQ(head_of(lines, 3, "h"), 0);
}

TEST(PythonLines, AModuleIsCalledByTheNamesThatHoldIt) {
  auto line = lines_of(R"(class Cell(nn.Module):
    def forward(self, x):
        return x + 1
class Net(nn.Module):
    def __init__(self):
        self.first = Cell()
        self.named = nn.ModuleDict({"a": Cell()})
        self.rest = nn.ModuleList([Cell() for _ in range(3)])
        self.norm = nn.LayerNorm(3)
    def forward(self, x):
        x = self.first(x)
        x = self.named["a"](x)
        for i, cell in enumerate(self.rest):
            x = cell(x)
        return self.norm(x))");
  EXPECT_EQ(calls_of_function(line, 3), (std::vector<int>{11, 12, 14}));
}

}  // namespace
}  // namespace assay::verify::diagnosis::python
