#include "engine/ir/passes/freeze.h"

#include <set>

#include "engine/base/error.h"
#include "engine/ir/alias.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"

namespace assay::ir {

namespace {

// The attribute that a chain of reads starting at `self`, or at an object held by a constant,
// gives, if that is what the value is.
std::optional<core::Value> attribute_of(const Value* value, const Value* self,
                                        const core::Value& object) {
  if (value == self) return object;
  const Node* node = value->node();
  if (!node->is(kinds().get_attribute)) return constant_value(node);
  auto holder = attribute_of(node->input(), self, object);
  if (!holder || !holder->is_object()) return std::nullopt;
  return holder->object().attribute(node->get<std::string>(name_attribute()));
}

}  // namespace

void freeze(Graph& graph, const core::ObjectRef& self) {
  base::check(!graph.inputs().empty(), "a graph without a self cannot be frozen");
  if (runs_other_code(graph)) return;
  std::set<std::string> kept;
  for (const Node* node : graph.find_all(kinds().set_attribute))
    kept.insert(node->get<std::string>(name_attribute()));
  const core::Value object(self);
  auto reads = graph.find_all(kinds().get_attribute);
  // A tensor that is written to in place, directly or through a view, is state.
  std::set<const Value*> written;
  graph.for_each([&](const Node* node) {
    for (const Value* value : Alias::written_by(node)) {
      // All attributes share as far as Alias knows; follow the writes back by name instead.
      std::vector<const Value*> work{value};
      while (!work.empty()) {
        const Value* next = work.back();
        work.pop_back();
        if (!written.insert(next).second) continue;
        for (const Value* input : next->node()->inputs())
          if (is_mutable_type(input->type())) work.push_back(input);
      }
    }
  });
  std::vector<std::pair<Node*, core::Value>> constants;
  for (Node* node : reads) {
    auto held = attribute_of(node->output(), graph.inputs()[0], object);
    if (!held || !is_constant(*held) || may_become_number(*held)) continue;
    if (written.count(node->output()) || kept.count(node->get<std::string>(name_attribute())))
      continue;
    // Constants ask for no gradients.
    if (held->is_tensor() && held->tensor_impl()->requires_grad) held = held->to_tensor().alias();
    constants.emplace_back(node, std::move(*held));
  }
  for (const auto& [node, held] : constants) {
    Node* constant = graph.create_constant(held)->insert_before(node);
    constant->set_range(node->range())->set_scope(node->scope());
    if (held.is_none()) constant->output()->set_type(node->output()->type());
    node->output()->replace_all_uses(constant->output());
    node->erase();
  }
  for (auto it = reads.rbegin(); it != reads.rend(); ++it) {
    bool frozen = std::any_of(constants.begin(), constants.end(),
                              [&](const auto& c) { return c.first == *it; });
    if (!frozen && !(*it)->has_uses()) (*it)->erase();
  }
}

}  // namespace assay::ir
