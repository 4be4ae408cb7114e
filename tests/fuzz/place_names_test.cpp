#include "fuzz/place_names.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "engine/base/text.h"
#include "engine/ir/parser.h"

namespace assay::fuzz {
namespace {

/// A graph with an operator on each line.
verify::Program program_of(const std::vector<std::pair<int, std::string>>& lines) {
  std::string text = "graph(%self : NoneType, %x : Tensor):\n";
  std::string last = "x";
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string next = fmt::format("v{}", i);
    text += fmt::format("  %{} : Tensor = aten::{}(%{}) # model.py:{}:4\n", next, lines[i].second,
                        last, lines[i].first);
    last = next;
  }
  return verify::flatten(ir::parse(text + fmt::format("  return (%{})\n", last)));
}

verify::SourceLocation at(int line, const std::string& file = "model.py") {
  return {file, line, ""};
}

TEST(PlaceNames, SayOperatorAndWhichLineOfItsKind) {
  PlaceNames names(program_of({{4, "abs"}, {5, "neg"}, {7, "abs"}, {7, "relu"}, {9, "abs"}}), {});
  EXPECT_EQ(names.name(at(4)), "model.py aten::abs");
  EXPECT_EQ(names.name(at(5, "elsewhere/model.py")), "model.py aten::neg");
  EXPECT_EQ(names.name(at(7)), "model.py aten::abs aten::relu");
  EXPECT_EQ(names.name(at(9)), "model.py aten::abs #2");
  EXPECT_EQ(names.name(at(6)), "model.py:6");  // Nothing is known of it.
}

RC_GTEST_PROP(PlaceNames, OutliveLinesThatArePutIn, ()) {
  auto ops = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("abs", "neg")));
  std::vector<std::pair<int, std::string>> before, after;
  int line = 1, moved = 1;
  for (const std::string& op : ops) {
    moved += *rc::gen::inRange(1, 5);
    before.emplace_back(line++, op);
    after.emplace_back(moved, op);
  }
  PlaceNames old_names(program_of(before), {}), new_names(program_of(after), {});
  std::set<std::string> all;
  for (size_t i = 0; i < ops.size(); ++i) {
    std::string name = old_names.name(at(before[i].first));
    RC_ASSERT(name == new_names.name(at(after[i].first)));
    RC_ASSERT(all.insert(name).second);
  }
}

verify::diagnosis::SourceText source_of(const std::string& text) {
  return [lines = base::split(text, '\n')](const std::string& file, int line) -> std::string {
    bool there = file == "model.py" && line >= 1 && line <= std::ssize(lines);
    return there ? lines[static_cast<size_t>(line - 1)] : "";
  };
}

TEST(PlaceNames, AreTheWordsOfALineThatTheGraphLacks) {
  PlaceNames names(program_of({}), source_of("import torch\n"
                                             "class Net(torch.nn.Module):\n"
                                             "    def check(self, x):\n"
                                             "        assert len(x) > 2\n"
                                             "\n"
                                             "    def forward(self, x):\n"
                                             "        if len(x):\n"
                                             "            assert len(x) > 2\n"
                                             "        assert len(x) > 2\n"
                                             "        return x\n"
                                             "assert torch\n"));
  EXPECT_EQ(names.name(at(4)), "model.py Net.check 'assert len(x) > 2'");
  EXPECT_EQ(names.name(at(8)), "model.py Net.forward 'assert len(x) > 2'");
  EXPECT_EQ(names.name(at(9)), "model.py Net.forward 'assert len(x) > 2' #2");
  EXPECT_EQ(names.name(at(11)), "model.py 'assert torch'");
  EXPECT_EQ(names.name(at(5)), "model.py:5");
  EXPECT_EQ(names.name(at(4, "other.py")), "other.py:4");
}

}  // namespace
}  // namespace assay::fuzz
