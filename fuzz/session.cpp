#include "fuzz/session.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "engine/base/error.h"
#include "fuzz/guard_cases.h"
#include "fuzz/second_opinion.h"
#include "fuzz/shrink/point.h"
#include "fuzz/summary.h"
#include "verify/cases/reproduce.h"
#include "verify/diagnosis/axis.h"
#include "verify/diagnosis/boundary.h"
#include "verify/diagnosis/explain.h"
#include "verify/diagnosis/joint.h"
#include "verify/diagnosis/origin.h"
#include "verify/run/exporter_in_time.h"
#include "verify/run/recalling_runner.h"
#include "verify/spec/parser.h"

namespace assay::fuzz {

using namespace verify;  // NOLINT: a session is about everything that verify names.

namespace {

/// For PyTorch's runs of cases that the engine has run: at least so many seconds, or that share of
/// what the campaign took. Where PyTorch takes over, the second campaign has the rest of the time,
/// and at least that share.
constexpr double least_seconds = 2, share_of_time = 0.1;
/// Of its time, and in seconds, what a campaign has at least that begins late.
constexpr double least_share = 0.25, enough_seconds = 5;
/// Seconds for all that follows a campaign, where the time was not enough for it.
constexpr double seconds_to_explain = 4;

/// Exports that a check makes to ask the model what rounding excuses.
constexpr int most_doubts = 16;

class Session {
 public:
  explicit Session(const SessionRequest& request)
      : r_(request),
        explainer_({&context_, &r_.properties, r_.exported, r_.exporter, r_.campaign.key,
                    shrinker(), r_.campaign.interrupted, [this] { return over(); },
                    r_.campaign.clock}) {
    report_ = r_.header;
    report_.spec = r_.spec;
    report_.reference = reference_text();
    report_.alone.is = !r_.reference.runner;
    report_.run.config_hash = short_hash(spec_text(r_.spec));
    subject_ = r_.subject;
    reference_ = r_.reference;
    if (reference_.runner && !reference_.runner->only_cases()) {
      recalling_ = std::make_shared<verify::RecallingRunner>(reference_.runner);
      reference_.runner = recalling_;
    }
    context_.spec = &r_.spec;
    context_.subject = &subject_;
    context_.reference = reference_.runner ? &reference_ : nullptr;
    context_.compare = r_.compare;
    if (r_.exporter) {
      context_.exporter = &doubts_.emplace(
          *r_.exporter, [this, left = most_doubts]() mutable { return over() || left-- <= 0; });
    }
    double most = r_.campaign.budget.max_seconds;
    if (most > 0) due_ = r_.campaign.clock() + most - r_.seconds_spent;
  }

  RunReport run() {
    tell([&](Listener& l) { l.run_started(report_); });
    plan_guards();
    CampaignResult result = campaign();
    report_.guards = guards_.report;
    doubt_what_the_trace_doubts();
    begin_to_explain();
    if (recalling_) recalling_->recall();
    explain(result);
    if (over() && !r_.campaign.interrupted()) {
      report_.not_tested.push_back(
          "not everything was explained and measured: the time of the check was over (--time)");
    }
    std::string remark = subject_.runner->remark();
    if (!remark.empty()) report_.not_tested.push_back(std::move(remark));
    summarize(
        r_, result, boundaries_, [&] { return over(); }, report_);
    miss_accepted();
    report_.gate = decide(r_.gate, report_);
    tell([&](Listener& l) { l.run_finished(report_); });
    return std::move(report_);
  }

 private:
  /// Whether nothing further is to be looked into.
  bool over() const { return r_.campaign.interrupted() || (end_ && r_.campaign.clock() >= *end_); }

  /// From now on little is left where the time is over already.
  void begin_to_explain() {
    if (due_) end_ = std::max(*due_, r_.campaign.clock()) + seconds_to_explain;
  }

  /// Budgets of a campaign that begins now.
  CampaignOptions in_time(CampaignOptions options) const {
    double& most = options.budget.max_seconds;
    if (!due_) return options;
    if (r_.max_diagnoses == 0) options.budget.share_once_failing = 1;
    double least = std::min(most * least_share, enough_seconds);
    most = std::max(*due_ - r_.campaign.clock(), least);
    return options;
  }

