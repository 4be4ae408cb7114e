#include "engine/archive/modified_loops.h"

#include <algorithm>

#include "engine/ir/kinds.h"
#include "engine/ir/passes/untie_loops.h"

namespace assay::archive {

std::shared_ptr<ir::Graph> without_modified_loops(const std::shared_ptr<ir::Graph>& graph) {
  auto loops = graph->find_all(ir::kinds().loop);
  if (std::none_of(loops.begin(), loops.end(), ir::counts_and_tests)) return graph;
  std::shared_ptr<ir::Graph> copy = graph->copy();
  ir::untie_loops(*copy);
  return copy;
}

}  // namespace assay::archive
