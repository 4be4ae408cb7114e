#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/script/detail/emission.h"

namespace assay::script::detail {

/// What a condition says about variables' types where it holds, and where it does not.
class Refinements {
 public:
  struct Refinement {
    std::string variable;
    TypePtr type;
  };
  using List = std::vector<Refinement>;

  Refinements() = default;
  Refinements(List if_true, List if_false)
      : true_(std::move(if_true)), false_(std::move(if_false)) {}

  const List& when_true() const { return true_; }
  Refinements negated() const { return {false_, true_}; }
  /// Of `a and b`: both held, or at least one did not.
  Refinements and_also(const Refinements& other) const {
    return {both(true_, other.true_), common(false_, other.false_)};
  }
  Refinements or_else(const Refinements& other) const {
    return {common(true_, other.true_), both(false_, other.false_)};
  }

 private:
  static List both(const List& a, const List& b);
  static List common(const List& a, const List& b);

  List true_;
  List false_;
};

/// A condition of `if`, `while` or `and`.
struct Condition {
  ir::Value* value = nullptr;
  Refinements refinements = {};
  /// Set where the outcome is known while compiling: only the branch taken is compiled then.
  std::optional<bool> known = {};
};

}  // namespace assay::script::detail
