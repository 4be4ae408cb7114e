#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/judge_pool.h"
#include "verify/findings/run_report.h"
#include "verify/properties/property.h"

namespace assay::fuzz {

struct CampaignResult;

/// What the judged cases of a campaign come to: by property, by declared feature, over all, and
/// whether what was compared says anything.
///
/// A case counts as compared where subject and reference both ran and were held against each other;
/// where there is no reference, where the subject was held against itself. What a property about
/// assay itself says does not count.
class Tally {
 public:
  using Properties = JudgePool::Properties;

  /// Both must live longer.
  Tally(const verify::PropertyContext& context, const Properties& properties);

  /// The properties, null where one does not apply.
  const Properties& active() const { return active_; }
  const std::string& name(size_t property) const { return rows_[property].outcome.property; }

  /// One property's judgement of a case.
  void count(size_t property, const verify::Judgement& judgement);
  /// The case, after all its judgements.
  void count_case(const JudgedCase& judged);
  /// A new kind of failure, which repeats or not.
  void add_kind(size_t property, bool flaky);

  /// Decides how each property came out, and hands over everything.
  void conclude(CampaignResult& result);

 private:
  struct Row {
    verify::Outcome outcome;
    int64_t kinds = 0, flaky_kinds = 0, errored = 0, values = 0, nan = 0;
    std::map<std::string, int64_t> not_tested;  // Reason -> cases.
    std::map<std::string, int64_t> in_part;     // Of what was compared and holds.
    std::string error;
  };
  /// An output over the cases so far.
  struct Output {
    core::Value first;
    bool changes = false;
    int64_t cases = 0;
  };

  bool says_of_the_case(size_t property, const verify::Judgement& judgement) const;
  void note_compared(const verify::Case& c, const verify::Judgement& lead);
  void note_missed(const verify::Case& c, const std::string& reason);
  void note_outputs(const std::string& place, const core::Value& value);
  void note_errors(const verify::Comparison& comparison);
  void tell_vacuous(CampaignResult& result) const;
  static void decide(Row& row, bool by_values);

  const verify::PropertyContext& context_;
  const Properties& properties_;
  Properties active_;
  std::vector<Row> rows_;
  verify::RunReport::Totals totals_;
  std::map<std::string, std::map<std::string, int64_t>> exercised_;
  std::map<std::string, std::map<std::string, std::string>> missed_;
  std::map<std::string, int64_t> uncompared_;
  std::map<std::string, verify::ValueError> errors_;
  std::map<std::string, Output> outputs_;
};

}  // namespace assay::fuzz
