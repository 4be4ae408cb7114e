#include "verify/diagnosis/lost_checks.h"

#include <algorithm>
#include <vector>

#include "verify/graph/written.h"
#include "verify/observation/places.h"

namespace assay::verify::diagnosis {
namespace {

/// Those at or above the line, the nearest first.
std::vector<const Origins::Guard*> guards_above(const Origins& origins,
                                                const SourceLocation& line) {
  std::vector<const Origins::Guard*> found;
  for (const Origins::Guard& guard : origins.guards) {
    bool above =
        base_name(guard.place.file) == base_name(line.file) && guard.place.line <= line.line;
    if (above && guard.value.is_bool()) found.push_back(&guard);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto* a, const auto* b) { return a->place.line > b->place.line; });
  return found;
}

}  // namespace

std::optional<LostCheck> lost_check(
    const Origins* origins, const Program& program, const SourceLocation& raised,
    const std::function<bool(const std::shared_ptr<ir::Graph>&)>& rejects) {
  constexpr size_t most = 4;
  if (!origins || program.steps.empty()) return std::nullopt;
  std::vector<const Origins::Guard*> guards = guards_above(*origins, raised);
  for (size_t i = 0; i < std::min(most, guards.size()); ++i) {
    auto graph = program.graph->copy();
    if (!write_check({guards[i]->condition}, guards[i]->value.to_bool(), *graph->block()->begin()))
      continue;
    if (rejects(graph)) return LostCheck{guards[i], std::move(graph)};
  }
  return std::nullopt;
}

}  // namespace assay::verify::diagnosis
