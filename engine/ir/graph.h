#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/symbol.h"
#include "engine/ir/block.h"
#include "engine/ir/node.h"
#include "engine/ir/value.h"

namespace assay::ir {

/// A program in SSA form: one block of nodes, which may hold blocks themselves. Owns all its nodes,
/// blocks and values; pointers to them stay good until they are erased or the graph dies.
class Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Block* block() const { return block_; }
  const std::vector<Value*>& inputs() const { return block_->params(); }
  const std::vector<Value*>& outputs() const { return block_->results(); }
  Value* add_input(std::string_view name = {}, core::TypePtr type = core::tensor_type());
  size_t add_output(Value* value) { return block_->add_result(value); }

  /// A node that lies in no block yet, with `outputs` outputs of type Tensor.
  Node* create(base::Symbol kind, const std::vector<Value*>& inputs = {}, size_t outputs = 1);
  /// A node with one output for each type.
  Node* create(base::Symbol kind, const std::vector<Value*>& inputs,
               const std::vector<core::TypePtr>& types);
  /// A `prim::Constant` in no block. Input error if a constant cannot hold the value (is_constant).
  Node* create_constant(const core::Value& value);

  /// Every node in program order, at any depth, without sentinels. Collected before the first call
  /// of `visit`, which may therefore edit; do not erase nodes that are still to come.
  void for_each(const std::function<void(Node*)>& visit) const;
  /// How many nodes it owns, sentinels and those that lie in no block included.
  size_t node_count() const { return nodes_.size(); }
  /// Nodes of this kind in program order, at any depth.
  std::vector<Node*> find_all(base::Symbol kind) const;
  /// The value that prints as `%name`, or null.
  Value* find_value(std::string_view name) const;

  std::shared_ptr<Graph> copy() const;
  /// Takes a node of another graph, with its blocks; it lies in no block yet. Its values get ids
  /// and names as those of a copy would. What it reads has to be this graph's, too, in the end.
  Node* adopt(Node* node);

  /// For readers of printed graphs: values made from now on get ids from `next` on ...
  void reserve_ids(size_t next) { next_id_ = std::max(next_id_, next); }
  /// ... and this one gets an id below that, which no other value may have.
  void assign_id(Value* value, size_t id) { value->id_ = id; }
  /// No value gets the next id.
  void skip_id() { ++next_id_; }

  /// The graph's text (ir/printer.h), with source comments.
  std::string str() const;

 private:
  friend class Value;
  friend class Node;
  friend class Block;
  std::vector<Node*> all_nodes() const;
  Value* new_value(Node* node, size_t index, core::TypePtr type);
  void free_value(Value* value);
  Node* new_node(base::Symbol kind);
  Block* new_block(Node* owner);
  void free_block(Block* block);
  void free_node(Node* node);
  void take(Node* node);
  template <typename Part>
  static Part* keep(std::unique_ptr<Part> part, std::vector<std::unique_ptr<Part>>& in);
  template <typename Part>
  static std::unique_ptr<Part> take_slot(const Part* part,
                                         std::vector<std::unique_ptr<Part>>& from);

  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unordered_map<std::string, Value*> named_;
  std::unordered_map<std::string, size_t> next_suffix_;
  size_t next_id_ = 0;
  Block* block_;
};

}  // namespace assay::ir
