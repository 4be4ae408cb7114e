#include "verify/diagnosis/diagnose.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/core/host_access.h"
#include "verify/diagnosis/attribution.h"
#include "verify/diagnosis/axis.h"
#include "verify/diagnosis/boundary.h"
#include "verify/diagnosis/causes.h"
#include "verify/diagnosis/changed_sizes.h"
#include "verify/diagnosis/draws.h"
#include "verify/diagnosis/escapes.h"
#include "verify/diagnosis/fewest.h"
#include "verify/diagnosis/followed_devices.h"
#include "verify/diagnosis/hypothesis.h"
#include "verify/diagnosis/lost_checks.h"
#include "verify/diagnosis/lost_updates.h"
#include "verify/diagnosis/observed.h"
#include "verify/diagnosis/omissions.h"
#include "verify/diagnosis/parting.h"
#include "verify/diagnosis/proof.h"
#include "verify/diagnosis/traced_origins.h"
#include "verify/diagnosis/variants.h"
#include "verify/observation/places.h"

namespace assay::verify {

using diagnosis::Attribution;
using diagnosis::ExportDiff;
using diagnosis::step_of;
using diagnosis::Variant;

namespace {

class Diagnoser {
 public:
  explicit Diagnoser(const DiagnosisRequest& s)
      : s_(s), judge_(s.judge), sources_(size_sources(*s.spec)) {}

  Diagnosis run() {
    finding_.property = s_.property;
    finding_.visibility = visibility_of(s_.judgement.comparison);
    finding_.comparison = s_.judgement.comparison;
    finding_.smallest_case = s_.failing;
    auto subject_judge = [&](const Case& c) { return judge_graph(nullptr, c); };
    auto deciding = diagnosis::decide_axis(*s_.spec, s_.failing, s_.right, subject_judge, s_.only);
    finding_.axis = deciding.axis;
    for (const FeatureAxis& other : deciding.equally) {
      finding_.evidence.notes.push_back(other.text() + " explains the recorded cases as well");
    }
    failing_ = s_.this_case ? s_.failing : deciding.nearest_failure.value_or(s_.failing);

    bool explained = explain();
    if (deliberate_) return {};
    if (!explained) explain_without_graphs();
    for (const StateChange& change : s_.judgement.reference.state)
      finding_.cause.changed.push_back(change.path);
    out_.out_of_time = s_.over() && finding_.cause.proof != Proof::proven;
    out_.findings.push_back(std::move(finding_));
    for (Finding& companion : companions_) out_.findings.push_back(std::move(companion));
    for (Finding& f : out_.findings) {
      if (f.title.empty()) f.title = class_name(f.class_id);
      f.fingerprint = fingerprint(f);
    }
    if (s_.with_boundary) {
      Case base = s_.right.value_or(failing_);
      Boundary measured = measure_boundary(*s_.spec, base, deciding.axis, subject_judge, s_.only);
      // With the values of the right case nothing may be wrong, whatever the element type.
      if (measured.is_right_everywhere())
        measured = measure_boundary(*s_.spec, failing_, deciding.axis, subject_judge, s_.only);
      for (Finding& f : out_.findings) f.boundaries = {measured};
    }
    return std::move(out_);
  }

 private:
  static std::string class_name(const std::string& id) {
    const FailureClass* row = find_failure_class(id);
    return row ? std::string(row->name) : std::string();
  }

  /// The property with a graph in place of the subject's own (null: the subject itself).
  Judgement judge_graph(const std::shared_ptr<ir::Graph>& graph, const Case& c,
                        const Export* of = nullptr) const {
    const Export& owner = of ? *of : *s_.subject;
    return judge_(owner.run_with(graph ? graph : owner.program().graph->copy()), c);
  }
  bool cures(const std::shared_ptr<ir::Graph>& graph, const Export* of = nullptr) const {
    return graph && judge_graph(graph, failing_, of).verdict == Judgement::Verdict::holds;
  }

  // With a second export -----------------------------------------------------------------------

