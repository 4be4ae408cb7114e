#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "engine/ir/graph.h"

namespace assay::python {

/// The graph as Python programs see it (`_engine.Graph`): nodes, values and types to look at, and
/// the text by str(). The same graph is the same object while one is alive.
pybind11::object graph_object(std::shared_ptr<ir::Graph> graph);

void add_graphs(pybind11::module_& module);

}  // namespace assay::python
