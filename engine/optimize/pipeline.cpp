#include "engine/optimize/pipeline.h"

#include <fmt/core.h>

#include "engine/base/text.h"
#include "engine/ir/alias.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/passes/freeze.h"
#include "engine/ir/verify.h"
#include "engine/ops/catalog.h"
#include "engine/optimize/channels_last.h"
#include "engine/optimize/functional.h"
#include "engine/optimize/fuse_convolution.h"
#include "engine/optimize/renew_containers.h"

namespace assay::optimize {
namespace {

/// Each round decides what the last one laid open; programs need few.
constexpr int max_rounds = 8;

bool run_pass(const Pass& pass, ir::Graph& graph, const Setting& setting, bool check) {
  bool changed = pass.run(graph, setting);
  if (check) ir::ensure_valid(graph, fmt::format("after {}", pass.name));
  return changed;
}

}  // namespace

std::span<const Pass> specializing_passes() {
  using ir::Graph;
  static const Pass passes[] = {
      {"make_functional", "nothing", "every result to the bit",
       [](Graph& graph, const Setting&) {
         make_functional(graph);  // Weights that nothing writes to can be frozen.
         return false;
       }},
      {"freeze", "calls are inlined", "every result to the bit, while the module stays as it is",
       [](Graph& graph, const Setting& setting) {
         ir::freeze(graph, setting.self);
         return false;
       }},
      {"fold_constants", "nothing", "every result to the bit, for arguments of the given ranks",
       [](Graph& graph, const Setting& setting) {
         return ir::fold_constants(graph, {setting.evaluate, true, setting.inputs});
       }},
      {"remove_idle_dropout", "nothing", "every result to the bit",
       [](Graph& graph, const Setting&) {
         remove_idle_dropout(graph);
         return false;
       }},
      {"renew_containers", "nothing", "every result to the bit",
       [](Graph& graph, const Setting&) { return renew_containers(graph); }},
      {"remove_dead_code", "nothing", "every result to the bit; errors of dead nodes go",
       [](Graph& graph, const Setting&) {
         ir::remove_dead_code(graph);
         return false;
       }},
  };
  return passes;
}

std::span<const Pass> fusing_passes() {
  using ir::Graph;
  static const Pass passes[] = {
      {"fuse_convolutions", "nothing is written to", "results up to the order of roundings",
       [](Graph& graph, const Setting&) {
         fuse_convolutions(graph);
         return false;
       }},
      {"use_channels_last", "nothing is written to; images among the arguments are row-major",
       "results up to the order of additions, and their strides",
       [](Graph& graph, const Setting&) {
         use_channels_last(graph);
         return false;
       }},
      {"remove_dead_code", "nothing", "every result to the bit",
       [](Graph& graph, const Setting&) {
         ir::remove_dead_code(graph);
         return false;
       }},
  };
  return passes;
}

bool only_computes(const ir::Graph& graph) {
  bool pure = true;
  graph.for_each([&](const ir::Node* node) {
    pure = pure && ir::effect_of(node) <= ops::Effect::raises && !ir::is_random(node) &&
           ir::Alias::written_by(node).empty();
  });
  return pure;
}

bool run_passes(ir::Graph& graph, const Setting& setting, bool check) {
  bool changed = true;
  for (int round = 0; changed && round < max_rounds; ++round) {
    changed = false;
    for (const Pass& pass : specializing_passes()) {
      changed = run_pass(pass, graph, setting, check) || changed;
    }
  }
  if (!only_computes(graph)) return false;
  for (const Pass& pass : fusing_passes()) run_pass(pass, graph, setting, check);
  return true;
}

}  // namespace assay::optimize
