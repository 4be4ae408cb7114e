#include "engine/ir/graph.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/builder.h"
#include "engine/ir/constant.h"
#include "engine/ir/copy.h"
#include "engine/ir/parser.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

constexpr const char* branching = R"(graph(%x : Tensor,
      %flag : bool):
  %2 : int = prim::Constant[value=2]()
  %y : Tensor = prim::If(%flag)
    block0():
      %4 : Tensor = test::twice(%x, %2)
      -> (%4)
    block1():
      -> (%x)
  %5 : Tensor = test::out(%y, %x)
  return (%5)
)";

Node* find(Graph& graph, const char* kind) { return graph.find_all(kind).at(0); }

TEST(Value, NewestOwnerKeepsAContestedName) {
  Graph graph;
  Value* a = graph.add_input("x");
  Value* b = graph.add_input("x");
  Value* c = graph.add_input("x");
  EXPECT_EQ(a->name(), "x.1");
  EXPECT_EQ(b->name(), "x.3");
  EXPECT_EQ(c->name(), "x");
  Value* d = graph.add_input("x.1");
  EXPECT_EQ(d->name(), "x.1");
  EXPECT_EQ(a->name(), "x.5");
  EXPECT_THROW(a->set_name("12"), base::Error);
  c->set_name("");
  EXPECT_EQ(c->name(), "2");
  EXPECT_EQ(graph.find_value("2"), c);
}

TEST(Node, EditsInputsAndKeepsUses) {
  auto graph = parse(branching);
  Value* x = graph->inputs()[0];
  Node* out = find(*graph, "test::out");
  EXPECT_EQ(x->uses().size(), 3u);
  out->insert_input(0, x);
  out->insert_input(1, x);
  out->remove_input(2);  // Was %y.
  EXPECT_EQ(out->inputs(), (std::vector<Value*>{x, x, x}));
  EXPECT_TRUE(verify(*graph).empty());
  out->replace_input_with(x, find(*graph, "prim::If")->output());
  EXPECT_EQ(x->uses().size(), 2u);
  EXPECT_TRUE(verify(*graph).empty());
}

TEST(Node, KnowsProgramOrderAcrossBlocks) {
  auto graph = parse(branching);
  Node* twice = find(*graph, "test::twice");
  Node* branch = find(*graph, "prim::If");
  Node* out = find(*graph, "test::out");
  EXPECT_TRUE(branch->is_before(twice));
  EXPECT_FALSE(twice->is_before(branch));
  EXPECT_TRUE(twice->is_before(out));
  EXPECT_TRUE(twice->is_before(branch->block(1)->return_node()));
  EXPECT_FALSE(out->is_before(twice));
}

TEST(Node, EraseRefusesWhatIsStillRead) {
  auto graph = parse(branching);
  Node* branch = find(*graph, "prim::If");
  EXPECT_THROW(branch->erase(), base::Error);
  branch->output()->replace_all_uses(graph->inputs()[0]);
  branch->erase();
  EXPECT_TRUE(graph->find_all("test::twice").empty());
  EXPECT_TRUE(verify(*graph).empty());
}

TEST(Value, ReplacesUsesBehindAPlaceOnly) {
  auto graph = parse(branching);
  Value* x = graph->inputs()[0];
  Node* branch = find(*graph, "prim::If");
  x->replace_uses_after(branch, branch->output());
  EXPECT_EQ(find(*graph, "test::twice")->input(0), x);
  EXPECT_EQ(find(*graph, "test::out")->input(1), branch->output());
}

TEST(Graph, CopyPrintsTheSame) {
  auto graph = parse(branching);
  auto copied = graph->copy();
  EXPECT_TRUE(verify(*copied).empty());
  EXPECT_EQ(parse(copied->str())->copy()->str(), copied->str());
  EXPECT_EQ(copied->find_all("test::twice").size(), 1u);
}

TEST(Graph, InlinesABodyWithArguments) {
  auto callee = parse("graph(%a : Tensor):\n  %1 : Tensor = test::inner(%a)\n  return (%1)\n");
  auto graph = parse(branching);
  Node* out = find(*graph, "test::out");
  auto results = inline_graph(*callee, out, {graph->inputs()[0]});
  out->replace_input(1, results.at(0));
  EXPECT_TRUE(verify(*graph).empty());
  EXPECT_EQ(find(*graph, "test::inner")->input(), graph->inputs()[0]);
}

TEST(Graph, MovesABodyToWhereItWouldCopyIt) {
  auto in_line = [](bool moving) {
    auto body = parse(branching);
    body->outputs()[0]->set_name("r");
    auto graph = parse(R"(graph(%r : Tensor,
      %on : bool):
  %2 : Tensor = test::next(%r)
  return (%2)
)");
    Node* place = find(*graph, "test::next");
    auto results = moving ? inline_moving(*body, place, graph->inputs())
                          : inline_graph(*body, place, graph->inputs());
    place->replace_input(0, results.at(0));
    EXPECT_TRUE(verify(*graph).empty());
    EXPECT_EQ(body->block()->empty(), moving);
    body.reset();  // Nothing of the graph is the body's any more.
    return graph->str();
  };
  EXPECT_EQ(in_line(true), in_line(false));
}

TEST(Constant, ChangesValueAndType) {
  auto graph = parse(branching);
  Node* two = graph->find_all("prim::Constant").at(0);
  EXPECT_EQ(constant_value(two)->to_int(), 2);
  set_constant(two, 2.5);
  EXPECT_TRUE(two->output()->type()->is(core::TypeKind::floating));
  set_constant(two, nullptr);
  EXPECT_TRUE(constant_value(two)->is_none());
  EXPECT_NE(graph->str().find("%2 : NoneType = prim::Constant()"), std::string::npos);
}

TEST(Builder, GivesNodesPlaceAndScope) {
  Graph graph;
  Builder builder(graph);
  builder.set_scope("__module.a");
  Value* made = builder.constant(int64_t{3});
  Value* list =
      builder.add_one("prim::ListConstruct", {made, made}, core::list_of(core::int_type()));
  graph.add_output(list);
  EXPECT_EQ(graph.str(),
            "graph():\n"
            "  %0 : int = prim::Constant[value=3](), scope: __module.a\n"
            "  %1 : int[] = prim::ListConstruct(%0, %0), scope: __module.a\n"
            "  return (%1)\n");
}

}  // namespace
}  // namespace assay::ir
