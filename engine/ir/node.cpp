#include "engine/ir/node.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ir/graph.h"
#include "engine/ops/catalog.h"

namespace assay::ir {

namespace {

// Apart, since looking up the name of a kind takes a lock that every access would pay for.
[[noreturn]] void lacks(base::Symbol kind, const char* what, size_t index) {
  base::unreachable(kind.text(), " has no ", what, ' ', index);
}

}  // namespace

Node::Node(Graph& graph, base::Symbol kind) : graph_(&graph), kind_(kind) {}

Node* Node::set_op(const ops::Operator* op) {
  op_ = op;
  return this;
}

Value* Node::input(size_t index) const {
  if (index >= inputs_.size()) lacks(kind_, "input", index);
  return inputs_[index];
}

size_t Node::input_index(ops::ArgName name) const {
  if (!op_)
    base::unreachable(kind_.text(), " is no call of an operator and has no '", name.text(), "'");
  return op_->position(name);
}

Node* Node::add_input(Value* value) {
  base::invariant(&value->graph() == graph_, "an input comes from another graph");
  if (inputs_.empty() && op_) inputs_.reserve(op_->schema.arguments.size());
  value->uses_.push_back({this, inputs_.size()});
  inputs_.push_back(value);
  return this;
}

Node* Node::insert_input(size_t index, Value* value) {
  base::invariant(index <= inputs_.size(), kind_.text(), " has no input ", index);
  base::invariant(&value->graph() == graph_, "an input comes from another graph");
  renumber_uses_from(index, 1);
  inputs_.insert(inputs_.begin() + static_cast<std::ptrdiff_t>(index), value);
  value->uses_.push_back({this, index});
  return this;
}

Value* Node::replace_input(size_t index, Value* value) {
  Value* old = input(index);
  base::invariant(&value->graph() == graph_, "an input comes from another graph");
  drop_use(index);
  inputs_[index] = value;
  value->uses_.push_back({this, index});
  return old;
}

void Node::replace_input_with(Value* from, Value* to) {
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i] == from) replace_input(i, to);
}

void Node::remove_input(size_t index) {
  base::invariant(index < inputs_.size(), kind_.text(), " has no input ", index);
  drop_use(index);
  renumber_uses_from(index + 1, -1);
  inputs_.erase(inputs_.begin() + static_cast<std::ptrdiff_t>(index));
}

void Node::remove_inputs() {
  // Backwards, as drop_use searches: a value that is read very often is let go in linear time.
  for (size_t i = inputs_.size(); i-- > 0;) drop_use(i);
  inputs_.clear();
}

// Forgets that the index-th input reads its value.
void Node::drop_use(size_t index) {
  auto& uses = inputs_[index]->uses_;
  auto found = std::find(uses.rbegin(), uses.rend(), Use{this, index});
  base::invariant(found != uses.rend(), "a use was lost");
  *found = uses.back();
  uses.pop_back();
}

void Node::renumber_uses_from(size_t index, int shift) {
  // In the direction in which no renumbered use meets one that is still to be renumbered.
  std::vector<size_t> order;
  for (size_t i = index; i < inputs_.size(); ++i) order.push_back(i);
  if (shift > 0) std::reverse(order.begin(), order.end());
  for (size_t i : order) {
    auto& uses = inputs_[i]->uses_;
    auto found = std::find(uses.begin(), uses.end(), Use{this, i});
    base::invariant(found != uses.end(), "a use was lost");
    found->index = static_cast<size_t>(static_cast<std::ptrdiff_t>(i) + shift);
  }
}

Value* Node::output(size_t index) const {
  if (index >= outputs_.size()) lacks(kind_, "output", index);
  return outputs_[index];
}

Value* Node::add_output(core::TypePtr type) {
  outputs_.push_back(graph_->new_value(this, outputs_.size(), std::move(type)));
  return outputs_.back();
}

Value* Node::insert_output(size_t index, core::TypePtr type) {
  base::invariant(index <= outputs_.size(), kind_.text(), " has no output ", index);
  Value* made = graph_->new_value(this, index, std::move(type));
  outputs_.insert(outputs_.begin() + static_cast<std::ptrdiff_t>(index), made);
  for (size_t i = index + 1; i < outputs_.size(); ++i) outputs_[i]->index_ = i;
  return made;
}

