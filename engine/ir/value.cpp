#include "engine/ir/value.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ir/graph.h"

namespace assay::ir {

namespace {

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "x.12" → {"x", 12}; a name without such an ending has suffix 1.
std::pair<std::string, size_t> split_suffix(const std::string& name) {
  size_t dot = name.rfind('.');
  int64_t suffix = 1;
  if (dot == std::string::npos || !is_digits(std::string_view(name).substr(dot + 1)) ||
      !base::parse_int(std::string_view(name).substr(dot + 1), suffix))
    return {name, 1};
  return {name.substr(0, dot), static_cast<size_t>(suffix)};
}

// Whether `inner` lies in a block of `outer`.
bool lies_in(const Node* inner, const Node* outer) {
  for (const Block* block = inner->owner(); block->owner(); block = block->owner()->owner())
    if (block->owner() == outer) return true;
  return false;
}

}  // namespace

Value::Value(Node* node, size_t index, size_t id, core::TypePtr type)
    : node_(node), index_(index), id_(id), type_(std::move(type)) {}

Graph& Value::graph() const { return node_->graph(); }

Value* Value::set_type(core::TypePtr type) {
  type_ = std::move(type);
  return this;
}

Value* Value::set_name(std::string_view wanted) {
  base::check(!is_digits(wanted), "a value cannot be named '", wanted, "': that is a number");
  auto& names = graph().named_;
  if (has_name()) names.erase(name_);
  name_.clear();
  if (wanted.empty()) return this;
  std::string name(wanted);
  auto taken = names.find(name);
  if (taken != names.end()) {
    Value* older = taken->second;
    auto [stem, suffix] = split_suffix(name);
    size_t& next = graph().next_suffix_[stem];
    suffix = std::max(suffix, next + 1);
    std::string replacement;
    do {
      replacement = stem + "." + std::to_string(suffix++);
    } while (names.count(replacement));
    next = suffix;
    names.erase(taken);
    older->name_ = replacement;
    names.emplace(std::move(replacement), older);
  }
  names.emplace(name, this);
  name_ = std::move(name);
  return this;
}

void Value::replace_all_uses(Value* other) {
  if (other == this) return;
  for (const Use& use : uses_) {
    use.user->inputs_[use.index] = other;
    other->uses_.push_back(use);
  }
  uses_.clear();
}

void Value::replace_uses_after(const Node* node, Value* other) {
  if (other == this) return;
  std::vector<Use> kept;
  for (const Use& use : uses_) {
    bool after = node->is_before(use.user) && !lies_in(use.user, node);
    if (!after) {
      kept.push_back(use);
      continue;
    }
    use.user->inputs_[use.index] = other;
    other->uses_.push_back(use);
  }
  uses_ = std::move(kept);
}

}  // namespace assay::ir
