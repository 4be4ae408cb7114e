#pragma once

#include <memory>

#include "engine/ir/unit.h"

namespace assay::ir {

/// Replaces each `prim::CallMethod` on a value of a class type and each `prim::CallFunction` of a
/// known function by the function's body, at any depth (PyTorch's `inlined_graph`). Calls through
/// interfaces stay. Input error if functions call themselves, or the result passes `max_nodes`.
void inline_calls(Graph& graph, Unit& unit, size_t max_nodes = 2'000'000);

/// The body of the function with all calls inlined; the function itself is left alone.
std::shared_ptr<Graph> inlined(const Function& function, Unit& unit);

}  // namespace assay::ir
