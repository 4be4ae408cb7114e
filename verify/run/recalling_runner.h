#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "verify/run/runner.h"

namespace assay::verify {

/// A runner that gives again what it gave of a case: a campaign comes back to cases when it makes
/// one small, a diagnosis to the campaign's, and it holds dozens of repaired graphs against the
/// model at the same few; a model runs long beside them. Whether a model gives the same again is
/// seen in a campaign: there a case is run twice before a run counts for others, and each time
/// where it is asked for twice in a row. A campaign remembers nothing of a runner in this process:
/// that would take longer than most of its runs. In a diagnosis two runs of each case are enough,
/// and who asks twice in a row gets both.
class RecallingRunner final : public Runner {
 public:
  explicit RecallingRunner(std::shared_ptr<Runner> runner) : runner_(std::move(runner)) {}

  /// From now on no case is run more than twice.
  void recall() { recalls_ = true; }

  Observation run(const Case& c) override;
  std::optional<RoundedRun> run_rounded(const Case& c, uint64_t draw) override {
    return runner_->run_rounded(c, draw);
  }
  std::optional<Observation> run_without(const Case& c,
                                         const std::vector<Omission>& omitted) override {
    return runner_->run_without(c, omitted);
  }
  GradientFlow gradient_flow(const Case& c, const FlowWish& wish) override {
    return runner_->gradient_flow(c, wish);
  }
  std::string name() const override { return runner_->name(); }
  bool is_in_process() const override { return runner_->is_in_process(); }
  std::string cannot_run(const Case& c) const override { return runner_->cannot_run(c); }
  std::string remark() const override { return runner_->remark(); }
  const std::vector<Case>* only_cases() const override { return runner_->only_cases(); }

 private:
  struct Runs {
    std::array<std::optional<Observation>, 2> kept;
    int made = 0;
  };

  Observation run_to_keep(const Case& c, std::optional<Observation>& kept);

  /// Cases that differ in more than their points are few.
  struct HashOfPoint {
    size_t operator()(const Case& c) const;
  };

  std::shared_ptr<Runner> runner_;
  bool recalls_ = false;
  std::unordered_map<Case, Runs, HashOfPoint> runs_;
  size_t bytes_ = 0;            // Of what is kept.
  const Case* last_ = nullptr;  // The case that was asked for last, and which of its runs.
  size_t turn_ = 0;
};

}  // namespace assay::verify
