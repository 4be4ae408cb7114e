#include "verify/lint/checks.h"

#include <algorithm>

#include "engine/ir/kinds.h"

namespace assay::verify::lint {
namespace {

/// Nothing but tracing makes a graph without a branch, a loop, or a line.
bool is_untold(const Program& program) {
  return std::ranges::all_of(program.steps, [](const Step& s) {
    return s.file.empty() && !s.is(ir::kinds().if_) && !s.is(ir::kinds().loop);
  });
}

}  // namespace

View::View(std::string name, const Program& of, const Flow& its_flow, const Weights& its_weights)
    : method(std::move(name)),
      program(of),
      flow(its_flow),
      weights(its_weights),
      untold(is_untold(of)) {}

Sign View::sign_at(size_t s, RuleId rule, Strength strength, std::string why) const {
  Sign sign;
  sign.rule = rule;
  sign.strength = strength;
  sign.method = method;
  sign.op = step(s).op;
  sign.why = std::move(why);
  if (untold) return sign;
  const Step& place = located(program, s);
  sign.file = place.file;
  sign.line = place.line;
  sign.function = place.function;
  return sign;
}

const std::vector<Check>& checks() {
  static const std::vector<Check> all{
      find_pinned_sizes, find_pinned_numbers,   find_captured_tensors, find_constant_outputs,
      find_repetitions,  find_repeated_entries, find_pinned_devices,   find_pinned_dtypes,
      find_modes,        find_odd_operators,
  };
  return all;
}

}  // namespace assay::verify::lint