  template <typename F>
  void tell(F what) {
    for (Listener* l : r_.campaign.listeners) what(*l);
  }

  /// Cases in which a condition of the trace is false come first, and are noted.
  void plan_guards() {
    const CampaignOptions& c = r_.campaign;
    bool closed = reference_.runner && reference_.runner->only_cases();
    if (!r_.exported || closed) return;
    double end = c.clock() + c.budget.max_seconds * least_share;
    auto too_late = [&](double seconds) {
      return c.interrupted() || (due_ && c.clock() + seconds >= end);
    };
    try {
      guards_ = guard_cases(r_.spec, *r_.exported, r_.exporter, c.hints, c.seed, too_late);
    } catch (const base::Error& e) {
      report_.not_tested.push_back("conditions of the trace: " + e.message());
    }
    campaign_.hints.otherwise = guards_.points;
    campaign_.listeners.push_back(&guard_listener_);
  }

  /// An archive alone has not passed where its own trace says that it is not right everywhere: no
  /// model is there to tell what it should give.
  void doubt_what_the_trace_doubts() {
    const RunReport::Guards& g = report_.guards;
    if (!report_.alone.is || !g.traced || g.for_all_sizes) return;
    report_.alone.doubts.push_back(
        fmt::format("by its own conditions the trace is {}, and there is no model to tell what it "
                    "should give elsewhere; --against names one, or a recording",
                    g.sentence.starts_with("a number") || g.sentence.starts_with("numbers")
                        ? "one with " + g.sentence
                        : g.sentence));
  }

  /// The campaign in assay's engine; or, as soon as PyTorch is seen to run the archive otherwise
  /// than the engine, one in PyTorch: what fails there is what a user of the export meets.
  CampaignResult campaign() {
    const CampaignOptions c = in_time(campaign_);
    if (!subject_.in_pytorch || !subject_.handover) {
      return run_campaign(context_, r_.properties, c);
    }
    HostSample sample(*subject_.in_pytorch, c.first, c.seed);
    CampaignOptions options = c;
    options.listeners.push_back(&sample);
    double start = c.clock();
    CampaignResult result = run_campaign(context_, r_.properties, options);
    bool by_engine = subject_.runner->remark().empty();
    if (!by_engine) return result;
    bool by_pytorch =
        reference_.kind == ReferenceKind::host || reference_.kind == ReferenceKind::recording;
    double end = c.clock() + std::max(least_seconds, share_of_time * (c.clock() - start));
    begin_to_explain();
    auto stop = [&] { return over() || c.clock() >= end; };
    auto fits = [&](double seconds) { return !end_ || c.clock() + seconds < *end_; };
    SecondOpinion opinion =
        second_opinion(explainer_, subject_, result, by_pytorch ? &sample : nullptr, stop, fits);
    if (!opinion.otherwise_at) {
      report_.in_pytorch = std::move(opinion.runs);
      return result;
    }
    hand_over(opinion, result);
    return campaign_in_pytorch(opinion);
  }

  /// Sets down what is assay's own and has PyTorch run the archive from now on.
  void hand_over(const SecondOpinion& opinion, const CampaignResult& result) {
    auto note = [&](const FailureGroup& failure) {
      for (Explained& cause : explainer_.explain(failure, {}))
        of_assay_.push_back(std::move(cause));
    };
    for (const FailureGroup& failure : opinion.of_assay) note(failure);
    for (const FailureGroup& failure : result.failures) {
      if (explainer_.is_about_assay(failure.property)) note(failure);
    }
    subject_.handover->hand_over(
        fmt::format("assay's engine runs the archive otherwise than PyTorch at {}",
                    describe(*opinion.otherwise_at)));
    subject_.optimized = nullptr;  // It is the engine's.
  }

  CampaignResult campaign_in_pytorch(const SecondOpinion& opinion) {
    CampaignResult result = run_campaign(context_, r_.properties, in_time(campaign_));
    if (!opinion.failure || !result.failures.empty()) return result;
    // It was seen to fail, if only once, or beyond the end of the second campaign.
    for (Outcome& o : result.outcomes) {
      if (o.property != opinion.failure->property) continue;
      o.status = opinion.failure->flaky ? Status::flaky : Status::failed;
    }
    ++result.totals.failed;
    result.failures.push_back(*opinion.failure);
    return result;
  }

