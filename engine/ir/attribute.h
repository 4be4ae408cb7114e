#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/scalar.h"
#include "engine/core/tensor.h"
#include "engine/core/type.h"
#include "engine/core/value.h"

namespace assay::ir {

class Graph;

/// What a node's attribute can hold. `core::Value` is for everything without a form of its own
/// (lists of mixed kinds, dicts, objects, devices).
using Attribute =
    std::variant<int64_t, double, core::Complex128, std::string, core::Tensor, std::vector<int64_t>,
                 std::vector<double>, std::vector<core::Complex128>, std::vector<std::string>,
                 std::vector<core::Tensor>, core::Value, core::TypePtr, std::vector<core::TypePtr>,
                 std::shared_ptr<Graph>>;

}  // namespace assay::ir
