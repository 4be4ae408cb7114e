#include "engine/script/to_ssa.h"

#include <map>
#include <memory>
#include <set>
#include <string>

#include "engine/base/error.h"
#include "engine/ir/builder.h"
#include "engine/ir/copy.h"
#include "engine/ir/kinds.h"
#include "engine/script/detail/scope.h"
#include "engine/script/exits.h"

namespace assay::script {
namespace {

using core::TypePtr;
using ir::Block;
using ir::Graph;
using ir::Node;
using ir::Value;

const std::string& variable_of(const Node* node) {
  return node->get<std::string>(ir::name_attribute());
}

/// What a block and the blocks around it know of variables.
template <typename T>
struct Names {
  std::map<std::string, T> own;
  const Names* outer = nullptr;

  const T* find(const std::string& name) const {
    for (const Names* at = this; at; at = at->outer) {
      auto found = at->own.find(name);
      if (found != at->own.end()) return &found->second;
    }
    return nullptr;
  }
};

/// Gives branches and loops an output for each variable that they change, still as loads and
/// stores.
class ControlFlowVariables {
 public:
  using Types = Names<TypePtr>;

  explicit ControlFlowVariables(Graph& graph) : graph_(graph) {}

  Types block(Block* block, const Types* outer) {
    Types types{{}, outer};
    for (Node* node : block->nodes()) {
      if (node->is(ir::kinds().if_)) {
        branch(node, types);
      } else if (node->is(ir::kinds().loop)) {
        loop(node, types);
      } else if (node->is(ir::kinds().closure)) {
        this->block(node->block(), &types);
      } else if (node->is(ir::kinds().comprehension)) {
        this->block(node->block(), &types);
      } else if (node->is(ir::kinds().store)) {
        types.own[variable_of(node)] = node->input()->type();
      }
    }
    return types;
  }

 private:
  Node* load(const std::string& name, const TypePtr& type) {
    Node* node = graph_.create(ir::kinds().load, {}, {type});
    return node->set(ir::name_attribute(), name);
  }
  Node* store(const std::string& name, Value* value) {
    return graph_.create(ir::kinds().store, {value}, size_t{0})->set(ir::name_attribute(), name);
  }

  void add_result(Block* block, const std::string& name, const TypePtr& type) {
    Node* node = load(name, type)->insert_before(block->return_node());
    block->add_result(node->output());
  }

  void add_output(Node* node, const std::string& name, const TypePtr& type, Types& types) {
    Value* output = node->add_output(type);
    if (detail::is_telling_name(name)) output->set_name(name);
    store(name, output)->insert_after(node);
    // The store comes after what this pass has collected already.
    types.own[name] = type;
  }

  void branch(Node* node, Types& types) {
    Types when_true = block(node->block(0), &types);
    Types when_false = block(node->block(1), &types);
    std::set<std::string> changed;
    for (const auto& [name, type] : when_true.own) {
      if (when_false.find(name)) changed.insert(name);
    }
    for (const auto& [name, type] : when_false.own) {
      if (when_true.find(name)) changed.insert(name);
    }
    for (const auto& name : changed) {
      TypePtr of_true = *when_true.find(name), of_false = *when_false.find(name);
      auto both = core::unify(of_true, of_false, true);
      if (!both) continue;
      add_result(node->block(0), name, of_true);
      add_result(node->block(1), name, of_false);
      add_output(node, name, *both, types);
    }
  }

  void loop(Node* node, Types& types) {
    Block* body = node->block(0);
    Types inside = block(body, &types);
    for (const auto& [name, block_type] : inside.own) {
      // A variable that only the body knows is not carried from one round to the next.
      const TypePtr* before = types.find(name);
      if (!before) continue;
      TypePtr outer_type = *before;
      TypePtr both = core::unify(outer_type, block_type, true).value();
      node->add_input(load(name, outer_type)->insert_before(node)->output());
      Value* param = body->add_param(both);
      // Unlike elsewhere, the compiler's own names show here.
      param->set_name(name);
      store(name, param)->insert_after(body->param_node());
      add_result(body, name, block_type);
      add_output(node, name, both, types);
    }
  }

