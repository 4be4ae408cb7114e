#include "verify/graph/written.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"
#include "engine/ir/verify.h"
#include "tests/support/graph_model.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

using testing::GraphRunner;

/// What the expression over a tensor `x` of n rows of 3 ones is as a size of a new tensor.
int64_t size_made(const std::string& expression, int64_t n) {
  auto graph = ir::parse(R"(graph(%self : Any, %x.1 : Tensor):
  %n : int = prim::Constant[value=9]()
  %sizes : int[] = prim::ListConstruct(%n)
  %none : NoneType = prim::Constant()
  %made : Tensor = aten::zeros(%sizes, %none, %none, %none, %none)
  return (%made)
)");
  ir::Node* list = nullptr;
  graph->for_each([&](ir::Node* node) {
    if (node->is("prim::ListConstruct")) list = node;
  });
  ir::Value* made = write_out({expression}, int64_t{9}, list);
  if (!made) return -1;
  list->replace_input(0, made);
  ir::ensure_valid(*graph, "after an expression was written out");
  GraphRunner runner(graph);
  const Spec rows = parse_spec({{"input", "x: f32[n, 3]"}, {"dim", "n=0..64"}});
  Observation o = runner.run(build_case(rows, *nearest_point(rows, Point{{{"n", n}}, {}, 0})));
  return o.ending == Ending::returned ? o.outputs.to_tensor().size(0) : -2;
}

TEST(Written, ExpressionsOverSizesFollowTheInput) {
  EXPECT_EQ(size_made("x.size(0) // 2 + 1", 8), 5);
  EXPECT_EQ(size_made("math.ceil(math.sqrt(x.size(0)))", 10), 4);
  EXPECT_EQ(size_made("4 - (divmod(x.size(0), 4)[1])", 6), 2);
  EXPECT_EQ(size_made("max(x.size(0), x.size(1))", 2), 3);
  EXPECT_EQ(size_made("round(x.size(0) * 0.5)", 8), 4);
}

TEST(Written, ExpressionsOverValuesCallTheOperators) {
  EXPECT_EQ(size_made("numel(x)", 7), 21);
  EXPECT_EQ(size_made("sum(x * 0 + 2) // 3", 6), 12);
  EXPECT_EQ(size_made("max(x * 0 + 5)", 6), 5);
  EXPECT_EQ(size_made("sum(abs(neg(x * 0 + 1)))", 4), 12);
  EXPECT_EQ(size_made("numel(slice(x, 0, 1, 9223372036854775807, 1))", 4), 9);
}

/// How a graph that gives `x` back ends for n rows of 3 ones where the condition is to have that
/// answer; "not written" where no check came of it.
std::string checked(const std::string& condition, bool answer, int64_t n) {
  auto graph = ir::parse(R"(graph(%self : Any, %x.1 : Tensor):
  %same : Tensor = aten::relu(%x.1)
  return (%same)
)");
  if (!write_check({condition}, answer, *graph->block()->begin())) return "not written";
  ir::ensure_valid(*graph, "after a check was written");
  GraphRunner runner(graph);
  const Spec rows = parse_spec({{"input", "x: f32[n, 3]"}, {"dim", "n=0..64"}});
  Point point{{{"n", n}}, {{"value x", "ones"}}, 0};
  Observation o = runner.run(build_case(rows, *nearest_point(rows, point)));
  return o.ending == Ending::returned ? "returned" : "raised";
}

TEST(Written, ChecksRaiseWhereTheAnswerIsAnother) {
  EXPECT_EQ(checked("x.size(0)%2 == 0", true, 4), "returned");
  EXPECT_EQ(checked("x.size(0)%2 == 0", true, 3), "raised");
  EXPECT_EQ(checked("any(x > 4)", false, 3), "returned");
  EXPECT_EQ(checked("any(x > 4)", true, 3), "raised");
  EXPECT_EQ(
      checked("all(slice(x, 0, 0, -1, 1) >= slice(x, 0, 1, 9223372036854775807, 1))", true, 3),
      "returned");
  EXPECT_EQ(checked("all(slice(x, 0, 0, -1, 1) > slice(x, 0, 1, 9223372036854775807, 1))", true, 3),
            "raised");
}

TEST(Written, ChecksOfWhatIsNoScriptAreNotWritten) {
  EXPECT_EQ(checked("y.size(0) == 1", true, 3), "not written");
  EXPECT_EQ(checked("(...) > 1", true, 3), "not written");
  EXPECT_EQ(checked("1 == 1", true, 3), "not written");
}

TEST(Written, WhatIsNoScriptIsNotWrittenOut) {
  EXPECT_EQ(size_made("y.size(0)", 3), -1);
  EXPECT_EQ(size_made("(... + 1).size(0)", 3), -1);
  EXPECT_EQ(size_made("(x.size(0) - 1).bit_length()", 3), -1);
  EXPECT_EQ(size_made("a constant", 3), -1);
  EXPECT_EQ(size_made(")", 3), -1);
  EXPECT_EQ(size_made("1)\n\ndef other(x: Tensor) -> int:\n    return (2", 3), -1);
}

TEST(Written, IsForPeopleWhereItIsShortAndOverInputs) {
  EXPECT_TRUE(is_for_people({"max(lengths) + 1"}));
  EXPECT_FALSE(is_for_people({"conv2d(x, __module.conv.weight).size(2)"}));
  EXPECT_FALSE(is_for_people({"... + 1"}));
  EXPECT_FALSE(is_for_people({std::string(200, 'x')}));
}

TEST(Written, KnowsWhetherItIsOverSizesAlone) {
  EXPECT_TRUE(is_over_sizes({"x.size(0) // 2"}));
  EXPECT_TRUE(is_over_sizes({"math.ceil(batch[0].size(1) / 2) + y.numel()"}));
  EXPECT_FALSE(is_over_sizes({"max(lengths)"}));
  EXPECT_FALSE(is_over_sizes({"x.size(0) + mean(x)"}));
  EXPECT_FALSE(is_over_sizes({"(... + 1).size(0)"}));
  EXPECT_FALSE(is_over_sizes({"3"}));
}

}  // namespace
}  // namespace assay::verify
