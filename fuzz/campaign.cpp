#include "fuzz/campaign.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "fuzz/progress.h"
#include "fuzz/sequence.h"
#include "fuzz/shrink/point.h"
#include "fuzz/tally.h"

namespace assay::fuzz {

using verify::Case;
using verify::FailureGroup;
using verify::Judgement;
using verify::Listener;
using verify::Point;
using verify::Property;

namespace {

/// Cases of one kind of failure that are kept for the diagnosis.
constexpr size_t max_others = 100;

class Campaign {
 public:
  Campaign(const verify::PropertyContext& context,
           const std::vector<std::shared_ptr<const Property>>& properties,
           const CampaignOptions& options)
      : context_(context),
        properties_(properties),
        options_(options),
        account_(options.budget, options.clock, options.interrupted),
        sequence_(context, options),
        tally_(context, properties),
        pool_(context, tally_.active(), options.helpers,
              {.hints = options.hints,
               .max_elements = options.max_elements,
               .looks_at = [this](const Case& c) { return hears_of(c); },
               .interrupted = options.interrupted}),
        progress_(options.listeners, account_, sequence_.planned()) {}

  CampaignResult run() {
    result_.totals.remembered = sequence_.remembered();
    progress_.tell("cases", true);
    std::string stopped;
    while ((stopped = account_.stopped_by()).empty()) {
      account_.begin_cases();
      Stretch* judged = next();
      if (!judged) break;
      account_.add_cases(judged->cases());
      tally_.counts().add(std::move(judged->counts));
      if (judged->last) add(*judged->last);
      if (judged->ends) {
        stopped = account_.stopped_by();
        break;
      }
      progress_.tell("cases");
    }
    finish(stopped);
    return std::move(result_);
  }

 private:
  /// The sequence's next cases, judged. Cases that were judged ahead and are not asked for any more
  /// are dropped.
  Stretch* next() {
    while (!pool_.full() && account_.cases() + pool_.held() < options_.budget.max_examples) {
      if (pool_.held() > 0 && !has_time_for_another(1)) break;
      bool last = !has_time_for_another(2);
      std::optional<Turn> turn = last ? at_other_sizes() : std::nullopt;
      if (!turn) turn = sequence_.next();
      if (!turn) break;
      pool_.hand_over(std::move(*turn), account_.cases() + pool_.held() + 1);
    }
    return pool_.held() > 0 ? &pool_.take_back() : nullptr;
  }

  /// Whether so many cases more than those handed over end in time.
  bool has_time_for_another(int64_t count) const {
    return account_.has_time_for(pool_.rounds(pool_.held() + count));
  }

  std::optional<Turn> at_other_sizes() const {
    return sequence_.at_other_sizes(
        [this](const std::string& letter) { return tally_.sizes_of(letter); });
  }

  bool hears_of(const Case& c) const {
    return std::ranges::any_of(options_.listeners,
                               [&](const Listener* listener) { return listener->hears_of(c); });
  }

  /// A case that somebody is to be told of, or that fails.
  void add(const JudgedCase& judged) {
    if (judged.failed) std::rethrow_exception(judged.failed);
    const Case& c = *judged.tested;
    std::vector<int> failures(properties_.size(), -1);
    for (size_t i = 0; i < properties_.size(); ++i) {
      if (!judged.judgements[i]) continue;
      const Judgement& judgement = *judged.judgements[i];
      for (Listener* listener : options_.listeners) {
        if (listener->hears_of(c)) listener->case_judged(*properties_[i], c, judgement);
      }
      if (judgement.verdict == Judgement::Verdict::violated) {
        failures[i] = add_failure(i, c, judgement);
      }
    }
    tally_.counts().add(judged, failures);
  }

  Judgement judge(const Property& property, const Case& c) { return pool_.judge(property, c); }

  /// The index of the failure that the judgement belongs to.
  int add_failure(size_t i, const Case& c, const Judgement& judgement) {
    std::string key = options_.key(c, judgement);
    const std::string property = tally_.name(i);
    for (size_t k = 0; k < result_.failures.size(); ++k) {
      FailureGroup& known = result_.failures[k];
      if (known.property != property || known.key != key) continue;
      ++known.count;
      if (known.others.size() < max_others) known.others.push_back(c);
      // Where a reference has certain cases only, the simplest of them is as good as it gets.
      if (sequence_.closed() && !c.given &&
          simpler(*context_.spec, c.point, known.smallest.point)) {
        known.smallest = c;
        known.judgement = judgement;
      }
      return static_cast<int>(k);
    }
    FailureGroup failure;
    failure.property = property;
    failure.key = key;
    failure.visibility = visibility_of(judgement.comparison);
    failure.first = failure.smallest = c;
    failure.judgement = judgement;
    failure.count = 1;
    for (Listener* listener : options_.listeners) {
      listener->failure_found(*properties_[i], c, judgement, key);
    }
    failure.flaky = !repeats(*properties_[i], c, key);
    tally_.add_kind(i, failure.flaky);
    account_.add_failure();
    result_.failures.push_back(std::move(failure));
    size_t at = result_.failures.size() - 1;
    shrink_failure(*properties_[i], at);
    return static_cast<int>(at);
  }