  bool explain() {
    if (finding_.visibility == Visibility::lenient) return asked_no_more() || lost_checks();
    bool device = finding_.axis.kind == "device";
    if (!s_.exporter) return explain_by_hypothesis();
    probe_ = choose_probe(device);
    // What is scripted and a trace that a recording holds are unlike in every step.
    bool scripted = is_scripted(s_.subject->program());
    if (probe_ && scripted && !is_scripted(probe_->program())) probe_.reset();
    look_past_what_exports_lack();
    if (!device && other_weights()) return true;
    if (!probe_) {
      // A model that cannot run elsewhere itself asks for its device.
      deliberate_ = device && rejects_device_;
      return !deliberate_ && explain_by_hypothesis();
    }
    Alignment alignment = align(s_.subject->program(), probe_->program());
    diagnosis::Draws draws(*s_.exporter, failing_);
    if (alignment.equal() && draws_otherwise(draws, device)) {
      alignment = align(s_.subject->program(), probe_->program());
    }
    if (alignment.equal()) return equal_graphs(device);
    finding_.evidence.diff = difference_text(s_.subject->program(), probe_->program(), alignment);
    variants_ = diagnosis::make_variants(
        {s_.spec, s_.subject, s_.exporter, &finding_.axis, &failing_, s_.right}, probe_);
    ExportDiff view{&s_.subject->program(),
                    &probe_->program(),
                    &alignment,
                    finding_.axis,
                    &failing_,
                    &variants_,
                    example_sizes(),
                    &subject_escapes(),
                    s_.subject->origins(),
                    probe_->origins(),
                    diagnosis::keeps_state(s_.judgement)};
    alignment = diagnosis::split_unrelated(view);
    auto found = diagnosis::attribute(view);
    draws.name(view, {&subject_escapes(), &probe_->escapes}, found);
    diagnosis::name_lost_updates(view, *s_.exporter, s_.right, found);
    return prove(view, found) || changed_size() || (device && followed_device()) ||
           keep_supported(view, found);
  }

  /// Whether it is a check of the model's: with what the trace went by asked again, the export
  /// rejects what the model rejects.
  bool asked_no_more() {
    const auto& raised = s_.judgement.reference.failure;
    if (!raised) return false;
    auto check = diagnosis::lost_check(
        s_.subject->origins(), s_.subject->program(), raised->place, [this](const auto& graph) {
          return judge_graph(graph, failing_).verdict == Judgement::Verdict::discarded;
        });
    if (!check) return false;
    finding_.class_id = "AS114";
    place_at(raised->place);
    finding_.cause.proof = Proof::proven;
    finding_.cause.proof_text = "by asking again what the trace went by";
    finding_.evidence.notes.push_back(diagnosis::guard_sentence(*check->guard));
    out_.repaired = [judge = judge_, graph = std::move(check->graph),
                     of = s_.subject](const Case& c) {
      Judgement judgement = judge(of->run_with(graph->copy()), c);
      // Both reject it: that is what was amiss.
      if (judgement.verdict == Judgement::Verdict::discarded)
        judgement.verdict = Judgement::Verdict::holds;
      return judgement;
    };
    return true;
  }

  /// Whether the model without its check gives what the export gives.
  bool lost_checks() {
    return told_by_omission("AS114",
                            diagnosis::lost_checks(s_.judgement, s_.judge_without, failing_),
                            "without that check");
  }

  /// The same of lines that do what leaves no sign in a graph.
  bool lost_effect(bool (*of_kind)(const Escape&), Omission::Kind effect, const char* class_id,
                   const char* how) {
    return told_by_omission(class_id, lines_without(of_kind, effect), how);
  }

  /// Lines without whose effect the model gives what the export gives.
  std::vector<Omission> lines_without(bool (*of_kind)(const Escape&), Omission::Kind effect) const {
    return diagnosis::lost_effects(probe_->escapes, of_kind, effect, s_.judge_without, failing_);
  }
  std::vector<Omission> lost_state_lines() const {
    return lines_without(diagnosis::assigns_state, Omission::Kind::state);
  }

  /// The model that lacks the effect of these lines, too, gives what the export gives: they are
  /// the fault.
  bool told_by_omission(const char* class_id, std::vector<Omission> omitted, const char* how) {
    if (omitted.empty()) return false;
    finding_.class_id = class_id;
    place_at(omitted[0].place);
    for (size_t i = 1; i < omitted.size(); ++i) {
      const SourceLocation& other = omitted[i].place;
      finding_.evidence.notes.push_back(
          fmt::format("the same at {}:{}", base_name(other.file), other.line));
    }
    finding_.cause.proof = Proof::proven;
    finding_.cause.proof_text =
        fmt::format("by the model itself: {}, it gives what the export gives", how);
    out_.omitted = omitted;
    out_.repaired = [judge = s_.judge_without, omitted = std::move(omitted)](const Case& c) {
      return judge(omitted, nullptr, c);
    };
    return true;
  }

