#pragma once

#include <string>
#include <vector>

#include "engine/core/value.h"
#include "engine/ir/graph.h"

namespace assay::verify {

/// A number as an expression over a graph's inputs, in Python's form, as a trace's origins write
/// it: "x.size(0) // 2", "math.sqrt(x.size(1))", "max(lengths)".
struct Written {
  std::string text;
};

/// What an expression calls each input of a graph, in their order: by its name in Python, or by its
/// position ("input_2") where it has none of its own.
std::vector<std::string> input_names(const ir::Graph& graph);

/// Whether it is computed from sizes of inputs alone.
bool is_over_sizes(const Written& expression);

/// Whether it is short enough to be read, and over nothing but inputs.
bool is_for_people(const Written& expression);

/// Nodes before `before` that compute the expression, as a number of the kind that `like` is (an
/// int, a float, or either as a tensor without dimensions). Null where the engine's script cannot
/// say it, or it is over more than the graph's inputs.
ir::Value* write_out(const Written& expression, const core::Value& like, ir::Node* before);

/// Nodes before `before` that raise an error where the condition ("x.size(0) % 2 == 0") has another
/// answer. False, and nothing is changed, where the engine's script cannot say it.
bool write_check(const Written& condition, bool answer, ir::Node* before);

}  // namespace assay::verify
