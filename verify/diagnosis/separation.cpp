#include "verify/diagnosis/separation.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/diagnosis/alone.h"
#include "verify/diagnosis/attribution.h"
#include "verify/diagnosis/escapes.h"
#include "verify/diagnosis/further_numbers.h"
#include "verify/diagnosis/traced_origins.h"
#include "verify/observation/places.h"

namespace assay::verify {

namespace {

/// Diagnoses beyond the first that one kind of failure is worth; each makes exports.
constexpr int further_diagnoses = 4;
/// Diagnoses while one more cause is shrunk.
constexpr int shrink_diagnoses = 8;

/// Seconds for trying repairs on further cases, and for telling causes apart.
constexpr double reach_seconds = 3, alone_seconds = 3;
/// Seconds at least for trying on earlier cases what later ones have taught.
constexpr double retry_seconds = 2;
/// Seconds after the first diagnosis in which others begin: of a large network each takes many.
constexpr double further_seconds = 30;

/// Takes the cases of one kind of failure apart by cause.
class Separation {
 public:
  Separation(const ExplainOptions& options, const FailureGroup& group,
             const std::vector<Case>& held, DiagnosisRequest request)
      : options_(options), group_(group), held_(held), request_(std::move(request)) {}

  Separated run() {
    Diagnosis main = diagnose_at(group_.smallest, group_.judgement, true);
    if (main.out_of_time) return {{}, true};
    note(main, group_.smallest);
    if (causes_.empty()) return {};
    last_start_ = options_.clock() + further_seconds;
    causes_[0].count = group_.count;
    causes_[0].first = group_.first;
    try {
      look_into_other_cases();
      try_on_right_cases();
      judge_proofs();
      for (size_t k = 0; k < causes_.size(); ++k) name_further_numbers(k);
      end_ = options_.clock() + alone_seconds;
      tell_apart();
      if (options_.over()) {
        note_what_was_left_out("the time of the check was over");
      } else if (out_of_time_) {
        note_what_was_left_out("each takes too long");
      }
    } catch (const base::Error& e) {  // What was found stays found.
      note_what_was_left_out(e.message());
    }
    return {std::move(causes_)};
  }

 private:
  /// A repair, and the causes that it repairs together: positions in causes_.
  struct Repair {
    std::vector<size_t> causes;
    diagnosis::JudgeRepaired judge;
  };

  /// What is known of one case.
  struct Causes {
    std::vector<size_t> of;  ///< Positions in causes_; empty where that stays open.
    bool cured = false;      ///< A repair of these causes cures it.
    bool tried = true;       ///< False where time ended before all was tried.
    size_t lessons = 0;      ///< Of the check, when the case was looked at.
  };

  void note_what_was_left_out(const std::string& why) {
    causes_[0].finding.evidence.notes.push_back("not all of its cases were looked into: " + why);
  }

  void look_into_other_cases() {
    diagnoses_left_ = further_diagnoses;
    std::vector<Case> cases{group_.smallest};
    // The case of the proof counts however slow all else is.
    std::vector<Causes> found{{{0}}};
    if (auto causes = cured_by_known(group_.smallest); !causes.empty()) found[0] = {causes, true};
    end_ = options_.clock() + reach_seconds;
    auto look = [&](const Case& c) {
      if (time_is_up()) return;
      Causes causes = separate(c);
      count_case(c, causes);
      if (!causes.tried || std::find(cases.begin(), cases.end(), c) != cases.end()) return;
      causes.lessons = lessons();
      cases.push_back(c);
      found.push_back(std::move(causes));
    };
    look(group_.first);
    for (const Case& c : group_.others) look(c);
    // What another fault was met at on the way is a finding, too.
    for (const Case& c : group_.path) separate(c);
    // What was learnt from later cases may cure earlier ones.
    end_ = std::max(end_, options_.clock() + retry_seconds);
    int fail_otherwise = 0;
    for (size_t i = 0; i < cases.size(); ++i) {
      if (!found[i].cured && found[i].lessons < lessons()) {
        if (time_is_up() && i > 0) continue;  // Nobody knows what would cure it.
        if (auto causes = cured_by_known(cases[i]); !causes.empty()) found[i] = {causes, true};
      }
      if (found[i].cured || !fails_otherwise_repaired(cases[i])) {
        count_reach(found[i]);
      } else {
        ++fail_otherwise;
      }
    }
    if (fail_otherwise == 0) return;
    causes_[0].finding.evidence.notes.push_back(
        fmt::format("{} more of its cases fail otherwise once it is repaired: of another fault",
                    fail_otherwise));
  }

