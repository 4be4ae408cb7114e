#pragma once

#include <string>
#include <vector>

#include "verify/graph/program.h"
#include "verify/lint/flow.h"
#include "verify/lint/sign.h"
#include "verify/lint/weights.h"

namespace assay::verify::lint {

/// What the checks look at: one method of an archive, calls inlined.
struct View {
  std::string method;
  const Program& program;
  const Flow& flow;
  const Weights& weights;
  /// The archive names no source line of the method, and nothing but tracing makes such a graph.
  bool untold = false;

  View(std::string name, const Program& of, const Flow& its_flow, const Weights& its_weights);

  const Step& step(size_t s) const { return program.steps[s]; }
  /// Whether tracing recorded the step, so that its numbers may have been captured. What scripting
  /// made says what its author wrote.
  bool traced(size_t s) const { return step(s).traced || untold; }
  /// Whether its numbers may have been captured: traced, and they are no layer's settings.
  bool may_capture(size_t s) const { return traced(s) && !step(s).in_layer; }
  /// A sign at a step, with the place that its operator has in the source.
  Sign sign_at(size_t s, RuleId rule, Strength strength, std::string why) const;
};

/// A check of one kind.
///
/// An implementation must add its signs in the order of the program, look at nothing but the view,
/// take time proportional to the program, and say of scripted steps only what their author cannot
/// have meant.
using Check = void (*)(const View& view, std::vector<Sign>& signs);

void find_pinned_sizes(const View& view, std::vector<Sign>& signs);      // pinned_size
void find_pinned_numbers(const View& view, std::vector<Sign>& signs);    // pinned_number
void find_captured_tensors(const View& view, std::vector<Sign>& signs);  // captured_tensor
void find_constant_outputs(const View& view, std::vector<Sign>& signs);  // constant_output
void find_repetitions(const View& view, std::vector<Sign>& signs);  // unrolled_loop, fixed_arity
void find_repeated_entries(const View& view, std::vector<Sign>& signs);  // repeated_entry
void find_pinned_devices(const View& view, std::vector<Sign>& signs);    // pinned_device
void find_pinned_dtypes(const View& view, std::vector<Sign>& signs);     // pinned_dtype
void find_modes(const View& view, std::vector<Sign>& signs);          // frozen_mode, training_mode
void find_odd_operators(const View& view, std::vector<Sign>& signs);  // random, unknown

/// All of them.
const std::vector<Check>& checks();

}  // namespace assay::verify::lint
