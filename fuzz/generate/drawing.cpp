#include "fuzz/generate/drawing.h"

#include <algorithm>

#include "fuzz/generate/accepted.h"
#include "verify/compare/compare.h"

namespace assay::fuzz {

using verify::Case, verify::Observation;

namespace {

bool draws(verify::Runner& model, Case at) {
  Observation once = model.run(at), again = model.run(at);
  at.point.choices["seed"] = "1";
  return !verify::compare(again, once, {}).headline() &&
         verify::compare(model.run(at), once, {}).headline();
}

}  // namespace

std::optional<std::string> mode_that_draws(verify::Runner& model, const verify::Spec& spec,
                                           uint64_t seed) {
  auto accepted = accepted_case(model, spec, seed);
  if (!accepted) return std::nullopt;
  auto axes = choice_axes(spec);
  auto modes = std::ranges::find(axes, "mode", &verify::ChoiceAxis::key);
  if (modes == axes.end()) return std::nullopt;
  for (const std::string& mode : modes->choices) {
    Case at = accepted->at;
    at.point.choices["mode"] = mode;
    if (draws(model, std::move(at))) return mode;
  }
  return std::nullopt;
}

}  // namespace assay::fuzz
