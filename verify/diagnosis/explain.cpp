#include "verify/diagnosis/explain.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/base/error.h"
#include "verify/diagnosis/causes.h"
#include "verify/diagnosis/observed.h"
#include "verify/diagnosis/separation.h"
#include "verify/diagnosis/switches.h"
#include "verify/diagnosis/traced_origins.h"
#include "verify/guards/guards.h"
#include "verify/properties/judging.h"
#include "verify/run/exporter_in_time.h"
#include "verify/run/runner_without.h"

namespace assay::verify {

namespace {

void give_title(Finding& f) {
  const FailureClass* row = find_failure_class(f.class_id);
  f.title = row ? std::string(row->name) : "";
  f.fingerprint = fingerprint(f);
}

/// What was met, and no more: a class would be a guess.
std::vector<Explained> undiagnosed(
    const std::function<std::vector<Explained>(const std::string&)>& observed, const char* why) {
  std::vector<Explained> out = observed(why);
  out[0].finding.class_id = "AS121";
  give_title(out[0].finding);
  return out;
}

/// Names a cause where the subject's own trace tells of a condition that is
/// false at the failing case: suspected, since nothing was tried.
void name_false_condition(const ExplainOptions& options, const FailureGroup& group, Finding& f) {
  const Origins* origins = options.exported ? options.exported->origins() : nullptr;
  if (!origins || group.property != "parity") return;
  auto inputs = guards::input_names(options.exported->program());
  const Origins::Guard* guard =
      guards::false_at(*options.context->spec, *origins, inputs, group.smallest.point.sizes);
  if (!guard) return;
  f.class_id = "AS103";
  give_title(f);
  f.cause.proof = Proof::suspected;
  f.evidence.notes.push_back(fmt::format("the trace went by {} = {}, which is otherwise here",
                                         guard->condition, literal_text(guard->value)));
  diagnosis::place_at(guard->place, f);
  f.fingerprint = fingerprint(f);
}

constexpr const char* cut_short = "interrupted before it was diagnosed";
constexpr const char* out_of_time = "the time of the check was over before it was diagnosed";

Judgement judged_late() {
  Judgement late;
  late.verdict = Judgement::Verdict::not_tested;
  late.reason = "the time of the check was over";
  return late;
}

/// What was met in a group when the time was over.
std::vector<Explained> told_late(
    const ExplainOptions& options, const FailureGroup& group,
    const std::function<std::vector<Explained>(const std::string&)>& observed) {
  std::vector<Explained> out = undiagnosed(observed, out_of_time);
  name_false_condition(options, group, out[0].finding);
  return out;
}

/// A fault of assay's engine, which the export's users do not see.
void blame_assay(Finding& f) {
  f.class_id = "AS118";
  f.visibility = Visibility::latent;
  f.elsewhere.clear();
  give_title(f);
}

}  // namespace

const verify::Property& Explainer::law_of(const std::string& property) const {
  auto is_it = [&](const auto& p) { return p->id() == property; };
  auto law = std::find_if(options_.properties->begin(), options_.properties->end(), is_it);
  base::invariant(law != options_.properties->end(),
                  "a failure belongs to a property of the session");
  return **law;
}

Explainer::SubjectJudge Explainer::judge_of(const std::string& property) const {
  return [this, law = &law_of(property)](const std::shared_ptr<Runner>& runner, const Case& c) {
    Subject other = *options_.context->subject;
    other.runner = runner;
    PropertyContext context = *options_.context;
    context.exporter = options_.exporter;
    context.subject = &other;
    return law->judge(context, c);
  };
}

Explainer::SubjectJudge Explainer::judge_in_time(const std::string& property) const {
  return [this, judge = judge_of(property)](const std::shared_ptr<Runner>& runner, const Case& c) {
    return options_.over() ? judged_late() : judge(runner, c);
  };
}

diagnosis::JudgeWithout Explainer::judge_without(const std::string& property) const {
  const Reference* reference = options_.context->reference;
  if (!reference || reference->kind != ReferenceKind::host) return nullptr;
  return [this, reference, law = &law_of(property)](const std::vector<Omission>& omitted,
                                                    const std::shared_ptr<Runner>& runner,
                                                    const Case& c) {
    if (options_.over()) return judged_late();
    Subject subject = *options_.context->subject;
    if (runner) subject.runner = runner;
    Reference lacking = *reference;
    lacking.runner = std::make_shared<RunnerWithout>(reference->runner, omitted);
    PropertyContext context = *options_.context;
    context.subject = &subject;
    context.reference = &lacking;
    return law->judge(context, c);
  };
}

const std::vector<Case>* Explainer::only_cases(const std::string& property) const {
  // Only parity needs the reference's word at every case.
  bool needs_reference = options_.context->reference && property == "parity";
  return needs_reference ? options_.context->reference->runner->only_cases() : nullptr;
}

Explainer::Confirmation Explainer::confirm(const FailureGroup& group) const {
  Confirmation out;
  Runner* theirs = options_.context->subject->in_pytorch.get();
  if (!theirs || !group.judgement.of_reference || group.flaky) return out;
  const Case& c = group.smallest;
  if (!theirs->cannot_run(c).empty()) return out;
  Observation run = theirs->run(c);
  // What rounding can explain is told by the engine's runs, whose faults excuse nothing.
  auto rounded = [&](uint64_t draw) {
    std::optional<RoundedRun> moved = options_.context->subject->runner->run_rounded(c, draw);
    if (moved && !moved->plain) moved->plain = group.judgement.subject;
    return moved;
  };
  PropertyContext context = *options_.context;
  context.exporter = options_.exporter;  // The campaign's may have made all that it was to make.
  auto compared_with = [&](const Observation& other) {
    if (!rounding_excuses(*options_.context->subject, c)) {
      return compare(run, other, options_.context->compare);
    }
    return doubt_excuse(compare_adjudicated(run, other, options_.context->compare, rounded), run,
                        other, context, c);
  };
  Comparison comparison = compared_with(group.judgement.reference);
  out.ours = comparison.verdict == Comparison::Verdict::agree ||
             comparison.verdict == Comparison::Verdict::rejected;
  std::string_view says = out.ours
                              ? "runs this very archive as the model runs: the fault is assay's"
                          : comparison.verdict == Comparison::Verdict::differ
                              ? "runs the archive otherwise than the model, too"
                              : "cannot tell";
  out.engine_differs =
      compared_with(group.judgement.subject).verdict == Comparison::Verdict::differ;
  out.sentence = fmt::format("{} {}", theirs->name(), says);
  if (comparison.verdict == Comparison::Verdict::nothing) out.sentence += ": " + comparison.reason;
  return out;
}

std::vector<Explained> Explainer::explain(const FailureGroup& group,
                                          const std::vector<Case>& held) const {
  auto observed = [&](const std::string& note) {
    std::vector<Explained> alone(1);
    alone[0].finding = unexplained(group);
    if (!note.empty()) alone[0].finding.evidence.notes.push_back(note);
    alone[0].first = group.first;
    alone[0].count = group.count;
    return alone;
  };
  if (law_of(group.property).about_assay()) {
    return observed("a fault of assay's engine; the model is not concerned");
  }
  if (group.property == "gradients") {  // No graph says what switches them.
    std::vector<Explained> alone = observed("");
    bool late = options_.interrupted() || options_.over();
    if (!late) diagnosis::place_switch(alone[0].finding, *options_.context);
    return alone;
  }
  if (options_.interrupted()) return undiagnosed(observed, cut_short);
  if (options_.over()) return told_late(options_, group, observed);
  Confirmation confirmation = confirm(group);
  std::vector<Explained> causes =
      confirmation.ours ? observed("") : diagnosed(group, held, observed);
  for (Explained& cause : causes) {
    cause.finding.confirmation = confirmation.sentence;
    cause.finding.elsewhere.insert(group.visibility);
    if (confirmation.ours) blame_assay(cause.finding);
  }
  return causes;
}

std::vector<Explained> Explainer::diagnosed(
    const FailureGroup& group, const std::vector<Case>& held,
    const std::function<std::vector<Explained>(const std::string&)>& observed) const {
  if (group.flaky || !options_.exported) return observed("");
  if (options_.interrupted()) return undiagnosed(observed, cut_short);
  if (options_.over()) return told_late(options_, group, observed);
  std::optional<ExporterInTime> exporter;
  if (options_.exporter) exporter.emplace(*options_.exporter, options_.over);
  DiagnosisRequest s;
  s.spec = options_.context->spec;
  s.property = group.property;
  s.subject = options_.exported;
  s.exporter = exporter ? &*exporter : nullptr;
  s.over = options_.over;
  s.others = group.others;
  s.only = only_cases(group.property);
  s.judge = judge_in_time(group.property);
  s.judge_without = judge_without(group.property);
  s.right = right_case(group, held);
  try {
    Separated separated = separate_causes(options_, group, held, s);
    // What an interruption cut short has seen half of the evidence.
    if (options_.interrupted()) return undiagnosed(observed, cut_short);
    if (separated.out_of_time) return told_late(options_, group, observed);
    std::vector<Explained>& causes = separated.causes;
    for (Explained& e : causes) e.finding.right_case = s.right;
    return std::move(causes);
  } catch (const base::Error& e) {
    return observed("the diagnosis failed: " + e.message());
  }
}

/// The export's own example if the property holds there, else a case where it held.
std::optional<Case> Explainer::right_case(const FailureGroup& group,
                                          const std::vector<Case>& held) const {
  if (options_.exported->exported_at) {
    const Case& example = *options_.exported->exported_at;
    Judgement there = judge_of(group.property)(options_.context->subject->runner, example);
    if (there.verdict != Judgement::Verdict::violated) return example;
  }
  return held.empty() ? std::nullopt : std::optional(held.back());
}

Finding Explainer::unexplained(const FailureGroup& group) const {
  Finding f;
  f.property = group.property;
  f.axis.kind = "value";
  f.class_id = group.property == "deterministic" || group.flaky
                   ? "AS116"
                   : diagnosis::observed_class(group.judgement, f.axis, false);
  f.visibility = group.visibility;
  f.comparison = group.judgement.comparison;
  f.smallest_case = group.smallest;
  f.flaky = group.flaky;
  if (law_of(group.property).about_assay()) {
    blame_assay(f);
  } else {
    give_title(f);
  }
  return f;
}

}  // namespace assay::verify
