#include "verify/graph/align.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"
#include "verify/graph/transplant.h"

namespace assay::verify {
namespace {

/// y = relu(x + literal) at one source line each, the second line `extra` times.
Program program(const std::string& literal, int extra = 1) {
  std::string text = "graph(%self : NoneType,\n      %x.1 : Tensor):\n";
  text += "  %c : int = prim::Constant[value=" + literal + "]()\n";
  text += "  %o : int = prim::Constant[value=1]()\n";
  text += "  %a : Tensor = aten::add(%x.1, %c, %o) # model.py:3:4\n";
  std::string last = "%a";
  for (int i = 0; i < extra; ++i) {
    std::string name = "%r" + std::string(1, static_cast<char>('a' + i));
    text += "  " + name + " : Tensor = aten::relu(" + last + ") # model.py:4:4\n";
    last = name;
  }
  text += "  return (" + last + ")\n";
  return flatten(ir::parse(text));
}

TEST(Program, FoldsConstantsIntoOperands) {
  Program p = program("7");
  ASSERT_EQ(p.steps.size(), 3u);  // add, relu, end
  EXPECT_EQ(p.steps[0].op, "aten::add");
  EXPECT_EQ(p.steps[0].line, 3);
  EXPECT_EQ(p.steps[0].operands[0].kind, Operand::Kind::input);
  EXPECT_EQ(p.steps[0].operands[1].literal.to_int(), 7);
  EXPECT_EQ(role_of(p, 0, 1), "other");
}

TEST(Align, EqualProgramsHaveNoDifference) {
  EXPECT_TRUE(align(program("7"), program("7")).equal());
}

TEST(Align, NamesTheLiteralThatDiffers) {
  Program a = program("7"), b = program("11");
  Alignment found = align(a, b);
  ASSERT_EQ(found.differences.size(), 1u);
  const GraphDifference& d = found.differences[0];
  EXPECT_EQ(d.kind, GraphDifference::Kind::literal);
  EXPECT_EQ(d.literal_a.to_int(), 7);
  EXPECT_EQ(d.literal_b.to_int(), 11);
  std::string text = difference_text(a, b, found);
  EXPECT_NE(text.find("- aten::add(_, 7, 1)"), std::string::npos) << text;
  EXPECT_NE(text.find("+ aten::add(_, 11, 1)"), std::string::npos) << text;
}

TEST(Align, KeepsCounterpartsAroundRepeatedSteps) {
  Program a = program("7", 2), b = program("7", 5);
  Alignment found = align(a, b);
  ASSERT_FALSE(found.equal());
  size_t extra = 0;
  for (const auto& d : found.differences) {
    if (d.kind == GraphDifference::Kind::structure) extra += d.end_b - d.begin_b;
  }
  EXPECT_EQ(extra, 3u);
  EXPECT_EQ(found.to_b[0], 0u);
}

/// The rows of a table, each put together of cells: two loops, one in the other.
Program table(int rows, int columns) {
  std::string text = "graph(%self : NoneType,\n      %x.1 : Tensor):\n", all;
  text += "  %o : int = prim::Constant[value=1]()\n";
  for (int k = 0; k < std::max(rows, columns); ++k) {
    std::string number = std::to_string(k);
    text += "  %c" + number + " : int = prim::Constant[value=" + std::to_string(k + 2) + "]()\n";
  }
  for (int r = 0; r < rows; ++r) {
    std::string row = std::to_string(r), cells;
    for (int c = 0; c < columns; ++c) {
      std::string cell = row + "x" + std::to_string(c);
      text += "  %a" + cell + " : Tensor = aten::add(%x.1, %c" + row + ", %o) # m.py:3:4\n";
      text += "  %b" + cell + " : Tensor = aten::add(%a" + cell + ", %c" + std::to_string(c) +
              ", %o) # m.py:4:4\n";
      cells += (c ? ", %b" : "%b") + cell;
    }
    text += "  %l" + row + " : Tensor[] = prim::ListConstruct(" + cells + ")\n";
    text += "  %r" + row + " : Tensor = aten::cat(%l" + row + ", %o) # m.py:5:4\n";
    all += (r ? ", %r" : "%r") + row;
  }
  text += "  %l : Tensor[] = prim::ListConstruct(" + all + ")\n";
  text += "  %y : Tensor = aten::cat(%l, %o) # m.py:6:4\n";
  return flatten(ir::parse(text + "  return (%y)\n"));
}

TEST(Align, KeepsRoundsOfNestedLoopsBesideTheirOwn) {
  // Whatever comes or goes, and were it as many in all: no cell is held against another one.
  for (auto [rows, columns] :
       {std::pair{2, 4}, std::pair{3, 3}, std::pair{1, 3}, std::pair{2, 2}}) {
    Alignment found = align(table(2, 3), table(rows, columns));
    ASSERT_FALSE(found.equal());
    for (const GraphDifference& d : found.differences) {
      EXPECT_NE(d.kind, GraphDifference::Kind::literal) << rows << " " << columns;
    }
  }
}

TEST(Align, HoldsAListAgainstTheOneThatIsReadInItsPlace) {
  Program a = table(2, 3), b = table(3, 3);
  Alignment found = align(a, b);
  size_t last = a.steps.size() - 3;  // The list, cat, end.
  ASSERT_EQ(a.steps[last].op, "prim::ListConstruct");
  EXPECT_EQ(found.to_b[last], b.steps.size() - 3);
}

TEST(Align, EntriesOfInputsAreTakenAtNoLine) {
  auto text = [](const std::string& place) {
    return flatten(
        ir::parse("graph(%self : NoneType,\n      %d : Dict(str, Tensor)):\n"
                  "  %k : str = prim::Constant[value=\"ids\"]()\n"
                  "  %x : Tensor = aten::__getitem__(%d, %k) # " +
                  place +
                  ":4\n"
                  "  %y : Tensor = aten::relu(%x) # model.py:4:4\n"
                  "  return (%y)\n"));
  };
  Program p = text("export.py:7");
  EXPECT_TRUE(takes_entry(p.steps[0]));
  EXPECT_FALSE(takes_entry(p.steps[1]));
  EXPECT_TRUE(align(p, text("other.py:9")).equal());
}

/// The first of so many parts of a list, which is an argument; `read` has another one added.
Program first_of(int parts, bool read = false) {
  std::string names = "%p0 : Tensor";
  for (int i = 1; i < parts; ++i) names += ", %p" + std::to_string(i) + " : Tensor";
  std::string text = "graph(%self : NoneType,\n      %l : Tensor[]):\n";
  if (read) text += "  %o : int = prim::Constant[value=1]()\n";
  text += "  " + names + " = prim::ListUnpack(%l)\n";
  if (read) text += "  %y : Tensor = aten::add(%p0, %p1, %o) # model.py:4:4\n";
  return flatten(ir::parse(text + "  return (" + (read ? "%y" : "%p0") + ")\n"));
}

TEST(Align, HowManyPartsAListHasIsADifferenceWhereThereIsNoOther) {
  Program one = first_of(1), two = first_of(2), sum = first_of(2, true);
  EXPECT_TRUE(align(two, first_of(2)).equal());
  Alignment found = align(two, one);
  ASSERT_EQ(found.differences.size(), 1u);
  EXPECT_EQ(found.differences[0].kind, GraphDifference::Kind::wiring);
  auto repaired = flatten(exchange(two, one, found, {0}));
  EXPECT_EQ(repaired.steps[0].node->outputs().size(), 1u);
  Alignment back = align(one, two);
  ASSERT_EQ(back.differences.size(), 1u);
  EXPECT_EQ(flatten(exchange(one, two, back, {0})).steps[0].node->outputs().size(), 2u);
  // The argument is taken apart at one place, whatever reads it.
  EXPECT_EQ(align(two, sum).to_b[0], std::optional<size_t>(0));
}

TEST(Literal, ComparesByKindAndValue) {
  EXPECT_TRUE(same_literal(core::Value(1), core::Value(1)));
  EXPECT_FALSE(same_literal(core::Value(1), core::Value(1.0)));
  core::Tensor a = core::Tensor::empty(core::Dims{2}, core::DType::float32);
  core::Tensor b = core::Tensor::empty(core::Dims{2}, core::DType::float32);
  a.data<float>()[0] = b.data<float>()[0] = 1;
  a.data<float>()[1] = 2, b.data<float>()[1] = 3;
  EXPECT_FALSE(same_literal(a, b));
  b.data<float>()[1] = 2;
  EXPECT_TRUE(same_literal(a, b));
}

}  // namespace
}  // namespace assay::verify
