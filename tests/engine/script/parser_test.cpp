#include "engine/script/parser.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace assay::script {
namespace {

std::shared_ptr<const base::Source> source(const std::string& text) {
  auto made = std::make_shared<base::Source>();
  made->text = text;
  made->name = "test.py";
  return made;
}

// The tree as a text with all its brackets.
std::string shape(const Expr& e) {
  std::string out;
  if (e.kind == ExprKind::name || e.kind == ExprKind::number) return e.text;
  if (e.kind == ExprKind::attribute) return shape(*e.items[0]) + "." + e.text;
  out = e.kind == ExprKind::unary || e.kind == ExprKind::binary ? std::string(describe(e.op))
        : e.kind == ExprKind::not_in                            ? "not in"
        : e.kind == ExprKind::is_not                            ? "is not"
        : e.kind == ExprKind::conditional                       ? "if"
        : e.kind == ExprKind::call                              ? "call"
                                                                : "#";
  for (const auto& item : e.items) out += " " + (item ? shape(*item) : "_");
  return "(" + out + ")";
}

std::string shape_of(const std::string& text) { return shape(*parse_expression(source(text))); }

TEST(Parser, BindsOperatorsAsPython) {
  EXPECT_EQ(shape_of("a + b * c ** -d ** e"), "(+ a (* b (** c (- (** d e)))))");
  EXPECT_EQ(shape_of("-a ** 2"), "(- (** a 2))");
  EXPECT_EQ(shape_of("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(shape_of("not a == b and c or d"), "(or (and (not (== a b)) c) d)");
  EXPECT_EQ(shape_of("a | b ^ c & d << e"), "(| a (^ b (& c (<< d e))))");
  EXPECT_EQ(shape_of("a if b else c if d else e"), "(if b a (if d c e))");
}

TEST(Parser, ChainsComparisons) {
  EXPECT_EQ(shape_of("a < b <= c"), "(and (< a b) (<= b c))");
  EXPECT_EQ(shape_of("a not in b"), "(not in a b)");
  EXPECT_EQ(shape_of("a is not b"), "(is not a b)");
}

TEST(Parser, FoldsTheMinusOfNumbers) {
  EXPECT_EQ(shape_of("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(shape_of("- -1"), "(- -1)");
}

TEST(Parser, ReadsFormattedStrings) {
  ExprPtr expr = parse_expression(source("f'{a} and {{b}} {c.d}'"));
  ASSERT_EQ(expr->kind, ExprKind::call);
  EXPECT_EQ(expr->items[0]->items[0]->text, "{} and {{b}} {}");
  EXPECT_EQ(expr->items.size(), 3u);
}

TEST(Parser, ReadsTypeComments) {
  Block block = parse_module(source("def f(a, b):\n  # type: (int, Tensor) -> int\n  return a\n"));
  const FunctionDef& def = *block.at(0)->function;
  EXPECT_EQ(def.params[0].annotation->text, "int");
  EXPECT_EQ(def.return_annotation->text, "int");
  block = parse_module(source("def g(a,  # type: int\n      b):\n  return a\n"));
  EXPECT_EQ(block.at(0)->function->params[0].annotation->text, "int");
}

TEST(Parser, BoundsNesting) {
  std::string deep(100000, '(');
  EXPECT_THROW(parse_expression(source(deep)), base::Error);
  std::string chain = "a";
  for (int i = 0; i < 100000; ++i) chain += "+a";
  EXPECT_THROW(parse_expression(source(chain)), base::Error);
  std::string blocks;
  for (int i = 0; i < 2000; ++i) blocks += std::string(static_cast<size_t>(i), ' ') + "if a:\n";
  EXPECT_THROW(parse_module(source(blocks)), base::Error);
  std::string elifs = "if a:\n  b\n";
  for (int i = 0; i < 100000; ++i) elifs += "elif a:\n  b\n";
  EXPECT_THROW(parse_module(source(elifs)), base::Error);
  std::string wide = "[";
  for (int i = 0; i < 100000; ++i) wide += "a,";
  EXPECT_EQ(parse_expression(source(wide + "]"))->items.size(), 100000u);
}

TEST(Parser, PointsAtTheFirstThingThatDoesNotFit) {
  try {
    parse_module(source("x = 1\ny = = 2\n"));
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.range().line(), 2);
    EXPECT_EQ(error.range().column(), 4);
  }
}

}  // namespace
}  // namespace assay::script
