#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/verify/lint/traced.h"

namespace assay::verify::lint {
namespace {

using testing::plain_weights;
using testing::signs_by;
using testing::traced;
using testing::zeros;

/// product = x[0] * x[1] * ... in line 5, whose round reads the weight of this name.
Program product_over_rows(int rows, const std::function<std::string(int)>& weight) {
  std::string text = "graph(%self : __torch__.Net, %x : Tensor):\n";
  text += "  %d : int = prim::Constant[value=0]()\n";
  std::string last = "%x";
  for (int i = 0; i < rows; ++i) {
    text += fmt::format("  %i.{0} : int = prim::Constant[value={0}]()\n", i);
    text += fmt::format("  %w.{} : Tensor = prim::GetAttr[name=\"{}\"](%self)\n", i, weight(i));
    text += fmt::format("  %r.{0} : Tensor = aten::select(%x, %d, %i.{0}) # model.py:5:0\n", i);
    text += fmt::format("  %p.{0} : Tensor = aten::mul(%r.{0}, %w.{0}) # model.py:5:0\n", i);
    text += fmt::format("  %q.{0} : Tensor = aten::mul({1}, %p.{0}) # model.py:5:0\n", i, last);
    last = fmt::format("%q.{}", i);
  }
  return traced(text + "  return (" + last + ")\n");
}

Weights four_weights() {
  Weights weights = plain_weights();
  for (const char* name : {"w0", "w1", "w2", "w3"}) weights.parameters[name] = zeros({3});
  return weights;
}

TEST(UnrolledLoop, CountsTheRoundsOfALine) {
  auto same = [](int) { return std::string("w0"); };
  auto signs = signs_by(RuleId::unrolled_loop, product_over_rows(4, same), four_weights());
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
  EXPECT_EQ(signs[0].op, "aten::select");
  EXPECT_EQ(signs[0].role, "index");
  EXPECT_EQ(signs[0].literal, "0..3");
  EXPECT_EQ(signs[0].count, 4);
  EXPECT_EQ(signs[0].line, 5);
}

TEST(UnrolledLoop, TwoRoundsMayHaveBeenWritten) {
  auto same = [](int) { return std::string("w0"); };
  EXPECT_TRUE(signs_by(RuleId::unrolled_loop, product_over_rows(2, same), four_weights()).empty());
}

TEST(UnrolledLoop, AListOfLayersIsNone) {
  auto own = [](int i) { return "w" + std::to_string(i); };
  EXPECT_TRUE(signs_by(RuleId::unrolled_loop, product_over_rows(4, own), four_weights()).empty());
}

/// Columns times numbers of their own, as colours become grey: written in one line.
TEST(UnrolledLoop, RoundsThatDifferArePossibleOnes) {
  std::string text = "graph(%self : NoneType, %x : Tensor):\n";
  text += "  %d : int = prim::Constant[value=1]()\n";
  std::string last = "%x";
  const char* shares[] = {"0.3", "0.6", "0.1"};
  for (int i = 0; i < 3; ++i) {
    text += fmt::format("  %i.{0} : int = prim::Constant[value={0}]()\n", i);
    text += fmt::format("  %s.{} : float = prim::Constant[value={}]()\n", i, shares[i]);
    text += fmt::format("  %r.{0} : Tensor = aten::select(%x, %d, %i.{0}) # model.py:5:0\n", i);
    text += fmt::format("  %p.{0} : Tensor = aten::mul(%r.{0}, %s.{0}) # model.py:5:0\n", i);
    text += fmt::format("  %q.{0} : Tensor = aten::add({1}, %p.{0}, %d) # model.py:5:0\n", i, last);
    last = fmt::format("%q.{}", i);
  }
  auto signs = signs_by(RuleId::unrolled_loop, traced(text + "  return (" + last + ")\n"));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
}

/// y = y * 0.5 three times, in line 6.
TEST(UnrolledLoop, AChainIsAPossibleOne) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %h : float = prim::Constant[value=0.5]()
  %a : Tensor = aten::mul(%x, %h) # model.py:6:0
  %b : Tensor = aten::mul(%a, %h) # model.py:6:0
  %c : Tensor = aten::mul(%b, %h) # model.py:6:0
  return (%c)
)");
  auto signs = signs_by(RuleId::unrolled_loop, p);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
  EXPECT_EQ(signs[0].count, 3);
}

