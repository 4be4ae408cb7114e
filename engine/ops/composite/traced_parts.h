#pragma once

#include <functional>
#include <string_view>

#include "engine/ops/catalog.h"

namespace assay::ops::composite {

/// Calls the operator, in the open where a trace sees it, and gives its results.
using CallPart = std::function<core::Values(std::string_view op, core::Values args)>;

/// Whether PyTorch's traces show, in place of the operator, those that it consists of: convolutions
/// (`aten::_convolution`) and the cells of recurrent networks.
bool has_traced_parts(const Operator& op);
/// Calls those operators, which together give what this one gives. Only for an operator that has
/// them (`has_traced_parts`); the arguments are complete.
core::Values call_traced_parts(const Operator& op, std::span<const core::Value> args,
                               const CallPart& call);

}  // namespace assay::ops::composite
