#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::verify {

/// How a property came out. Closed: a broken harness can never look like a passing model.
enum class Status {
  passed,     ///< Held for every case, and enough cases were compared.
  failed,     ///< Violated at least once, repeatably.
  undecided,  ///< Budget hit or everything discarded before the minimum of comparisons.
  flaky,      ///< Violated, but not on repetition.
  skipped,    ///< Does not apply, or a device is missing; `reason` says which.
  errored,    ///< assay, the engine or a host failed.
};
/// "passed"; "gave_up" for undecided and "error" for errored, as in the JSON report.
std::string_view status_name(Status status);

struct Outcome {
  std::string property;
  Status status = Status::undecided;
  std::string reason;       ///< One sentence; empty where the status says all.
  int64_t valid = 0;        ///< Cases that were compared.
  int64_t discarded = 0;    ///< Cases that both sides reject, or that could not be run.
  int64_t rejected = 0;     ///< Of these: both sides reject.
  int64_t comparisons = 0;  ///< Places compared over all cases.
  int64_t elements = 0;     ///< Elements whose values were compared.
  int64_t adjudicated = 0;  ///< Of these: beyond their bound, and explained by rounding.
};

}  // namespace assay::verify
