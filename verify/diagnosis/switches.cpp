#include "verify/diagnosis/switches.h"

#include <fmt/core.h>

#include <utility>

#include "verify/compare/flow.h"
#include "verify/diagnosis/fewest.h"
#include "verify/diagnosis/origin.h"

namespace assay::verify::diagnosis {
namespace {

using Lines = std::vector<SourceLocation>;

/// Runs the model with some of its switches doing nothing.
class Trials {
 public:
  Trials(Runner& subject, Runner& reference, const Case& c)
      : reference_(reference),
        case_(c),
        model_(reference.gradient_flow(c, {})),
        exported_(subject.gradient_flow(c, {})) {}

  const GradientFlow& model() const { return model_; }
  /// Whether the model's gradients are the export's then.
  bool cures(const Lines& ignored) const {
    FlowComparison found = compared(exported_, without(ignored), ignored);
    return found.compared > 0 && found.differences.empty();
  }
  /// Whether the model's gradients are others than before.
  bool matters(const SourceLocation& line) const {
    return !compared(model_, without({line}), {line}).differences.empty();
  }

 private:
  GradientFlow without(const Lines& ignored) const {
    return reference_.gradient_flow(case_, {.nudged = false, .ignored = ignored});
  }
  FlowComparison compared(const GradientFlow& flow, const GradientFlow& model,
                          const Lines& ignored) const {
    return compare_flows(flow, model, [&] {
      return reference_.gradient_flow(case_, {.nudged = true, .ignored = ignored});
    });
  }

  Runner& reference_;
  const Case& case_;
  GradientFlow model_, exported_;
};

void name_line(Finding& finding, const SourceLocation& line, Proof proof, const char* text) {
  finding.cause.file = line.file;
  finding.cause.line = line.line;
  finding.cause.function = line.function;
  finding.cause.proof = proof;
  finding.cause.proof_text = text;
}

/// The first line of a scripted model that computes something of the output unrecorded.
void place_unrecorded(Finding& finding, const GradientFlow& model) {
  const Difference* headline = finding.comparison.headline();
  auto lines = model.unrecorded.find(headline ? headline->place : "");
  if (lines == model.unrecorded.end()) return;
  name_line(finding, lines->second[0], Proof::suspected,
            "the output holds what is computed there without gradients");
}

}  // namespace

void place_switch(Finding& finding, const PropertyContext& context) {
  constexpr size_t most = 16;  // Each costs two calls.
  if (!finding.smallest_case) return;
  Runner& subject =
      context.subject->in_pytorch ? *context.subject->in_pytorch : *context.subject->runner;
  Trials trials(subject, *context.reference->runner, *finding.smallest_case);
  if (trials.model().switches.size() > most) return;
  constexpr const char* cured = "with gradients left on there, the model's are the export's";
  Lines together;
  for (const SourceLocation& line : trials.model().switches) {
    if (trials.cures({line})) return name_line(finding, line, Proof::proven, cured);
    if (trials.matters(line)) together.push_back(line);
  }
  // Flows that tell only whether gradients end somewhere may be the same for each line alone.
  if (together.empty()) {
    together = fewest_that_cure(trials.model().switches,
                                [&](const Lines& lines) { return trials.cures(lines); });
  }
  if (together.empty()) return place_unrecorded(finding, trials.model());
  bool all = trials.cures(together);
  name_line(finding, together[0], all ? Proof::proven : Proof::supported,
            all ? cured : "with gradients left on there, the model's are others");
  for (size_t i = 1; i < together.size(); ++i) {
    finding.evidence.notes.push_back(fmt::format("gradients are switched off at {}:{}, too",
                                                 relative_path(together[i].file),
                                                 together[i].line));
  }
}

}  // namespace assay::verify::diagnosis
