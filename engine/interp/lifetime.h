#pragma once

#include <unordered_map>
#include <vector>

#include "engine/ir/graph.h"

namespace assay::interp {

/// Where values are read for the last time, so that registers can be emptied early.
class Lifetime {
 public:
  /// Takes in the values that this block defines (its parameters and its nodes' outputs).
  void add(const ir::Block& block);

  /// Whether `node`, which lies in the block that defines the value, is the last to read it, and no
  /// node inside of `node` does.
  bool ends_at(const ir::Value* value, const ir::Node* node) const;
  /// Values that are last read by `node` or inside of it.
  const std::vector<const ir::Value*>& ending(const ir::Node* node) const;
  /// Whether every read of the value, in the block that defines it, is by `node` or before it.
  bool ends_by(const ir::Value* value, const ir::Node* node) const;

 private:
  struct End {
    const ir::Node* node = nullptr;
    bool nested = false;
  };
  std::unordered_map<const ir::Value*, End> ends_;
  std::unordered_map<const ir::Node*, std::vector<const ir::Value*>> ending_;
};

/// Whether values of this type share what they hold, so that keeping one costs memory.
bool is_counted(const core::TypePtr& type);

}  // namespace assay::interp