void Node::remove_output(size_t index) {
  Value* gone = output(index);
  base::invariant(!gone->has_uses(), "output ", index, " of ", kind_.text(), " is still read");
  outputs_.erase(outputs_.begin() + static_cast<std::ptrdiff_t>(index));
  for (size_t i = index; i < outputs_.size(); ++i) outputs_[i]->index_ = i;
  graph_->free_value(gone);
}

void Node::permute_outputs(const std::vector<size_t>& order) {
  base::invariant(order.size() == outputs_.size(), "a permutation of ", order.size(), " for ",
                  outputs_.size(), " outputs of ", kind_.text());
  std::vector<Value*> before = outputs_;
  for (size_t i = 0; i < order.size(); ++i) {
    outputs_[i] = before.at(order[i]);
    outputs_[i]->index_ = i;
  }
}

bool Node::has_uses() const {
  return std::any_of(outputs_.begin(), outputs_.end(), [](Value* v) { return v->has_uses(); });
}

Block* Node::block(size_t index) const {
  base::invariant(index < blocks_.size(), kind_.text(), " has no block ", index);
  return blocks_[index];
}

Block* Node::add_block() {
  blocks_.push_back(graph_->new_block(this));
  return blocks_.back();
}

void Node::erase_block(size_t index) {
  Block* gone = block(index);
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(index));
  graph_->free_block(gone);
}

const Attribute* Node::find_attribute(base::Symbol name) const {
  for (const auto& [key, value] : attributes_)
    if (key == name) return &value;
  return nullptr;
}

Node* Node::set(base::Symbol name, Attribute value) {
  for (auto& [key, old] : attributes_) {
    if (key != name) continue;
    old = std::move(value);
    return this;
  }
  attributes_.emplace_back(name, std::move(value));
  return this;
}

void Node::remove_attribute(base::Symbol name) {
  std::erase_if(attributes_, [&](const NamedAttribute& a) { return a.first == name; });
}

void Node::bad_attribute(base::Symbol name) const {
  base::unreachable(kind_.text(), " has no attribute '", name.text(), "' of the wanted kind");
}

Node* Node::set_range(base::SourceRange range) {
  range_ = std::move(range);
  return this;
}

Node* Node::set_scope(base::SharedText scope) {
  scope_ = std::move(scope);
  return this;
}

Node* Node::insert_before(Node* other) {
  base::invariant(!owner_ && other->owner_, "a node is inserted twice, or beside a loose one");
  base::invariant(other->graph_ == graph_, "a node is inserted into another graph");
  owner_ = other->owner_;
  next_ = other;
  prev_ = other->prev_;
  prev_->next_ = this;
  other->prev_ = this;
  owner_->numbered_ = false;
  return this;
}

Node* Node::insert_after(Node* other) { return insert_before(other->next_); }

void Node::unlink() {
  if (!owner_) return;
  prev_->next_ = next_;
  next_->prev_ = prev_;
  prev_ = next_ = nullptr;
  owner_ = nullptr;
}

void Node::move_before(Node* other) {
  if (other == this) return;
  unlink();
  insert_before(other);
}

void Node::move_after(Node* other) {
  if (other == this) return;
  unlink();
  insert_after(other);
}

bool Node::is_before(const Node* other) const {
  if (this == other) return false;
  auto depth = [](const Node* node) {
    size_t n = 0;
    for (const Block* b = node->owner(); b->owner(); b = b->owner()->owner()) ++n;
    return n;
  };
  const Node* a = this;
  const Node* b = other;
  size_t depth_a = depth(a);
  size_t depth_b = depth(b);
  for (; depth_a > depth_b; --depth_a) a = a->owner_->owner();
  for (; depth_b > depth_a; --depth_b) b = b->owner_->owner();
  if (a == b) return a == this;  // One lies inside the other; the outer one comes first.
  while (a->owner_ != b->owner_) {
    const Node* outer_a = a->owner_->owner();
    const Node* outer_b = b->owner_->owner();
    if (outer_a == outer_b) {  // Two blocks of one node: in their order.
      const auto& blocks = outer_a->blocks_;
      return std::find(blocks.begin(), blocks.end(), a->owner_) <
             std::find(blocks.begin(), blocks.end(), b->owner_);
    }
    a = outer_a;
    b = outer_b;
  }
  if (!a->owner_->numbered_) a->owner_->number_nodes();
  return a->position_ < b->position_;
}

void Node::erase() {
  base::invariant(!has_uses(), "a ", kind_.text(), " that is still read cannot be erased");
  unlink();
  graph_->free_node(this);
}

}  // namespace assay::ir
