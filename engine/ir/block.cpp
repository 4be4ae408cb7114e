#include "engine/ir/block.h"

#include "engine/ir/graph.h"
#include "engine/ir/kinds.h"

namespace assay::ir {

Block::Block(Graph& graph, Node* owner)
    : graph_(&graph),
      owner_(owner),
      param_node_(graph.new_node(kinds().param)),
      return_node_(graph.new_node(kinds().return_node)) {
  for (Node* sentinel : {param_node_, return_node_}) {
    sentinel->sentinel_ = true;
    sentinel->owner_ = this;
  }
  param_node_->next_ = return_node_;
  return_node_->prev_ = param_node_;
}

Value* Block::add_param(core::TypePtr type) { return param_node_->add_output(std::move(type)); }

Value* Block::insert_param(size_t index, core::TypePtr type) {
  return param_node_->insert_output(index, std::move(type));
}

void Block::remove_param(size_t index) { param_node_->remove_output(index); }

size_t Block::add_result(Value* value) {
  return_node_->add_input(value);
  return return_node_->inputs().size() - 1;
}

void Block::remove_result(size_t index) { return_node_->remove_input(index); }

Node* Block::append(Node* node) { return node->insert_before(return_node_); }

Node* Block::prepend(Node* node) { return node->insert_after(param_node_); }

bool Block::contains(const Block* inner) const {
  while (inner && inner != this) inner = inner->owner_ ? inner->owner_->owner() : nullptr;
  return inner == this;
}

void Block::number_nodes() {
  uint64_t position = 0;
  for (Node* node = param_node_; node; node = node->next_) node->position_ = position++;
  numbered_ = true;
}

}  // namespace assay::ir
