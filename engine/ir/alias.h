#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/ir/graph.h"
#include "engine/ops/facts.h"

namespace assay::ir {

/// Which values of a graph may share storage, from the alias annotations of operator schemas.
/// Conservative: what is not known to be apart may be shared. A container counts as sharing with
/// what it holds. Stale after the graph is edited.
class Alias {
 public:
  explicit Alias(const Graph& graph);

  /// Whether a write to one may be seen through the other.
  bool may_share(const Value* a, const Value* b) const;
  /// Whether the value may share with what lives outside of the graph: inputs, attributes of
  /// objects, results of calls.
  bool may_escape(const Value* value) const;
  /// Inputs that the node may write to. For calls of other functions: all that can be written to.
  static std::vector<Value*> written_by(const Node* node);
  /// Whether any node may write to what the value shares.
  bool is_written(const Value* value) const;

 private:
  using Set = size_t;
  static constexpr Set outside = 0;
  void block(const Block& block);
  void node(const Node& node);
  void call(const Node& node);
  void join(const Value* a, const Value* b);
  void join(const Value* value, Set set);
  Set set_of(const Value* value);
  Set find(Set set) const;
  std::optional<Set> known(const Value* value) const;

  std::unordered_map<const Value*, Set> sets_;
  mutable std::vector<Set> parents_{outside};
  std::vector<Set> written_;
};

/// Whether values of this type can be written to or hold such values.
bool is_mutable_type(const core::TypePtr& type);

/// Whether the user is an operator that neither writes to the container that it reads here nor
/// gives a container back, which might be the same.
bool only_reads(const Use& use);

/// What the node does besides giving its outputs and writing what Alias::written_by says, with its
/// blocks. Of an unknown kind: that it acts.
ops::Effect effect_of(const Node* node);

/// Whether the node, or one in its blocks, draws random numbers.
bool is_random(const Node* node);

/// Whether the graph runs other code, which may write to attributes of objects.
bool runs_other_code(const Graph& graph);

/// Whether leaving the node out could be noticed although nobody reads its outputs: it prints,
/// raises, sets attributes, calls functions, draws random numbers, or is unknown.
bool has_effects(const Node* node);

}  // namespace assay::ir
