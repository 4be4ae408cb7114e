#pragma once

#include <memory>
#include <string>

#include "verify/run/runner.h"

namespace assay::verify {

/// A runner with another one behind it: once the first cannot run a case because it lacks something
/// (Failure::type "unsupported"), all cases go to the second. For an archive with operators that
/// the engine does not have, which the user's own PyTorch can run.
class BackedRunner final : public Runner {
 public:
  BackedRunner(std::shared_ptr<Runner> first, std::shared_ptr<Runner> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  Observation run(const Case& c) override;
  std::optional<Observation> run_rounded(const Case& c, uint64_t draw) override;
  std::string name() const override { return used().name(); }
  std::string cannot_run(const Case& c) const override { return used().cannot_run(c); }
  /// "unknown operator aten::fft_rfft, which assay's engine lacks: PyTorch 1.13.1 runs the archive
  /// instead"
  std::string remark() const override;

 private:
  Runner& used() const { return lacking_.empty() ? *first_ : *second_; }

  std::shared_ptr<Runner> first_, second_;
  std::string lacking_;  // What the first one lacks; empty as long as it lacks nothing.
};

}  // namespace assay::verify
