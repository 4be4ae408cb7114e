#include "engine/script/exits.h"

#include <algorithm>
#include <vector>

#include "engine/base/error.h"
#include "engine/ir/constant.h"
#include "engine/ir/copy.h"
#include "engine/ir/kinds.h"
#include "engine/ops/catalog.h"

namespace assay::script {
namespace {

using core::TypePtr;
using ir::Block;
using ir::Graph;
using ir::Node;
using ir::Value;

/// Whether control has left towards the target block when this value is true, and with which
/// values.
struct Exit {
  Value* left;
  std::vector<Value*> values;
};

enum class Status { will, might, wont, throws };

bool raises(const Node* node) { return node->op() && node->op()->effect() == ops::Effect::raises; }

/// Takes out all exits of one kind.
class ExitRemover {
 public:
  ExitRemover(Graph& graph, base::Symbol kind) : graph_(graph), kind_(kind) {
    Node* first = *graph.block()->begin();
    true_ = graph.create_constant(true)->insert_before(first)->output();
    false_ = graph.create_constant(false)->insert_before(first)->output();
    throws_ = uninitialized(core::bool_type());
  }

  Exit block(Block* block) {
    Block* outer_target = target_;
    if (is_target(block)) target_ = block;
    Exit exit = wont();
    Node* node = *block->begin();
    while (node != block->return_node()) {
      Node* next = node->next();
      visit(node, exit);
      Status status = status_of(exit);
      if (status == Status::will || status == Status::throws) {
        erase_from(block, next);
        break;
      }
      if (status == Status::might) {
        if (next != block->return_node()) exit = guard(block, exit, next);
        break;
      }
      node = next;
    }
    if (target_ == block) {
      arrive(block, exit);
      exit = wont();
    }
    target_ = outer_target;
    return exit;
  }

 private:
  Exit wont() const { return {false_, {}}; }

  Status status_of(const Exit& exit) const {
    if (exit.left == true_) return Status::will;
    if (exit.left == false_) return Status::wont;
    return exit.left == throws_ ? Status::throws : Status::might;
  }

  bool is_target(const Block* block) const {
    const Node* owner = block->owner();
    if (kind_ == ir::kinds().return_) return !owner || owner->is(ir::kinds().closure);
    return owner && owner->is(ir::kinds().loop);
  }

  // One placeholder per type, at the top of the graph; it is never read. As in PyTorch, equal types
  // that were made in two places are two.
  Value* uninitialized(const TypePtr& type) {
    for (const auto& [known, value] : placeholders_) {
      if (known == type) return value;
    }
    Node* node = graph_.create(ir::kinds().uninitialized, {}, std::vector<TypePtr>{type});
    node->insert_after(graph_.block()->param_node());
    placeholders_.emplace_back(type, node->output());
    return node->output();
  }

  std::vector<Value*> placeholders_like(const std::vector<Value*>& values) {
    std::vector<Value*> out;
    for (Value* value : values) out.push_back(uninitialized(value->type()));
    return out;
  }

  void visit(Node* node, Exit& exit) {
    if (raises(node)) {
      exit = {throws_, {}};
    } else if (node->is(kind_)) {
      exit = {true_, node->inputs()};
      node->erase();
    } else if (node->is(ir::kinds().if_)) {
      exit = branch(node);
    } else if (node->is(ir::kinds().with)) {
      exit = block(node->block(0));
    } else if (node->is(ir::kinds().closure)) {
      block(node->block(0));
    } else if (node->is(ir::kinds().loop)) {
      exit = loop(node);
    }
  }

  static void replace_results(Block* block, const std::vector<Value*>& results) {
    while (!block->results().empty()) block->remove_result(0);
    for (Value* result : results) block->add_result(result);
  }

  static void add_outputs(Node* node, const std::vector<Value*>& of_true,
                          const std::vector<Value*>& of_false) {
    for (Value* value : of_true) node->block(0)->add_result(value);
    for (Value* value : of_false) node->block(1)->add_result(value);
    for (size_t i = 0; i < of_true.size(); ++i) {
      node->add_output(*core::unify(of_true[i]->type(), of_false[i]->type(), true));
    }
  }

