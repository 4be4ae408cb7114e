#pragma once

#include <memory>
#include <string>

#include "verify/run/handover.h"
#include "verify/run/runner.h"

namespace assay::verify {

/// A runner with another one behind it, to which all cases go for good: once the first cannot run a
/// case because it lacks something (Failure::type "unsupported"), or once they are handed over. For
/// an archive that the user's own PyTorch has to run: because the engine does not have one of its
/// operators, or runs it otherwise.
class BackedRunner final : public Runner {
 public:
  /// `handover`: shared with other runners; null where nothing is handed over.
  BackedRunner(std::shared_ptr<Runner> first, std::shared_ptr<Runner> second,
               std::shared_ptr<const Handover> handover = nullptr)
      : first_(std::move(first)), second_(std::move(second)), handover_(std::move(handover)) {}

  Observation run(const Case& c) override;
  /// Where the second runs the cases and cannot round, what it moves is the first one's run.
  std::optional<RoundedRun> run_rounded(const Case& c, uint64_t draw) override;
  GradientFlow gradient_flow(const Case& c, const FlowWish& wish) override {
    return used().gradient_flow(c, wish);
  }
  std::string name() const override { return used().name(); }
  bool is_in_process() const override { return used().is_in_process(); }
  std::string cannot_run(const Case& c) const override { return used().cannot_run(c); }
  /// "unknown operator aten::fft_rfft, which assay's engine lacks: PyTorch 1.13.1 runs the archive
  /// instead"
  std::string remark() const override;

 private:
  bool handed_over() const { return handover_ && handover_->done(); }
  bool uses_second() const { return handed_over() || !lacking_.empty(); }
  Runner& used() const { return uses_second() ? *second_ : *first_; }

  std::shared_ptr<Runner> first_, second_;
  std::shared_ptr<const Handover> handover_;
  std::string lacking_;  // What the first one lacks; empty as long as it lacks nothing.
};

/// The two as they are once all cases have gone over: the second runs them, the first rounds.
std::shared_ptr<Runner> handed_over(std::shared_ptr<Runner> first, std::shared_ptr<Runner> second);

}  // namespace assay::verify
