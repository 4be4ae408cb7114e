#pragma once

#include <span>
#include <string_view>

#include "engine/core/value.h"
#include "engine/ir/graph.h"
#include "engine/ir/passes/fold_constants.h"

namespace assay::optimize {

/// What a graph is optimized for.
struct Setting {
  /// The module, which is the graph's first input.
  const core::ObjectRef& self;
  /// Ranks of the graph's inputs; nothing for what is no tensor.
  std::span<const ir::Rank> inputs;
  const ir::Evaluate& evaluate;
};

/// A step of the optimizer. It changes a graph in place and must leave a valid one (ir::verify)
/// that, for arguments of the setting and the module in its present state, gives what the old one
/// gave. It may erase and move nodes: pointers to them die.
struct Pass {
  std::string_view name;
  std::string_view assumes;  ///< Of the graph, beyond that it is valid.
  std::string_view keeps;    ///< How near the new results are to the old ones.
  /// True if it laid open what an earlier pass could use.
  bool (*run)(ir::Graph& graph, const Setting& setting);
};

/// Leave of a program what arguments decide; run in rounds, until nothing changes.
std::span<const Pass> specializing_passes();
/// Make what is left fast; run once, on a graph that only computes.
std::span<const Pass> fusing_passes();

/// Whether running the graph twice is as good as running it once: it sets no attribute, writes to
/// no argument, prints nothing, draws no random number.
bool only_computes(const ir::Graph& graph);

/// Runs the passes: the specializing ones, then, if the graph only computes, the fusing ones. With
/// `check` the graph is verified after each (internal error that names the pass). False if the
/// graph does more than compute; it is then as the specializing passes left it.
bool run_passes(ir::Graph& graph, const Setting& setting, bool check);

}  // namespace assay::optimize
