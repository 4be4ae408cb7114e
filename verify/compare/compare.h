#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/compare/bound.h"
#include "verify/compare/spread.h"
#include "verify/observation/observation.h"

namespace assay::verify {

/// The layers in which two observations are compared, in the order in which a difference becomes
/// the headline.
enum class Layer {
  ending,  ///< returned against raised
  structure,
  dtype,
  shape,
  device,
  aliasing,
  inputs,  ///< the arguments after the call
  state,   ///< parameters, buffers and attributes after the call
  values,
  strides,    ///< Where elements are others, too, these are the news.
  gradients,  ///< whether outputs ask for gradients, where CompareOptions::gradients; and which
};
inline constexpr size_t layer_count = 11;
/// "shape".
std::string_view layer_name(Layer layer);

/// How far the elements of one pair of tensors are apart.
struct ValueError {
  int64_t compared = 0;    ///< Elements looked at.
  int64_t nan = 0;         ///< Of these: NaN on both sides, which says nothing.
  int64_t mismatched = 0;  ///< Elements outside the bound that rounding does not explain.
  /// Elements outside the bound whose difference rounding explains (AS117); with the difference and
  /// the spread of the one that is nearest to the limit.
  int64_t adjudicated = 0;
  double adjudicated_difference = 0, adjudicated_spread = 0;
  /// Where the difference is largest against its bound: coordinates and both elements as text.
  std::vector<int64_t> worst_index;
  std::string worst_subject, worst_reference;
  double max_abs = 0;  ///< Largest absolute difference of finite pairs.
  double max_rel = 0;  ///< Largest difference relative to the reference's element.
  /// What a user would have to allow: the smallest atol with rtol 0, the smallest rtol with atol 0.
  /// Infinite where no tolerance helps (NaN or an infinity against something else).
  double needed_atol = 0;
  double needed_rtol = 0;
  /// The largest difference as a multiple of what is allowed there; infinite where nothing is.
  double excess = 0;
  /// Counts of absolute differences by decade: [0] equal, [1] below 1e-12, [2] below 1e-11, ...
  /// [14] below 10, [15] larger or not finite.
  std::array<int64_t, 16> histogram{};
  Bound bound;  ///< The one that was applied.
};

/// One difference at one place.
struct Difference {
  Layer layer = Layer::ending;
  std::string place;      ///< "output[0]['k']", "args[1]", "state:bn.running_mean"; empty for all.
  std::string subject;    ///< What the subject has there: "f32[1, 7]", "raised RuntimeError: ...".
  std::string reference;  ///< What the reference has there.
  std::optional<ValueError> values;
  /// Numbers are apart that the user gave no tolerance for: rounding may explain it.
  bool adjudicable = false;

  /// "output[0]: shape f32[1, 7, 4] instead of f32[1, 1, 4]".
  std::string text() const;
};

/// The result of comparing two observations.
struct Comparison {
  enum class Verdict {
    agree,     ///< Something was compared and all of it agrees.
    differ,    ///< At least one difference.
    rejected,  ///< Both raise: the case lies outside what the model takes (AS902).
    nothing,   ///< Nothing could be compared; never a pass. `reason` says why.
  };
  Verdict verdict = Verdict::nothing;
  std::string reason;
  /// By layer; the first is the headline, the others are attached.
  std::vector<Difference> differences;
  /// Places looked at, by layer. An output without elements counts for its shape, not its values.
  std::array<int64_t, layer_count> compared{};
  /// The largest errors over all pairs of tensors, also where they agree, by place.
  std::vector<std::pair<std::string, ValueError>> errors;
  /// Every tensor, number and text among the outputs: what a tolerance can be given for.
  std::vector<std::string> places;

  bool agrees() const { return verdict == Verdict::agree; }
  const Difference* headline() const { return differences.empty() ? nullptr : &differences[0]; }
  /// Elements whose values were compared: those that are NaN on both sides say nothing.
  int64_t elements() const;
  int64_t nan_elements() const;
  /// Elements beyond their bound whose difference rounding explains.
  int64_t adjudicated() const;
};

/// What counts as a difference.
struct CompareOptions {
  BoundRule bounds;
  /// What rounding can explain at this very call, on top of the bounds; null: nothing.
  const Spread* spread = nullptr;
  bool strides = true;
  bool aliasing = true;
  bool device = true;
  bool inputs = true;
  bool state = true;
  bool gradients = false;
};

/// Compares what the subject gave with what the reference gave. NaN equals NaN at the same place
/// only; infinities by sign; -0.0 equals 0.0 in value. Objects without attributes on both sides
/// are not compared, and not counted; nor are modules.
Comparison compare(const Observation& subject, const Observation& reference,
                   const CompareOptions& options = {});

}  // namespace assay::verify
