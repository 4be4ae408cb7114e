#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

#include "engine/ir/node.h"

namespace assay::ir {

/// A list of nodes with parameters and results: the body of a graph, or one of a node's blocks. It
/// sees the values of the blocks around it.
class Block {
 public:
  /// Walks the nodes without parameter and return node. The node under it may be erased if the
  /// iterator was advanced before.
  class Iterator {
   public:
    using value_type = Node*;
    using difference_type = std::ptrdiff_t;
    using pointer = Node**;
    using reference = Node*;
    using iterator_category = std::forward_iterator_tag;
    explicit Iterator(Node* node = nullptr) : node_(node) {}
    Node* operator*() const { return node_; }
    Iterator& operator++() { return node_ = node_->next(), *this; }
    Iterator operator++(int) {
      Iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(Iterator a, Iterator b) { return a.node_ == b.node_; }

   private:
    Node* node_;
  };
  Iterator begin() const { return Iterator(param_node_->next()); }
  Iterator end() const { return Iterator(return_node_); }
  bool empty() const { return begin() == end(); }
  /// The nodes as they are now, so that a loop may insert and erase.
  std::vector<Node*> nodes() const { return {begin(), end()}; }

  const std::vector<Value*>& params() const { return param_node_->outputs(); }
  Value* add_param(core::TypePtr type = core::tensor_type());
  Value* insert_param(size_t index, core::TypePtr type = core::tensor_type());
  void remove_param(size_t index);
  const std::vector<Value*>& results() const { return return_node_->inputs(); }
  /// Gives back the index of the new result.
  size_t add_result(Value* value);
  void remove_result(size_t index);

  Node* param_node() const { return param_node_; }
  Node* return_node() const { return return_node_; }
  /// Puts a node that lies in no block at the end/start. Gives back the node.
  Node* append(Node* node);
  Node* prepend(Node* node);

  /// The node that holds this block; null for the graph's body.
  Node* owner() const { return owner_; }
  Graph& graph() const { return *graph_; }
  /// Whether `inner` is this block or lies in it, at any depth.
  bool contains(const Block* inner) const;

 private:
  friend class Graph;
  friend class Node;
  Block(Graph& graph, Node* owner);
  void number_nodes();

  Graph* graph_;
  Node* owner_;
  Node* param_node_;
  Node* return_node_;
  size_t slot_ = 0;
  bool numbered_ = false;  // Whether Node::position_ of its nodes is their order.
};

}  // namespace assay::ir
