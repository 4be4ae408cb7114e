#pragma once

#include <string>
#include <vector>

#include "engine/base/temporary_folder.h"

namespace assay::cli::testing {

/// What a run of the program left behind.
struct Outcome {
  int code = -1;   ///< Exit code; -1 if a signal ended it.
  int signal = 0;  ///< That signal.
  std::string out, err;
};

/// Runs a shell command, in which `assay` is the program under test, under limits of memory and
/// processor time that only a fault exceeds.
Outcome run(const std::string& command);

/// A folder of its own for one test, gone with it.
class Folder {
 public:
  /// Writes a file and gives its path.
  std::string put(const std::string& name, const std::string& contents) const;
  const std::string& path() const { return folder_.path().native(); }

 private:
  base::TemporaryFolder folder_;
};

/// Expects the one message of a refusal: exit code 2, nothing on standard output, and a text on
/// standard error that starts with the program's name, appears once, and holds all these parts.
void expect_refusal(const std::string& command, const std::vector<std::string>& parts);

}  // namespace assay::cli::testing
