#pragma once

#include <cstddef>

#include "engine/base/error.h"

namespace assay::archive {

/// Bounds the work that a pickle asks for by its size. A few bytes can refer to a large container
/// that is there already, and have all its items looked at once more; honest archives do so rarely.
class VisitBudget {
 public:
  explicit VisitBudget(size_t pickle_bytes) : left_(4096 + 64 * pickle_bytes) {}

  /// Input error where that many further items are too many.
  void visit(size_t items) {
    base::check(items <= left_,
                "broken pickle: it has the items of shared containers read over and over");
    left_ -= items;
  }

 private:
  size_t left_;
};

}  // namespace assay::archive
