#pragma once

#include "engine/ir/graph.h"

namespace assay::optimize {

/// Where a list or dictionary that the same block made gets another item, and only operators have
/// read it until then: makes a new container with that item too, which later readers read. So
/// `xs = [a]; xs.append(b); cat(xs)` becomes `cat([a, b])`. True if there was any.
bool renew_containers(ir::Graph& graph);

}  // namespace assay::optimize