  static std::vector<Value*> last_outputs(const Node* node, size_t count) {
    return {node->outputs().end() - static_cast<long>(count), node->outputs().end()};
  }

  Exit branch(Node* node) {
    Exit of_true = block(node->block(0));
    Exit of_false = block(node->block(1));
    Status true_status = status_of(of_true), false_status = status_of(of_false);
    Status status = Status::might;
    if (true_status == Status::throws) {
      status = false_status;
    } else if (false_status == Status::throws || true_status == false_status) {
      status = true_status;
    }
    if (status == Status::throws) return {throws_, {}};
    if (status == Status::wont) return wont();
    auto stays = [](Status s) { return s == Status::wont || s == Status::throws; };
    if (stays(true_status)) {
      of_true.values = placeholders_like(of_false.values);
    } else if (stays(false_status)) {
      of_false.values = placeholders_like(of_true.values);
    }
    Value* left = true_;
    if (status != Status::will) {
      add_outputs(node, {of_true.left}, {of_false.left});
      left = node->outputs().back();
    }
    add_outputs(node, of_true.values, of_false.values);
    return {left, last_outputs(node, of_true.values.size())};
  }

  // A loop that may be left towards an outer block stops then, and says so.
  Exit loop(Node* node) {
    Block* body = node->block(0);
    Exit exit = block(body);
    Status status = status_of(exit);
    // The loop may not be entered, so what always raises inside need not raise.
    if (status == Status::wont || status == Status::throws) return wont();
    Node* choice = graph_.create(ir::kinds().if_, {exit.left}, size_t{0});
    choice->insert_before(body->return_node());
    choice->add_block()->add_result(false_);
    choice->add_block()->add_result(body->results().at(0));
    Value* go_on = choice->add_output(core::bool_type());
    body->return_node()->replace_input(0, go_on);

    node->add_input(false_);
    body->add_param(core::bool_type());
    body->add_result(exit.left);
    Value* left = node->add_output(core::bool_type());
    for (Value* value : exit.values) {
      const TypePtr& type = value->type();
      node->add_input(uninitialized(type));
      node->add_output(type);
      body->add_param(type);
      body->add_result(value);
    }
    return {left, last_outputs(node, exit.values.size())};
  }

  // Puts the rest of the block, from `first` on, under the condition that it was not left.
  Exit guard(Block* block, const Exit& exit, Node* first) {
    Node* choice = graph_.create(ir::kinds().if_, {}, size_t{0})->insert_before(first);
    choice->add_input(exit.left);
    Block* left = choice->add_block();
    Block* rest = choice->add_block();
    while (first != block->return_node()) {
      Node* next = first->next();
      first->move_before(rest->return_node());
      first = next;
    }
    std::vector<Value*> results = block->results();
    std::vector<Value*> unused = placeholders_like(results);
    for (size_t i = 0; i < results.size(); ++i) {
      left->add_result(unused[i]);
      rest->add_result(results[i]);
      choice->add_output(results[i]->type());
    }
    replace_results(block, choice->outputs());
    graph_.create(kind_, exit.values, size_t{0})->insert_before(left->return_node());
    return branch(choice);
  }

  // Erases what can never run: `first` and everything after it.
  void erase_from(Block* block, Node* first) {
    if (first == block->return_node()) return;
    Node* node = block->return_node()->prev();
    while (true) {
      Node* before = node->prev();
      for (Value* output : node->outputs()) {
        if (output->has_uses()) output->replace_all_uses(uninitialized(output->type()));
      }
      bool last = node == first;
      node->erase();
      if (last) return;
      node = before;
    }
  }

  // The target of the exits: its results are what they brought, if control left.
  void arrive(Block* block, const Exit& exit) {
    Status status = status_of(exit);
    if (status == Status::will) replace_results(block, exit.values);
    if (status != Status::might) return;
    Node* choice = graph_.create(ir::kinds().if_, {}, size_t{0});
    choice->insert_before(block->return_node());
    choice->add_block();
    choice->add_block();
    choice->add_input(exit.left);
    add_outputs(choice, exit.values, block->results());
    replace_results(block, choice->outputs());
  }