  /// What an export at the failing case has otherwise, too, is no part of this failure where there
  /// is more to it. A graph cures what fails without that; a case in which nothing else fails it
  /// does not.
  void look_past_what_exports_lack() {
    if (!probe_ || diagnosis::differs_beyond_graphs(s_.judgement)) return;
    Judgement probe = judge_graph(probe_->program().graph->copy(), failing_, probe_.get());
    if (!diagnosis::differs_beyond_graphs(probe)) return;
    judge_ = [judge = s_.judge, own = s_.subject->run_with(s_.subject->program().graph->copy())](
                 const std::shared_ptr<Runner>& runner, const Case& c) {
      Judgement judgement = judge(runner, c);
      bool cured = diagnosis::differs_beyond_graphs(judgement) &&
                   !diagnosis::differs_beyond_graphs(judge(own, c));
      if (cured) judgement.verdict = Judgement::Verdict::holds;
      return judgement;
    };
    if (diagnosis::is_beyond_graphs(*finding_.comparison.headline()))
      std::erase_if(finding_.comparison.differences, diagnosis::is_beyond_graphs);
  }

  /// The second export that tells most: made at the failing case (under another device: on meta);
  /// else one that is known, is another graph, and preferably agrees at the failing case.
  std::shared_ptr<const Export> choose_probe(bool device) {
    Case at = device ? s_.right.value_or(failing_) : failing_;
    ExportResult probe = s_.exporter->export_at(at, device);
    if (!probe.note.empty()) finding_.evidence.notes.push_back(probe.note);
    if (!probe.exported) {
      finding_.evidence.notes.push_back("no second export: " + probe.failure);
      // A copy to a device by name has no source on meta.
      rejects_device_ = probe.failure.find("device") != std::string::npos ||
                        probe.failure.find("meta tensor") != std::string::npos;
    }
    auto other_graph = [&](const Export& e) {
      return !align(s_.subject->program(), e.program()).equal();
    };
    bool recorded = !s_.exporter->known().empty();
    bool tells =
        probe.exported && other_graph(*probe.exported) &&
        (!recorded || cures(probe.exported->program().graph->copy(), probe.exported.get()));
    if (device || tells) return probe.exported;
    std::shared_ptr<const Export> first = probe.exported, elsewhere;
    for (const auto& known : s_.exporter->known()) {
      bool same_mode = known->exported_at->setting("mode") == failing_.setting("mode");
      if (!same_mode || !other_graph(*known)) continue;
      if (cures(known->program().graph->copy(), known.get())) return known;
      if (!first || first == probe.exported) first = known;
      if (!elsewhere && fails_where_made(*known)) elsewhere = known;
    }
    if (!elsewhere) return first;
    // No known export speaks for the failing case, but one was made where the subject fails, too.
    failing_ = *elsewhere->exported_at;
    return elsewhere;
  }

  /// Whether the subject fails, and this export agrees, at the inputs that it was made with.
  bool fails_where_made(const Export& known) const {
    const Case& at = *known.exported_at;
    return judge_graph(nullptr, at).verdict == Judgement::Verdict::violated &&
           judge_graph(known.program().graph->copy(), at, &known).verdict ==
               Judgement::Verdict::holds;
  }

  bool equal_graphs(bool device) {
    if (device) {
      // The literal does not follow the input's device: the model asks for it.
      deliberate_ = finding_.visibility != Visibility::loud;
    }
    finding_.evidence.notes.push_back("an export at the failing case gives the same graph");
    if (device) return false;
    return changed_size() || past_the_tracer();
  }

  /// Whether devices that are others where the probe was made cure the case: as few as do.
  bool followed_device() {
    const Program& program = s_.subject->program();
    std::vector<Substitution> places = diagnosis::fewest_that_cure(
        diagnosis::devices_that_follow(program, probe_->program(), failing_.device()),
        [&](const auto& set) { return cures(substitute(program, set, sources_)); });
    if (places.empty()) return false;
    finding_.class_id = "AS106";
    const auto& [step, operand, device] = places[0];
    diagnosis::set_cause(program, step, finding_);
    finding_.cause.role = role_of(program, step, operand);
    finding_.cause.literal = literal_text(program.steps[step].operands[operand].literal);
    finding_.cause.proof = Proof::proven;
    finding_.cause.proof_text =
        fmt::format("by substitution{}",
                    places.size() > 1 ? fmt::format(" of {} places together", places.size()) : "");
    out_.repaired = [subject = s_.subject, places, sources = sources_,
                     judge = judge_](const Case& c) {
      std::vector<Substitution> set = places;
      for (Substitution& one : set) one.replacement = core::Value(c.device());
      auto graph = substitute(subject->program(), set, sources);
      return graph ? judge(subject->run_with(std::move(graph)), c) : Judgement{};
    };
    return true;
  }

