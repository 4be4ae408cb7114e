#include "fuzz/seeds.h"

#include <algorithm>

#include "verify/cases/case.h"
#include "verify/compare/compare.h"
#include "verify/spec/spec.h"

namespace assay::fuzz {

using namespace verify;  // NOLINT: as a session.

namespace {

/// The answer at a case's inputs with this seed.
std::optional<Observation> answer(const SessionRequest& r, const Spec& spec, Point point,
                                  const char* seed) {
  point.choices["seed"] = seed;
  std::optional<Point> there = nearest_point(spec, point);
  if (!there || r.campaign.interrupted()) return std::nullopt;
  Case c = build_case(spec, *there);
  if (!r.reference.runner->cannot_run(c).empty()) return std::nullopt;
  return r.reference.runner->run(c);
}

}  // namespace

bool draws(const SessionRequest& r) {
  bool asked = r.reference.runner && !r.reference.runner->only_cases();
  if (!asked || r.spec.seeds || !r.exported) return false;
  Spec spec = r.spec;
  spec.seeds = {0, 1};
  auto axes = choice_axes(spec);
  auto modes = std::ranges::find(axes, "mode", &ChoiceAxis::kind);
  Point point = r.exported->exported_at ? r.exported->exported_at->point : Point{};
  return modes != axes.end() && std::ranges::any_of(modes->choices, [&](const std::string& mode) {
           point.choices["mode"] = mode;
           auto first = answer(r, spec, point, "0"), second = answer(r, spec, point, "1");
           return first && second &&
                  compare(*first, *second, r.compare).verdict == Comparison::Verdict::differ;
         });
}

}  // namespace assay::fuzz
