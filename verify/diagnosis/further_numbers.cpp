#include "verify/diagnosis/further_numbers.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/text.h"
#include "verify/diagnosis/traced_origins.h"
#include "verify/graph/program.h"

namespace assay::verify::diagnosis {
namespace {

/// A literal of the subject as findings name it, and what it was in the trace, if that is known.
struct Number {
  std::string literal, op, role, was;
  size_t step = 0;

  std::string text() const {
    return fmt::format("literal {} in {}", literal, op) + (role.empty() ? "" : " (" + role + ")");
  }

  /// Whether it is read once more where `other` is: of one step each operand is a number of its
  /// own.
  bool repeats(const Number& other) const {
    return literal == other.literal && was == other.was &&
           (step != other.step || role == other.role);
  }
};

Number number_of(const Export& subject, const GraphDifference& d) {
  const Program& program = subject.program();
  Number out{literal_text(program.steps[d.step_a].operands[d.operand].literal),
             served_op(program, d.step_a), role_of(program, d.step_a, d.operand), "", d.step_a};
  auto origin = traced_origin(subject.origins(), program, d.step_a, d.operand);
  if (origin) out.was = origin->expression.text;
  return out;
}

}  // namespace

void name_further_numbers(const Export& subject, const std::vector<Exchange>& exchanges,
                          Finding& finding) {
  Cause& cause = finding.cause;
  std::vector<Number> numbers;
  std::vector<std::string> told;
  for (const Exchange& exchange : exchanges) {
    for (size_t i : exchange.exchanged) {
      const GraphDifference& d = exchange.alignment.differences[i];
      if (d.kind != GraphDifference::Kind::literal) continue;
      Number number = number_of(subject, d);
      auto repeats = [&](const Number& other) { return number.repeats(other); };
      if (std::ranges::any_of(numbers, repeats)) continue;
      bool its_own = number.literal == cause.literal && number.role == cause.role;
      if (!its_own) told.push_back(number.text());
      numbers.push_back(std::move(number));
    }
  }
  if (told.empty()) return;
  constexpr size_t most = 3;
  std::string rest = told.size() > most ? fmt::format(" and {} more", told.size() - most) : "";
  if (told.size() > most) told.resize(most);
  cause.proof_text += "; exchanged, too: " + base::join(told, ", ") + rest;
}

}  // namespace assay::verify::diagnosis