  /// What became of one kind of failure.
  struct Found {
    std::vector<size_t> findings;  ///< Indices, that of the smallest case first.
    /// Those of cases that were looked into, by sizes and choices.
    std::map<std::pair<Bindings, base::FlatMap<std::string>>, size_t> at;
  };

  std::string reference_text() const {
    if (!r_.reference.runner) return "itself";
    const Reference& reference = r_.reference;
    return fmt::format("{}: {}", reference_kind_name(reference.kind),
                       reference.name.empty() ? reference.runner->name() : reference.name);
  }

  void explain(CampaignResult& result) {
    size_t kinds = result.failures.size();
    found_in_.resize(kinds);
    for (size_t i = 0; i < kinds; ++i) {
      const FailureGroup& failure = result.failures[i];
      if (i < r_.max_diagnoses) {
        found_in_[i] = explain(failure, result);
      } else {  // What is not diagnosed is still a failure.
        Explained met{explainer_.unexplained(failure), failure.first, failure.count, {}};
        found_in_[i].findings = {merge(std::move(met))};
      }
    }
    if (kinds > r_.max_diagnoses) {
      report_.not_tested.push_back(
          fmt::format("{} further kinds of failure were not diagnosed", kinds - r_.max_diagnoses));
    }
    try {
      measure_other_letters(result);
    } catch (const base::Error& e) {
      report_.not_tested.push_back("boundaries of the letters without a finding: " + e.message());
    }
    tell_joint_boundaries(result);
    number_findings(result);
    acquit(result);
  }

  /// Where a fault depends on more sizes than the one that it was measured along, says so: no case
  /// of the report may contradict a boundary.
  void tell_joint_boundaries(const CampaignResult& result) {
    for (size_t i = 0; i < report_.findings.size(); ++i) {
      Finding& f = report_.findings[i];
      if (!f.smallest_case || f.flaky || over()) continue;
      const Case& base = f.right_case ? *f.right_case : *f.smallest_case;
      auto judged = judged_sizes(result, i, base);
      std::optional<std::string> joint;
      for (Boundary& b : f.boundaries) {
        bool alone = !b.axis.is_size() || std::none_of(judged.begin(), judged.end(),
                                                       [&](auto& j) { return contradicts(b, j); });
        if (alone) continue;
        if (!joint) joint = joint_condition(f, base, judged);
        b.joint = *joint;
        b.otherwise_elsewhere = joint->empty();
      }
    }
  }

  /// "h*w > 64"; empty where none is found.
  std::string joint_condition(const Finding& f, const Case& base,
                              const std::vector<diagnosis::JudgedSizes>& judged) const {
    auto rule = diagnosis::measure_joint(r_.spec, base, judged, joint_judge(f));
    return rule ? rule->text() : "";
  }

  /// The cases of one finding, and those that hold with the choices of `base`.
  std::vector<diagnosis::JudgedSizes> judged_sizes(const CampaignResult& result, size_t finding,
                                                   const Case& base) const {
    std::vector<diagnosis::JudgedSizes> out;
    for (const CampaignPoint& p : result.points) {
      if (p.point.property != report_.findings[finding].property) continue;
      bool fails = finding_of(p) == finding;
      bool holds = p.point.verdict == verdict_name(Judgement::Verdict::holds) &&
                   p.point.choices == base.point.choices;
      if (fails || holds) out.push_back({p.point.sizes, fails});
    }
    return out;
  }

  /// Judges further sizes; null where they cannot be, or where another fault would be taken for
  /// this one.
  Judge joint_judge(const Finding& f) const {
    bool alone = std::none_of(
        report_.findings.begin(), report_.findings.end(),
        [&](const Finding& other) { return &other != &f && other.property == f.property; });
    if (!alone || explainer_.only_cases(f.property)) return nullptr;
    return letter_judge(f.property);
  }

