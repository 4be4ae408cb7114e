#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/script/static_value.h"

namespace assay::script::detail {

/// Whether a variable's name should show in the graph: not the temporaries that a source printer
/// numbers (`_12`) nor the compiler's own (`$…`).
bool is_telling_name(const std::string& name);

/// The variables of a block and, through `outer`, of the blocks around it. A variable that holds a
/// value of the graph is written with a `prim::Store` node and read with a `prim::Load`; to_ssa
/// removes both. One that holds anything else lives only here.
class Scope {
 public:
  Scope(ir::Block* scope_block, std::shared_ptr<Scope> outer_scope)
      : block(scope_block), outer(std::move(outer_scope)) {}

  ir::Block* const block;
  const std::shared_ptr<Scope> outer;

  /// The variable's meaning; null if unknown here and around here. Emits a load at the insertion
  /// point where it holds a value of the graph.
  StaticValuePtr find(Emission& emission, const std::string& name);
  StaticValuePtr find_outside(Emission& emission, const std::string& name) {
    return outer ? outer->find(emission, name) : nullptr;
  }

  /// Assigns. `annotated` is the declared type, or null. Input error at `range` if the variable
  /// cannot change its meaning so.
  void set(Emission& emission, const SourceRange& range, const std::string& name,
           StaticValuePtr value, const TypePtr& annotated = nullptr);
  /// Says that a variable holds a value of this type from here on, whoever stored it.
  void set_type(const std::string& name, TypePtr type) { types_[name] = std::move(type); }
  /// `del name`; false if there was no such variable.
  bool remove(const std::string& name);
  /// Names of the variables of this block that hold values of the graph, sorted.
  std::vector<std::string> stored() const;

  /// Keeps the reason why a variable cannot be read after a branch, for a message if it is.
  void explain_missing(const std::string& name, std::string reason);
  /// Empty if there is none.
  std::string why_missing(const std::string& name) const;

 private:
  ir::Value* fit_outer(Emission& emission, const SourceRange& range, const std::string& name,
                       const StaticValuePtr& given, const StaticValuePtr& before,
                       const TypePtr& annotated);

  std::map<std::string, TypePtr> types_;
  std::map<std::string, StaticValuePtr> values_;
  std::map<std::string, std::string> missing_;  // Of the outermost scope.
};

}  // namespace assay::script::detail