  bool repeats(const Property& property, const Case& c, const std::string& key) {
    for (int k = 0; k < options_.confirmations; ++k) {
      Judgement again = judge(property, c);
      if (again.verdict != Judgement::Verdict::violated || options_.key(c, again) != key) {
        return false;
      }
    }
    return true;
  }

  void shrink_failure(const Property& property, size_t at) {
    const FailureGroup& start = result_.failures[at];
    if (!options_.shrink || start.flaky || start.first.given || sequence_.closed() ||
        !in_domain(*context_.spec, start.first.point)) {
      return;
    }
    std::string key = start.key;
    auto spec = std::make_shared<const verify::Spec>(*context_.spec);
    rc::Shrinkable<Point> first = shrinkable_point(spec, start.first.point);
    auto attempt = [&](const Point& point) {
      ++result_.totals.shrinks;
      progress_.tell("shrinking");
      Case smaller = build_case(*context_.spec, point);
      Judgement judgement = judge(property, smaller);
      Attempt out;
      out.fails = judgement.verdict == Judgement::Verdict::violated;
      if (!out.fails) return out;
      out.key = options_.key(smaller, judgement);
      if (out.key == key) keep_smaller(property, at, smaller, std::move(judgement));
      return out;
    };
    ShrinkLimits limits{options_.budget.max_shrinks, account_.shrink_stop()};
    Shrunk shrunk = shrink(std::move(first), key, attempt, limits);
    result_.failures[at].shrunk_fully = shrunk.complete;
    for (const auto& [point, other] : shrunk.other_failures) add_unfollowed(property, point, other);
  }

  void keep_smaller(const Property& property, size_t at, const Case& smaller, Judgement judgement) {
    FailureGroup& failure = result_.failures[at];
    failure.smallest = smaller;
    failure.path.push_back(smaller);
    failure.judgement = std::move(judgement);
    for (Listener* listener : options_.listeners) {
      listener->failure_shrunk(property, smaller, failure.key);
    }
  }

  /// A failure met while shrinking another: noted as it is, found again and shrunk if the campaign
  /// comes by.
  void add_unfollowed(const Property& property, const Point& point, const std::string& key) {
    for (const FailureGroup& known : result_.failures) {
      if (known.property == property.id() && known.key == key) return;
    }
    Case c = build_case(*context_.spec, point);
    Judgement judgement = judge(property, c);
    if (judgement.verdict != Judgement::Verdict::violated) return;
    if (options_.key(c, judgement) != key) return;
    for (size_t i = 0; i < properties_.size(); ++i) {
      if (properties_[i].get() == &property && account_.stopped_by().empty()) {
        auto at = static_cast<size_t>(add_failure(i, c, judgement));
        --result_.failures[at].count;  // Not one of the campaign's cases.
      }
    }
  }

  void finish(const std::string& stopped) {
    tally_.conclude(result_);
    if (sequence_.closed()) {
      result_.not_tested.push_back(
          fmt::format("everything but the {} cases that the reference holds", sequence_.held()));
    }
    for (const FailureGroup& failure : result_.failures) result_.totals.failed += failure.count;
    result_.totals.stopped_by = stopped;
    progress_.tell("cases", true);
  }

  const verify::PropertyContext& context_;
  const std::vector<std::shared_ptr<const Property>>& properties_;
  const CampaignOptions& options_;
  BudgetTracker account_;
  Sequence sequence_;
  Tally tally_;
  JudgePool pool_;
  ProgressReporter progress_;
  CampaignResult result_;
};

}  // namespace

CampaignResult run_campaign(const verify::PropertyContext& context,
                            const std::vector<std::shared_ptr<const Property>>& properties,
                            const CampaignOptions& options) {
  base::invariant(context.spec != nullptr && context.subject != nullptr,
                  "a campaign needs a spec and a subject");
  return Campaign(context, properties, options).run();
}

}  // namespace assay::fuzz
