#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/api/module.h"
#include "verify/host/taken_arguments.h"
#include "verify/run/runner.h"

namespace assay::verify {

/// Runs a module in the engine. A case's device is where the module is moved to and its inputs are
/// made; fake devices included. State that a call changed is put back by loading the module anew.
class EngineRunner : public Runner {
 public:
  using Taken = std::optional<host::TakenArguments>;

  /// `graph`, if not null, stands in place of the method's own. `taken`: which of a call's
  /// arguments are passed; nothing: all as they are. With `optimized` the method's optimized form
  /// is run; where there is none the call is not run. What it touched is then not observed.
  EngineRunner(std::function<api::Module()> load, std::string method,
               std::shared_ptr<ir::Graph> graph, Taken taken = {}, bool optimized = false);
  ~EngineRunner() override;

  Observation run(const Case& c) override { return run(c, nullptr); }
  std::optional<RoundedRun> run_rounded(const Case& c, uint64_t draw) override;
  GradientFlow gradient_flow(const Case& c, const FlowWish& wish) override;
  std::string name() const override { return optimized_ ? "optimizer" : "engine"; }
  bool is_in_process() const override { return true; }
  std::string cannot_run(const Case& c) const override;

 private:
  struct State;
  struct Loaded;
  /// By device; the optimized form also depends on the mode.
  std::string module_key(const Case& c) const;
  Loaded& module_for(const Case& c);
  core::Value call(api::Module& module, const Call& call) const;
  /// `rounding`, if not null, is a handler that the calls pass.
  Observation run(const Case& c, ops::Handler* rounding);
  GradientFlow follow(Loaded& loaded, const Case& c, bool moving);
  /// Of the changes that were counted, those that left other values.
  std::vector<StateChange> real_changes(const Case& c, std::vector<StateChange> counted);
  Observation observe(Loaded& loaded, const Case& c, ops::Handler* rounding);

  std::function<api::Module()> load_;
  std::string method_;
  std::shared_ptr<ir::Graph> graph_;
  Taken taken_;
  bool optimized_;
  /// By module_key; forgotten when a call changed its state.
  std::map<std::string, std::unique_ptr<Loaded>> modules_;
};

}  // namespace assay::verify
