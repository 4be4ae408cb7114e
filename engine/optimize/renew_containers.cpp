#include "engine/optimize/renew_containers.h"

#include <optional>
#include <string>
#include <vector>

#include "engine/ir/alias.h"
#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
#include "engine/ops/argument_names.h"
#include "engine/ops/catalog.h"

namespace assay::optimize {

using ir::constant_value;
using ir::Graph;
using ir::Node;
using ir::only_reads;
using ir::Use;
using ir::Value;

namespace {

namespace arg = ops::arg;

/// How TorchScript writes `{}` and `OrderedDict()`, too.
bool is_empty_dict(const Node* maker) { return maker->is("aten::dict") && maker->inputs().empty(); }

bool is_text(const Value* key) {
  auto held = constant_value(key);
  return held && held->is_string();
}

/// Puts the entry where the same key stands; false where a key is no constant text.
bool put_entry(std::vector<Value*>& entries, Value* key, Value* item) {
  if (!is_text(key)) return false;
  std::string wanted = constant_value(key)->to_string();
  for (size_t i = 0; i + 1 < entries.size(); i += 2) {
    if (!is_text(entries[i])) return false;
    if (constant_value(entries[i])->to_string() != wanted) continue;
    entries[i + 1] = item;
    return true;
  }
  entries.push_back(key);
  entries.push_back(item);
  return true;
}

/// What the container holds after the write; nothing where that is not known.
std::optional<std::vector<Value*>> held_after(const Node* write) {
  const Node* maker = write->input(0)->node();
  std::vector<Value*> held = maker->inputs();
  if (write->is("aten::append") && maker->is(ir::kinds().list)) {
    held.push_back(write->input(arg::el));
    return held;
  }
  bool dictionary = maker->is(ir::kinds().dict) || is_empty_dict(maker);
  bool entry = write->is("aten::_set_item") && dictionary;
  if (entry && put_entry(held, write->input(arg::idx), write->input(arg::v))) return held;
  return std::nullopt;
}

bool renew(Graph& graph, Node* write) {
  Value* old = write->input(0);
  Node* maker = old->node();
  if (maker->is_sentinel() || maker->owner() != write->owner()) return false;
  bool twice = write->input(1) == old || write->inputs().back() == old;
  if (twice || (!write->outputs().empty() && write->has_uses())) return false;
  for (const Use& use : old->uses()) {
    bool later = use.user == write || write->is_before(use.user);
    if (!later && !only_reads(use)) return false;
  }
  auto held = held_after(write);
  if (!held) return false;
  base::Symbol kind = is_empty_dict(maker) ? ir::kinds().dict : maker->kind();
  Node* made = graph.create(kind, *held, 1);
  made->output()->set_type(old->type());
  made->set_range(write->range())->set_scope(write->scope());
  made->insert_before(write);
  old->replace_uses_after(write, made->output());
  write->erase();
  return true;
}

}  // namespace

bool renew_containers(Graph& graph) {
  bool changed = false;
  graph.for_each([&](Node* node) {
    bool writes = node->op() && (node->is("aten::append") || node->is("aten::_set_item"));
    if (writes) changed = renew(graph, node) || changed;
  });
  return changed;
}

}  // namespace assay::optimize