  Graph& graph_;
  base::Symbol kind_;
  Value* true_;
  Value* false_;
  Value* throws_;
  Block* target_ = nullptr;
  std::vector<std::pair<TypePtr, Value*>> placeholders_;
};

// Merges a branch with the one after it, where the outcome of the first decides the second: what
// follows an early return is guarded by such a second branch.
bool merge_with_next(Node* first) {
  Node* second = first->next();
  if (!first->is(ir::kinds().if_) || !second->is(ir::kinds().if_)) return false;
  Value* test = second->input();
  if (test->node() != first) return false;
  std::optional<core::Value> outcome[2];
  for (size_t i = 0; i < 2; ++i) {
    outcome[i] = ir::constant_value(first->block(i)->results()[test->index()]);
    if (!outcome[i]) return false;
  }
  if (outcome[0]->to_bool() == outcome[1]->to_bool()) return false;
  for (size_t i = 0; i < 2; ++i) {
    Block* into = first->block(i);
    const Block* taken = second->block(outcome[i]->to_bool() ? 0 : 1);
    ir::ValueMap map;
    for (Value* output : first->outputs()) map[output] = into->results()[output->index()];
    ir::copy_block(*taken, *into, map);
  }
  for (Value* output : second->outputs()) {
    Value* merged = first->add_output(output->type());
    if (output->has_name()) merged->set_name(output->name());
    output->replace_all_uses(merged);
  }
  second->erase();
  return true;
}

void merge_branches(Block* block) {
  for (Node* node = *block->begin(); node != block->return_node();) {
    for (Block* inner : std::vector<Block*>(node->blocks())) merge_branches(inner);
    if (!merge_with_next(node)) node = node->next();
  }
}

void collect(Block* block, std::vector<Node*>& out) {
  for (Node* node : *block) {
    out.push_back(node);
    for (Block* inner : node->blocks()) collect(inner, out);
  }
}

// prim::Enter … prim::Exit becomes prim::Enter, prim::With(body)(exit), so that an exit from the
// body does not skip the leaving of the context.
void enclose_contexts(Graph& graph) {
  std::vector<Node*> nodes, entered;
  std::vector<std::pair<Node*, Node*>> pairs;
  collect(graph.block(), nodes);
  for (Node* node : nodes) {
    if (node->is(ir::kinds().enter)) entered.push_back(node);
    if (!node->is(ir::kinds().exit)) continue;
    base::invariant(!entered.empty(), "a context is left that was not entered");
    pairs.emplace_back(entered.back(), node);
    entered.pop_back();
  }

  for (auto [enter, exit] : pairs) {
    Node* with = graph.create(ir::kinds().with, {}, size_t{0});
    Block* body = with->add_block();
    Block* leave = with->add_block();
    for (Node* node = enter->next(); node != exit;) {
      Node* next = node->next();
      node->move_before(body->return_node());
      node = next;
    }
    exit->move_before(leave->return_node());
    with->insert_after(enter);
  }
}

void open_contexts(Graph& graph) {
  std::vector<Node*> nodes;
  collect(graph.block(), nodes);
  for (Node* node : nodes) {
    if (!node->is(ir::kinds().with)) continue;
    for (size_t i = 0; i < 2; ++i) {
      for (Node* inner : node->block(i)->nodes()) inner->move_before(node);
    }
    node->erase();
  }
}

}  // namespace

void remove_exits(Graph& graph) {
  bool contexts = false, leaves_loops = false;
  graph.for_each([&](const Node* node) {
    contexts = contexts || node->is(ir::kinds().enter);
    leaves_loops = leaves_loops || node->is(ir::kinds().loop_continuation) || raises(node);
  });
  if (contexts) enclose_contexts(graph);
  ExitRemover from_loops(graph, ir::kinds().loop_continuation);  // Values count, as in PyTorch.
  if (leaves_loops) from_loops.block(graph.block());
  ExitRemover(graph, ir::kinds().return_).block(graph.block());
  merge_branches(graph.block());
  if (contexts) open_contexts(graph);
}

}  // namespace assay::script