  /// Whether a case of a device does not fail as the others do any more where this is repaired, but
  /// in another way: of a fault that it would have on any device.
  bool fails_otherwise_repaired(const Case& c) const {
    if (causes_[0].finding.axis.kind != "device" || time_is_up()) return false;
    return std::ranges::any_of(repairs_, [&](const Repair& repair) {
      Judgement repaired = repair.judge(c);
      return repaired.verdict == Judgement::Verdict::violated && !fails_alike(repaired, c);
    });
  }

  /// How much has been learnt that may cure a case.
  size_t lessons() const { return repairs_.size() + exchanges_.size() + omitted_.size(); }

  bool time_is_up() const { return no_more() || options_.clock() >= end_; }
  bool no_more() const { return options_.interrupted() || options_.over(); }

  void count_reach(const Causes& causes) {
    std::vector<size_t> of = causes.of;
    if (of.empty()) of = {0};  // For all that is known.
    for (size_t k : of) {
      ++reach_[k].failing;
      if (causes.cured) ++reach_[k].cured;
    }
  }

  /// Whether the repairs leave right what is: of a cause at several places (two sizes at one line)
  /// the one that breaks least, since that of one place alone cures some cases and breaks others.
  void try_on_right_cases() {
    for (size_t k = 0; k < causes_.size(); ++k) {
      std::optional<Reach> best;
      for (const Repair& repair : repairs_) {
        bool has_it =
            std::find(repair.causes.begin(), repair.causes.end(), k) != repair.causes.end();
        bool smallest = !best || repair.causes.size() == 1;
        if (!has_it || !smallest || (best && best->broken == 0)) continue;
        Reach tried = on_right_cases(repair, k);
        if (!best || tried.broken < best->broken) best = tried;
      }
      if (!best) continue;
      reach_[k].right += best->right;
      reach_[k].broken += best->broken;
    }
  }

  Reach on_right_cases(const Repair& repair, size_t k) const {
    Reach out;
    for (const Case& c : held_) {
      if (time_is_up()) break;
      Judgement repaired = repair.judge(c);
      bool broken = repaired.verdict == Judgement::Verdict::violated;
      if (!broken && repaired.verdict != Judgement::Verdict::holds) continue;
      broken = broken && !(exchanges_of({k}).size() > 1 && cures_together(c, {k}));
      broken = broken && !cures_by_line(c, k, true);
      ++out.right;
      if (broken) ++out.broken;
    }
    return out;
  }

  /// All literals of the cause's line, and those that an export at this very case has there: of
  /// `h, w = map(int, x.shape[2:])` each case needs others. `taken`: those count, too, that are
  /// only taken to be of that line (is_of_cause).
  std::optional<diagnosis::Exchange> exchange_by_line(const Case& c, size_t k, bool taken) const {
    if (!request_.exporter) return std::nullopt;
    ExportResult made = request_.exporter->export_at(c, false);
    if (!made.exported) return std::nullopt;
    const Program& own = request_.subject->program();
    diagnosis::Exchange all{
        request_.subject, made.exported, align(own, made.exported->program()), {}};
    for (size_t i = 0; i < all.alignment.differences.size(); ++i) {
      if (is_of_cause(all.alignment.differences[i], k, made.exported->escapes, taken)) {
        all.exchanged.push_back(i);
      }
    }
    return all.exchanged.empty() ? std::nullopt : std::optional(std::move(all));
  }

  /// Whether the case is right with them exchanged.
  bool cures_by_line(const Case& c, size_t k, bool taken) const {
    auto all = exchange_by_line(c, k, taken);
    if (!all) return false;
    auto repaired = diagnosis::repair_by(*std::move(all), request_.judge);
    return repaired(c).verdict == Judgement::Verdict::holds;
  }