  /// Whether it is a size that the trace changes under all its names, where Python has changed one.
  bool changed_size() {
    const Program& program = s_.subject->program();
    for (const auto& sizes : diagnosis::size_groups(program)) {
      for (size_t trial = 0; trial < sizes[0].trials.size(); ++trial) {
        auto graph = diagnosis::read_unchanged(program, sizes, trial);
        if (!cures(graph)) continue;
        finding_.class_id = "AS111";
        diagnosis::name_kind(diagnosis::changed_size, finding_);
        diagnosis::set_cause(program, sizes[0].changed, finding_);
        finding_.cause.proof = Proof::proven;
        finding_.cause.proof_text = "by reading the size as it was before the change";
        repaired_by(std::move(graph), s_.subject);
        return true;
      }
    }
    return false;
  }

  /// Suspects what no graph of the model can hold, and what an export made at the failing case
  /// lacks, too.
  bool past_the_tracer() {
    using diagnosis::asks_for_tracing, diagnosis::hands_out_memory;
    if (lost_effect(asks_for_tracing, Omission::Kind::question, "AS103",
                    "told there that it is traced") ||
        speaks_for(asks_for_tracing, "AS103", "the model asks there whether it is traced") ||
        speaks_for(
            diagnosis::looks_up, "AS103",
            "a size is looked up there, which is a tensor while it is traced and in no dict")) {
      return true;
    }
    const Difference* headline = finding_.comparison.headline();
    bool of_state = finding_.axis.kind == "call" || (headline && headline->layer == Layer::state);
    const char* written = of_state ? "AS109" : "AS110";
    return finding_.visibility == Visibility::silent &&
           ((of_state && told_by_omission("AS109", lost_state_lines(),
                                          "with what is assigned there lost after each call")) ||
            lost_effect(hands_out_memory, Omission::Kind::write, written,
                        "with a copy handed out there") ||
            speaks_for(hands_out_memory, written,
                       "the model hands out the tensor's memory there, past the tracer"));
  }

  /// Suspects the first escape of a kind, if there is one.
  bool speaks_for(bool (*of_kind)(const Escape&), const char* class_id, const char* why) {
    auto found = std::find_if(probe_->escapes.begin(), probe_->escapes.end(), of_kind);
    if (found == probe_->escapes.end()) return false;
    finding_.class_id = class_id;
    finding_.cause.proof = Proof::suspected;
    finding_.cause.proof_text = why;
    place_at(found->place);
    return true;
  }

  /// Whether the parameters are the fault, whatever else the export differs in from the model.
  bool other_weights() {
    // What earlier calls made of them is state.
    bool by_call = finding_.axis.kind == "call";
    if (finding_.visibility != Visibility::silent || by_call) return false;
    return (probe_ && other_weights_in_export()) || other_weights_than_recorded();
  }

  /// They are not those that the model had when its calls were recorded.
  bool other_weights_than_recorded() {
    if (s_.exporter->weights().empty()) return false;
    std::vector<std::string> names =
        unlike(weight_hashes(s_.subject->parameters()), s_.exporter->weights());
    if (names.empty()) return false;
    finding_.class_id = "AS120";
    finding_.cause.proof = Proof::supported;
    finding_.cause.proof_text =
        fmt::format("by the hashes of the recorded model's parameters; {} differ: {}", names.size(),
                    first_few(names));
    return true;
  }

  /// The same steps over a new export's parameters agree.
  bool other_weights_in_export() {
    std::vector<std::string> names = unlike(s_.subject->weights(), probe_->weights());
    if (names.empty() || !cures(s_.subject->program().graph->copy(), probe_.get())) return false;
    finding_.class_id = "AS120";
    finding_.cause.proof = Proof::proven;
    finding_.cause.proof_text =
        fmt::format("by running the graph over a new export's parameters; {} differ: {}",
                    names.size(), first_few(names));
    repaired_by(s_.subject->program().graph->copy(), probe_);
    return true;
  }

