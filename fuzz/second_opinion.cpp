#include "fuzz/second_opinion.h"

#include "verify/run/backed_runner.h"

namespace assay::fuzz {

using verify::Case;
using verify::FailureGroup;
using verify::Judgement;
using Verdict = Judgement::Verdict;

namespace {

class Asking {
 public:
  Asking(const verify::Explainer& explainer, const verify::Subject& subject,
         const std::function<bool()>& stop, const std::function<bool(double)>& fits)
      : explainer_(explainer), subject_(subject), stop_(stop), fits_(fits) {
    if (subject.in_pytorch) in_pytorch_ = verify::handed_over(subject.runner, subject.in_pytorch);
  }

  SecondOpinion run(const CampaignResult& result, const HostSample* sample) {
    for (const FailureGroup& failure : result.failures) {
      if (!stop_()) confirm(failure);
    }
    if (!sample || out_.otherwise_at) return std::move(out_);
    out_.runs.host = subject_.in_pytorch->name();
    out_.runs.passing = sample->passing();
    // The model's run and the archive's.
    if (!fits_(2 * sample->longest_run())) {
      out_.runs.reason = "there was no time left for a case";
      return std::move(out_);
    }
    for (const Case& c : sample->refused()) try_refused(c);
    for (const Case& c : sample->doubtful()) try_passing(c);
    for (const Case& c : sample->drawn()) try_passing(c);
    if (stop_() && out_.runs.reason.empty()) out_.runs.reason = "its share of the time was over";
    return std::move(out_);
  }

 private:
  void confirm(const FailureGroup& failure) {
    verify::Explainer::Confirmation says = explainer_.confirm(failure);
    if (says.ours) out_.of_assay.push_back(failure);
    if (says.ours || says.engine_differs) differs_at(failure.smallest);
  }

  void differs_at(const Case& c) {
    if (!out_.otherwise_at) out_.otherwise_at = c;
  }

  bool over() const { return out_.otherwise_at || stop_(); }

  Judgement judge(const Case& c) const { return explainer_.judge_of("parity")(in_pytorch_, c); }

  void try_refused(const Case& c) {
    if (over()) return;
    Judgement theirs = judge(c);
    bool ran = theirs.verdict != Verdict::not_tested && theirs.verdict != Verdict::errored;
    if (ran) differs_at(c);
  }

  void try_passing(const Case& c) {
    if (over()) return;
    Judgement theirs = judge(c);
    switch (theirs.verdict) {
      case Verdict::holds:
      case Verdict::discarded:
        ++out_.runs.run;
        break;
      case Verdict::violated:
        ++out_.runs.run;
        differs_at(c);
        set_down(c, std::move(theirs));
        break;
      case Verdict::not_tested:
      case Verdict::errored:
        if (out_.runs.reason.empty()) out_.runs.reason = theirs.reason;
    }
  }

  void set_down(const Case& c, Judgement theirs) {
    FailureGroup failure;
    failure.property = "parity";
    failure.first = failure.smallest = c;
    failure.visibility = visibility_of(theirs.comparison);
    failure.judgement = std::move(theirs);
    failure.count = 1;
    failure.flaky = judge(c).verdict != Verdict::violated;
    out_.failure = std::move(failure);
  }

  const verify::Explainer& explainer_;
  const verify::Subject& subject_;
  const std::function<bool()>& stop_;
  const std::function<bool(double)>& fits_;
  std::shared_ptr<verify::Runner> in_pytorch_;  // With the engine's rounding.
  SecondOpinion out_;
};

}  // namespace

SecondOpinion second_opinion(const verify::Explainer& explainer, const verify::Subject& subject,
                             const CampaignResult& result, const HostSample* sample,
                             const std::function<bool()>& stop,
                             const std::function<bool(double)>& fits) {
  return Asking(explainer, subject, stop, fits).run(result, sample);
}

}  // namespace assay::fuzz
