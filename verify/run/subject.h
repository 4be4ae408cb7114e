#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/run/handover.h"
#include "verify/run/runner.h"

namespace assay::verify {

/// The exported graph under test, with where it comes from.
struct Subject {
  std::string name;  ///< What the user named: "model.pt", "model.py:Net".
  std::string path;  ///< Of the archive's file, relative where possible.
  std::string sha256;
  std::vector<std::string> methods;
  std::string exported_by;  ///< "trace", "script"; empty where unknown.
  /// The inputs it was exported with, where known; a fault's class can depend on them.
  std::optional<Case> example;
  /// Computes in 16 bits where the model does not, as an export that was made under autocast: then
  /// rounding to 16 bits is the fault, and excuses nothing outside of autocast.
  bool narrower = false;
  std::shared_ptr<Runner> runner;
  /// Runs the same archive in the host's own PyTorch; null without a host.
  std::shared_ptr<Runner> in_pytorch;
  /// Has `runner`, and those of edited graphs and further exports, run in the host's PyTorch, too;
  /// null without a host.
  std::shared_ptr<Handover> handover;
  /// Runs the optimized form of the same graph; null where there is none.
  std::shared_ptr<Runner> optimized;
};

}  // namespace assay::verify
