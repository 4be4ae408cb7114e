#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "engine/base/flat_map.h"

namespace assay::verify {

/// What each letter of a spec stands for at one point of the input space.
using Bindings = base::FlatMap<int64_t>;

/// A size written in a spec: a number, a letter, or arithmetic over both with `+`, `-`, `*`, `//`
/// (floor division, as in Python). Immutable; copying shares.
class SizeExpr {
 public:
  SizeExpr() : SizeExpr(0) {}
  SizeExpr(int64_t value);  // NOLINT: a number is a size.
  static SizeExpr letter(std::string name);
  /// `op` is one of `+ - * /`; `/` stands for `//`.
  static SizeExpr binary(char op, SizeExpr left, SizeExpr right);

  bool is_number() const;
  bool is_letter() const;
  /// The value under these bindings. Input error for a letter without a binding, for division by
  /// zero and where the result does not fit 64 bits.
  int64_t evaluate(const Bindings& bindings) const;
  /// The least size of a letter, up to 4096, at which this is `met`, given those of the others.
  std::optional<int64_t> solve(const std::string& letter, Bindings others, int64_t met) const;
  /// Adds the letters that occur.
  void collect_letters(std::set<std::string>& into) const;
  /// Canonical text: only the parentheses that are needed.
  std::string text() const;
  friend bool operator==(const SizeExpr& a, const SizeExpr& b) { return a.text() == b.text(); }

 private:
  struct Node;
  explicit SizeExpr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  static int64_t evaluate(const Node& node, const Bindings& bindings);
  static void collect(const Node& node, std::set<std::string>& into);
  static void print(const Node& node, int outer, bool right_side, std::string& out);

  std::shared_ptr<const Node> node_;
};

}  // namespace assay::verify
