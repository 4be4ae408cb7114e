#pragma once

#include <functional>
#include <optional>

#include "engine/core/value.h"
#include "engine/ir/passes/ranks.h"

namespace assay::ops {
struct Operator;
}

namespace assay::ir {

/// Runs an operator; nothing where it raises.
using Evaluate =
    std::function<std::optional<core::Value>(const ops::Operator&, const core::Values&)>;

/// Replaces by constants what constants, static types and ranks decide: operators on numbers, texts
/// and containers that nobody writes to, comparisons with None, questions about ranks and lengths;
/// and by what they hold: casts that change nothing, items of tuples, and of lists and dictionaries
/// that nobody writes to. True if there was anything. What is left unread is for remove_dead_code.
bool fold_constants(Graph& graph, std::span<const Rank> inputs, const Evaluate& evaluate);

}  // namespace assay::ir
