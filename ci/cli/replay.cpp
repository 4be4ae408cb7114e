#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <tuple>

#include "ci/cli/files.h"
#include "ci/cli/inputs.h"
#include "ci/cli/subject.h"
#include "ci/cli/verb.h"
#include "engine/base/error.h"
#include "fuzz/key.h"
#include "verify/cases/reproduce.h"
#include "verify/compare/growth.h"
#include "verify/diagnosis/explain.h"
#include "verify/findings/gate.h"
#include "verify/run/backed_runner.h"
#include "verify/spec/parser.h"

namespace assay::cli {

using namespace verify;  // NOLINT: this file puts together what verify names.

namespace {

const std::shared_ptr<const Property> find_property(const std::string& id) {
  for (const auto& p : all_properties()) {
    if (p->id() == id) return p;
  }
  base::fail("the string speaks of a property that this program does not know: ", id);
}

/// The causes of what fails at the case now, told as a check tells them.
std::vector<Finding> explain(const Target& target, const PropertyContext& context,
                             const Repro& repro, const Judgement& judgement) {
  const auto properties = all_properties();
  ExplainOptions options;
  options.context = &context;
  options.properties = &properties;
  options.exported = target.exported;
  options.exporter = target.exporter.get();
  options.key = fuzz::failure_key;
  FailureGroup group;
  group.property = repro.property;
  group.key = fuzz::failure_key(repro.smallest, judgement);
  group.visibility = visibility_of(judgement.comparison);
  group.first = group.smallest = repro.smallest;
  group.judgement = judgement;
  group.count = 1;
  std::vector<Case> held;
  if (repro.right) held.push_back(*repro.right);
  std::vector<Finding> findings;
  for (Explained& cause : Explainer(options).explain(group, held))
    findings.push_back(std::move(cause.finding));
  return findings;
}

/// What the property says of the subject; where PyTorch's own run of the archive says otherwise
/// than the engine's, that counts, and PyTorch runs the archive from then on.
Judgement judge(const PropertyContext& context, const Property& property, const Case& c) {
  Subject& subject = *context.subject;
  Judgement by_engine = property.judge(context, c);
  if (!subject.handover || !subject.in_pytorch || property.about_assay() ||
      !subject.in_pytorch->cannot_run(c).empty()) {
    return by_engine;
  }
  Subject other = subject;
  other.runner = handed_over(subject.runner, subject.in_pytorch);
  PropertyContext changed = context;
  changed.subject = &other;
  Judgement by_pytorch = property.judge(changed, c);
  auto says = [](const Judgement& j) {
    const Difference* headline = j.comparison.headline();
    return std::tuple(j.verdict, headline ? headline->layer : Layer::ending,
                      headline ? headline->place : "");
  };
  bool ran = by_pytorch.verdict != Judgement::Verdict::not_tested &&
             by_pytorch.verdict != Judgement::Verdict::errored;
  if (!ran || says(by_engine) == says(by_pytorch)) return by_engine;
  subject.handover->hand_over("assay's engine runs the archive otherwise than PyTorch");
  return by_pytorch;
}

/// Whether a finding is the string's: of its class and, as long as the model's file is the same, at
/// its line.
bool is_of(const Repro& repro, const Finding& f, const Subject& subject) {
  bool edited = repro.model_hash != subject.sha256;
  bool same_line = repro.line == 0 || f.cause.line == 0 || f.cause.line == repro.line;
  return f.class_id == repro.class_id && (edited || same_line);
}

/// "AS102 at line 9"
std::string name_of(const std::string& class_id, int line) {
  return line == 0 ? class_id : fmt::format("{} at line {}", class_id, line);
}

/// The user's flags and, where the user gave none, those that the string carries. What a string may
/// not decide is which program to start.
Arguments completed(const Arguments& own, const Repro& repro) {
  std::vector<std::string> words, spec_words;
  bool own_spec = own.has("--spec");
  std::vector<Flag> flags = flags_of(replay_verb());
  for (const Flag& flag : flags) {
    std::string name = flag.name.substr(0, flag.name.find(','));
    if (!own.has(name)) continue;
    if (flag.value.empty()) words.push_back(name);
    for (const std::string& value : own.all(name)) {
      if (!flag.value.empty()) words.push_back(fmt::format("{}={}", name, value));
    }
    for (const auto& known : verify::spec_flags()) own_spec = own_spec || name == "--" + known.flag;
  }
  for (const std::string& word : repro.arguments) {
    std::string name = word.substr(0, word.find('='));
    bool allowed = name == "--against" || name == "--source" || name == "--method" ||
                   name == "--export" || name == "--example" || name == "--seed" ||
                   name == "--build-args";
    if (allowed && !own.has(name)) words.push_back(word);
  }
  if (!own_spec && !repro.spec.empty()) {
    for (const SpecPiece& piece : spec_pieces(parse_spec_json(repro.spec, "the string's spec"))) {
      words.push_back(fmt::format("--{}={}", piece.flag, piece.text));
    }
  }
  return Arguments(flags, words);
}

int run_replay(const Arguments& own) {
  Repro repro = decode_repro(own.only_operand("one string", "assay replay 'ASSAY1:...'"));
  Arguments arguments = completed(own, repro);
  std::string model = arguments.value_or("--model", repro.model);
  Target target = make_target(model, arguments);
  Subject subject = target.subject;
  PropertyContext context;
  context.spec = &target.spec;
  context.subject = &subject;
  context.reference = target.reference.runner ? &target.reference : nullptr;
  context.compare.bounds.growth = growth_of(*target.exported);
  context.compare.bounds.atol = target.spec.atol;
  context.compare.bounds.rtol = target.spec.rtol;
  context.exporter = target.exporter.get();
  auto property = find_property(repro.property);
  std::printf("replaying %s: %s\n", repro.property.c_str(), describe(repro.smallest).c_str());
  // A fault of assay's engine is not looked for in PyTorch.
  Judgement judgement = repro.class_id == "AS118" ? property->judge(context, repro.smallest)
                                                  : judge(context, *property, repro.smallest);
  switch (judgement.verdict) {
    case Judgement::Verdict::holds:
    case Judgement::Verdict::discarded:
      std::printf("not reproduced: %s was found here earlier\n", repro.class_id.c_str());
      return exit_passed;
    case Judgement::Verdict::not_tested:
      std::printf("undecided: %s\n", judgement.reason.c_str());
      return exit_undecided;
    case Judgement::Verdict::errored:
      base::unreachable(judgement.reason);
    case Judgement::Verdict::violated:
      break;
  }
  const Difference* headline = judgement.comparison.headline();
  std::printf("reproduced: %s\n", headline ? headline->text().c_str() : "differs");
  // A fault of assay's has no cause in the model.
  if (arguments.has("--any-failure") || property->about_assay()) return exit_failed;
  std::vector<Finding> findings = explain(target, context, repro, judgement);
  for (Finding& f : findings) {
    diagnosis::move_to_origin(f, source_text(target), target.exported.get());
  }
  bool same = std::any_of(findings.begin(), findings.end(),
                          [&](const Finding& f) { return is_of(repro, f, target.subject); });
  if (!same) {
    std::string now =
        findings.empty() ? "none" : name_of(findings[0].class_id, findings[0].cause.line);
    std::printf("but it is another failure now: %s instead of %s\n", now.c_str(),
                name_of(repro.class_id, repro.line).c_str());
  }
  return same ? exit_failed : exit_passed;
}

}  // namespace

Verb replay_verb() {
  std::vector<Flag> flags = subject_flags();
  flags.push_back({"--model", "MODEL", "the model, where it is no longer the one in the string"});
  flags.push_back({"--any-failure", "", "count a failure of another class or line as reproduced"});
  return {"replay",
          "Runs a failing case again: exits 1 if the same failure shows: its class, at its line.",
          "'ASSAY1:...'",
          "assay replay 'ASSAY1:eJx...' --python /usr/bin/python3",
          flags,
          true,
          run_replay};
}

}  // namespace assay::cli