  /// How the explainer makes cases small: the campaign's walk, within the campaign's limits.
  decltype(ExplainOptions::shrink) shrinker() const {
    if (!r_.campaign.shrink) return nullptr;
    return [this](const Point& start, const std::function<bool(const Point&)>& fails) {
      const CampaignOptions& c = r_.campaign;
      double end = c.clock() + c.budget.max_shrink_seconds;
      ShrinkLimits limits{c.budget.max_shrinks, [&] { return over() || c.clock() >= end; }};
      auto attempt = [&](const Point& point) { return Attempt{fails(point), ""}; };
      auto spec = std::make_shared<const Spec>(r_.spec);
      shrink(shrinkable_point(spec, start), "", attempt, limits);
    };
  }

  std::vector<Explained> explain_group(const FailureGroup& failure, const CampaignResult& result) {
    auto held = result.right.find(failure.property);
    return explainer_.explain(failure,
                              held == result.right.end() ? std::vector<Case>() : held->second);
  }

  /// Adds a finding for each cause of a failure.
  Found explain(const FailureGroup& failure, const CampaignResult& result) {
    Found found;
    std::vector<Explained> causes = explain_group(failure, result);
    if (causes.empty()) {  // The model itself asks for what differs.
      ++report_.benign["AS901"];
      deliberate_.insert(failure.property);
    }
    for (Explained& cause : causes) {
      cause.finding.flaky = failure.flaky;
      std::vector<Case> cases = std::move(cause.cases);
      found.findings.push_back(merge(std::move(cause)));
      for (const Case& c : cases) {
        found.at.emplace(std::pair(c.point.sizes, c.point.choices), found.findings.back());
      }
    }
    return found;
  }

  /// The finding that a case belongs to: the one that was seen to be its cause; else, of those of
  /// its kind of failure and then of all, the first whose boundaries do not call it right; else its
  /// kind's first. Nothing for a case that holds or that shows what the model asks for.
  std::optional<size_t> finding_of(const CampaignPoint& p) const {
    if (p.failure < 0) return std::nullopt;
    const Found& found = found_in_[static_cast<size_t>(p.failure)];
    if (found.findings.empty()) return std::nullopt;
    if (auto seen = found.at.find({p.point.sizes, p.point.choices}); seen != found.at.end()) {
      return seen->second;
    }
    std::vector<size_t> candidates = found.findings;
    for (size_t i = 0; i < report_.findings.size(); ++i) {
      if (report_.findings[i].property == p.point.property) candidates.push_back(i);
    }
    auto may_be = [&](size_t i) {
      const std::vector<Boundary>& all = report_.findings[i].boundaries;
      return std::none_of(all.begin(), all.end(), [&](const Boundary& b) {
        return diagnosis::contradicts(b, {p.point.sizes, true});
      });
    };
    auto first = std::find_if(candidates.begin(), candidates.end(), may_be);
    return first == candidates.end() ? candidates.front() : *first;
  }

  /// Every letter's own boundary, where there is a finding: a case fails in one way, and what else
  /// is pinned may hide behind it. What fails along a letter alone is explained like any failure.
  void measure_other_letters(const CampaignResult& result) {
    if (report_.findings.empty() || over()) return;
    const Finding& first = report_.findings[0];
    if (!first.right_case || first.flaky) return;
    const Case right = *first.right_case;
    const std::string property = first.property;
    const std::optional<Case> hidden_at = case_that_hides_sizes(property, right);
    for (const Dim& dim : r_.spec.dims) {
      FeatureAxis axis = diagnosis::dim_axis(r_.spec, dim.letter);
      bool measured =
          std::any_of(report_.findings.begin(), report_.findings.end(),
                      [&](const Finding& f) { return f.property == property && f.axis == axis; });
      if (measured || !right.point.sizes.count(axis.letter)) continue;
      Boundary boundary = measure_boundary(
          r_.spec, hidden_at.value_or(right), axis,
          hidden_at ? hidden_judge(property, axis.letter, *hidden_at) : letter_judge(property),
          explainer_.only_cases(property));
      if (auto failing = failing_case(r_.spec, boundary, right))
        explain_along(*failing, property, result);
      if (values_decide(property)) leave_open_where_nothing_is_right(boundary);
      if (boundary.possible > 1) boundaries_.push_back(std::move(boundary));
    }
  }

  bool values_decide(const std::string& property) const {
    return std::any_of(report_.findings.begin(), report_.findings.end(), [&](const Finding& f) {
      return f.property == property && f.axis.kind == "value";
    });
  }

