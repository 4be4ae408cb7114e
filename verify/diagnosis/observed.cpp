#include "verify/diagnosis/observed.h"

#include <algorithm>

namespace assay::verify::diagnosis {
namespace {

/// What one layer of the comparison says; empty where it says nothing.
std::string class_of_layer(Layer layer, const Observation& subject) {
  switch (layer) {
    case Layer::inputs:
      return subject.inputs_changed ? "AS111" : "AS110";
    case Layer::state:
      return "AS109";
    case Layer::structure:
      return "AS115";
    case Layer::strides:
      return "AS112";
    case Layer::aliasing:
      return "AS111";
    case Layer::device:
      return "AS106";
    case Layer::gradients:
      return "AS119";
    default:
      return {};
  }
}

std::string class_of_axis(const std::string& kind) {
  if (kind == "layout") return "AS112";
  if (kind == "device") return "AS106";
  if (kind == "mode") return "AS108";
  if (kind == "option") return "AS103";
  if (kind == "call") return "AS109";
  return {};
}

}  // namespace

std::string observed_class(const Judgement& judgement, const FeatureAxis& axis, bool reexported) {
  const Observation& subject = judgement.subject;
  Visibility visibility = visibility_of(judgement.comparison);
  if (visibility == Visibility::lenient) return "AS114";
  const Difference* headline = judgement.comparison.headline();
  std::string found = class_of_layer(headline ? headline->layer : Layer::values, subject);
  if (found.empty()) found = class_of_axis(axis.kind);
  bool other_layout =
      std::ranges::any_of(judgement.comparison.differences,
                          [](const Difference& d) { return d.layer == Layer::strides; });
  if (found.empty() && other_layout) found = class_of_layer(Layer::strides, subject);
  if (!found.empty()) return found;
  if (visibility == Visibility::loud && subject.failure) return "AS121";
  return reexported ? "AS121" : "AS103";
}

bool is_beyond_graphs(const Difference& difference) {
  return difference.layer == Layer::strides || difference.layer == Layer::state;
}

bool differs_beyond_graphs(const Judgement& judgement) {
  return judgement.verdict == Judgement::Verdict::violated &&
         std::ranges::all_of(judgement.comparison.differences, is_beyond_graphs);
}

bool loses_state_alone(const Judgement& judgement) {
  const auto& all = judgement.comparison.differences;
  return !all.empty() && std::ranges::all_of(all, [](const Difference& difference) {
    return difference.layer == Layer::state;
  });
}

bool keeps_state(const Judgement& judgement) {
  const std::vector<StateChange>& kept = judgement.subject.state;
  const std::vector<StateChange>& wanted = judgement.reference.state;
  return !wanted.empty() && std::ranges::all_of(wanted, [&](const StateChange& change) {
    bool tensor =
        change.kind == StateChange::Kind::parameter || change.kind == StateChange::Kind::buffer;
    return tensor && std::ranges::any_of(
                         kept, [&](const StateChange& other) { return other.path == change.path; });
  });
}

}  // namespace assay::verify::diagnosis