  /// Whether a literal left the graph at the cause's line: as the trace tells, where it is the
  /// engine's and it knows, or the very numbers that left there. Others, of which no other line
  /// gave the very numbers, are `taken` to have done so where they are read at a line at which the
  /// cause's literals are, or below the cause in its function (`k = ceil(h / 2)`, of which the
  /// lines below make a kernel and a padding). A fit that breaks what holds is a wrong fit, and
  /// tells nothing.
  bool is_of_cause(const GraphDifference& d, size_t k, const std::vector<Escape>& escapes,
                   bool taken) const {
    if (d.kind != GraphDifference::Kind::literal) return false;
    const Export& subject = *request_.subject;
    auto is_causes = [&, &cause = causes_[k].finding.cause](const SourceLocation& place) {
      return place.line == cause.line && base_name(place.file) == base_name(cause.file);
    };
    if (subject.origins()) {
      auto origin =
          diagnosis::traced_origin(subject.origins(), subject.program(), d.step_a, d.operand);
      if (origin) return is_causes(origin->place);
    }
    SourceLocation reader = place_of_step(d.step_a);
    auto gave =
        diagnosis::captured_at({&subject.escapes, &escapes}, d.literal_a, d.literal_b, reader);
    if (gave) return is_causes(*gave);
    if (!taken) return false;
    const Cause& cause = causes_[k].finding.cause;
    bool below = cause.line != 0 && reader.line >= cause.line &&
                 reader.function == cause.function &&
                 base_name(reader.file) == base_name(cause.file);
    // What stands beside a number that was drawn may be state that is kept.
    bool other_reason = causes_[k].finding.class_id == "AS113" &&
                        std::ranges::any_of(escapes, diagnosis::assigns_state);
    return !other_reason && (below || reads_cause(d.step_a, k));
  }

  /// Whether a step, or another one at its line, reads literals that were exchanged for a cause.
  bool reads_cause(size_t step, size_t k) const {
    SourceLocation reader = place_of_step(step);
    for (const auto& [of, exchange] : exchanges_) {
      for (size_t i : exchange.exchanged) {
        const GraphDifference& d = exchange.alignment.differences[i];
        if (of != k || d.kind != GraphDifference::Kind::literal) continue;
        SourceLocation place = place_of_step(d.step_a);
        bool same_line = place.line != 0 && place.line == reader.line && place.file == reader.file;
        if (same_line || d.step_a == step) return true;
      }
    }
    return false;
  }

  SourceLocation place_of_step(size_t step) const {
    return diagnosis::place_of(located(request_.subject->program(), step));
  }

  /// A repair that does not reach all cases of its cause, or that breaks others, proves nothing.
  void judge_proofs() {
    for (const auto& [k, reach] : reach_) {
      Cause& cause = causes_[k].finding.cause;
      if (cause.proof != Proof::proven) continue;
      cause.reach = reach;
      if (!reach.complete()) cause.proof = Proof::supported;
    }
  }

  /// What the proof of a cause exchanges, or would at further cases: the finding names one number.
  void name_further_numbers(size_t k) {
    Finding& finding = causes_[k].finding;
    if (finding.cause.literal.empty() || finding.cause.proof < Proof::supported) return;
    std::vector<diagnosis::Exchange> exchanges = exchanges_of({k});
    bool traced = request_.subject->origins() != nullptr;
    // The smallest case may do without some.
    constexpr size_t most_cases = 3;
    std::vector<Case> cases{*finding.smallest_case};
    for (const Case& c : causes_[k].cases) {
      if (cases.size() < most_cases && c != cases[0]) cases.push_back(c);
    }
    for (const Case& c : cases) {
      if (out_of_time_ || no_more()) break;
      if (auto all = exchange_by_line(c, k, traced)) exchanges.push_back(*std::move(all));
    }
    diagnosis::name_further_numbers(*request_.subject, exchanges, finding);
  }

  Diagnosis diagnose_at(const Case& c, Judgement judgement, bool with_boundary,
                        bool this_case = false) const {
    DiagnosisRequest s = request_;
    s.this_case = this_case;
    s.failing = c;
    s.judgement = std::move(judgement);
    s.with_boundary = with_boundary;
    return diagnose(s);
  }