  /// A case of a right one's sizes that fails by its values, as do further drawings: then sizes
  /// cannot be told apart from values.
  std::optional<Case> case_that_hides_sizes(const std::string& property, const Case& right) const {
    if (!values_decide(property) || explainer_.only_cases(property)) return std::nullopt;
    Point other = right.point;
    ++other.seed;
    auto point = nearest_point(r_.spec, other);
    if (!point) return std::nullopt;
    Case drawn = build_case(r_.spec, *point);
    bool fails = letter_judge(property)(drawn).verdict == Judgement::Verdict::violated;
    return fails ? std::optional(std::move(drawn)) : std::nullopt;
  }

  /// Judges sizes that values hide: by one drawing, and not at all where the cause is known.
  Judge hidden_judge(const std::string& property, const std::string& letter, const Case& at) const {
    if (is_explained_along(letter, at)) return [](const Case&) { return Judgement{}; };
    auto judge = explainer_.judge_in_time(property);
    return [this, judge](const Case& c) { return judge(subject_.runner, c); };
  }

  /// Whether a case with another size of the letter was looked into, and its cause is known.
  bool is_explained_along(const std::string& letter, const Case& right) const {
    return std::ranges::any_of(found_in_, [&](const Found& found) {
      return std::ranges::any_of(found.at, [&](const auto& seen) {
        auto size = seen.first.first.find(letter);
        return size != seen.first.first.end() && size->second != right.point.sizes.at(letter);
      });
    });
  }

  /// Judges sizes. Where the values decide a finding, a size is right if it is right with some of
  /// the values drawn: what they decide by chance is not the size's doing.
  Judge letter_judge(const std::string& property) const {
    constexpr uint64_t drawings = 8;
    auto judge = explainer_.judge_in_time(property);
    bool by_values = values_decide(property);
    return [this, judge, by_values](const Case& c) {
      Judgement first = judge(subject_.runner, c);
      if (!by_values || c.given || first.verdict != Judgement::Verdict::violated) return first;
      for (uint64_t k = 1; k < drawings; ++k) {
        Point other = c.point;
        other.seed += k;
        Judgement again = judge(subject_.runner, build_case(r_.spec, other));
        if (again.verdict == Judgement::Verdict::holds) return again;
      }
      return first;
    };
  }

  void explain_along(const Case& failing, const std::string& property,
                     const CampaignResult& result) {
    FailureGroup failure;
    failure.property = property;
    failure.first = failure.smallest = failing;
    failure.judgement = explainer_.judge_in_time(property)(subject_.runner, failing);
    if (failure.judgement.verdict != Judgement::Verdict::violated) return;
    failure.visibility = visibility_of(failure.judgement.comparison);
    for (Explained& cause : explain_group(failure, result)) merge(std::move(cause));
  }

  /// A property whose every failure turned out to be what the model itself asks for has held.
  void acquit(CampaignResult& result) const {
    for (Outcome& o : result.outcomes) {
      bool found = std::any_of(report_.findings.begin(), report_.findings.end(),
                               [&](const Finding& f) { return f.property == o.property; });
      if (o.status != Status::failed || found || !deliberate_.count(o.property)) continue;
      o.status = Status::passed;
      o.reason = "what differs is what the model itself asks for (AS901)";
    }
  }

  std::string source_of(const Cause& cause) const {
    if (!r_.source_line) return {};
    std::string text = r_.source_line(cause.file, cause.line);
    return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
  }

