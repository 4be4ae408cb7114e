#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/api/module.h"
#include "verify/graph/program.h"
#include "verify/lint/sign.h"
#include "verify/lint/weights.h"

namespace assay::verify::lint {

/// What an archive shows without being run.
struct Report {
  std::vector<std::string> methods;  ///< That were looked at.
  size_t steps = 0;                  ///< Of all of them, calls inlined.
  /// By source line, lines with the strongest sign first; of a line the strongest first.
  std::vector<Sign> signs;

  size_t count(Strength strength) const;
};

/// The signs of these methods of a module and of its weights. Input error for a method that is not
/// there, or code that is damaged.
Report lint(api::Module& module, const std::vector<std::string>& methods);

/// The signs of one program, in no order; for tests, and for `lint`.
std::vector<Sign> signs_of(const std::string& method, const Program& program,
                           const Weights& weights);

/// Puts signs that say the same of the same line together, and orders them as Report::signs.
std::vector<Sign> arranged(std::vector<Sign> signs);

}  // namespace assay::verify::lint
