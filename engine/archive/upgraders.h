#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace assay::archive {

/// A change of an operator's meaning between format versions (a row of upgraders.def).
struct Upgrader {
  std::string_view op;        ///< "aten::div.Tensor"
  int64_t since;              ///< First version in which the operator means what it means now.
  std::string_view function;  ///< Name in upgrader_source().
};

std::span<const Upgrader> upgraders();

/// The functions that stand for old operators, in TorchScript. Each takes the operator's arguments.
std::string_view upgrader_source();

}  // namespace assay::archive