  Judgement judge(const Case& c) const {
    return request_.judge(options_.context->subject->runner, c);
  }

  bool fails_alike(const Judgement& judgement, const Case& c) const {
    return judgement.verdict == Judgement::Verdict::violated &&
           options_.key(c, judgement) == group_.key;
  }

  /// Sets each cause down that the diagnosis at `c` found; the indices of all of them.
  std::vector<size_t> note(Diagnosis& diagnosis, const Case& c) {
    std::vector<size_t> found;
    for (size_t i = 0; i < diagnosis.findings.size(); ++i) {
      Finding& f = diagnosis.findings[i];
      size_t k = known(f);
      // Beside a known cause, only what is more than a suspicion.
      if (k == causes_.size() && k > 0 && f.cause.proof < Proof::supported) continue;
      if (k == causes_.size()) {
        Explained& fresh = causes_.emplace_back();
        fresh.finding = std::move(f);
        fresh.first = c;
      }
      found.push_back(k);
      if (i < diagnosis.exchanges.size()) exchanges_.emplace_back(k, diagnosis.exchanges[i]);
      for (const Omission& line : diagnosis.omitted) omitted_.emplace_back(k, line);
    }
    if (found.size() > 1) together_.insert(found.begin(), found.end());
    bool all = found.size() == diagnosis.findings.size();
    if (all && diagnosis.repaired) {
      // What repairs less is tried first.
      auto more = [&](const Repair& r) { return r.causes.size() > found.size(); };
      repairs_.insert(std::find_if(repairs_.begin(), repairs_.end(), more),
                      {found, diagnosis.repaired});
    }
    return found;
  }

  size_t known(const Finding& f) const {
    auto same = [&](const Explained& e) { return same_cause(e.finding, f); };
    return static_cast<size_t>(std::find_if(causes_.begin(), causes_.end(), same) -
                               causes_.begin());
  }

  /// The causes that a case has: those whose repair cures it, else what its own diagnosis finds.
  Causes causes_of(const Case& c, const Judgement* judgement = nullptr) {
    if (no_more()) return {{}, false, false};
    if (auto causes = cured_by_known(c); !causes.empty()) return {causes, true};
    if (no_more()) return {{}, false, false};  // Over while repairs were tried: that tells nothing.
    if (diagnoses_left_ <= 0) return {};
    if (options_.clock() >= last_start_) {
      out_of_time_ = true;
      return {{}, false, false};
    }
    --diagnoses_left_;
    Judgement own = judgement ? *judgement : judge(c);
    if (!fails_alike(own, c)) return {{}, false, false};
    Diagnosis diagnosis = diagnose_at(c, own, false);
    if (diagnosis.out_of_time) return {{}, false, false};
    std::vector<size_t> causes = note(diagnosis, c);
    bool cured = is_cured(diagnosis, c);
    if (!cured && diagnosis.repaired) {  // It is of one of several faults that the case has.
      Diagnosis of_all = diagnose_at(c, std::move(own), false, true);
      cured = is_cured(of_all, c);
      if (cured) causes = note(of_all, c);
    }
    return {causes, cured};
  }

  static bool is_cured(const Diagnosis& diagnosis, const Case& c) {
    return diagnosis.repaired && diagnosis.repaired(c).verdict == Judgement::Verdict::holds;
  }

  /// The causes whose repairs cure the case, each alone or together; empty where they do not.
  std::vector<size_t> cured_by_known(const Case& c) const {
    for (const Repair& repair : repairs_) {
      if (repair.judge(c).verdict != Judgement::Verdict::holds) continue;
      std::set<size_t> causes(repair.causes.begin(), repair.causes.end());
      return causes.size() == 1 ? repair.causes : needed_of(std::move(causes), c);
    }
    if (auto together = repaired_together(c); !together.empty()) return together;
    // Where a trace tells where numbers come from, it is safe to take a few to be of the line, too.
    for (size_t k = 0; k < causes_.size(); ++k) {
      if (cures_by_line(c, k, request_.subject->origins() != nullptr)) return {k};
    }
    return {};
  }

