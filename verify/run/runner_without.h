#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "verify/run/runner.h"

namespace assay::verify {

/// A model some of whose lines have no effect.
class RunnerWithout final : public Runner {
 public:
  RunnerWithout(std::shared_ptr<Runner> whole, std::vector<Omission> omitted)
      : whole_(std::move(whole)), omitted_(std::move(omitted)) {}

  /// Not run where the whole one has no lines.
  Observation run(const Case& c) override {
    return whole_->run_without(c, omitted_).value_or(Observation{});
  }
  std::string name() const override { return whole_->name(); }
  std::string cannot_run(const Case& c) const override { return whole_->cannot_run(c); }

 private:
  std::shared_ptr<Runner> whole_;
  std::vector<Omission> omitted_;
};

}  // namespace assay::verify
