#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "engine/archive/detail/tagged_text.h"
#include "engine/base/symbol.h"
#include "engine/core/value.h"
#include "engine/ir/unit.h"

namespace assay::archive {

/// Names that printed source refers to, in order of their first mention.
class Dependencies {
 public:
  void add_function(const std::string& qualified_name);
  /// The named types in a type, at any depth.
  void add_type(const core::TypePtr& type);

  const std::vector<std::string>& functions() const { return functions_; }
  const std::vector<core::TypePtr>& types() const { return types_; }

 private:
  std::vector<std::string> functions_;
  std::vector<core::TypePtr> types_;
  std::unordered_set<std::string> seen_;
};

/// What all the source of one archive shares: the constant table (`CONSTANTS.c0`) and the names
/// that are mentioned.
struct PythonContext {
  core::Values constants;
  Dependencies dependencies;
  std::unordered_set<base::Symbol> operators;  ///< Kinds of all nodes that were written.
  std::string outside_call;  ///< A Python function that is called; empty if there is none.

  /// Position of the value in the table; equal tensors share one.
  size_t constant_index(const core::Value& value);
};

/// Writes functions and types as source in the language of TorchScript archives, in PyTorch's form
/// (its `.code`), so that PyTorch reads it back as the same graphs. Source ranges go along as tags.
class PythonPrinter {
 public:
  PythonPrinter(PythonContext& context, ir::Unit& unit) : context_(context), unit_(unit) {}

  /// `def name(...)`. The type of a method's `self` may be left out, as `.code` does.
  void print_function(const ir::Function& function, bool first_argument_type = true);
  /// A class with attributes, constants and methods; an interface, enum or named tuple.
  void print_type(const core::TypePtr& type);

  const detail::TaggedText& text() const { return out_; }

 private:
  void print_class(const core::ClassType& type);
  void print_attributes(const core::ClassType& type);
  void print_interface(const core::InterfaceType& type);
  void print_named_tuple(const core::TupleType& type);
  void print_enum(const core::EnumType& type);
  std::string annotation(const core::TypePtr& type);
  std::string constant(const core::Value& value);
  void line(const std::string& text);

  PythonContext& context_;
  ir::Unit& unit_;
  detail::TaggedText out_;
  size_t level_ = 0;
};

}  // namespace assay::archive