  /// The causes whose repairs cure the case only together: those of one cause at several places
  /// (two sizes at one line), or several causes. Empty where they do not, or there are not several.
  std::vector<size_t> repaired_together(const Case& c) const {
    if (exchanges_.size() + omitted_.size() < 2 || !request_.exporter) return {};
    std::set<size_t> all;
    for (const auto& [k, exchange] : exchanges_) all.insert(k);
    for (const auto& [k, line] : omitted_) all.insert(k);
    if (!cures_together(c, all)) return {};
    return needed_of(std::move(all), c);
  }

  /// Of causes whose repairs cure a case together, those without which they do not.
  std::vector<size_t> needed_of(std::set<size_t> causes, const Case& c) const {
    for (size_t k : std::set<size_t>(causes)) {
      if (causes.size() == 1) break;
      std::set<size_t> without = causes;
      without.erase(k);
      if (cures_together(c, without)) causes = std::move(without);
    }
    return {causes.begin(), causes.end()};
  }

  /// What repairs these causes.
  std::vector<diagnosis::Exchange> exchanges_of(const std::set<size_t>& causes) const {
    std::vector<diagnosis::Exchange> out;
    for (const auto& [k, exchange] : exchanges_) {
      if (causes.count(k)) out.push_back(exchange);
    }
    return out;
  }

  /// The lines of the model that the export lacks for these causes.
  std::vector<Omission> omitted_of(const std::set<size_t>& causes) const {
    std::vector<Omission> out;
    for (const auto& [k, line] : omitted_) {
      if (causes.count(k)) out.push_back(line);
    }
    return out;
  }

  /// Whether the repairs of these causes cure the case.
  bool cures_together(const Case& c, const std::set<size_t>& causes) const {
    std::vector<diagnosis::Exchange> set = exchanges_of(causes);
    std::vector<Omission> lines = omitted_of(causes);
    if (!request_.exporter || (set.empty() && lines.empty())) return false;
    diagnosis::JudgeRunner judge = request_.judge;
    if (!lines.empty()) {
      judge = [&](const std::shared_ptr<Runner>& runner, const Case& at) {
        return request_.judge_without(lines, runner, at);
      };
    }
    if (set.empty()) return judge(nullptr, c).verdict == Judgement::Verdict::holds;
    auto repaired = diagnosis::repair_by_all(std::move(set), judge, *request_.exporter);
    return repaired(c).verdict == Judgement::Verdict::holds;
  }

  /// What several causes together made fail, for each by itself, with the others repaired.
  void tell_apart() {
    std::set<size_t> alone;
    for (size_t k : together_) {
      if (is_told_alone(k)) alone.insert(k);
    }
    for (size_t k : together_) note_companions(k, alone.count(k) > 0);
  }

  bool is_told_alone(size_t k) {
    if (!request_.exporter) return false;
    std::set<size_t> others = together_;
    others.erase(k);
    diagnosis::Alone alone{&request_, exchanges_of(others), start_of(k), shrink_in_time()};
    if (alone.others.empty()) return false;
    auto tell = [&] { return !time_is_up() && diagnosis::tell_alone(alone, causes_[k].finding); };
    if (tell()) return true;
    // A smaller case may do without this cause: the one at which it was found has it.
    for (const diagnosis::Exchange& exchange : exchanges_of({k})) {
      if (!exchange.other->exported_at) continue;
      alone.start = *exchange.other->exported_at;
      if (tell()) return true;
    }
    return false;
  }

  /// Names the other causes that the smallest case of one has.
  void note_companions(size_t k, bool alone) {
    std::vector<std::string>& notes = causes_[k].finding.evidence.notes;
    std::vector<size_t> needed = cured_by_known(*causes_[k].finding.smallest_case);
    if (needed.empty())
      needed.assign(together_.begin(), together_.end());  // For all that is known.
    for (size_t other : needed) {
      if (other == k) continue;
      const Finding& f = causes_[other].finding;
      notes.push_back(fmt::format("the smallest case needs this repair and that of {} at {}:{}, {}",
                                  f.class_id, base_name(f.cause.file), f.cause.line, f.cause.op));
    }
    if (!alone || needed.size() < 2) return;
    notes.push_back("it shows beside other findings only: told here with those repaired");
  }

