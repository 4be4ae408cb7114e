#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/type.h"

namespace assay::ir {

class Graph;
class Block;
class Node;
class Value;

/// One use of a value: the `index`-th input of `user`. A block's result is read by the
/// block's return node.
struct Use {
  Node* user = nullptr;
  size_t index = 0;
  friend bool operator==(const Use& a, const Use& b) {
    return a.user == b.user && a.index == b.index;
  }
};

/// An SSA value: one output of one node (block parameters are outputs of the block's parameter
/// node). Owned by the graph.
class Value {
 public:
  /// Number that no other value of the graph ever had.
  size_t id() const { return id_; }
  /// The given name, or the id as text: what stands after `%` in the graph's text.
  std::string name() const { return name_.empty() ? std::to_string(id_) : name_; }
  bool has_name() const { return !name_.empty(); }
  /// Gives the value this name. As in PyTorch, the newest owner keeps a contested name and the
  /// older one is renamed to `base.N`. An empty text removes the name. Input error if the name is a
  /// number.
  Value* set_name(std::string_view name);

  const core::TypePtr& type() const { return type_; }
  Value* set_type(core::TypePtr type);

  Node* node() const { return node_; }
  /// Which output of node() this is.
  size_t index() const { return index_; }
  Graph& graph() const;

  /// Every use of the value, in no promised order.
  const std::vector<Use>& uses() const { return uses_; }
  bool has_uses() const { return !uses_.empty(); }
  /// Makes every reader read `other` instead. Types are not compared (see ir::verify).
  void replace_all_uses(Value* other);
  /// As replace_all_uses, for readers that run after `node`: neither it nor what lies in its
  /// blocks.
  void replace_uses_after(const Node* node, Value* other);

 private:
  friend class Graph;
  friend class Node;
  Value(Node* node, size_t index, size_t id, core::TypePtr type);

  Node* node_;
  size_t index_;
  size_t id_;
  std::string name_;
  core::TypePtr type_;
  std::vector<Use> uses_;
};

}  // namespace assay::ir
