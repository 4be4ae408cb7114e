#include "engine/ir/passes/pool_constants.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/core/elements.h"
#include "engine/ir/alias.h"
#include "engine/ir/kinds.h"

namespace assay::ir {
namespace {

bool same_attribute(const Attribute& a, const Attribute& b) {
  if (a.index() != b.index()) return false;
  if (auto tensor = std::get_if<core::Tensor>(&a)) {
    const auto& other = std::get<core::Tensor>(b);
    return tensor->same(other) || core::same_constant(*tensor, other);
  }
  if (auto value = std::get_if<core::Value>(&a)) {
    const auto& other = std::get<core::Value>(b);
    // PyTorch tells members of enumerations apart by where they were written.
    if (value->is_enum() && other.is_enum()) {
      return &value->enumeration() == &other.enumeration();
    }
    return value->tag() == other.tag() && value->equals(other);
  }
  if (auto real = std::get_if<double>(&a)) {
    double other = std::get<double>(b);
    return std::signbit(*real) == std::signbit(other) &&
           (*real == other || (std::isnan(*real) && std::isnan(other)));
  }
  if (auto integer = std::get_if<int64_t>(&a)) return *integer == std::get<int64_t>(b);
  if (auto text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b);
  if (auto number = std::get_if<core::Complex128>(&a)) {
    return *number == std::get<core::Complex128>(b);
  }
  return false;
}

// Hashes are equal for constants that same_constant finds the same.

/// Of a container only the first items count.
size_t hash_of(const core::Value& value, int depth = 0) {
  constexpr size_t counted = 8;
  if (value.is_int()) return std::hash<int64_t>()(value.to_int());
  if (value.is_string()) return std::hash<std::string>()(value.to_string());
  bool sequence = value.is_list() || value.is_tuple();
  if (!sequence || depth == 2) return static_cast<size_t>(value.tag());
  const core::Values& items = value.is_list() ? value.list().items : value.tuple().items;
  size_t hash = items.size();
  for (size_t i = 0; i < std::min(items.size(), counted); ++i) {
    hash = hash * 31 + hash_of(items[i], depth + 1);
  }
  return hash;
}

size_t hash_of(const Attribute& attribute) {
  if (auto integer = std::get_if<int64_t>(&attribute)) return std::hash<int64_t>()(*integer);
  if (auto real = std::get_if<double>(&attribute)) {
    return std::isnan(*real) ? 1 : std::hash<double>()(*real);
  }
  if (auto text = std::get_if<std::string>(&attribute)) return std::hash<std::string>()(*text);
  if (auto tensor = std::get_if<core::Tensor>(&attribute)) {
    return static_cast<size_t>(tensor->dtype()) * 31 + static_cast<size_t>(tensor->numel());
  }
  if (auto value = std::get_if<core::Value>(&attribute)) return hash_of(*value);
  return attribute.index();
}

size_t hash_of(const Node* constant) {
  size_t hash = static_cast<size_t>(constant->output()->type()->kind());
  for (const auto& [name, value] : constant->attributes()) hash = hash * 31 + hash_of(value);
  return hash;
}

/// Whether nobody writes to the constant: it is no container and no tensor, or one that stays as it
/// is. `alias` is made for the first tensor.
bool is_fixed(const Node* constant, std::optional<Alias>& alias) {
  core::TypeKind kind = constant->output()->type()->kind();
  if (kind == core::TypeKind::tensor) {
    if (!alias) alias.emplace(constant->graph());
    return !alias->is_written(constant->output());
  }
  if (kind != core::TypeKind::list && kind != core::TypeKind::dict) return true;
  const auto& uses = constant->output()->uses();
  return std::all_of(uses.begin(), uses.end(), only_reads);
}

}  // namespace

bool same_constant(const Node* a, const Node* b) {
  if (!core::same_type(a->output()->type(), b->output()->type())) return false;
  if (a->attributes().size() != b->attributes().size()) return false;
  for (const auto& [name, value] : a->attributes()) {
    const Attribute* other = b->find_attribute(name);
    if (!other || !same_attribute(value, *other)) return false;
  }
  return true;
}

void pool_constants(Graph& graph) {
  std::unordered_map<size_t, std::vector<Node*>> pooled;  // By hash.
  std::optional<Alias> alias;
  for (Node* node : graph.find_all(kinds().constant)) {
    std::vector<Node*>& known = pooled[hash_of(node)];
    auto same = std::find_if(known.begin(), known.end(), [&](const Node* other) {
      return same_constant(node, other) && is_fixed(node, alias) && is_fixed(other, alias);
    });
    if (same != known.end()) {
      node->output()->replace_all_uses((*same)->output());
      node->erase();
      continue;
    }
    known.push_back(node);
    Node* first = *graph.block()->begin();
    if (node != first) node->move_before(first);
  }
}

}  // namespace assay::ir
