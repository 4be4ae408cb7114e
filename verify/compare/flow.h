#pragma once

#include <functional>

#include "verify/compare/compare.h"
#include "verify/observation/gradient_flow.h"

namespace assay::verify {

/// What two flows of gradients say of each other.
struct FlowComparison {
  /// Places that were compared: inputs and parameters by PyTorch's gradients, outputs by cuts.
  int64_t compared = 0;
  std::vector<Difference> differences;
  bool decides = true;  ///< False: what was compared agrees, but gradients may differ elsewhere.
  std::string reason;   ///< Why nothing was compared, or why that does not decide.
};

/// Compares what the subject's gradients are with the reference's. Where gradients were computed, a
/// difference counts if it is more than the square root of their precision, of the largest element
/// of the same gradient, and far more than what rounding alone does to the reference's; so does an
/// error of the subject's on the way back to the inputs, where the reference has none. Where cuts
/// were followed, one that the reference has more than the subject counts if its output depends on
/// what was cut; where none counts, a derivative of the model's own leaves
/// it undecided. `nudged` gives the reference's flow that shows it, and is asked only then.
FlowComparison compare_flows(const GradientFlow& subject, const GradientFlow& reference,
                             const std::function<GradientFlow()>& nudged);

}  // namespace assay::verify
