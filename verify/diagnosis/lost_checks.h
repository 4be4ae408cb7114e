#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "verify/graph/origins.h"
#include "verify/graph/program.h"

namespace assay::verify::diagnosis {

/// A condition that the subject's trace went by, and the subject's graph with it asked again before
/// all else, so that it raises where the answer is another one.
struct LostCheck {
  const Origins::Guard* guard = nullptr;
  std::shared_ptr<ir::Graph> graph;
};

/// The nearest condition at or above the line where the model raised with which the graph `rejects`
/// what the model rejects. Nothing where the trace tells of none.
std::optional<LostCheck> lost_check(
    const Origins* origins, const Program& program, const SourceLocation& raised,
    const std::function<bool(const std::shared_ptr<ir::Graph>&)>& rejects);

}  // namespace assay::verify::diagnosis
