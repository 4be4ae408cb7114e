#include "engine/ir/passes/dce.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "engine/ir/kinds.h"
#include "engine/ir/passes/control_flow.h"
#include "engine/ops/catalog.h"

namespace assay::ir {

namespace {

/// What no operator of the catalog is known for counts as an effect, not as a write.
bool writes(const Node* node) { return node->op() && node->op()->schema.is_mutable(); }

bool any_writes(const Graph& graph) {
  bool found = false;
  graph.for_each([&](const Node* node) { found = found || writes(node); });
  return found;
}

class DeadCode {
 public:
  DeadCode(const Graph& graph, const DeadCodeRules& rules) : rules_(rules) {
    if (any_writes(graph)) alias_.emplace(graph);
    marked_.reserve(graph.node_count());
    live_.reserve(graph.node_count());
  }

  void run(Block* block) {
    mark(block->return_node());
    mark_block(block);
    sweep(block);
  }

 private:
  bool is_live(const Value* value) const { return live_.count(value) != 0; }

  bool is_root(const Node* node) const {
    if (node->blocks().empty()) return rules_.has_effects(node) || writes_outside(node);
    return std::any_of(node->blocks().begin(), node->blocks().end(), [&](const Block* block) {
      return std::any_of(block->begin(), block->end(), [&](const Node* n) { return is_root(n); });
    });
  }

  bool writes_outside(const Node* node) const {
    return writes(node) && alias_->writes_outside(node);
  }

  bool writes_to_live(const Node* node) const {
    return writes(node) && alias_->writes_to(node, live_);
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

  /// Whether a round reads what the one before gave.
  bool is_carried(const Value* parameter) const {
    return rules_.self_carried ? is_live(parameter) : parameter->has_uses();
  }

  // A block's results are needed only as far as the outputs that they become are.
  bool mark_results(Block* block) {
    Node* owner = block->owner();
    if (!owner) return false;
    const std::vector<Value*>& results = block->results();
    size_t before = live_.size();
    if (owner->is(kinds().loop)) {
      live_.insert(results[0]);
      for (size_t i = 0; i < owner->outputs().size(); ++i) {
        bool needed = is_live(owner->output(i)) || is_carried(block->params()[i + 1]);
        if (needed) live_.insert(results[i + 1]);
      }
    } else {
      bool outputs = owner->is(kinds().if_);
      for (size_t i = 0; i < results.size(); ++i) {
        if (!outputs || is_live(owner->output(i))) live_.insert(results[i]);
      }
    }
    return live_.size() != before;
  }

  bool mark_block(Block* block) {
    bool any = false;
    std::vector<Node*> nodes = block->nodes();
    for (Node* node : nodes) {
      if (is_root(node)) any |= mark(node);
    }
    any |= mark_results(block);
    for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
      Node* node = *at;
      if (node->is(kinds().loop)) {
        // What one round needs may come from the round before.
        while (mark_block(node->block(0))) any = true;
      } else {
        for (Block* inner : node->blocks()) any |= mark_block(inner);
      }
      bool live = std::any_of(node->outputs().begin(), node->outputs().end(),
                              [&](const Value* v) { return is_live(v); });
      if (live || writes_to_live(node)) any |= mark(node);
    }
    return any;
  }

  void sweep(Block* block) {
    std::vector<Node*> nodes = block->nodes();
    for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
      Node* node = *at;
      if (node->is(kinds().if_)) drop_outputs(node);
      if (node->is(kinds().loop)) drop_variables(node);
      for (Block* inner : node->blocks()) sweep(inner);
      if (!marked_.count(node) && !node->has_uses()) node->erase();
    }
  }

  static void drop_outputs(Node* branch) {
    for (size_t i = branch->outputs().size(); i-- > 0;) {
      if (!branch->output(i)->has_uses()) remove_output(branch, i);
    }
  }

  void drop_variables(Node* loop) {
    for (size_t i = loop->outputs().size(); i-- > 0;) {
      Value* inside = loop->block(0)->params()[i + 1];
      if (loop->output(i)->has_uses() || is_carried(inside)) continue;
      // Only dead nodes read it, and results of variables that go.
      inside->replace_all_uses(loop->input(i + 2));
      remove_variable(loop, i);
    }
  }

  const DeadCodeRules& rules_;
  std::optional<Alias> alias_;  // Only where something is written to.
  std::unordered_set<const Node*> marked_;
  std::unordered_set<const Value*> live_;
};

}  // namespace

void remove_dead_code(Graph& graph, const DeadCodeRules& rules) {
  DeadCode(graph, rules).run(graph.block());
}

}  // namespace assay::ir
