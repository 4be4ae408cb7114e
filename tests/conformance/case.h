#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/device.h"

namespace assay::conformance {

/// How one call of one case ended.
struct Result {
  std::string id;     ///< Case name; for cases of several calls with "#N".
  std::string group;  ///< The test that made the case, or "realworld".
  bool passed = false;
  /// Why not: "load: …", "unsupported: aten::x", "values", "crash: signal 11", "timeout".
  std::string reason;
  std::string detail;
  std::string missing;  ///< The operator that is missing, where that is the reason.
  double seconds = 0;
};

/// The directories below (or at) `root` that hold a case.json, sorted.
std::vector<std::filesystem::path> find_cases(const std::filesystem::path& root);

/// Runs every call of a case, with archive and arguments on the device; results are compared as on
/// the CPU. Raises nothing: what goes wrong is in the results.
std::vector<Result> run_case(const std::filesystem::path& directory, core::Device device);

/// The results of a case that took its process down or ran too long.
std::vector<Result> lost_case(const std::filesystem::path& directory, const std::string& reason);

}  // namespace assay::conformance