  /// Whether an export that is the subject's graph again drew the same numbers by chance only; then
  /// one that drew others takes its place.
  bool draws_otherwise(diagnosis::Draws& draws, bool device) {
    const auto& escapes = probe_->escapes;
    bool drew = std::any_of(escapes.begin(), escapes.end(), diagnosis::is_draw);
    if (device || (!drew && finding_.visibility != Visibility::silent)) return false;
    auto other = draws.other_than(s_.subject->program());
    if (!other) return false;
    probe_ = std::move(other);
    return true;
  }

  Bindings example_sizes() const {
    if (s_.subject->exported_at) return s_.subject->exported_at->point.sizes;
    return {};
  }

  // Proof --------------------------------------------------------------------------------------

  bool prove(const ExportDiff& view, const std::vector<Attribution>& all) {
    diagnosis::ProofContext context{&view, s_.subject, probe_, &sources_,
                                    [this](const std::shared_ptr<ir::Graph>& graph,
                                           const Export& owner) { return cures(graph, &owner); }};
    auto repair = diagnosis::prove(context, all);
    if (!repair) return false;
    bool device = finding_.axis.kind == "device";
    auto causes = diagnosis::causes_of(view, *repair, escapes(), finding_);
    finding_ = std::move(causes[0].finding);
    if (finding_.class_id == "AS109") {
      auto lines = lost_state_lines();
      if (!lines.empty()) diagnosis::name_escape(lines[0].place, finding_);
    }
    for (size_t i = 1; i < causes.size(); ++i) companions_.push_back(std::move(causes[i].finding));
    for (auto& cause : causes) {
      if (!device) out_.exchanges.push_back(std::move(cause.exchange));
    }
    if (repair->fitted) {
      repaired_by(std::move(repair->fitted), s_.subject);
    } else if (device) {
      out_.repaired = diagnosis::repair_by(std::move(repair->exchange), judge_);
    } else {
      out_.repaired = diagnosis::repair_by(std::move(repair->exchange), judge_, *s_.exporter);
    }
    return true;
  }

  /// Keeps the repair, to try it on other cases.
  void repaired_by(std::shared_ptr<ir::Graph> graph, const std::shared_ptr<const Export>& of) {
    out_.repaired = [judge = judge_, graph = std::move(graph), of](const Case& c) {
      return judge(of->run_with(graph->copy()), c);
    };
  }

  bool keep_supported(const ExportDiff& view, const std::vector<Attribution>& all) {
    if (all.empty()) return false;
    // The re-export itself must agree at the failing case, or the difference explains nothing.
    bool export_agrees = cures(probe_->program().graph->copy(), probe_.get());
    // But no export has the number that a call draws.
    auto drawn = std::find_if(all.begin(), all.end(),
                              [](const Attribution& a) { return a.class_id == "AS113"; });
    bool random = !export_agrees && drawn != all.end();
    // Where each call needs another graph, none of them agrees, either.
    bool by_call = view.keeps_state && view.axis.kind == "call";
    if (!export_agrees && !random && !by_call) {
      bool made_there = s_.exporter->known().empty() && probe_->exported_at == failing_;
      if (made_there && past_the_tracer()) return true;
      finding_.evidence.notes.push_back("an export at the failing case fails there too");
      // What the two exports differ in is then no cause of this failure, however well it is fitted.
      bool in_library = is_of_library(diagnosis::file_of(view, all[0]));
      if (made_there || in_library || diagnosis::loses_state_alone(s_.judgement)) return false;
    }
    diagnosis::describe(view, random ? *drawn : all[0], escapes(), finding_);
    bool supported = export_agrees || random || by_call;
    finding_.cause.proof = supported ? Proof::supported : Proof::suspected;
    return true;
  }

  diagnosis::Escapes escapes() const { return {&subject_escapes(), &probe_->escapes}; }

  /// Those of the subject's own trace, or of a known export that is the same graph.
  const std::vector<Escape>& subject_escapes() const {
    if (!s_.subject->escapes.empty()) return s_.subject->escapes;
    for (const auto& known : s_.exporter->known()) {
      bool same = align(s_.subject->program(), known->program()).equal();
      if (same && !known->escapes.empty()) return known->escapes;
    }
    return s_.subject->escapes;
  }

  // Without a second export --------------------------------------------------------------------

