#include "verify/properties/gradients.h"

#include <algorithm>
#include <array>

#include "verify/compare/flow.h"
#include "verify/properties/judging.h"

namespace assay::verify {

std::string Gradients::not_applicable(const PropertyContext& context) const {
  return context.reference ? "" : "there is no reference";
}

bool Gradients::concerns(const PropertyContext&, const Case& c) const {
  return c.setting("grad") == "on";
}

namespace {

/// Whether the outputs are the same: where they are not, other gradients say nothing more.
bool same_outputs(const Comparison& comparison) {
  constexpr std::array other{Layer::ending, Layer::structure, Layer::dtype, Layer::shape,
                             Layer::values};
  return std::ranges::none_of(comparison.differences, [&](const Difference& d) {
    return std::ranges::find(other, d.layer) != other.end();
  });
}

/// Adds how gradients flow through the two runs; false where that leaves it undecided.
bool add_flows(Runner& subject, Runner& reference, const Case& c, Comparison& comparison) {
  GradientFlow expected = reference.gradient_flow(c, {});
  GradientFlow given;
  if (expected.kind != GradientFlow::Kind::unknown) given = subject.gradient_flow(c, {});
  FlowComparison flows =
      compare_flows(given, expected, [&] { return reference.gradient_flow(c, {.nudged = true}); });
  comparison.compared[static_cast<size_t>(Layer::gradients)] += flows.compared;
  for (Difference& difference : flows.differences)
    comparison.differences.push_back(std::move(difference));
  if (comparison.reason.empty()) comparison.reason = std::move(flows.reason);
  return flows.decides;
}

}  // namespace

Judgement Gradients::judge(const PropertyContext& context, const Case& c) const {
  Judgement out;
  out.of_reference = true;
  bool asked = context.subject->in_pytorch != nullptr;  // PyTorch's word, where there is one.
  Runner& subject = asked ? *context.subject->in_pytorch : *context.subject->runner;
  Runner& reference = *context.reference->runner;
  if (!concerns(context, c)) out.reason = "gradients are switched off";
  for (const Runner* runner : {&subject, &reference}) {
    if (out.reason.empty()) out.reason = cannot_run(*runner, c);
  }
  if (!out.reason.empty()) return out;
  Observation expected = reference.run(c), given = subject.run(c);
  CompareOptions options = context.compare;
  options.gradients = true;
  Comparison comparison = compare(given, expected, options);
  if (comparison.compared[static_cast<size_t>(Layer::gradients)] == 0) {
    bool rejected = comparison.verdict == Comparison::Verdict::rejected;
    if (!rejected) comparison.verdict = Comparison::Verdict::nothing;
    if (comparison.reason.empty()) comparison.reason = "no tensors stand beside each other";
  } else {
    bool same = same_outputs(comparison);
    // All other differences are parity's.
    std::erase_if(comparison.differences,
                  [](const Difference& d) { return d.layer != Layer::gradients; });
    bool decided = true;
    if (same && comparison.differences.empty())
      decided = add_flows(subject, reference, c, comparison);
    bool agree = comparison.differences.empty();
    comparison.verdict = agree ? Comparison::Verdict::agree : Comparison::Verdict::differ;
    if (!decided) comparison.verdict = Comparison::Verdict::nothing;
    if (!agree && !same) {
      comparison.verdict = Comparison::Verdict::nothing;
      comparison.reason = "the outputs are others";
    }
  }
  out = judge_comparison(std::move(comparison), std::move(given), std::move(expected));
  out.of_reference = true;
  return out;
}

}  // namespace assay::verify
