#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "tests/conformance/case.h"

namespace assay::conformance {

struct PoolOptions {
  int workers = 1;
  double seconds_per_case = 30;
  size_t memory_bytes = size_t{4} << 30;
  core::Device device;  ///< Where archives and arguments are put.
  /// After so long a program is told to end, with an error; 0 for no bound.
  double seconds_per_run = 0;
};

/// Runs cases in child processes, each of which takes one case after the other. A child that dies
/// or runs too long is a result of its case, and another child goes on. `done` hears of each case's
/// results as they come.
void run_pool(const std::vector<std::filesystem::path>& cases, const PoolOptions& options,
              const std::function<void(const std::vector<Result>&)>& done);

}  // namespace assay::conformance
