#include "engine/ir/pipeline.h"

#include <fmt/core.h>

#include "engine/base/text.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/passes/normalize.h"
#include "engine/ir/verify.h"

namespace assay::ir {

std::span<const Pass> all_passes() {
  static const Pass passes[] = {
      {"dce", "Removes nodes whose results nobody reads and that have no effect.",
       [](Graph& graph) { remove_dead_code(graph); }},
      {"erase_details", "Removes names, sizes in types, and everything else that only describes.",
       erase_details},
      {"share_reads", "Makes equal constants and equal attribute reads one.", share_reads},
      {"order_reads", "Puts constants first and attribute reads before their first use.",
       order_reads},
  };
  return passes;
}

std::span<const Pass> canonical_passes() { return all_passes(); }

void run_passes(Graph& graph, std::span<const Pass> passes, bool check) {
  for (const Pass& pass : passes) {
    pass.run(graph);
    if (check) ensure_valid(graph, fmt::format("after {}", pass.name));
  }
}

}  // namespace assay::ir
