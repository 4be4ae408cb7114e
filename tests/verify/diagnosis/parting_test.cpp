#include "verify/diagnosis/parting.h"

#include <gtest/gtest.h>

#include "tests/support/graph_model.h"

namespace assay::verify::diagnosis {
namespace {

using testing::graph_export;
using testing::graph_text;

TEST(Parting, TwoGraphsPartAtTheFirstStepThatDiffers) {
  auto a = graph_export(graph_text(
      {"%r : Tensor = aten::relu(%x) # m.py:2:4", "%t : Tensor = aten::tanh(%r) # m.py:3:4",
       "%y : Tensor = aten::sin(%t) # m.py:4:4"},
      "%y"));
  auto b = graph_export(graph_text(
      {"%r : Tensor = aten::relu(%x) # m.py:2:4", "%t : Tensor = aten::sigmoid(%r) # m.py:5:4",
       "%y : Tensor = aten::cos(%t) # m.py:6:4"},
      "%y"));
  auto place = parts_at(a->program(), b->program(), align(a->program(), b->program()));
  ASSERT_TRUE(place);
  EXPECT_EQ(place->line, 3);
  EXPECT_FALSE(parts_at(a->program(), a->program(), align(a->program(), a->program())));
}

TEST(Parting, AnOutputIsMadeByTheStepThatGivesIt) {
  auto pair = graph_export(graph_text(
      {"%r : Tensor = aten::relu(%x) # m.py:2:4", "%t : Tensor = aten::tanh(%x) # m.py:3:4",
       "%both : (Tensor, Tensor) = prim::TupleConstruct(%r, %t)"},
      "%both"));
  EXPECT_EQ(made_at(pair->program(), "output[0]")->line, 2);
  EXPECT_EQ(made_at(pair->program(), "output[1]")->line, 3);
  EXPECT_FALSE(made_at(pair->program(), "args[0]"));
  auto itself = graph_export(graph_text({}, "%x"));
  EXPECT_FALSE(made_at(itself->program(), "output"));
}

}  // namespace
}  // namespace assay::verify::diagnosis
