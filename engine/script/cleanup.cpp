#include "engine/script/cleanup.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
#include "engine/ir/passes/pool_constants.h"
#include "engine/script/detail/cleanup_steps.h"

namespace assay::script {
namespace detail {
namespace {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::Use;
using ir::Value;

// A position that can be compared: the path of (block, index) from the graph down.
bool comes_before(const Use& a, const Use& b) {
  if (a.user == b.user) return a.index < b.index;
  auto depth = [](const Node* node) {
    int count = 0;
    while ((node = node->owner()->owner())) ++count;
    return count;
  };
  const Node* x = a.user;
  const Node* y = b.user;
  int depth_x = depth(x), depth_y = depth(y);
  for (; depth_x > depth_y; --depth_x) {
    x = x->owner()->owner();
    if (x == y) return false;
  }
  for (; depth_y > depth_x; --depth_y) {
    y = y->owner()->owner();
    if (x == y) return true;
  }
  while (x->owner() != y->owner()) {
    const Node* outer_x = x->owner()->owner();
    const Node* outer_y = y->owner()->owner();
    if (outer_x == outer_y) {
      // Different blocks of one node: the earlier block comes first.
      return outer_x->block(0) == x->owner();
    }
    x = outer_x;
    y = outer_y;
  }
  if (x->is_sentinel()) return false;  // A block's return node comes last.
  if (y->is_sentinel()) return true;
  return x->is_before(y);
}

std::vector<size_t> order_by_first_use(const std::vector<Value*>& values) {
  std::vector<std::optional<Use>> first(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    for (const Use& use : values[i]->uses()) {
      if (!first[i] || comes_before(use, *first[i])) first[i] = use;
    }
  }
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (!first[a] || !first[b]) return first[a].has_value() && !first[b];
    return comes_before(*first[a], *first[b]);
  });
  return order;
}

void permute_results(Node* end, const std::vector<size_t>& order, size_t skip) {
  std::vector<Value*> before = end->inputs();
  for (size_t i = 0; i < order.size(); ++i) end->replace_input(skip + i, before[skip + order[i]]);
}

// The order with `skip` positions in front that stay where they are.
std::vector<size_t> shifted(const std::vector<size_t>& order, size_t skip) {
  std::vector<size_t> all(skip);
  std::iota(all.begin(), all.end(), size_t{0});
  for (size_t index : order) all.push_back(index + skip);
  return all;
}

void permute_outputs(Node* node, const std::vector<size_t>& order) {
  node->permute_outputs(order);
  if (node->is(ir::kinds().if_)) {
    for (Block* block : node->blocks()) permute_results(block->return_node(), order, 0);
    return;
  }
  Block* body = node->block(0);
  permute_results(node, order, 2);
  permute_results(body->return_node(), order, 1);
  body->param_node()->permute_outputs(shifted(order, 1));
}

}  // namespace

void settle_empty_lists(Block* block) {
  for (Node* node : block->nodes()) {
    for (Block* inner : node->blocks()) settle_empty_lists(inner);
    if (!node->is(ir::kinds().empty_list)) continue;
    if (node->has_uses()) {
      Node* list = node->graph().create(ir::kinds().list, {},
                                        std::vector<core::TypePtr>{node->output()->type()});
      node->output()->replace_all_uses(list->insert_before(node)->output());
    }
    node->erase();
  }
}

void order_outputs(Block* block) {
  std::vector<Node*> nodes = block->nodes();
  for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
    Node* node = *at;
    if (node->is(ir::kinds().if_) || node->is(ir::kinds().loop)) {
      std::vector<size_t> order = order_by_first_use(node->outputs());
      bool sorted = std::is_sorted(order.begin(), order.end());
      if (!sorted) permute_outputs(node, order);
    }
    for (Block* inner : node->blocks()) order_outputs(inner);
  }
}

void number_warnings(Graph& graph) {
  int64_t next = 0;
  for (Node* node : graph.find_all("aten::warn")) node->set("warn_id", next++);
}

}  // namespace detail

void clean_up(ir::Graph& graph) {
  detail::lift_closures(graph);
  detail::lower_simple_tuples(graph);
  detail::fold_constants(graph);
  ir::pool_constants(graph);
  detail::order_outputs(graph.block());
  detail::number_warnings(graph);
}

}  // namespace assay::script
