#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/graph.h"

namespace assay::ir {

/// Inserts nodes at one place of a graph, giving each the current source range and scope.
class Builder {
 public:
  /// Inserts at the end of the graph's body.
  explicit Builder(Graph& graph);

  Graph& graph() const { return *graph_; }
  /// Nodes go before this node (a block's return node: at its end).
  Node* point() const { return point_; }
  void set_point(Node* before) { point_ = before; }
  void set_point_at_end(Block* block) { point_ = block->return_node(); }

  const base::SourceRange& range() const { return range_; }
  void set_range(base::SourceRange range) { range_ = std::move(range); }
  void set_scope(base::SharedText scope) { scope_ = std::move(scope); }

  /// Inserts a node that lies in no block. A range or scope that it has already is kept.
  Node* insert(Node* node);
  Node* add(base::Symbol kind, const std::vector<Value*>& inputs,
            const std::vector<core::TypePtr>& types);
  /// As add, with one output, which is given back.
  Value* add_one(base::Symbol kind, const std::vector<Value*>& inputs, core::TypePtr type);
  Value* constant(const core::Value& value);

  /// A call of the first overload in the catalog that takes such arguments as they are; constants
  /// of default values are inserted before it. Input error at range() that lists the overloads if
  /// none fits.
  Node* call(base::Symbol kind, const std::vector<Value*>& arguments,
             const std::vector<std::pair<std::string, Value*>>& keywords = {});

 private:
  Graph* graph_;
  Node* point_;
  base::SourceRange range_;
  base::SharedText scope_;
};

/// Moves a builder's point for the length of a scope.
class PointGuard {
 public:
  PointGuard(Builder& builder, Node* before) : builder_(builder), old_(builder.point()) {
    builder.set_point(before);
  }
  PointGuard(Builder& builder, Block* end_of) : PointGuard(builder, end_of->return_node()) {}
  ~PointGuard() { builder_.set_point(old_); }
  PointGuard(const PointGuard&) = delete;
  PointGuard& operator=(const PointGuard&) = delete;

 private:
  Builder& builder_;
  Node* old_;
};

}  // namespace assay::ir
