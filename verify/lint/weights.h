#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/core/value.h"
#include "verify/lint/sign.h"

namespace assay::verify::lint {

/// What a module holds, by path ("encoder.weight").
struct Weights {
  std::map<std::string, core::Tensor> parameters;
  std::map<std::string, core::Tensor> buffers;
  std::map<std::string, core::Value> attributes;  ///< Everything else but submodules.

  /// The parameter, buffer or plain tensor of this path; undefined if there is none.
  core::Tensor find(const std::string& path) const;
  /// Whether all parameters and buffers lie on this device, where there are any.
  bool all_on(core::Device device) const;
  /// Whether the module was frozen, which makes constants of all that it held.
  bool are_frozen() const {
    return parameters.empty() && buffers.empty() && attributes.count("training") == 0;
  }
};

/// Signs of the weights alone: NaN and infinity, parameters that are one or equal.
std::vector<Sign> weight_signs(const Weights& weights);

}  // namespace assay::verify::lint
