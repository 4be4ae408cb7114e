#include "engine/ir/copy.h"

#include "engine/base/error.h"

namespace assay::ir {

namespace {

Value* mapped(const ValueMap& map, Value* value, const Graph& to) {
  auto found = map.find(value);
  if (found != map.end()) return found->second;
  base::invariant(&value->graph() == &to, "%", value->name(), " has no counterpart in the copy");
  return value;
}

void check_arguments(const Graph& callee, const std::vector<Value*>& arguments) {
  base::invariant(callee.inputs().size() == arguments.size(), "inlining ", arguments.size(),
                  " arguments for ", callee.inputs().size(), " parameters");
}

void copy_metadata(const Value& from, Value& to) {
  to.set_type(from.type());
  if (from.has_name()) to.set_name(from.name());
}

}  // namespace

Node* copy_node(const Node& from, Graph& to, ValueMap& map) {
  Node* made = to.create(from.kind(), {}, size_t{0});
  made->set_op(from.op())->set_range(from.range())->set_scope(from.scope());
  for (const auto& [name, value] : from.attributes()) made->set(name, value);
  for (const Value* output : from.outputs()) {
    Value* copied = made->add_output();
    copy_metadata(*output, *copied);
    map[output] = copied;
  }
  for (Value* input : from.inputs()) made->add_input(mapped(map, input, to));
  for (const Block* block : from.blocks()) {
    Block* inner = made->add_block();
    for (const Value* param : block->params()) {
      Value* copied = inner->add_param();
      copy_metadata(*param, *copied);
      map[param] = copied;
    }
    copy_block(*block, *inner, map);
  }
  return made;
}

void copy_block(const Block& from, Block& to, ValueMap& map) {
  for (const Node* node : from) {
    to.append(copy_node(*node, to.graph(), map));
    // Inside one graph a copy has just taken the original's name; as in PyTorch it gets the one
    // that the original was given instead.
    if (&from.graph() != &to.graph()) continue;
    for (const Value* output : node->outputs()) copy_metadata(*output, *map[output]);
  }
  for (Value* result : from.results()) to.add_result(mapped(map, result, to.graph()));
}

std::vector<Value*> inline_graph(const Graph& callee, Node* before,
                                 const std::vector<Value*>& arguments) {
  check_arguments(callee, arguments);
  ValueMap map;
  for (size_t i = 0; i < arguments.size(); ++i) map[callee.inputs()[i]] = arguments[i];
  Graph& graph = before->graph();
  for (const Node* node : *callee.block()) copy_node(*node, graph, map)->insert_before(before);
  std::vector<Value*> results;
  for (Value* output : callee.outputs()) results.push_back(mapped(map, output, graph));
  return results;
}

std::vector<Value*> inline_moving(Graph& callee, Node* before,
                                  const std::vector<Value*>& arguments) {
  check_arguments(callee, arguments);
  for (size_t i = 0; i < arguments.size(); ++i) {
    callee.inputs()[i]->replace_all_uses(arguments[i]);
  }
  std::vector<Value*> results = callee.outputs();
  callee.block()->return_node()->remove_inputs();
  Graph& graph = before->graph();
  for (Node* node : callee.block()->nodes()) graph.adopt(node)->insert_before(before);
  return results;
}

}  // namespace assay::ir
