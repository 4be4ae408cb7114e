#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "verify/run/runner.h"

namespace assay::verify {

/// A runner that, from the time when it is told to, gives again what it has given of a case since.
/// A campaign meets each case once and keeps nothing; a diagnosis holds dozens of repaired graphs
/// against the model at the same few cases, and a model runs long beside them. Who asks for a case
/// twice in a row wants to know whether it gives the same again: of each case two runs are kept,
/// and the second one is never the first.
class RecallingRunner final : public Runner {
 public:
  explicit RecallingRunner(std::shared_ptr<Runner> runner) : runner_(std::move(runner)) {}

  /// Until then each call is a run of its own.
  void recall() { recalls_ = true; }

  Observation run(const Case& c) override;
  std::optional<RoundedRun> run_rounded(const Case& c, uint64_t draw) override {
    return runner_->run_rounded(c, draw);
  }
  GradientFlow gradient_flow(const Case& c, const FlowWish& wish) override {
    return runner_->gradient_flow(c, wish);
  }
  std::string name() const override { return runner_->name(); }
  std::string cannot_run(const Case& c) const override { return runner_->cannot_run(c); }
  std::string remark() const override { return runner_->remark(); }
  const std::vector<Case>* only_cases() const override { return runner_->only_cases(); }

 private:
  using Runs = std::array<std::optional<Observation>, 2>;

  Observation run_to_keep(const Case& c, std::optional<Observation>& kept);

  std::shared_ptr<Runner> runner_;
  bool recalls_ = false;
  std::map<std::string, Runs> runs_;  // By the cases' texts.
  size_t bytes_ = 0;                  // Of their tensors.
  std::string last_;                  // The case that was asked for last, and which of its runs.
  size_t turn_ = 0;
};

}  // namespace assay::verify
