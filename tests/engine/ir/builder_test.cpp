#include "engine/ir/builder.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/parser.h"
#include "engine/ir/verify.h"
#include "engine/ops/catalog.h"

namespace assay::ir {
namespace {

class Built : public testing::Test {
 protected:
  Graph graph;
  Builder builder{graph};
  Value* x = graph.add_input("x", core::tensor_type());
  Value* n = graph.add_input("n", core::int_type());

  std::vector<std::string> kinds() {
    std::vector<std::string> out;
    graph.for_each([&](Node* node) { out.push_back(node->kind().text()); });
    return out;
  }
};

TEST_F(Built, CallsPickTheOverloadAndFillDefaults) {
  Node* sum = builder.call("aten::add", {x, n});
  ASSERT_NE(sum->op(), nullptr);
  EXPECT_EQ(sum->op()->qualified_name, "aten::add.Scalar");
  EXPECT_EQ(sum->inputs().size(), 3u);  // alpha
  Node* ints = builder.call("aten::add", {n, n});
  EXPECT_EQ(ints->op()->qualified_name, "aten::add.int");
  EXPECT_EQ(ints->output()->type(), core::int_type());
  graph.add_output(sum->output());
  EXPECT_TRUE(verify(graph).empty());
}

TEST_F(Built, KeywordsGoToTheirArgument) {
  Value* keep = builder.constant(true);
  Value* dims = builder.constant(core::make_int_list(std::vector<int64_t>{1}));
  Node* sum = builder.call("aten::mean", {x}, {{"dim", dims}, {"keepdim", keep}});
  EXPECT_EQ(sum->input(2), keep);
  EXPECT_THROW(builder.call("aten::mean", {x}, {{"colour", n}}), base::Error);
}

TEST_F(Built, WhatFitsNoOverloadIsAnErrorAtTheRange) {
  auto source = std::make_shared<base::Source>();
  source->text = "x.relu(n, n)";
  builder.set_range({source, 0, 12});
  size_t before = kinds().size();
  try {
    builder.call("aten::relu", {x, n, n});
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_EQ(e.kind(), base::ErrorKind::input);
    EXPECT_EQ(e.range().end, 12u);
    EXPECT_NE(e.message().find("relu"), std::string::npos);
  }
  EXPECT_EQ(kinds().size(), before);
}

TEST_F(Built, PointsSayWhereNodesGo) {
  Node* last = builder.call("aten::relu", {x});
  {
    PointGuard guard(builder, last);
    builder.call("aten::neg", {x});
  }
  builder.call("aten::abs", {x});
  EXPECT_EQ(kinds(), (std::vector<std::string>{"aten::neg", "aten::relu", "aten::abs"}));
}

}  // namespace
}  // namespace assay::ir
