#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/api/module.h"
#include "verify/run/runner.h"

namespace assay::verify {

/// Runs a module in the engine. A case's device is where the module is moved to and its inputs are
/// made; fake devices included. State that a call changed is put back by loading the module anew.
class EngineRunner : public Runner {
 public:
  /// `graph`, if not null, stands in place of the method's own. Up to `left_out` last arguments are
  /// not passed where they are None.
  EngineRunner(std::function<api::Module()> load, std::string method,
               std::shared_ptr<ir::Graph> graph, size_t left_out = 0);

  Observation run(const Case& c) override;
  std::string name() const override { return "engine"; }
  std::string cannot_run(const Case& c) const override;

 private:
  struct State;
  api::Module& module_on(core::Device device);
  Observation observe(api::Module& module, const Case& c);

  std::function<api::Module()> load_;
  std::string method_;
  std::shared_ptr<ir::Graph> graph_;
  size_t left_out_;
  /// By device; forgotten when a call changed its state.
  std::map<std::string, api::Module> modules_;
};

}  // namespace assay::verify