TEST(UnrolledLoop, AChainOfTwoIsANote) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor):
  %h : float = prim::Constant[value=0.5]()
  %a : Tensor = aten::mul(%x, %h) # model.py:6:0
  %b : Tensor = aten::mul(%a, %h) # model.py:6:0
  return (%b)
)");
  auto signs = signs_by(RuleId::unrolled_loop, p);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::note);
}

/// A list of three parts, each of which goes through `ops` in line 4; the results are added up.
Program unpacked(const std::string& source, const std::vector<std::string>& ops) {
  std::string text = "graph(%self : NoneType, %x : Tensor):\n";
  text += "  %zero : int = prim::Constant[value=0]()\n";
  text += "  %one : int = prim::Constant[value=1]()\n";
  text += "  %three : int = prim::Constant[value=3]()\n";
  text += "  %list : Tensor[] = " + source + " # model.py:3:0\n";
  text += "  %p.0 : Tensor, %p.1 : Tensor, %p.2 : Tensor = prim::ListUnpack(%list)\n";
  std::string last = "%x";
  for (int i = 0; i < 3; ++i) {
    text += fmt::format("  %r.{0} : Tensor = {1}(%p.{0}) # model.py:4:0\n", i,
                        ops[static_cast<size_t>(i)]);
    text +=
        fmt::format("  %q.{0} : Tensor = aten::add({1}, %r.{0}, %one) # model.py:4:0\n", i, last);
    last = fmt::format("%q.{}", i);
  }
  return traced(text + "  return (" + last + ")\n");
}

const std::vector<std::string> equal_ops{"aten::relu", "aten::relu", "aten::relu"};
const std::vector<std::string> unlike_ops{"aten::relu", "aten::tanh", "aten::sigmoid"};

TEST(FixedArity, PartsThatAreWorkedOnAlikeAreALoopOverThem) {
  Program chunks = unpacked("aten::chunk(%x, %three, %zero)", equal_ops);
  auto signs = signs_by(RuleId::fixed_arity, chunks);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
  EXPECT_EQ(signs[0].op, "aten::chunk");
  EXPECT_EQ(signs[0].literal, "3");
  EXPECT_EQ(signs[0].line, 3);
  EXPECT_TRUE(signs_by(RuleId::unrolled_loop, chunks).empty());

  Program rows = unpacked("aten::unbind(%x, %zero)", equal_ops);
  EXPECT_TRUE(signs_by(RuleId::fixed_arity, rows).empty());
  signs = signs_by(RuleId::unrolled_loop, rows);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::likely);
  EXPECT_EQ(signs[0].line, 3);
}

TEST(FixedArity, PartsThatTheModelAsksForAreANote) {
  auto signs =
      signs_by(RuleId::fixed_arity, unpacked("aten::chunk(%x, %three, %zero)", unlike_ops));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::note);
}

TEST(FixedArity, PartsOfOneSizeArePossibleOnes) {
  // As many parts as the input is longer than one.
  auto signs = signs_by(RuleId::fixed_arity, unpacked("aten::split(%x, %one, %zero)", unlike_ops));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
}

TEST(FixedArity, AnArgumentThatIsAListIsAPossibleOne) {
  Program p = traced(R"(graph(%self : NoneType, %x : Tensor[]):
  %a : Tensor, %b : Tensor = prim::ListUnpack(%x)
  %y : Tensor = aten::mul(%a, %b) # model.py:3:0
  return (%y)
)");
  auto signs = signs_by(RuleId::fixed_arity, p);
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].strength, Strength::possible);
  EXPECT_EQ(signs[0].line, 3);
}

}  // namespace
}  // namespace assay::verify::lint
