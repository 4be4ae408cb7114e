#include "engine/base/error.h"
#include "engine/ir/copy.h"
#include "engine/ir/kinds.h"
#include "engine/script/cleanup.h"
#include "engine/script/detail/cleanup_steps.h"

// Closures: function bodies inside a function, made for fork. A closure's block becomes a graph
// that takes everything it uses from outside as one tuple, its context; where it is forked, the
// context's members become the fork's inputs.

namespace assay::script::detail {
namespace {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::Value;

void collect_outer(const Block* block, const Block* limit, ir::ValueMap& map,
                   const std::function<Value*(Value*)>& capture) {
  auto check = [&](Value* value) {
    Block* owner = value->node()->owner();
    bool inner = owner && limit->contains(owner);
    if (!inner && !map.count(value)) map[value] = capture(value);
  };
  for (Node* node : *block) {
    for (Value* input : node->inputs()) check(input);
    for (Block* nested : node->blocks()) collect_outer(nested, limit, map, capture);
  }
  for (Value* result : block->results()) check(result);
}

void lift(Node* closure) {
  Graph& outer = closure->graph();
  Block* body = closure->block();
  auto graph = std::make_shared<Graph>();
  Node* pack = outer.create(ir::kinds().tuple, {}, size_t{1})->insert_after(closure);
  Value* context = graph->add_input("context");
  Node* unpack = graph->create(ir::kinds().tuple_unpack, {context}, size_t{0});
  graph->block()->append(unpack);
  ir::ValueMap map;
  collect_outer(body, body, map, [&](Value* value) {
    pack->add_input(value);
    Value* inside = unpack->add_output(value->type());
    if (value->has_name()) inside->set_name(value->name());
    return inside;
  });
  for (const Value* param : body->params()) {
    Value* own = graph->block()->add_param(param->type());
    if (param->has_name()) own->set_name(param->name());
    map[param] = own;
  }
  ir::copy_block(*body, *graph->block(), map);
  std::vector<core::TypePtr> types;
  for (Value* input : pack->inputs()) types.push_back(input->type());
  core::TypePtr context_type = core::tuple_of(types);
  context->set_type(context_type);
  pack->output()->set_type(context_type);
  Node* pair = outer.create(ir::kinds().tuple, {}, size_t{1})->insert_after(pack);
  closure->output()->replace_all_uses(pair->output());
  pair->add_input(closure->output())->add_input(pack->output());
  pair->output()->set_type(core::tuple_of({closure->output()->type(), context_type}));
  closure->erase_block(0);
  clean_up(*graph);
  closure->set("Subgraph", std::move(graph));
}

void lift_all(Block* block) {
  for (Node* node : block->nodes()) {
    if (node->is(ir::kinds().closure) && !node->blocks().empty()) {
      lift(node);
      continue;
    }
    for (Block* inner : node->blocks()) lift_all(inner);
  }
}

void inline_fork(Node* forked) {
  Node* pair = forked->input()->node();
  bool closure = pair->inputs().size() == 2 && pair->input(0)->node()->is(ir::kinds().closure) &&
                 pair->input(1)->node()->is(ir::kinds().tuple);
  if (!closure) base::fail_at(forked->range(), "this value cannot be forked");
  Node* context = pair->input(1)->node();
  auto graph = pair->input(0)->node()->get<std::shared_ptr<Graph>>("Subgraph")->copy();
  if (graph->inputs().size() != 1) {
    base::fail_at(forked->range(), "a function with parameters cannot be forked without arguments");
  }
  Node* fork = forked->graph().create(ir::kinds().fork, {}, size_t{1})->insert_after(forked);
  fork->set_range(forked->range());
  Value* packed = graph->inputs()[0];
  Node* unpack = packed->has_uses() ? packed->uses()[0].user : nullptr;
  for (size_t i = 0; i < context->inputs().size(); ++i) {
    Value* outside = context->input(i);
    fork->add_input(outside);
    Value* inside = graph->block()->insert_param(i, outside->type());
    if (outside->has_name()) inside->set_name(outside->name());
    if (unpack) unpack->output(i)->replace_all_uses(inside);
  }
  if (unpack) unpack->erase();
  graph->block()->remove_param(graph->inputs().size() - 1);
  fork->output()->set_type(forked->output()->type());
  if (forked->output()->has_name()) fork->output()->set_name(forked->output()->name());
  forked->output()->replace_all_uses(fork->output());
  forked->erase();
  clean_up(*graph);
  fork->set("Subgraph", std::move(graph));
}

void inline_forks(Block* block) {
  for (Node* node : block->nodes()) {
    if (node->is(ir::kinds().fork_closure)) {
      inline_fork(node);
      continue;
    }
    for (Block* inner : node->blocks()) inline_forks(inner);
  }
}

}  // namespace

void lift_closures(Graph& graph) {
  lift_all(graph.block());
  inline_forks(graph.block());
}

}  // namespace assay::script::detail
