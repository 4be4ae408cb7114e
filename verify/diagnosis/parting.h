#pragma once

#include <optional>
#include <string>

#include "verify/findings/finding.h"
#include "verify/graph/align.h"
#include "verify/observation/observation.h"

namespace assay::verify::diagnosis {

// Where to look where no comparison of exports tells the cause.

/// The line of the first step in which two programs differ; nothing where no step has a line.
std::optional<SourceLocation> parts_at(const Program& a, const Program& b,
                                       const Alignment& alignment);

/// The line that makes what stands at a place of the outputs: "output", "output[1]".
std::optional<SourceLocation> made_at(const Program& program, const std::string& place);

/// The first step that changes the list or dict which came in as the argument at a place of the
/// inputs: "args[1]['k']".
std::optional<size_t> step_that_changes(const Program& program, const std::string& place);

/// A line to look at, what it does, and the step of the subject that does it, where it is one.
struct Sign {
  SourceLocation place;
  std::string what;
  std::optional<size_t> step;
};

/// The line to name for a finding of whose class an observation alone speaks. Another structure is
/// made where the outputs are (AS115); a list or dict of the caller's that stays as it was, since
/// scripted code is given a copy, is changed in the graph (AS110), as is an argument that the model
/// leaves alone (AS111); what nothing explains (AS121)
/// stands where the subject parts from an export made at the failing case, else where what differs
/// is made. `probe` is null where there is no such export.
std::optional<Sign> sign_in_graphs(const Finding& finding, const Program& subject,
                                   const Program* probe);

}  // namespace assay::verify::diagnosis
