// Numbers beside tensors that look computed: pinned_number.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "verify/lint/checks.h"

namespace assay::verify::lint {
namespace {

/// Whether a number has the digits of an element of a float32 tensor: a fraction that float32 holds
/// exactly, and that needs more bits than what people write (0.5, 0.125) does.
bool is_element(double value) {
  if (!std::isfinite(value) || value == std::floor(value)) return false;
  if (static_cast<double>(static_cast<float>(value)) != value) return false;
  constexpr int written_bits = 12;
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  double scaled = std::ldexp(fraction, written_bits);
  return scaled != std::floor(scaled);
}

/// The whole number n that the value is the root of, or 1 over the root of.
std::optional<int64_t> root_of(double value) {
  constexpr double smallest = 5, largest = 1e6;  // The roots of 2 and 3 are numbers of formulas.
  if (!(value > 0) || value == std::floor(value)) return std::nullopt;
  for (double square : {value * value, 1 / (value * value)}) {
    double n = std::round(square);
    bool near = std::fabs(square - n) <= 1e-12 * n;
    bool plain = std::sqrt(n) == std::floor(std::sqrt(n));  // 0.1 is 1 over the root of 100.
    if (near && !plain && n >= smallest && n <= largest) return static_cast<int64_t>(n);
  }
  return std::nullopt;
}

bool is_size_like(double value) {
  return value == std::floor(value) && std::fabs(value) >= 2 && std::fabs(value) <= 1e6;
}

struct Judgement {
  Strength strength;
  std::string why;
};

/// Whether a sum is divided: a mean that was worked out by hand, over so many elements.
bool divides_sum(const View& view, size_t s) {
  static const base::Symbol div("aten::div"), sum("aten::sum");
  const Step& step = view.step(s);
  if (!step.is(div) || step.operands.empty()) return false;
  const Operand& first = step.operands[0];
  return first.kind == Operand::Kind::result && view.step(first.step).is(sum);
}

std::optional<Judgement> judge(const View& view, size_t s, double value) {
  if (is_element(value)) {
    return Judgement{Strength::likely, "it has the digits of a tensor's element, as item() gives"};
  }
  auto fixed_by_weight = [&](int64_t n) {
    auto dims = view.flow.dims_near(s);
    return std::ranges::any_of(dims, [n](int64_t d) { return n > 0 && d % n == 0; });
  };
  if (auto n = root_of(value)) {
    if (fixed_by_weight(*n)) return std::nullopt;
    return Judgement{Strength::possible,
                     fmt::format("it follows from the root of {0}, and no weight near it has a "
                                 "dimension of {0}",
                                 *n)};
  }
  if (!is_size_like(value) || fixed_by_weight(static_cast<int64_t>(std::fabs(value))))
    return std::nullopt;
  if (divides_sum(view, s)) {
    return Judgement{Strength::possible, "a sum is divided by it, as for a mean over so many"};
  }
  return Judgement{Strength::note, "a whole number may have been a size"};
}

/// Whether the argument takes a number that tensors are calculated with.
bool takes_operand(const ops::Argument& argument) {
  const core::TypePtr& type = argument.type;
  const core::TypePtr& inner = type->is(core::TypeKind::optional) ? type->element() : type;
  return inner->is(core::TypeKind::number) || inner->is(core::TypeKind::tensor);
}

void look_at(const View& view, size_t s, size_t i, std::vector<Sign>& signs) {
  const ops::Argument& argument = operator_of(view.step(s))->schema.arguments[i];
  const Operand& operand = view.step(s).operands[i];
  if (operand.kind != Operand::Kind::literal || !takes_operand(argument)) return;
  if (argument.default_value && same_literal(operand.literal, *argument.default_value)) return;
  auto number = number_of(operand.literal);
  if (!number || number->is_bool() || number->is_complex()) return;
  auto found = judge(view, s, number->to_double());
  if (!found) return;
  Sign sign = view.sign_at(s, RuleId::pinned_number, found->strength, found->why);
  sign.role = argument.name;
  sign.literal = literal_text(operand.literal);
  signs.push_back(std::move(sign));
}

}  // namespace

void find_pinned_numbers(const View& view, std::vector<Sign>& signs) {
  for (size_t s = 0; s < view.program.steps.size(); ++s) {
    const ops::Operator* op = operator_of(view.step(s));
    bool calculates = op && takes_tensors(*op) && view.flow.follows_input(s);
    // What is worked out from sizes follows them.
    if (!calculates || !view.may_capture(s) || view.flow.is_size(s)) continue;
    size_t count = std::min(op->schema.arguments.size(), view.step(s).operands.size());
    for (size_t i = 0; i < count; ++i) look_at(view, s, i, signs);
  }
}

}  // namespace assay::verify::lint
