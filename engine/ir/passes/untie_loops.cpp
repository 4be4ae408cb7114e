#include "engine/ir/passes/untie_loops.h"

#include <limits>

#include "engine/ir/builder.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"

namespace assay::ir {
namespace {

constexpr int64_t forever = std::numeric_limits<int64_t>::max();

void untie(Builder& builder, Node* loop) {
  Block* body = loop->block(0);
  builder.set_point(loop);
  Value* zero = builder.constant(0);
  Value* one = builder.constant(1);
  Value* trips = loop->input(0);
  Value* enter = builder.call("aten::gt", {trips, zero})->output();
  loop->replace_input(0, builder.constant(forever));
  Value* start = loop->input(1);
  if (!always_true(start)) enter = builder.call("aten::__and__", {enter, start})->output();
  loop->replace_input(1, enter);
  loop->add_output(core::int_type());
  builder.set_point_at_end(body);
  loop->add_input(zero);
  Value* round = body->add_param(core::int_type());
  // The counter's place is taken by a value without a name.
  body->params()[0]->set_name("")->replace_all_uses(round);
  Value* next = builder.call("aten::add", {round, one})->output();
  body->add_result(next);
  Value* more = builder.call("aten::lt", {next, trips})->output();
  Value* go_on = builder.call("aten::__and__", {more, body->results()[0]})->output();
  body->return_node()->replace_input(0, go_on);
}

void untie_all(Builder& builder, Block* block) {
  for (Node* node : block->nodes()) {
    for (Block* inner : node->blocks()) untie_all(builder, inner);
    if (node->is(kinds().loop) && counts_and_tests(node)) untie(builder, node);
  }
}

}  // namespace

bool counts_and_tests(const Node* loop) {
  auto trips = constant_value(loop->input(0));
  bool endless = trips && trips->is_int() && trips->to_int() == forever;
  bool counts = !endless || loop->block(0)->params()[0]->has_uses();
  return counts && !(always_true(loop->input(1)) && always_true(loop->block(0)->results()[0]));
}

void untie_loops(Graph& graph) {
  Builder builder(graph);
  untie_all(builder, graph.block());
}

}  // namespace assay::ir
