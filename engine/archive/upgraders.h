#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "engine/ir/unit.h"

namespace assay::archive {

/// A change of an operator's meaning between format versions (a row of upgraders.def).
struct Upgrader {
  std::string_view op;        ///< "aten::div.Tensor"
  int64_t since;              ///< First version in which the operator means what it means now.
  std::string_view function;  ///< Name of the function in upgraders.cpp.
};

std::span<const Upgrader> upgraders();

/// Replaces operators in graphs of one format version by what they did in that version: the body of
/// an upgrader function, inlined.
class Upgrades {
 public:
  explicit Upgrades(int64_t version) : version_(version) {}

  /// Whether any operator changed after this version.
  bool needed() const;
  void apply(ir::Function& function);

 private:
  const ir::Function& body(std::string_view name);

  int64_t version_;
  std::unique_ptr<ir::Unit> functions_;  // Compiled when the first old operator is met.
};

}  // namespace assay::archive
