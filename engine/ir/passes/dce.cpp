#include "engine/ir/passes/dce.h"

#include <algorithm>
#include <unordered_set>

#include "engine/ir/alias.h"

namespace assay::ir {

namespace {

class Sweep {
 public:
  explicit Sweep(Graph& graph) : graph_(graph), alias_(graph) {}

  bool run() {
    graph_.for_each([this](Node* node) { all_.push_back(node); });
    for (Value* output : graph_.outputs()) need(output);
    for (Node* node : all_)
      if (node->blocks().empty() && has_effects(node)) need(node);
    // A write is needed once anything that shares with what it writes is; that may make more
    // needed.
    bool changed = true;
    while (changed) {
      changed = false;
      for (Node* node : all_)
        if (!needed_.count(node) && writes_to_needed(node)) {
          need(node);
          changed = true;
        }
    }
    bool removed = false;
    for (auto it = all_.rbegin(); it != all_.rend(); ++it) {
      Node* outer = (*it)->owner()->owner();
      // What lies in an unneeded node goes with it.
      if (needed_.count(*it) || (outer && !needed_.count(outer))) continue;
      removed = true;
      (*it)->erase();
    }
    return removed;
  }

 private:
  void need(Node* node) {
    std::vector<Node*> work{node};
    while (!work.empty()) {
      Node* next = work.back();
      work.pop_back();
      if (next->is_sentinel() || !needed_.insert(next).second) continue;
      for (Value* input : next->inputs()) {
        values_.insert(input);
        push_makers(input, work);
      }
      for (Block* block : next->blocks())
        for (Value* result : block->results()) {
          values_.insert(result);
          push_makers(result, work);
        }
      if (Node* outer = next->owner()->owner()) work.push_back(outer);
    }
  }

  void need(Value* value) {
    values_.insert(value);
    std::vector<Node*> makers;
    push_makers(value, makers);
    for (Node* maker : makers) need(maker);
  }

  static void push_makers(Value* value, std::vector<Node*>& work) {
    Node* maker = value->node();
    // A block's parameter is made by the node that holds the block.
    if (maker->is_sentinel()) maker = maker->owner()->owner();
    if (maker) work.push_back(maker);
  }

  bool writes_to_needed(Node* node) {
    for (Value* written : Alias::written_by(node)) {
      if (alias_.may_escape(written)) return true;
      for (Value* value : values_)
        if (alias_.may_share(written, value)) return true;
    }
    return false;
  }

  Graph& graph_;
  Alias alias_;
  std::vector<Node*> all_;
  std::unordered_set<Node*> needed_;
  std::unordered_set<Value*> values_;
};

// Outputs of branches and loops that nobody reads. True if there were any.
bool trim_outputs(Graph& graph) {
  bool changed = false;
  graph.for_each([&](Node* node) {
    bool branch = node->is("prim::If");
    bool loop = node->is("prim::Loop");
    if (!branch && !loop) return;
    for (size_t i = node->outputs().size(); i-- > 0;) {
      if (node->output(i)->has_uses()) continue;
      if (loop) {
        Block* body = node->block();
        Value* param = body->params()[i + 1];
        bool only_itself = std::all_of(
            param->uses().begin(), param->uses().end(),
            [&](const Use& use) { return use.user == body->return_node() && use.index == i + 1; });
        if (!only_itself) continue;
        body->remove_result(i + 1);
        body->remove_param(i + 1);
        node->remove_input(i + 2);
      } else {
        for (Block* block : node->blocks()) block->remove_result(i);
      }
      node->remove_output(i);
      changed = true;
    }
  });
  return changed;
}

}  // namespace

void remove_dead_code(Graph& graph) {
  while (Sweep(graph).run() || trim_outputs(graph)) {
  }
}

}  // namespace assay::ir
