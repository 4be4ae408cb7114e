#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "engine/core/value.h"
#include "engine/ir/shapes.h"
#include "engine/ir/unit.h"
#include "engine/ops/context.h"
#include "engine/optimize/recorded_form.h"

namespace assay::optimize {

/// A method compiled for the state that its module is in and for tensors of given ranks: calls
/// inlined, attributes made constants, branches that these decide pruned, normalization and
/// activation folded into convolutions, images kept channels-last in between. It computes what the
/// method computes, up to the order of additions.
class SpecializedMethod {
 public:
  /// Ranks of the arguments (without self); nothing for what is no tensor.
  using Ranks = std::vector<ir::Rank>;
  static Ranks ranks_of(const core::Values& arguments);

  /// `check` verifies the graph after every pass (pipeline.h).
  SpecializedMethod(const core::ObjectRef& self, const ir::Function& method, ir::Unit& unit,
                    ops::Context& context, const Ranks& ranks, bool check = false);

  /// Whether the module is still in the state that this was made for.
  bool is_current() const;
  /// Whether any method can be optimized for these arguments (without self): tensors are on the CPU
  /// or a device that records its work, and those of images are row-major.
  static bool accepts(const core::Values& arguments);
  /// Null where the method, in this state, does more than compute: it sets attributes, writes to
  /// its arguments, prints, draws random numbers.
  const ir::Function* function() const { return function_ ? &*function_ : nullptr; }
  /// The method's recordings, for arguments on a device that makes them.
  RecordedForm& recorded() { return recorded_; }

 private:
  /// One slot of the module or of a submodule, as it was.
  struct Slot {
    core::ObjectRef object;
    size_t index;
    core::Value held;
    core::StorageRef storage;  ///< Of a tensor; null otherwise.
    uint64_t version;
    core::Values items;  ///< Of a list or dictionary: itself and, at any depth, its parts.
  };
  void remember(const core::ObjectRef& object);

  std::optional<ir::Function> function_;
  RecordedForm recorded_;
  std::vector<Slot> slots_;
  std::unordered_set<const core::Object*> seen_;
};

}  // namespace assay::optimize
