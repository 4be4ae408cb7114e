#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/core/value.h"

namespace assay::conformance {

/// Turns the value trees of both case formats into values. dtypes, layouts and memory formats are
/// ints, as in TorchScript. Lists and dicts are untyped: a call gives them their declared types.
class ValueTrees {
 public:
  explicit ValueTrees(std::map<std::string, core::Tensor> tensors) : tensors_(std::move(tensors)) {}

  /// Enum members become those of this function's types, where it gives one for a class's last
  /// name.
  void set_enums(std::function<core::TypePtr(const std::string&)> find) { find_enum_ = find; }
  /// Puts every tensor on the device (the CPU).
  void set_device(core::Device device) { device_ = device; }
  /// The same reference twice gives the same tensor object. `results` are those of earlier calls,
  /// which a tree may refer to.
  core::Value value(const nlohmann::json& tree, const core::Values& results = {});

 private:
  core::Tensor tensor(const nlohmann::json& tree);
  core::Value enumeration(const nlohmann::json& tree, const core::Values& results);
  core::Values items(const nlohmann::json& trees, const core::Values& results);

  std::map<std::string, core::Tensor> tensors_;
  std::map<std::string, core::Tensor> made_;
  std::function<core::TypePtr(const std::string&)> find_enum_;
  core::Device device_;
};

}  // namespace assay::conformance
