#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/graph/program.h"

namespace assay::verify {

/// Where two aligned programs differ.
struct GraphDifference {
  enum class Kind {
    literal,    ///< Counterparts read different literals at one operand.
    wiring,     ///< Counterparts read different results, or a literal where the other reads none.
    structure,  ///< Steps that only one of the two has.
  };
  Kind kind = Kind::literal;

  // literal, wiring: the counterparts and the operand.
  size_t step_a = 0, step_b = 0, operand = 0;
  core::Value literal_a, literal_b;

  // structure: runs of neighbouring steps, [begin, end) in each program; either may be empty.
  size_t begin_a = 0, end_a = 0, begin_b = 0, end_b = 0;
};

/// Two programs held side by side.
struct Alignment {
  /// For each step of `a` its counterpart in `b`, and the reverse.
  std::vector<std::optional<size_t>> to_b, to_a;
  std::vector<GraphDifference> differences;  ///< In the order of `a`.
  bool equal() const { return differences.empty(); }
};

/// Whether a step takes an entry of a dictionary by its key. Traces have such steps at the head,
/// for inputs that are dictionaries, with the line of the program that traced rather than the
/// model's.
bool takes_entry(const Step& step);

/// Longest common subsequence over operator, overload, source line and scope, of those the one with
/// the most equal literals; then the operands of counterparts. Programs of more than 20,000 unlike
/// steps are aligned greedily.
Alignment align(const Program& a, const Program& b);

/// The differences as a short unified diff for people, two steps of `a` around each, "@@" where
/// steps are left out; at most `max_lines` lines.
std::string difference_text(const Program& a, const Program& b, const Alignment& alignment,
                            size_t max_lines = 40);

}  // namespace assay::verify