  /// Tries the literals that equal a size of the example: one that cures the failure when it is
  /// replaced by the size itself is the cause.
  bool explain_by_hypothesis() {
    Bindings sizes = example_sizes();
    if (sizes.empty() && s_.right) sizes = s_.right->point.sizes;
    const Program& program = s_.subject->program();
    if (changed_size() || explain_by_origins(program)) return true;
    for (const auto& [letter, size] : sizes) {
      if (!sources_.count(letter)) continue;
      for (const auto& context : diagnosis::size_trials(program, letter, size)) {
        if (!cures(substitute(program, context, sources_))) continue;
        if (!explains_others(substitute(program, context, sources_))) continue;
        diagnosis::describe_size(program, context[0], letter, size, finding_);
        repaired_by(substitute(program, context, sources_), s_.subject);
        return true;
      }
    }
    return suspect_structure(program);
  }

  /// Tries what the subject's own trace says that its literals were.
  bool explain_by_origins(const Program& program) {
    std::vector<std::vector<Substitution>> trials =
        diagnosis::traced_trials(s_.subject->origins(), program);
    for (const auto& context : trials) {
      auto graph = substitute(program, context, sources_);
      if (!cures(graph)) continue;
      diagnosis::describe_origins(s_.subject->origins(), program, context, finding_);
      repaired_by(std::move(graph), s_.subject);
      return true;
    }
    return false;
  }

  bool explains_others(const std::shared_ptr<ir::Graph>& graph) const {
    constexpr size_t most = 3;
    for (size_t i = 0; i < std::min(most, s_.others.size()); ++i) {
      if (judge_graph(graph, s_.others[i]).verdict == Judgement::Verdict::violated) return false;
    }
    return true;
  }

  /// Signs in the graph alone: repeated selects of one loop, or a branch that is nowhere.
  bool suspect_structure(const Program& program) {
    std::vector<size_t> rounds = diagnosis::repeated_selects(program);
    if (rounds.empty()) return false;
    finding_.class_id = "AS104";
    diagnosis::set_cause(program, rounds[0], finding_);
    finding_.cause.role = "repetitions";
    finding_.cause.literal = std::to_string(rounds.size());
    finding_.cause.proof = Proof::suspected;
    return true;
  }

  /// What the observations alone say.
  void explain_without_graphs() {
    const auto& subject = s_.judgement.subject;
    const auto& reference = s_.judgement.reference;
    finding_.cause.proof = Proof::suspected;
    finding_.class_id = diagnosis::observed_class(s_.judgement, finding_.axis, probe_ != nullptr);
    if (!probe_ && finding_.class_id == "AS103") {
      // Without a model nothing says that it would have gone another way.
      bool alone = s_.property != "parity";
      finding_.class_id = alone ? "AS121" : diagnosis::class_told_by_trace(s_.subject->origins());
    }
    if (finding_.visibility == Visibility::lenient && reference.failure) {
      place_at(reference.failure->place);
    }
    bool of_the_model = subject.failure && !is_of_library(subject.failure->place.file);
    if (finding_.cause.file.empty() && of_the_model) place_at(subject.failure->place);
    if (finding_.cause.line == 0) place_where_they_part();
  }

  /// Where no cause is known: what the trace tells of such faults, else what the graphs do.
  void place_where_they_part() {
    auto told = diagnosis::told_by_trace(s_.subject->origins(), finding_.class_id);
    if (told) return place_at(*told);
    auto sign = diagnosis::sign_in_graphs(finding_, s_.subject->program(),
                                          probe_ ? &probe_->program() : nullptr);
    if (!sign) return;
    if (sign->step) diagnosis::set_cause(s_.subject->program(), *sign->step, finding_);
    place_at(sign->place);
    finding_.evidence.notes.push_back(sign->what);
  }

  void place_at(const SourceLocation& place) { diagnosis::place_at(place, finding_); }

  const DiagnosisRequest& s_;
  diagnosis::JudgeRunner judge_;
  std::map<std::string, SizeSource> sources_;
  Case failing_;
  Diagnosis out_;
  Finding finding_;                  // The deciding cause, as it becomes known.
  std::vector<Finding> companions_;  // Causes that the smallest case needs repaired beside it.
  std::shared_ptr<const Export> probe_;
  std::vector<Variant> variants_;
  bool deliberate_ = false;
  bool rejects_device_ = false;
};

}  // namespace

Diagnosis diagnose(const DiagnosisRequest& request) { return Diagnoser(request).run(); }

}  // namespace assay::verify
