#include "engine/ir/passes/inline.h"

#include <unordered_map>

#include "engine/base/error.h"
#include "engine/base/stack.h"
#include "engine/ir/constant.h"
#include "engine/ir/copy.h"
#include "engine/ir/kinds.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/passes/pool_constants.h"
#include "engine/ops/catalog.h"

namespace assay::ir {

namespace {

/// What PyTorch does to a body before it is inlined: a number that became a tensor and a number
/// again is the first number. What is left unread goes.
void read_through_tensors(Graph& graph) {
  bool changed = false;
  auto keeps_values = [](const Node* node) { return node->op() && node->op()->keeps_values(); };
  graph.for_each([&](Node* node) {
    if (!keeps_values(node) || !keeps_values(node->input(0)->node())) return;
    Value* number = node->input(0)->node()->input(0);
    bool is_number = !number->type()->is(core::TypeKind::tensor);
    if (!is_number || !same_type(number->type(), node->output()->type())) return;
    node->output()->replace_all_uses(number);
    changed = true;
  });
  if (changed) remove_dead_code(graph);
}

class Inliner {
 public:
  Inliner(Unit& unit, size_t max_nodes) : unit_(unit), max_nodes_(max_nodes) {}

  void run(Graph& graph) {
    count_calls(graph);
    inline_all(graph);
  }

 private:
  /// In the graph and in all that it calls, each once.
  void count_calls(const Graph& graph) {
    std::vector<const Graph*> todo = {&graph};
    while (!todo.empty()) {
      const Graph* body = todo.back();
      todo.pop_back();
      body->for_each([&](Node* node) {
        const Function* callee = callee_of(node);
        if (callee && ++calls_[callee] == 1) todo.push_back(&callee->graph());
      });
    }
  }

  void inline_all(Graph& graph) {
    graph.for_each([this](Node* node) { inline_one(node); });
  }

  // Bodies are inlined before they are, each once.
  Graph& body_of(const Function& function) {
    auto [place, is_new] = bodies_.try_emplace(&function);
    if (!is_new) {
      base::check(place->second != nullptr, "function '", function.name(),
                  "' is called recursively. Recursive calls are not supported");
      return *place->second;
    }
    base::check_stack("a chain of calls");
    auto body = function.graph().copy();
    inline_all(*body);
    read_through_tensors(*body);
    pool_constants(*body);
    return *(bodies_[&function] = body);
  }

  void inline_one(Node* node) {
    const Function* callee = callee_of(node);
    if (!callee) return;
    Graph& body = body_of(*callee);
    size_t size = 0;
    body.for_each([&](Node*) { ++size; });
    nodes_ += size;
    base::check(nodes_ <= max_nodes_, "inlining makes more than ", max_nodes_, " nodes");
    std::vector<Value*> arguments = node->inputs();
    if (node->is(kinds().call_function)) arguments.erase(arguments.begin());
    base::check(arguments.size() == body.inputs().size(), "'", callee->name(), "' takes ",
                body.inputs().size(), " arguments, but ", arguments.size(), " are given");
    base::check(node->outputs().size() == body.outputs().size(), "'", callee->name(), "' gives ",
                body.outputs().size(), " results, not ", node->outputs().size());
    // Most bodies are needed once; the last call takes the body itself.
    auto results = --calls_.at(callee) == 0 ? inline_moving(body, node, arguments)
                                            : inline_graph(body, node, arguments);
    for (size_t i = 0; i < results.size(); ++i) {
      Value* old = node->output(i);
      bool own = results[i]->node()->kind() != kinds().param;
      if (own && old->has_name()) results[i]->set_name(std::string(old->name()));
      old->replace_all_uses(results[i]);
    }
    node->erase();
  }

  const Function* callee_of(const Node* node) {
    if (node->is(kinds().call_function)) {
      auto held = constant_value(node->input(0));
      bool plain = held && held->is_function() && held->function().captured.empty() &&
                   held->function().self.is_none();
      return plain ? &unit_.function(held->function().qualified_name) : nullptr;
    }
    if (!node->is(kinds().call_method)) return nullptr;
    const core::ClassType* type = core::as_class(node->input(0)->type());
    return type ? &unit_.method(*type, node->get<std::string>("name")) : nullptr;
  }

  Unit& unit_;
  size_t max_nodes_;
  size_t nodes_ = 0;
  std::unordered_map<const Function*, size_t> calls_;  // That are still to be inlined.
  std::unordered_map<const Function*, std::shared_ptr<Graph>> bodies_;
};

}  // namespace

void inline_calls(Graph& graph, Unit& unit, size_t max_nodes) {
  Inliner(unit, max_nodes).run(graph);
}

std::shared_ptr<Graph> inlined(const Function& function, Unit& unit) {
  auto made = function.graph().copy();
  inline_calls(*made, unit);
  return made;
}

}  // namespace assay::ir
