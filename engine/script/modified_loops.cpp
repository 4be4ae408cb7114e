#include <limits>

#include "engine/ir/constant.h"
#include "engine/script/detail/cleanup_steps.h"
#include "engine/script/detail/kinds.h"
#include "engine/script/detail/schema_match.h"

namespace assay::script::detail {
namespace {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::Value;

constexpr int64_t forever = std::numeric_limits<int64_t>::max();

// Of a loop: whether it counts to a bound, and whether it has a condition of its own.
bool counts_and_tests(const Node* loop) {
  auto trips = ir::constant_value(loop->input(0));
  bool bounded = !trips || trips->to_int() != forever;
  auto next = ir::constant_value(loop->block(0)->results().at(0));
  auto start = ir::constant_value(loop->input(1));
  bool tests = !(next && next->to_bool() && start && start->to_bool());
  return bounded && tests;
}

void untie(Emission& emission, Node* loop) {
  Block* body = loop->block(0);
  ir::PointGuard before_loop(emission.builder, loop);
  Value* zero = emission.constant(0);
  Value* one = emission.constant(1);
  Value* trips = loop->input(0);
  Value* enter = call_operator(emission, {}, "aten::gt", {{trips}, {zero}});
  loop->replace_input(0, emission.constant(forever));
  Value* start = loop->input(1);
  auto known = ir::constant_value(start);
  if (!known || !known->to_bool()) {
    enter = call_operator(emission, {}, "aten::__and__", {{enter}, {start}});
  }
  loop->replace_input(1, enter);
  loop->add_output(core::int_type());
  ir::PointGuard in_body(emission.builder, body);
  loop->add_input(zero);
  Value* round = body->add_param(core::int_type());
  // The counter's place is taken by a value without a name.
  body->params()[0]->set_name("")->replace_all_uses(round);
  Value* next = call_operator(emission, {}, "aten::add", {{round}, {one}});
  body->add_result(next);
  Value* more = call_operator(emission, {}, "aten::lt", {{next}, {trips}});
  Value* go_on = call_operator(emission, {}, "aten::__and__", {{more}, {body->results()[0]}});
  body->return_node()->replace_input(0, go_on);
}

void untie_all(Emission& emission, Block* block) {
  for (Node* node : block->nodes()) {
    for (Block* inner : node->blocks()) untie_all(emission, inner);
    if (node->is(kinds().loop) && counts_and_tests(node)) untie(emission, node);
  }
}

}  // namespace

void untie_trip_counts(Emission& emission) { untie_all(emission, emission.graph.block()); }

}  // namespace assay::script::detail
