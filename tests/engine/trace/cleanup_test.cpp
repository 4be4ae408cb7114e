#include "engine/trace/cleanup.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"

namespace assay::trace {
namespace {

TEST(Cleanup, parts_are_read_where_the_tuple_was_made) {
  auto graph = ir::parse(R"(graph(%x : Tensor, %y : Tensor):
  %1 : (Tensor, Tensor) = prim::TupleConstruct(%x, %y)
  %2 : Tensor, %3 : Tensor = prim::TupleUnpack(%1)
  %4 : Tensor = aten::relu(%3)
  return (%2)
)");
  clean_up(*graph);
  EXPECT_TRUE(graph->block()->empty());
  EXPECT_EQ(graph->outputs().at(0), graph->inputs().at(0));
}

TEST(Cleanup, a_reversed_subtraction_is_a_subtraction) {
  auto graph = ir::parse(R"(graph(%x : Tensor, %y : Tensor):
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::rsub(%x, %y, %1)
  return (%2)
)");
  normalize_names(*graph);
  ir::Node* sub = graph->find_all("aten::sub").at(0);
  EXPECT_EQ(sub->input(0)->name(), "y");
  EXPECT_EQ(sub->input(1)->name(), "x");
}

}  // namespace
}  // namespace assay::trace
