#include "verify/compare/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "verify/compare/alias.h"
#include "verify/compare/metadata.h"
#include "verify/compare/structure.h"
#include "verify/compare/values.h"

namespace assay::verify {

namespace {

using compare_detail::Collector;
using compare_detail::Pairs;
using compare_detail::TensorPair;

std::string first_line(const std::string& text) {
  constexpr size_t most = 200;
  std::string line = text.substr(0, text.find('\n'));
  return line.size() > most ? fmt::format("{}...", std::string_view(line).substr(0, most)) : line;
}

std::string ending_text(const Observation& run) {
  if (run.ending == Ending::returned) return "returned " + compare_detail::value_text(run.outputs);
  std::string what = run.ending == Ending::raised          ? "raised"
                     : run.ending == Ending::died          ? "died"
                     : run.ending == Ending::timed_out     ? "timed out"
                     : run.ending == Ending::exhausted     ? "ran out of time or memory"
                     : run.ending == Ending::invalid_reply ? "gave an invalid reply"
                                                           : "was not run";
  if (!run.failure) return what;
  std::string type = run.ending == Ending::raised ? ' ' + run.failure->type : "";
  return fmt::format("{}{}: {}", what, type, first_line(run.failure->message));
}

/// Compares what two values hold, in all layers. Differences in a value that is an input after the
/// call are the layer `inputs`' (or `state`'s), whatever their own layer.
void compare_as(Layer layer, const std::string& place, const core::Value& s, const core::Value& r,
                Collector& out) {
  Collector inner;
  inner.options = out.options;
  Pairs pairs;
  compare_detail::compare_structure(place, s, r, inner, pairs);
  for (const TensorPair& pair : pairs.tensors) compare_detail::compare_metadata(pair, inner);
  compare_detail::compare_pair_values(pairs, inner);
  out.count(layer, std::max<int64_t>(1, static_cast<int64_t>(pairs.tensors.size())));
  for (Difference& difference : inner.differences) {
    // Where an input lies in memory after the call says nothing new about the call.
    if (difference.layer == Layer::strides || difference.layer == Layer::device) continue;
    difference.layer = layer;
    out.differences.push_back(std::move(difference));
  }
}

void compare_inputs(const Observation& s, const Observation& r, Collector& out) {
  if (!out.options->inputs) return;
  // A runner that knows that nothing changed need not send its inputs back.
  if (!s.inputs_changed && !r.inputs_changed) {
    out.count(Layer::inputs);
    return;
  }
  for (size_t i = 0; i < std::min(s.args_after.size(), r.args_after.size()); ++i) {
    compare_as(Layer::inputs, fmt::format("args[{}]", i), s.args_after[i], r.args_after[i], out);
  }
  for (const auto& [name, value] : r.kwargs_after) {
    for (const auto& [other, own] : s.kwargs_after) {
      if (other == name) {
        compare_as(Layer::inputs, fmt::format("kwargs['{}']", name), own, value, out);
      }
    }
  }
  bool both_known = (!s.args_after.empty() || !s.kwargs_after.empty()) &&
                    (!r.args_after.empty() || !r.kwargs_after.empty());
  if (!both_known && s.inputs_changed != r.inputs_changed) {
    out.differ(Layer::inputs, "arguments", s.inputs_changed ? "changed" : "unchanged",
               r.inputs_changed ? "changed" : "unchanged");
  }
}

/// Changes of tensors in parameters and buffers; what Python keeps beside them (counters, caches)
/// shows in later calls, not here.
std::map<std::string, core::Value> tensors_changed(const Observation& run) {
  std::map<std::string, core::Value> out;
  for (const StateChange& change : run.state) {
    bool tensor =
        change.kind == StateChange::Kind::parameter || change.kind == StateChange::Kind::buffer;
    if (tensor) out.emplace(change.path, change.value);
  }
  return out;
}

/// Whether one path is the other inside of a wrapper: "net.bn.mean" and "bn.mean".
bool lies_within(const std::string& path, const std::string& wrapped) {
  return wrapped.ends_with("." + path);
}

/// What changed under a path of the other side: under the same one, else where one of the two
/// modules wraps the other. Null where nothing did.
const core::Value* counterpart(const std::map<std::string, core::Value>& changes,
                               const std::string& path) {
  if (auto same = changes.find(path); same != changes.end()) return &same->second;
  for (const auto& [other, value] : changes) {
    if (lies_within(path, other) || lies_within(other, path)) return &value;
  }
  return nullptr;
}

void compare_state(const Observation& s, const Observation& r, Collector& out) {
  if (!out.options->state) return;
  std::map<std::string, core::Value> subject = tensors_changed(s), reference = tensors_changed(r);
  out.count(Layer::state);
  for (const auto& [path, value] : reference) {
    if (const core::Value* found = counterpart(subject, path)) {
      compare_as(Layer::state, "state:" + path, *found, value, out);
    } else {
      out.differ(Layer::state, "state:" + path, "unchanged", "changed");
    }
  }
  for (const auto& [path, value] : subject) {
    if (!counterpart(reference, path))
      out.differ(Layer::state, "state:" + path, "changed", "unchanged");
  }
}

/// Forgets about memory that is shared by entries of an argument which holds other entries: that
/// these are others says it already.
void forget_sharing_of_other_entries(std::vector<Difference>& differences) {
  std::vector<std::string> below;
  for (const Difference& argument : differences) {
    if (argument.layer == Layer::inputs) below.push_back(argument.place + "[");
  }
  std::erase_if(differences, [&](const Difference& shared) {
    return shared.layer == Layer::aliasing &&
           std::ranges::any_of(below, [&](const std::string& entry) {
             return shared.place.find(entry) != std::string::npos;
           });
  });
}

void compare_returned(const Observation& s, const Observation& r, Collector& out) {
  Pairs pairs;
  compare_detail::compare_structure("output", s.outputs, r.outputs, out, pairs);
  for (const TensorPair& pair : pairs.tensors) compare_detail::compare_metadata(pair, out);
  compare_detail::compare_aliases(s, r, out);
  compare_inputs(s, r, out);
  compare_state(s, r, out);
  compare_detail::compare_pair_values(pairs, out);
  forget_sharing_of_other_entries(out.differences);
  std::stable_sort(out.differences.begin(), out.differences.end(),
                   [](const Difference& a, const Difference& b) { return a.layer < b.layer; });
}

/// Whether anything of the outputs was looked at: a tensor, a number, a text.
bool something_compared(const Collector& found) {
  return found.compared[static_cast<size_t>(Layer::shape)] > 0 ||
         found.compared[static_cast<size_t>(Layer::values)] > 0;
}

/// Decides what can be decided from the endings; true where both returned.
bool both_returned(const Observation& s, const Observation& r, Comparison& out) {
  if (s.ending == Ending::returned && r.ending == Ending::returned) return true;
  if (r.ending == Ending::not_run || s.ending == Ending::not_run) {
    const Observation& missing = r.ending == Ending::not_run ? r : s;
    out.reason = missing.failure ? first_line(missing.failure->message) : "one side was not run";
    return false;
  }
  if (r.ending != Ending::returned && r.ending != Ending::raised) {
    out.reason = "the reference " + ending_text(r);
    return false;
  }
  if (s.ending == Ending::exhausted || s.ending == Ending::timed_out) {
    out.reason = "the subject " + ending_text(s);
    return false;
  }
  if (r.ending == Ending::raised && s.ending == Ending::raised) {
    out.verdict = Comparison::Verdict::rejected;
    out.reason = "both raise: " + ending_text(r);
    return false;
  }
  out.verdict = Comparison::Verdict::differ;
  out.compared[static_cast<size_t>(Layer::ending)] = 1;
  out.differences.push_back(
      {Layer::ending, "", ending_text(s), ending_text(r), std::nullopt, false});
  return false;
}

}  // namespace

std::string_view layer_name(Layer layer) {
  constexpr std::array<std::string_view, layer_count> names{
      "ending", "structure", "dtype",  "shape",   "device",   "aliasing",
      "inputs", "state",     "values", "strides", "gradients"};
  return names[static_cast<size_t>(layer)];
}

std::string Difference::text() const {
  std::string at = place.empty() ? "" : place + ": ";
  return fmt::format("{}{}: {} instead of {}", at, layer_name(layer), subject, reference);
}

int64_t Comparison::elements() const {
  int64_t total = 0;
  for (const auto& [place, error] : errors) total += error.compared - error.nan;
  return total;
}

int64_t Comparison::nan_elements() const {
  int64_t total = 0;
  for (const auto& [place, error] : errors) total += error.nan;
  return total;
}

int64_t Comparison::adjudicated() const {
  int64_t total = 0;
  for (const auto& [place, error] : errors) total += error.adjudicated;
  return total;
}

Comparison compare(const Observation& subject, const Observation& reference,
                   const CompareOptions& options) {
  Comparison out;
  if (!both_returned(subject, reference, out)) return out;
  Collector found;
  found.options = &options;
  found.count(Layer::ending);
  compare_returned(subject, reference, found);
  out.differences = std::move(found.differences);
  out.compared = found.compared;
  out.errors = std::move(found.errors);
  out.places = std::move(found.places);
  if (!out.differences.empty()) {
    out.verdict = Comparison::Verdict::differ;
  } else if (something_compared(found)) {
    out.verdict = Comparison::Verdict::agree;
  } else {
    out.reason = "the outputs hold nothing that can be compared";
  }
  return out;
}

}  // namespace assay::verify
