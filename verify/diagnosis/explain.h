#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/diagnosis/diagnose.h"
#include "verify/findings/failure_group.h"

namespace assay::verify {

/// One cause behind a group of failures.
struct Explained {
  Finding finding;          ///< At the smallest case that has it.
  Case first;               ///< As first met.
  int64_t count = 0;        ///< Of the group's cases, as far as they were told apart.
  std::vector<Case> cases;  ///< Those that were seen to have this cause and no other.
};

/// What an explanation works with; everything pointed at outlives it.
struct ExplainOptions {
  const PropertyContext* context = nullptr;  ///< Spec, subject and reference.
  const std::vector<std::shared_ptr<const Property>>* properties = nullptr;
  std::shared_ptr<const Export> exported;  ///< The subject; null: nothing can be diagnosed.
  Exporter* exporter = nullptr;            ///< Null where no further exports can be made.
  /// Two failures with one key are of one group.
  std::function<std::string(const Case&, const Judgement&)> key;
  /// Walks from a point to ever simpler ones at which `fails` still says true, until it finds none
  /// or a limit ends it. Null: nothing is shrunk.
  std::function<void(const Point& start, const std::function<bool(const Point&)>& fails)> shrink;
  std::function<bool()> interrupted = [] { return false; };
  /// Whether the check's time is over: then nothing further is run or exported, and what has no
  /// cause yet is told as it was met.
  std::function<bool()> over = [] { return false; };
  std::function<double()> clock = [] { return 0.0; };  ///< Seconds.
};

/// Explains groups of failures: takes the cases of each apart by cause.
class Explainer {
 public:
  explicit Explainer(ExplainOptions options) : options_(std::move(options)) {}

  /// The causes behind one group: that of the smallest case first, then any other that one of its
  /// cases has, shrunk within class, visibility and source line. Cases that the repair of a cause
  /// cures have that cause; the others are diagnosed themselves, a few of them. Empty where what
  /// differs is what the model itself asks for (AS901). What cannot be diagnosed is still explained
  /// as far as it was observed. `held`: cases at which the property was seen to hold. The reach of
  /// a proof comes from all cases of the group and from those that held; a repair that does not
  /// cure them all, or breaks one, supports a cause and does not prove it.
  std::vector<Explained> explain(const FailureGroup& group, const std::vector<Case>& held) const;

  /// What PyTorch's own run of the archive at the group's smallest case says of the difference.
  struct Confirmation {
    bool ours = false;            ///< PyTorch agrees with the model: the difference is assay's own.
    bool engine_differs = false;  ///< PyTorch's run is not what the engine's was.
    std::string sentence;         ///< Empty where no PyTorch was asked.
  };
  Confirmation confirm(const FailureGroup& group) const;

  /// What was observed, as a finding without a cause.
  Finding unexplained(const FailureGroup& group) const;

  using SubjectJudge = std::function<Judgement(const std::shared_ptr<Runner>&, const Case&)>;
  /// The property with another subject in place of the one under test.
  SubjectJudge judge_of(const std::string& property) const;

  /// The same until the check's time is over; then nothing is tested any more.
  SubjectJudge judge_in_time(const std::string& property) const;

  /// The property with some lines of the model without effect, in time; null where no model is
  /// beside the subject.
  diagnosis::JudgeWithout judge_without(const std::string& property) const;

  /// Whether the property is a law about assay rather than the model.
  bool is_about_assay(const std::string& property) const { return law_of(property).about_assay(); }

  /// The only cases that the property can be judged at; null where there is no such bound.
  const std::vector<Case>* only_cases(const std::string& property) const;

 private:
  const Property& law_of(const std::string& property) const;
  std::vector<Explained> diagnosed(
      const FailureGroup& group, const std::vector<Case>& held,
      const std::function<std::vector<Explained>(const std::string&)>& observed) const;
  std::optional<Case> right_case(const FailureGroup& group, const std::vector<Case>& held) const;

  ExplainOptions options_;
};

}  // namespace assay::verify
