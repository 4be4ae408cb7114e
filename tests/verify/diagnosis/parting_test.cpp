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
  auto layer = graph_export(graph_text(
      {"%r : Tensor = aten::relu(%x) # m.py:2:4",
       "%t : Tensor = aten::tanh(%r) # /usr/lib/python3/dist-packages/torch/nn/modules/a.py:3:4"},
      "%t"));
  EXPECT_EQ(made_at(layer->program(), "output")->line, 2);
  auto itself = graph_export(graph_text({}, "%x"));
  EXPECT_FALSE(made_at(itself->program(), "output"));
}

/// A dict of the caller's, one of whose entries is replaced, and one that the graph makes itself.
std::shared_ptr<const Export> dict_export() {
  return graph_export(
      "graph(%self : NoneType,\n      %x : Tensor,\n      %pair : (int, Dict(str, Tensor))):\n"
      "  %k : str = prim::Constant[value=\"k\"]()\n"
      "  %n : int, %d : Dict(str, Tensor) = prim::TupleUnpack(%pair) # m.py:2:4\n"
      "  %own : Dict(str, Tensor) = prim::DictConstruct(%k, %x) # m.py:3:4\n"
      "   = aten::_set_item(%own, %k, %x) # m.py:4:4\n"
      "  %old : Tensor = aten::__getitem__(%d, %k) # m.py:5:4\n"
      "   = aten::_set_item(%d, %k, %old) # m.py:6:4\n"
      "  return (%x)\n");
}

TEST(Parting, AnArgumentIsChangedWhereTheGraphWritesToIt) {
  auto exported = dict_export();
  auto step = step_that_changes(exported->program(), "args[1][1]['k']");
  ASSERT_TRUE(step);
  EXPECT_EQ(exported->program().steps[*step].line, 6);
  EXPECT_FALSE(step_that_changes(exported->program(), "args[0]"));
  EXPECT_FALSE(step_that_changes(exported->program(), "output"));
}

Finding found(const char* class_id, Layer layer, const char* place) {
  Finding finding;
  finding.class_id = class_id;
  Difference difference;
  difference.layer = layer;
  difference.place = place;
  finding.comparison.differences.push_back(difference);
  return finding;
}

TEST(Parting, AClassThatWasOnlyObservedHasItsSignInTheGraph) {
  auto exported = dict_export();
  const Program& program = exported->program();
  auto lost = sign_in_graphs(found("AS110", Layer::inputs, "args[1][1]['k']"), program, nullptr);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->place.line, 6);
  auto made = graph_export(
      graph_text({"%r : Tensor = aten::relu(%x) # m.py:2:4",
                  "%both : (Tensor, Tensor) = prim::TupleConstruct(%r, %x) # m.py:3:4"},
                 "%both"));
  auto other = sign_in_graphs(found("AS115", Layer::structure, "output"), made->program(), nullptr);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->place.line, 3);
  auto raised = graph_export(graph_text({"%one : int = prim::Constant[value=1]()",
                                         "%r : Tensor = aten::add_(%x, %one, %one) # m.py:2:4"},
                                        "%r"));
  // Of two arguments that are one tensor the graph changes the one, and the other is told.
  for (const char* argument : {"args[0]", "args[1]"}) {
    auto by = sign_in_graphs(found("AS111", Layer::inputs, argument), raised->program(), nullptr);
    ASSERT_TRUE(by);
    EXPECT_EQ(by->place.line, 2);
  }
  EXPECT_FALSE(sign_in_graphs(found("AS109", Layer::state, "state:n"), program, nullptr));
}

}  // namespace
}  // namespace assay::verify::diagnosis
