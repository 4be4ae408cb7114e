#pragma once

#include <functional>
#include <string>

#include "verify/findings/finding.h"
#include "verify/run/export.h"

namespace assay::verify::diagnosis {

/// The text of a line of a source file; empty where it is not at hand.
using SourceText = std::function<std::string(const std::string& file, int line)>;

/// A file as it is named from where the program was started, so that reports read alike everywhere.
std::string relative_path(const std::string& file);

/// Names the line that a person would change in place of the one where a cause takes effect: loops
/// and branches at the line that decides them, state at the one that writes it, also where only the
/// model's buffer changes and no step of `exported` (which may be null) does that.
void move_to_origin(Finding& finding, const SourceText& source, const Export* exported);

}  // namespace assay::verify::diagnosis
