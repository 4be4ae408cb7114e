#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/judged_case.h"
#include "verify/findings/run_report.h"

namespace assay::fuzz {

/// A case that was judged by one property.
struct CampaignPoint {
  verify::JudgedPoint point;
  int failure = -1;  ///< Index into CampaignResult::failures.
};

/// Cases at which a property held that are kept for the diagnosis: the first ones and the last.
constexpr size_t max_right = 32;
/// Points kept for the picture of where the export is right; a long campaign has more.
constexpr int64_t most_points = 20000;

/// What judged cases come to, in numbers: by property, by declared feature, over all. Those of
/// cases in a row can be added to those of the cases before them, so that each thread counts what
/// it judged.
///
/// A case counts as compared where subject and reference both ran and were held against each other;
/// where there is no reference, where the subject was held against itself. What a property about
/// assay itself says does not count.
class Counts {
 public:
  /// What one property says.
  struct Row {
    verify::Outcome outcome;  ///< Its numbers.
    int64_t errored = 0, values = 0, nan = 0;
    std::map<std::string, int64_t> not_tested;  ///< Reason -> cases.
    std::map<std::string, int64_t> in_part;     ///< Of what was compared and holds.
    std::string error;                          ///< Of the first that errored.
    std::vector<std::shared_ptr<const verify::Case>> right;
  };
  /// An output over the cases so far.
  struct Output {
    core::Value first;
    bool changes = false;
    int64_t cases = 0;
  };
  /// By feature, then by its size or choice.
  template <typename T>
  using ByFeature = std::map<std::string, std::map<std::string, T>>;

  /// Both must live longer. A null property concerns no case.
  Counts(const verify::PropertyContext& context, const Properties& properties)
      : context_(&context), properties_(&properties), rows_(properties.size()) {}

  /// Adds a case; `failures`: those that its judgements belong to, -1 for none.
  void add(const JudgedCase& judged, const std::vector<int>& failures = {});
  /// Adds what the cases after these come to, and takes its points.
  void add(Counts&& later);

  const std::vector<Row>& rows() const { return rows_; }
  const verify::RunReport::Totals& totals() const { return totals_; }
  std::vector<CampaignPoint> take_points() { return std::move(points_); }
  const ByFeature<int64_t>& exercised() const { return exercised_; }
  const ByFeature<std::string>& missed() const { return missed_; }  ///< Why.
  const std::map<std::string, int64_t>& uncompared() const { return uncompared_; }
  const std::map<std::string, verify::ValueError>& errors() const { return errors_; }
  const std::map<std::string, Output>& outputs() const { return outputs_; }

 private:
  void count(Row& row, const verify::Judgement& judgement);
  void add_point(const verify::Case& c, size_t property, const verify::Judgement& judgement,
                 int failure);
  void count_case(const JudgedCase& judged);
  bool says_of_the_case(size_t property, const verify::Judgement& judgement) const;
  void note_compared(const verify::Case& c, const verify::Judgement& lead);
  void note_missed(const verify::Case& c, const std::string& reason);
  void note_outputs(const std::string& place, const core::Value& value);
  void note_output(const std::string& place, const Output& seen);
  void note_error(const std::string& place, const verify::ValueError& error, bool rounding);
  static void add(Row& row, const Row& later);
  static void add(std::map<std::string, int64_t>& counts,
                  const std::map<std::string, int64_t>& later);

  const verify::PropertyContext* context_;
  const Properties* properties_;
  std::vector<Row> rows_;
  verify::RunReport::Totals totals_;
  std::vector<CampaignPoint> points_;
  ByFeature<int64_t> exercised_;
  ByFeature<std::string> missed_;
  std::map<std::string, int64_t> uncompared_;
  std::map<std::string, verify::ValueError> errors_;
  std::map<std::string, Output> outputs_;
};

}  // namespace assay::fuzz