  decltype(ExplainOptions::shrink) shrink_in_time() const {
    if (!options_.shrink) return nullptr;
    return [this](const Point& start, const std::function<bool(const Point&)>& fails) {
      options_.shrink(start, [&](const Point& p) { return !time_is_up() && fails(p); });
    };
  }

  /// A case that has this cause: without others, where one was met.
  const Case& start_of(size_t k) const {
    const Explained& cause = causes_[k];
    return cause.cases.empty() ? *cause.finding.smallest_case : cause.cases.front();
  }

  void count_case(const Case& c, const Causes& causes) {
    if (causes.of.empty()) return;
    for (size_t k : causes.of) causes_[k].count += k == 0 ? 0 : 1;
    if (causes.of.size() == 1) causes_[causes.of[0]].cases.push_back(c);
    bool main = std::find(causes.of.begin(), causes.of.end(), 0) != causes.of.end();
    if (main) return;
    --causes_[0].count;
    if (c == group_.first) causes_[0].first = group_.smallest;
  }

  /// The causes of one case; any that is new is shrunk and explained at its smallest.
  Causes separate(const Case& c) {
    size_t before = causes_.size();
    Causes found = causes_of(c);
    for (size_t k = before; k < causes_.size(); ++k) explain_smallest(k, c);
    return found;
  }

  void explain_smallest(size_t k, const Case& start) {
    std::vector<Case> path{start};
    int left = std::exchange(diagnoses_left_, shrink_diagnoses);
    if (may_shrink(start)) shrink_within(k, path);
    diagnoses_left_ = left;
    // A repair may cure for another reason than the fault's: the diagnosis has the last word.
    for (; !path.empty(); path.pop_back()) {
      Judgement judgement = judge(path.back());
      if (!fails_alike(judgement, path.back())) continue;
      Diagnosis diagnosis = diagnose_at(path.back(), std::move(judgement), true);
      for (Finding& f : diagnosis.findings) {
        if (!same_cause(f, causes_[k].finding)) continue;
        causes_[k].finding = std::move(f);
        return;
      }
    }
  }

  bool may_shrink(const Case& c) const {
    return options_.shrink && request_.only == nullptr && !c.given &&
           in_domain(*request_.spec, c.point);
  }

  /// Walks to ever simpler cases of one cause, and sets them down.
  void shrink_within(size_t k, std::vector<Case>& path) {
    const Point start = path.front().point;
    auto has_this_cause = [&](const Point& point) {
      Case c = build_case(*request_.spec, point);
      Judgement judgement = judge(c);
      if (!fails_alike(judgement, c)) return false;
      std::vector<size_t> causes = causes_of(c, &judgement).of;
      if (std::find(causes.begin(), causes.end(), k) == causes.end()) return false;
      path.push_back(std::move(c));
      return true;
    };
    options_.shrink(start, has_this_cause);
  }

  const ExplainOptions& options_;
  const FailureGroup& group_;
  const std::vector<Case>& held_;
  DiagnosisRequest request_;
  std::vector<Explained> causes_;
  std::vector<Repair> repairs_;
  /// What was exchanged for proofs, with the cause.
  std::vector<std::pair<size_t, diagnosis::Exchange>> exchanges_;
  /// What the model had to do without for proofs, with the cause.
  std::vector<std::pair<size_t, Omission>> omitted_;
  std::set<size_t> together_;      // Causes that one diagnosis found beside others.
  std::map<size_t, Reach> reach_;  // By position in causes_.
  int diagnoses_left_ = 0;
  double end_ = 0;         // Of the time for trying repairs.
  double last_start_ = 0;  // No diagnosis of a further case begins later.
  bool out_of_time_ = false;
};

}  // namespace

Separated separate_causes(const ExplainOptions& options, const FailureGroup& group,
                          const std::vector<Case>& held, const DiagnosisRequest& request) {
  return Separation(options, group, held, request).run();
}

}  // namespace assay::verify
