#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/archive/detail/tagged_text.h"
#include "engine/archive/python_printer.h"
#include "engine/ir/graph.h"

namespace assay::archive::detail {

/// Prints one function's body: decides which values are written where they are used and which get a
/// name, then writes statements.
class PythonBody {
 public:
  PythonBody(PythonContext& context, TaggedText& out, size_t level)
      : context_(context), out_(out), level_(level) {}

  /// A name that nothing in this function has yet.
  std::string unique_name(const std::string& candidate);
  /// Uses of the value print this text.
  void assign(const ir::Value* value, TaggedText text) { texts_[value] = std::move(text); }
  /// Everything in the block with its results returned.
  void print_body(const ir::Block& block);

 private:
  using Values = std::vector<ir::Value*>;

  // Which nodes are written in place of their one use (python_body.cpp).
  void scan_block(const ir::Block& block);
  const ir::Node* scan_node(const ir::Node* node);
  const ir::Node* scan_value(const ir::Node* point, const ir::Value* value);
  void collect_constants(const ir::Block& block, std::vector<const ir::Node*>& constants);
  void collect_constants(const ir::Node& node, std::vector<const ir::Node*>& constants);

  // Statements (python_body.cpp).
  void print_block(const ir::Block& block, bool more_follows);
  void print_node(const ir::Node& node, bool constants);
  bool print_statement(const ir::Node& node);
  void print_if(const ir::Node& node);
  void print_carried(ir::Value* variable, ir::Value* start);
  void print_loop(const ir::Node& node);
  void print_unpack(const ir::Node& node);
  void print_set_attribute(const ir::Node& node);
  void print_fork(const ir::Node& node);
  void print_enter(const ir::Node& node);
  void print_container_index(const ir::Node& node);
  void print_assignment(const Values& to, const Values& from);
  void define_outputs(const ir::Node& node, const TaggedText& text);
  void split_long(const Values& inputs);
  bool waits_for_place(const ir::Value* value) const;
  void collect_waiting(const ir::Node& node, size_t count, Values& found) const;
  bool is_long(const std::string& text) const { return text.size() + level_ * 2 >= 40; }
  void indent() { out_ += std::string(level_ * 2, ' '); }
  void line(const TaggedText& text, const ir::Node* node = nullptr);
  void name_values(const Values& values);

  // Expressions (python_expression.cpp).
  TaggedText expression(const ir::Node& node);
  TaggedText constant(const ir::Node& node);
  TaggedText operator_call(const ir::Node& node);
  TaggedText list_construct(const ir::Node& node);
  TaggedText dict_construct(const ir::Node& node);
  TaggedText call(const ir::Node& node);
  TaggedText get_attribute(const ir::Node& node);
  TaggedText is_instance(const ir::Node& node);
  TaggedText list_of(const Values& values, std::string_view open, std::string_view close);
  TaggedText in_parentheses(const ir::Value* value);
  const TaggedText& use_of(const ir::Value* value) const;
  std::string annotation(const core::TypePtr& type);

  PythonContext& context_;
  TaggedText& out_;
  size_t level_;
  std::unordered_map<const ir::Value*, TaggedText> texts_;
  std::unordered_set<const ir::Node*> inline_;
  std::unordered_set<const ir::Node*> seen_constants_;
  std::unordered_set<const ir::Value*> annotated_;
  std::unordered_set<std::string> used_names_;
  std::unordered_map<std::string, size_t> next_suffix_;
};

/// Whether the node's value is written out wherever it is used.
bool is_constant_like(const ir::Node* node);

}  // namespace assay::archive::detail
