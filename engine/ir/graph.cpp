#include "engine/ir/graph.h"

#include <utility>

#include "engine/base/error.h"
#include "engine/ir/constant.h"
#include "engine/ir/copy.h"
#include "engine/ir/kinds.h"

namespace assay::ir {

namespace {

void collect(const Block& block, std::vector<Node*>& out) {
  for (Node* node : block) {
    out.push_back(node);
    for (const Block* inner : node->blocks()) collect(*inner, out);
  }
}

}  // namespace

Graph::Graph() : block_(new_block(nullptr)) {}

Graph::~Graph() {
  for (const auto& node : nodes_)
    for (Value* output : node->outputs_) delete output;
}

// A node or block out of the place where a graph keeps it.
template <typename Part>
std::unique_ptr<Part> Graph::take_slot(const Part* part, std::vector<std::unique_ptr<Part>>& from) {
  size_t slot = part->slot_;
  std::swap(from[slot], from.back());
  from[slot]->slot_ = slot;
  std::unique_ptr<Part> taken = std::move(from.back());
  from.pop_back();
  return taken;
}

template <typename Part>
Part* Graph::keep(std::unique_ptr<Part> part, std::vector<std::unique_ptr<Part>>& in) {
  part->slot_ = in.size();
  in.push_back(std::move(part));
  return in.back().get();
}

Value* Graph::add_input(std::string_view name, core::TypePtr type) {
  return block_->add_param(std::move(type))->set_name(name);
}

Node* Graph::create(base::Symbol kind, const std::vector<Value*>& inputs, size_t outputs) {
  return create(kind, inputs, std::vector<core::TypePtr>(outputs, core::tensor_type()));
}

Node* Graph::create(base::Symbol kind, const std::vector<Value*>& inputs,
                    const std::vector<core::TypePtr>& types) {
  Node* node = new_node(kind);
  for (Value* input : inputs) node->add_input(input);
  for (const core::TypePtr& type : types) node->add_output(type);
  return node;
}

Node* Graph::create_constant(const core::Value& value) {
  base::check(is_constant(value), "a graph's constant cannot hold a ", value.kind_name());
  Node* node = create(kinds().constant);
  set_constant(node, value);
  return node;
}

std::vector<Node*> Graph::all_nodes() const {
  std::vector<Node*> all;
  all.reserve(nodes_.size());
  collect(*block_, all);
  return all;
}

void Graph::for_each(const std::function<void(Node*)>& visit) const {
  for (Node* node : all_nodes()) visit(node);
}

std::vector<Node*> Graph::find_all(base::Symbol kind) const {
  std::vector<Node*> all = all_nodes();
  std::erase_if(all, [&](Node* node) { return !node->is(kind); });
  return all;
}

Value* Graph::find_value(std::string_view name) const {
  auto found = named_.find(std::string(name));
  if (found != named_.end()) return found->second;
  for (const auto& node : nodes_)
    for (Value* output : node->outputs_)
      if (!output->has_name() && output->name() == name) return output;
  return nullptr;
}

std::shared_ptr<Graph> Graph::copy() const {
  auto made = std::make_shared<Graph>();
  ValueMap map;
  map.reserve(nodes_.size());
  for (const Value* input : inputs())
    map[input] = made->add_input(input->has_name() ? input->name() : "", input->type());
  copy_block(*block_, *made->block_, map);
  return made;
}

Node* Graph::adopt(Node* node) {
  node->unlink();
  take(node);
  return node;
}

void Graph::take(Node* node) {
  Graph& from = *node->graph_;
  keep(take_slot(node, from.nodes_), nodes_);
  node->graph_ = this;
  for (Value* output : node->outputs_) {
    output->id_ = next_id_++;
    if (!output->has_name()) continue;
    std::string name = std::exchange(output->name_, {});
    from.named_.erase(name);
    output->set_name(name);
  }
  for (Block* block : node->blocks_) {
    keep(take_slot(block, from.blocks_), blocks_);
    block->graph_ = this;
    take(block->param_node_);
    for (Node* inner : *block) take(inner);
    take(block->return_node_);
  }
}

Value* Graph::new_value(Node* node, size_t index, core::TypePtr type) {
  return new Value(node, index, next_id_++, std::move(type));
}

void Graph::free_value(Value* value) {
  if (value->has_name()) named_.erase(value->name_);
  delete value;
}

Node* Graph::new_node(base::Symbol kind) {
  return keep(std::unique_ptr<Node>(new Node(*this, kind)), nodes_);
}

Block* Graph::new_block(Node* owner) {
  return keep(std::unique_ptr<Block>(new Block(*this, owner)), blocks_);
}

void Graph::free_block(Block* block) {
  // Readers first, so that what they read has no uses left when it goes.
  block->return_node_->remove_inputs();
  std::vector<Node*> nodes = block->nodes();
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) (*it)->erase();
  free_node(block->return_node_);
  free_node(block->param_node_);
  take_slot(block, blocks_);
}

void Graph::free_node(Node* node) {
  node->remove_inputs();
  while (!node->blocks_.empty()) node->erase_block(node->blocks_.size() - 1);
  for (Value* output : node->outputs_) {
    base::invariant(!output->has_uses(), "a value of a freed block is read outside of it");
    free_value(output);
  }
  node->outputs_.clear();
  take_slot(node, nodes_);
}

}  // namespace assay::ir
