#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/value.h"
#include "engine/interp/interpreter.h"
#include "engine/ir/unit.h"

namespace assay::api {

/// A method compiled for the state that its module is in: calls inlined, attributes made constants,
/// normalization and activation folded into convolutions, images kept channels-last in between. It
/// computes what the method computes, up to the order of additions.
class Optimized {
 public:
  /// Nothing where the method does more than compute: it sets attributes, writes to its arguments,
  /// prints, draws random numbers.
  static std::unique_ptr<Optimized> make(const core::ObjectRef& self, const ir::Function& method,
                                         ir::Unit& unit);

  /// Whether the module is still in the state that this was made for.
  bool is_current() const;
  /// Whether it holds for these arguments (without self): tensors of images must be row-major.
  static bool accepts(const core::Values& arguments);
  const ir::Function& function() const { return function_; }

 private:
  Optimized(const core::ObjectRef& self, const ir::Function& method,
            std::shared_ptr<ir::Graph> graph);

  /// One slot of the module or of a submodule, as it was.
  struct Slot {
    core::ObjectRef object;
    size_t index;
    core::Value held;
    core::StorageRef storage;  ///< Of a tensor; null otherwise.
    uint64_t version;
  };
  void remember(const core::ObjectRef& object, int depth);

  ir::Function function_;
  std::vector<Slot> slots_;
};

}  // namespace assay::api
