#include "engine/ir/node.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/builder.h"
#include "engine/ops/argument_names.h"

namespace assay::ir {
namespace {

namespace arg = ops::arg;

TEST(Node, InputsOfACallAreReadByTheNamesOfArguments) {
  Graph graph;
  Builder builder(graph);
  Value* x = graph.add_input("x", core::tensor_type());
  Value* y = graph.add_input("y", core::tensor_type());
  Node* sum = builder.call("aten::add", {x, y});
  EXPECT_EQ(sum->input(arg::self), x);
  EXPECT_EQ(sum->input(arg::other), y);
  EXPECT_EQ(sum->input_index(arg::alpha), 2U);
  EXPECT_EQ(sum->replace_input(arg::other, x), y);
  EXPECT_EQ(sum->input(1), x);
}

TEST(Node, AnArgumentThatIsNotThereIsNamed) {
  Graph graph;
  Builder builder(graph);
  Value* x = graph.add_input("x", core::tensor_type());
  Node* relu = builder.call("aten::relu", {x});
  Node* plain = builder.constant(1)->node();
  for (const Node* node : {relu, plain}) {
    try {
      node->input(arg::other);
      FAIL();
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::ErrorKind::internal);
      EXPECT_NE(error.message().find("'other'"), std::string::npos) << error.message();
    }
  }
}

}  // namespace
}  // namespace assay::ir
