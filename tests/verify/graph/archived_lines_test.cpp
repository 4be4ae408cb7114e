#include "verify/graph/archived_lines.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"

namespace assay::verify {
namespace {

constexpr const char* forward =
    "    def forward(self, x):\n"
    "        while x.max() > 1:\n"
    "            x = x.relu()\n";

/// `y = relu(x)` behind whose operator lies such a text.
Program reading(const std::string& text, const std::string& file, int first_line) {
  auto graph = ir::parse("graph(%x : Tensor):\n  %y : Tensor = aten::relu(%x)\n  return (%y)\n");
  auto source = std::make_shared<base::Source>();
  source->text = text;
  source->name = file;
  source->first_line = first_line;
  graph->outputs()[0]->node()->set_range({source, 0, text.size()});
  return flatten(graph);
}

TEST(ArchivedLines, AreThoseOfAWholeScriptedFunctionWhereverItsFileLay) {
  ArchivedLines lines;
  EXPECT_TRUE(lines.empty());
  lines.add(reading(forward, "/theirs/model.py", 7));
  EXPECT_FALSE(lines.empty());
  EXPECT_EQ(lines.line("/ours/model.py", 7), "    def forward(self, x):");
  EXPECT_EQ(lines.line("model.py", 8), "        while x.max() > 1:");
  EXPECT_EQ(lines.line("model.py", 6), "");
  EXPECT_EQ(lines.line("other.py", 8), "");
}

TEST(ArchivedLines, ATracesStackOfCallsAndAnArchivesOwnCodeAreNone) {
  ArchivedLines lines;
  lines.add(reading("model.py(9): forward\nexport.py(3): <module>\n", "model.py", 9));
  lines.add(reading(forward, "code/__torch__/model.py", 1));
  lines.add(reading(forward, "/usr/lib/python3/dist-packages/torch/nn/functional.py", 1));
  EXPECT_TRUE(lines.empty());
}

TEST(ArchivedLines, CannotFillATerminalOrMoveItsCursor) {
  ArchivedLines lines;
  lines.add(reading("a\x1b[2Jb\n" + std::string(5000, 'x'), "model.py", 1));
  EXPECT_EQ(lines.line("model.py", 1), "a[2Jb");
  EXPECT_EQ(lines.line("model.py", 2).size(), 300u);
}

}  // namespace
}  // namespace assay::verify
