#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/ir/graph.h"
#include "engine/ops/facts.h"

namespace assay::ir {

/// Which values of a graph may share storage, from the alias annotations of operator schemas.
/// Conservative: what is not known to be apart may be shared. Through a container one sees what it
/// holds, not the other way round. Stale after the graph is edited.
class Alias {
 public:
  explicit Alias(const Graph& graph);

  /// Whether a write to one, or to what it holds, may be seen through the other.
  bool may_share(const Value* a, const Value* b) const;
  /// Whether the value, or what it holds, may share with what lives outside of the graph: inputs,
  /// attributes of objects, results of calls.
  bool may_escape(const Value* value) const;
  /// Whether what the node writes to may be seen through one of the values.
  bool writes_to(const Node* node, const std::unordered_set<const Value*>& values) const;
  /// Whether what the node writes to may live outside of the graph.
  bool writes_outside(const Node* node) const;
  /// Inputs that the node may write to. For calls of other functions: all that can be written to.
  static std::vector<Value*> written_by(const Node* node);
  /// Whether any node may write to what the value shares.
  bool is_written(const Value* value) const;

 private:
  // Sets of places in memory; a value is at one of its set. A set that holds others has contents.
  using Set = size_t;
  static constexpr Set outside = 0;
  static constexpr Set nothing = static_cast<Set>(-1);
  void block(const Block& block);
  void node(const Node& node);
  void structure(const Node& node);
  void call(const Node& node);
  void relate(const core::TypePtr& output_type, const Value* output,
              const core::TypePtr& input_type, const Value* input, bool same);
  void join(const Value* a, const Value* b);
  void join(Set a, Set b);
  void put_into(const Value* container, const Value* value);
  void mix(const Value* a, const Value* b);
  Set set_of(const Value* value);
  Set contents_of(Set set);
  Set find(Set set) const;
  template <typename Visit>
  bool any_reached(Set set, const Visit& visit) const;
  bool reaches(const Value* value, const std::vector<Set>& sets) const;
  std::vector<Set> written_sets(const Node* node) const;

  std::unordered_map<const Value*, Set> sets_;
  mutable std::vector<Set> parents_{outside};
  std::vector<Set> contents_{outside};  // Of the set that stands for its like; or `nothing`.
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
