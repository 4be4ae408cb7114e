#include <algorithm>
#include <unordered_set>

#include "engine/ir/alias.h"
#include "engine/ops/catalog.h"
#include "engine/script/detail/cleanup_steps.h"
#include "engine/script/detail/kinds.h"

namespace assay::script::detail {
namespace {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::Value;

bool writes(const Node* node) { return node->op() && node->op()->schema.is_mutable(); }

bool any_writes(const Graph& graph) {
  bool found = false;
  graph.for_each([&](Node* node) { found |= writes(node); });
  return found;
}

/// Marks what is needed, from the results backwards, then erases the rest. Unlike ir's pass of the
/// same purpose it removes exactly what PyTorch's compiler removes, dead random numbers included.
class DeadCode {
 public:
  explicit DeadCode(const Graph& graph) {
    if (any_writes(graph)) alias_.emplace(graph);
  }

  void run(Block* block) {
    mark(block->return_node());
    mark_block(block);
    sweep(block);
  }

 private:
  bool is_root(const Node* node) {
    if (has_side_effects(node) || writes_outside(node)) return true;
    for (const Block* block : node->blocks()) {
      for (const Node* inner : *block) {
        if (is_root(inner)) return true;
      }
    }
    return false;
  }

  bool writes_outside(const Node* node) const {
    if (!writes(node)) return false;
    std::vector<Value*> written = ir::Alias::written_by(node);
    return std::any_of(written.begin(), written.end(),
                       [&](const Value* value) { return alias_->may_escape(value); });
  }

  bool writes_to_live(const Node* node) const {
    if (!writes(node)) return false;
    for (const Value* written : ir::Alias::written_by(node)) {
      for (const Value* value : live_) {
        if (alias_->may_share(written, value)) return true;
      }
    }
    return false;
  }

  bool mark(Node* node) {
    if (!marked_.insert(node).second) return false;
    for (Node* outer = node->owner() ? node->owner()->owner() : nullptr; outer;
         outer = outer->owner()->owner()) {
      mark(outer);
    }
    for (Value* input : node->inputs()) live_.insert(input);
    return true;
  }

  // A block's results are needed only as far as the outputs that they become are.
  void mark_results(Block* block) {
    Node* owner = block->owner();
    if (!owner) return;
    if (owner->is(kinds().loop)) {
      for (size_t i = 0; i < owner->outputs().size(); ++i) {
        bool needed = live_.count(owner->output(i)) || block->params()[i + 1]->has_uses();
        if (needed) live_.insert(block->results()[i + 1]);
      }
      live_.insert(block->results()[0]);
      return;
    }
    for (size_t i = 0; i < std::min(owner->outputs().size(), block->results().size()); ++i) {
      if (live_.count(owner->output(i))) live_.insert(block->results()[i]);
    }
    if (owner->outputs().size() < block->results().size() || owner->is(kinds().closure)) {
      for (Value* result : block->results()) live_.insert(result);
    }
  }

  bool mark_block(Block* block) {
    bool any = false;
    std::vector<Node*> nodes = block->nodes();
    for (Node* node : nodes) {
      if (is_root(node)) any |= mark(node);
    }
    mark_results(block);
    for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
      Node* node = *at;
      if (node->is(kinds().loop)) {
        // What one round needs may come from the round before.
        while (mark_block(node->block(0))) any = true;
      } else {
        for (Block* inner : node->blocks()) any |= mark_block(inner);
      }
      bool live = std::any_of(node->outputs().begin(), node->outputs().end(),
                              [&](Value* v) { return live_.count(v) > 0; });
      if (live || writes_to_live(node)) any |= mark(node);
    }
    return any;
  }

  void sweep(Block* block) {
    std::vector<Node*> nodes = block->nodes();
    for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
      Node* node = *at;
      drop_outputs(node);
      for (Block* inner : node->blocks()) sweep(inner);
      if (!marked_.count(node) && !node->has_uses()) node->erase();
    }
  }

  static void drop_outputs(Node* node) {
    if (node->is(kinds().if_)) {
      for (size_t i = node->outputs().size(); i-- > 0;) {
        if (node->output(i)->has_uses()) continue;
        node->remove_output(i);
        for (Block* block : node->blocks()) block->remove_result(i);
      }
    } else if (node->is(kinds().loop)) {
      Block* body = node->block(0);
      for (size_t i = node->outputs().size(); i-- > 0;) {
        if (node->output(i)->has_uses() || body->params()[i + 1]->has_uses()) continue;
        node->remove_output(i);
        node->remove_input(i + 2);
        body->remove_result(i + 1);
        body->remove_param(i + 1);
      }
    }
  }

  std::optional<ir::Alias> alias_;  // Only where something is written to.
  std::unordered_set<const Node*> marked_;
  std::unordered_set<const Value*> live_;
};

}  // namespace

void remove_dead_code(Graph& graph) { DeadCode(graph).run(graph.block()); }

}  // namespace assay::script::detail
