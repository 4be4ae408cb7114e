#include "engine/ir/passes/normalize.h"

#include <algorithm>
#include <map>

#include "engine/ir/alias.h"
#include "engine/ir/kinds.h"
#include "engine/ir/passes/pool_constants.h"
#include "engine/ir/pipeline.h"
#include "engine/ir/unshaped.h"

namespace assay::ir {

namespace {

// Whether attributes of objects keep their values while the graph runs.
bool attributes_stay(const Graph& graph) {
  return graph.find_all(kinds().set_attribute).empty() && !runs_other_code(graph);
}

// Readers before what they hold, program order otherwise.
Node* first_reader(const Value* value) {
  Node* first = nullptr;
  for (const Use& use : value->uses())
    if (!first || use.user->is_before(first)) first = use.user;
  return first;
}

// The node in `block` that is `node` or holds it.
Node* ancestor_in(const Block* block, Node* node) {
  while (node && node->owner() != block) node = node->owner()->owner();
  return node;
}

template <typename F>
void for_each_value(Graph& graph, const F& f) {
  for (Value* input : graph.inputs()) f(input);
  graph.for_each([&](Node* node) {
    for (Value* output : node->outputs()) f(output);
    for (Block* block : node->blocks())
      for (Value* param : block->params()) f(param);
  });
}

void merge(Node* kept, Node* gone) {
  gone->output()->replace_all_uses(kept->output());
  gone->erase();
}

}  // namespace

void erase_shapes(Graph& graph) {
  for_each_value(graph, [](Value* value) { value->set_type(unshaped(value->type())); });
}

void erase_details(Graph& graph) {
  for_each_value(graph, [](Value* value) { value->set_name(""); });
  erase_shapes(graph);
}

void share_reads(Graph& graph) {
  pool_constants(graph);
  if (!attributes_stay(graph)) return;
  using Read = std::tuple<const Block*, const Value*, std::string>;
  std::map<Read, Node*> reads;
  for (Node* node : graph.find_all(kinds().get_attribute)) {
    const Attribute* name = node->find_attribute(name_attribute());
    if (!name) continue;
    Read read{node->owner(), node->input(), std::get<std::string>(*name)};
    auto [place, is_new] = reads.try_emplace(read, node);
    if (!is_new) merge(place->second, node);
  }
}

void order_reads(Graph& graph) {
  // Later readers first, so that a read's own reader is in place before it.
  if (attributes_stay(graph)) {
    auto reads = graph.find_all(kinds().get_attribute);
    for (auto it = reads.rbegin(); it != reads.rend(); ++it) {
      Node* reader = first_reader((*it)->output());
      if (reader) reader = ancestor_in((*it)->owner(), reader);
      if (reader && reader != (*it)->next()) (*it)->move_before(reader);
    }
  }
  std::vector<std::pair<Node*, Node*>> used;
  for (Node* constant : graph.find_all(kinds().constant)) {
    if (constant->owner() != graph.block()) continue;
    if (Node* reader = first_reader(constant->output())) used.emplace_back(reader, constant);
  }
  auto input_index = [](const std::pair<Node*, Node*>& entry) {
    const auto& inputs = entry.first->inputs();
    return std::find(inputs.begin(), inputs.end(), entry.second->output()) - inputs.begin();
  };
  std::stable_sort(used.begin(), used.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first->is_before(b.first);
    return input_index(a) < input_index(b);
  });
  Node* start = graph.block()->param_node();
  for (const auto& [reader, constant] : used) {
    constant->move_after(start);
    start = constant;
  }
}

std::shared_ptr<Graph> normalized(const Graph& graph) {
  auto made = graph.copy();
  run_passes(*made, canonical_passes());
  return made->copy();  // Numbers the values in order.
}

}  // namespace assay::ir
