#pragma once

#include <functional>
#include <string_view>

#include "engine/ops/catalog.h"

namespace assay::trace {

/// Records a call of the operator and gives its results.
using RecordCall = std::function<core::Values(std::string_view op, core::Values args)>;

/// Whether a trace shows the operators that this one consists of, in its place: convolutions
/// (`aten::_convolution`) and the cells of recurrent networks.
bool takes_detour(const ops::Operator& op);
/// Calls those operators. The arguments are complete.
core::Values take_detour(const ops::Operator& op, std::span<const core::Value> args,
                         const RecordCall& record);

}  // namespace assay::trace
