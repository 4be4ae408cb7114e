#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/shared_text.h"
#include "engine/base/source_range.h"
#include "engine/base/symbol.h"
#include "engine/ir/attribute.h"
#include "engine/ir/value.h"
#include "engine/ops/arg_name.h"

namespace assay::ops {
struct Operator;
}

namespace assay::ir {

class Block;
class Graph;

/// One operation: reads its inputs, runs its blocks as its kind says, defines its outputs. Owned by
/// the graph; lies in one block, or in none until it is inserted.
class Node {
 public:
  base::Symbol kind() const { return kind_; }
  bool is(base::Symbol kind) const { return kind_ == kind; }

  /// The operator that a call resolved to; null for structural nodes (`prim::If`) and for calls
  /// that are not resolved yet.
  const ops::Operator* op() const { return op_; }
  Node* set_op(const ops::Operator* op);

  const std::vector<Value*>& inputs() const { return inputs_; }
  Value* input(size_t index = 0) const;
  /// What a call gives for an argument of its operator: `node.input(ops::arg::weight)`. Internal
  /// error if op() is null or has no such argument.
  Value* input(ops::ArgName name) const { return input(input_index(name)); }
  size_t input_index(ops::ArgName name) const;
  Node* add_input(Value* value);
  Node* insert_input(size_t index, Value* value);
  /// Gives back what was read there before.
  Value* replace_input(size_t index, Value* value);
  Value* replace_input(ops::ArgName name, Value* value) {
    return replace_input(input_index(name), value);
  }
  /// Every input that reads `from` reads `to`.
  void replace_input_with(Value* from, Value* to);
  void remove_input(size_t index);
  void remove_inputs();

  const std::vector<Value*>& outputs() const { return outputs_; }
  Value* output(size_t index = 0) const;
  Value* add_output(core::TypePtr type = core::tensor_type());
  Value* insert_output(size_t index, core::TypePtr type = core::tensor_type());
  /// Internal error if the output is still read.
  void remove_output(size_t index);
  /// Puts what was output `order[i]` at index i. Blocks are left alone.
  void permute_outputs(const std::vector<size_t>& order);
  bool has_uses() const;

  const std::vector<Block*>& blocks() const { return blocks_; }
  Block* block(size_t index = 0) const;
  Block* add_block();
  /// Erases the block and all that lies in it.
  void erase_block(size_t index);

  using NamedAttribute = std::pair<base::Symbol, Attribute>;
  /// Attributes in the order of their first setting. Names carry no `attr::` prefix.
  const std::vector<NamedAttribute>& attributes() const { return attributes_; }
  bool has(base::Symbol name) const { return find_attribute(name) != nullptr; }
  /// Null if absent.
  const Attribute* find_attribute(base::Symbol name) const;
  /// Internal error if absent or of another kind.
  template <typename T>
  const T& get(base::Symbol name) const {
    const Attribute* found = find_attribute(name);
    const T* value = found ? std::get_if<T>(found) : nullptr;
    if (!value) bad_attribute(name);
    return *value;
  }
  Node* set(base::Symbol name, Attribute value);
  void remove_attribute(base::Symbol name);

  const base::SourceRange& range() const { return range_; }
  Node* set_range(base::SourceRange range);
  /// The module path that the node was traced in ("__module.layer1/__module.layer1.conv"), or "".
  const base::SharedText& scope() const { return scope_; }
  Node* set_scope(base::SharedText scope);

  Graph& graph() const { return *graph_; }
  /// The block that the node lies in; null if it was not inserted.
  Block* owner() const { return owner_; }
  /// Neighbours in the block: next() of the last node is the block's return node, prev() of the
  /// first is its parameter node.
  Node* next() const { return next_; }
  Node* prev() const { return prev_; }
  /// Parameter or return node of a block.
  bool is_sentinel() const { return sentinel_; }

  /// Puts a node that lies in no block before/after another one. Gives back this.
  Node* insert_before(Node* other);
  Node* insert_after(Node* other);
  /// Takes the node out of its block and puts it elsewhere. What it reads must come before; verify
  /// checks that.
  void move_before(Node* other);
  void move_after(Node* other);
  /// Whether this comes before `other` in program order; both lie in the same graph. A node comes
  /// before what lies in its blocks.
  bool is_before(const Node* other) const;
  /// Removes the node and frees it with its blocks. Internal error if an output is still read.
  void erase();

 private:
  friend class Value;
  friend class Graph;
  friend class Block;
  Node(Graph& graph, base::Symbol kind);
  [[noreturn]] void bad_attribute(base::Symbol name) const;
  void unlink();
  void drop_use(size_t index);
  void renumber_uses_from(size_t index, int shift);

  Graph* graph_;
  base::Symbol kind_;
  const ops::Operator* op_ = nullptr;
  Block* owner_ = nullptr;
  Node* prev_ = nullptr;
  Node* next_ = nullptr;
  bool sentinel_ = false;
  size_t slot_ = 0;        // Where the graph keeps it.
  uint64_t position_ = 0;  // Order inside the block; 0 if unknown.
  std::vector<Value*> inputs_;
  std::vector<Value*> outputs_;
  std::vector<Block*> blocks_;
  std::vector<NamedAttribute> attributes_;
  base::SourceRange range_;
  base::SharedText scope_;
};

}  // namespace assay::ir