  Graph& graph_;
};

void move_nodes_before(Node* before, Block* from) {
  for (Node* node : from->nodes()) node->move_before(before);
}

/// Copies a block's nodes before a node; gives back what stands for its results.
std::vector<Value*> copy_nodes_before(Node* before, const Block* from) {
  ir::ValueMap map;
  for (const Node* node : *from) {
    ir::copy_node(*node, before->graph(), map)->insert_before(before);
    // As copy_block does.
    for (const Value* output : node->outputs()) {
      if (output->has_name()) map[output]->set_name(output->name());
    }
  }
  std::vector<Value*> results;
  for (Value* result : from->results()) {
    auto found = map.find(result);
    results.push_back(found == map.end() ? result : found->second);
  }
  return results;
}

/// Turns break and continue into `prim::LoopContinuation(go on?, variables…)`.
class LoopExits {
 public:
  explicit LoopExits(Graph& graph) : graph_(graph) {}

  void run(Block* block) {
    Node* constant = graph_.create_constant(false)->insert_before(*block->begin());
    Value* before = std::exchange(false_, constant->output());
    visit(block);
    false_ = before;
  }

 private:
  void visit(Block* block) {
    for (Node* node : block->nodes()) {
      if (node->is(ir::kinds().if_)) {
        visit(node->block(0));
        visit(node->block(1));
      } else if (node->is(ir::kinds().comprehension)) {
        visit(node->block(0));
      } else if (node->is(ir::kinds().closure)) {
        LoopExits(graph_).run(node->block(0));
      } else if (node->is(ir::kinds().loop)) {
        Node* outer = std::exchange(loop_, node);
        visit(node->block(0));
        loop_ = outer;
      } else if (node->is(ir::kinds().continue_)) {
        Node* exit =
            graph_.create(ir::kinds().loop_continuation, {}, size_t{0})->insert_after(node);
        exit->add_input(copy_nodes_before(node, loop_->block(1)).at(0));
        leave(exit, node);
      } else if (node->is(ir::kinds().break_)) {
        Node* exit =
            graph_.create(ir::kinds().loop_continuation, {}, size_t{0})->insert_after(node);
        exit->add_input(false_);
        leave(exit, node);
      }
    }
  }

  void leave(Node* exit, Node* statement) {
    std::vector<Value*> carried = loop_->block(0)->results();
    for (Value* result : carried) {
      ir::ValueMap map;
      Node* load = ir::copy_node(*result->node(), graph_, map)->insert_before(exit);
      exit->add_input(load->output());
    }
    statement->erase();
  }

  Graph& graph_;
  Value* false_ = nullptr;
  Node* loop_ = nullptr;
};

/// Tests a loop's condition before the loop and at the end of its body.
void inline_conditions(Block* block) {
  for (Node* node : block->nodes()) {
    for (Block* inner : std::vector<Block*>(node->blocks())) inline_conditions(inner);
    if (!node->is(ir::kinds().loop)) continue;
    Block* test = node->block(1);
    node->insert_input(1, copy_nodes_before(node, test).at(0));
    Node* end = node->block(0)->return_node();
    move_nodes_before(end, test);
    end->insert_input(0, test->results().at(0));
    node->erase_block(1);
  }
}

/// Replaces loads by what was stored last, and erases both.
void erase_variables(Block* block, const Names<Value*>* outer) {
  Names<Value*> values{{}, outer};
  for (Node* node : block->nodes()) {
    if (node->is(ir::kinds().store)) {
      values.own[variable_of(node)] = node->input();
      node->erase();
    } else if (node->is(ir::kinds().load)) {
      Value* const* found = values.find(variable_of(node));
      base::invariant(found != nullptr, "variable ", variable_of(node),
                      " is read before it is set");
      node->output()->replace_all_uses(*found);
      node->erase();
    } else if (node->is(ir::kinds().comprehension)) {
      // Its variables were its own; its nodes go where it stood.
      erase_variables(node->block(), &values);
      move_nodes_before(node, node->block());
      node->erase();
    } else {
      for (Block* inner : std::vector<Block*>(node->blocks())) erase_variables(inner, &values);
    }
  }
}

}  // namespace

void to_ssa(Graph& graph) {
  ControlFlowVariables(graph).block(graph.block(), nullptr);
  LoopExits(graph).run(graph.block());
  inline_conditions(graph.block());
  erase_variables(graph.block(), nullptr);
  remove_exits(graph);
}

}  // namespace assay::script
