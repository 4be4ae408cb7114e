#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/ops/context.h"

namespace assay::ops {

struct Operator;

/// Expressions over sizes: symbols (`x.size(0)`), and operators applied to expressions and
/// constants. Equal expressions are one and have one number, the identity of values that they are.
class SizeExpressions : public base::RefCounted {
 public:
  /// Identity of an expression; 0 is none.
  using Id = uint32_t;

  /// What an operator is applied to: an expression, or a constant where `id` is 0.
  struct Operand {
    Id id = 0;
    core::Value constant = {};
    bool as_tensor = false;  ///< The operator takes it as a 0-dimensional int64 tensor.
  };

  /// A value for every symbol, in the order in which they were made.
  using Assignment = std::vector<int64_t>;

  /// A new symbol with the value that it has now.
  Id symbol(std::string name, int64_t value);
  /// The operator on the operands. Where the expression would nest too deeply to be of use, or
  /// there are too many of them, a new symbol with that value.
  Id apply(const Operator& op, std::vector<Operand> operands, int64_t value);

  /// The values that the symbols have.
  const Assignment& values() const { return values_; }
  /// Positions of the symbols that the expression depends on, ascending.
  const std::vector<size_t>& symbols_of(Id id) const { return at(id).symbols; }
  /// The expressions that it is an operator's result on; none for a symbol.
  std::vector<Id> operands_of(Id id) const;
  /// What the expression is for these values; nothing if an operator raises. The context needs
  /// kernels of number operators only.
  std::optional<core::Value> evaluate(Context& context, Id id, const Assignment& values) const;

  /// "floordiv(add(x.size(0), 3), 2)": symbols by their names, operators by theirs.
  std::string text(Id id) const;

 private:
  struct Node {
    const Operator* op = nullptr;  // Null for a symbol.
    std::vector<Operand> operands = {};
    std::string name = {};
    std::vector<size_t> symbols = {};
    int depth = 0;
  };

  const Node& at(Id id) const { return nodes_[id - 1]; }
  std::string key_of(const Operator& op, const std::vector<Operand>& operands) const;
  std::string operand_text(const Operand& operand) const;

  std::vector<Node> nodes_;
  std::map<std::string, Id> known_;  // By operator and operands.
  Assignment values_;
};

}  // namespace assay::ops
