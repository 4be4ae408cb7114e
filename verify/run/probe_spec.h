#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/dtype.h"
#include "engine/core/shape.h"
#include "verify/run/runner.h"
#include "verify/spec/spec.h"

namespace assay::verify {

/// An argument as far as a signature tells it.
struct UnknownInput {
  std::string name;
  /// In the notation of a spec, with `@` for each tensor: "@", "[@, @]", "2".
  std::string pattern;
  bool keyword = false;
};

/// A parameter of the model.
struct Weight {
  core::Dims shape;
  core::DType dtype = core::DType::float32;
};

/// What trying shapes found.
struct Probe {
  std::optional<Spec> spec;  ///< Nothing where no shape was accepted.
  std::string refusal;       ///< What the model said to the likeliest shape: "x: f32[b, 4]: ...".
};

/// A spec that the model was seen to accept, for whoever gave none: tensors of the first usual
/// forms with which a run returns. The forms are made from its weights (`weights`, in the model's
/// order): what a linear layer, a convolution or a table of embeddings would take;
/// then come plain ones. Leading sizes vary where the model lets them. Nothing where none is found
/// within some hundred runs and `seconds`.
Probe probe_spec(const std::vector<UnknownInput>& inputs, const std::vector<Weight>& weights,
                 Runner& runner, double seconds);

}  // namespace assay::verify
