#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/session.h"
#include "verify/diagnosis/diagnose.h"

namespace assay::fuzz {

/// One cause behind a kind of failure.
struct Explained {
  verify::Finding finding;  ///< At the smallest case that has it.
  verify::Case first;       ///< As first met.
  int64_t count = 0;        ///< Of the campaign's cases, as far as they were told apart.
  /// Judge cases with the fault repaired, each as one diagnosis proved it.
  std::vector<std::function<verify::Judgement(const verify::Case&)>> repairs;
};

/// Explains the failures of one campaign.
class Explainer {
 public:
  Explainer(const SessionRequest& request, const verify::PropertyContext& context)
      : r_(request), context_(context) {}

  /// The causes behind one kind of failure: that of the smallest case first, then any other that
  /// one of its cases has, shrunk within class, visibility and source line. Cases that the repair
  /// of a cause cures have that cause; the others are diagnosed themselves, a few of them. Empty
  /// where what differs is what the model itself asks for (AS901). What cannot be diagnosed is
  /// still explained as far as it was observed.
  std::vector<Explained> explain(const Failure& failure, const CampaignResult& result) const;

  /// What was observed, as a finding without a cause.
  verify::Finding unexplained(const Failure& failure) const;

  using SubjectJudge =
      std::function<verify::Judgement(const std::shared_ptr<verify::Runner>&, const verify::Case&)>;
  /// The property with another subject in place of the one under test.
  SubjectJudge judge_of(const std::string& property) const;

  /// The only cases that the property can be judged at; null where there is no such bound.
  const std::vector<verify::Case>* only_cases(const std::string& property) const;

 private:
  std::optional<verify::Case> right_case(const Failure& failure,
                                         const CampaignResult& result) const;

  const SessionRequest& r_;
  const verify::PropertyContext& context_;
};

}  // namespace assay::fuzz