  /// The index of the finding that the cause is now, or has become a part of.
  size_t merge(Explained cause) {
    Finding& finding = cause.finding;
    diagnosis::move_to_origin(finding, r_.source_line, r_.exported.get());
    finding.count = cause.count;
    finding.first_case = std::move(cause.first);
    const Difference* headline = finding.comparison.headline();
    if (headline) {
      finding.subject_gave = headline->subject;
      finding.reference_gave = headline->reference;
    }
    for (size_t i = 0; i < report_.findings.size(); ++i) {
      Finding& known = report_.findings[i];
      if (!same_cause(known, finding)) continue;
      finding.count += known.count;
      // What users should know first leads; of equals, what is better proven.
      bool better = std::pair(urgency(finding.visibility), known.cause.proof) <
                    std::pair(urgency(known.visibility), finding.cause.proof);
      if (better) std::swap(known, finding);
      known.elsewhere.insert(finding.visibility);
      known.elsewhere.merge(finding.elsewhere);
      known.cause.reach.add(finding.cause.reach);
      if (!known.cause.reach.complete() && known.cause.proof == Proof::proven) {
        known.cause.proof = Proof::supported;
      }
      known.count = std::max(known.count, finding.count);
      // The same line seen along another axis.
      for (Boundary& b : finding.boundaries) add_boundary(known, std::move(b));
      return i;
    }
    report_.findings.push_back(std::move(finding));
    return report_.findings.size() - 1;
  }

  static void add_boundary(Finding& finding, Boundary boundary) {
    bool known = std::any_of(finding.boundaries.begin(), finding.boundaries.end(),
                             [&](const Boundary& b) { return b.axis == boundary.axis; });
    if (!known) finding.boundaries.push_back(std::move(boundary));
  }

  /// Orders the findings for people, gives them ids and repro strings, and ties points to them.
  void number_findings(CampaignResult& result) {
    std::vector<std::optional<size_t>> of_point;
    for (const CampaignPoint& p : result.points) of_point.push_back(finding_of(p));
    for (Explained& cause : of_assay_) merge(std::move(cause));
    std::vector<size_t> order(report_.findings.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return urgency(report_.findings[a].visibility) < urgency(report_.findings[b].visibility);
    });
    std::vector<Finding> sorted;
    std::vector<std::string> id_of(order.size());
    for (size_t position = 0; position < order.size(); ++position) {
      Finding& f = report_.findings[order[position]];
      f.elsewhere.erase(f.visibility);
      f.elsewhere.erase(Visibility::none);
      f.cause.file = diagnosis::relative_path(f.cause.file);
      f.cause.source = source_of(f.cause);
      f.id = fmt::format("F{}", position + 1);
      id_of[order[position]] = f.id;
      f.repro = repro_of(report_, f);
      f.repro_flags = report_.run.repro_flags;
      mark_accepted(r_.accepted, r_.today, f);
      tell([&](Listener& l) { l.finding(f); });
      sorted.push_back(std::move(f));
    }
    report_.findings = std::move(sorted);
    for (size_t i = 0; i < of_point.size(); ++i) {
      JudgedPoint& point = result.points[i].point;
      if (of_point[i]) point.finding = id_of[*of_point[i]];
      report_.points.push_back(std::move(point));
    }
  }

  /// Accepted faults that a run which looked everywhere, and could compare what it saw, did not
  /// meet.
  void miss_accepted() {
    const std::string& stopped = report_.totals.stopped_by;
    if (report_.totals.valid == 0 || (!stopped.empty() && stopped != "examples")) return;
    for (Finding& gone : no_longer_failing(r_.accepted, report_.findings)) {
      gone.id = fmt::format("F{}", report_.findings.size() + 1);
      tell([&](Listener& l) { l.finding(gone); });
      report_.findings.push_back(std::move(gone));
    }
  }

  const SessionRequest& r_;
  std::optional<double> due_;  // When the campaign's time is over.
  std::optional<double> end_;  // When that of all else is.
  CampaignOptions campaign_ = r_.campaign;
  GuardCases guards_;
  GuardListener guard_listener_{guards_};
  RunReport report_;
  Subject subject_;
  Reference reference_;
  std::shared_ptr<verify::RecallingRunner> recalling_;  // The reference; null for a recording.
  PropertyContext context_;
  std::optional<verify::ExporterInTime> doubts_;  // For what rounding is to excuse.
  Explainer explainer_;
  std::vector<Boundary> boundaries_;  // Of letters that no finding was made on at first.
  std::vector<Found> found_in_;       // By position in CampaignResult::failures.
  std::set<std::string> deliberate_;  // Properties with a failure that is none.
  std::vector<Explained> of_assay_;   // Of the campaign in the engine, before PyTorch took over.
};

}  // namespace

RunReport run_session(const SessionRequest& request) { return Session(request).run(); }

}  // namespace assay::fuzz
