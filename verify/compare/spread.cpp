#include "verify/compare/spread.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/host_access.h"
#include "verify/compare/structure.h"
#include "verify/compare/values.h"

namespace assay::verify {

namespace {

void widen(std::vector<double>& spread, const std::vector<double>& distances) {
  spread.resize(distances.size(), 0);
  for (size_t i = 0; i < distances.size(); ++i) spread[i] = std::max(spread[i], distances[i]);
}

}  // namespace

void Spread::add(const Observation& plain, const Observation& rounded) {
  if (plain.ending != Ending::returned || rounded.ending != Ending::returned) return;
  add_values("output", plain.outputs, rounded.outputs);
  for (size_t i = 0; i < std::min(plain.args_after.size(), rounded.args_after.size()); ++i) {
    add_values(fmt::format("args[{}]", i), plain.args_after[i], rounded.args_after[i]);
  }
  for (const auto& [name, value] : plain.kwargs_after) {
    for (const auto& [other, moved] : rounded.kwargs_after) {
      if (name == other) add_values(fmt::format("kwargs['{}']", name), value, moved);
    }
  }
  for (const StateChange& change : plain.state) {
    for (const StateChange& other : rounded.state) {
      if (change.path == other.path) add_values("state:" + change.path, change.value, other.value);
    }
  }
}

const std::vector<double>* Spread::at(const std::string& place) const {
  auto found = by_place_.find(place);
  return found == by_place_.end() ? nullptr : &found->second;
}

void Spread::add_values(const std::string& place, const core::Value& plain,
                        const core::Value& rounded) {
  CompareOptions options;
  compare_detail::Collector collector;
  collector.options = &options;
  compare_detail::Pairs pairs;
  compare_detail::compare_structure(place, plain, rounded, collector, pairs);
  for (const auto& pair : pairs.tensors) {
    const core::Tensor &a = pair.subject, &b = pair.reference;
    bool comparable = a.sizes() == b.sizes() && core::has_bytes(a) && core::has_bytes(b);
    if (comparable) widen(by_place_[pair.place], compare_detail::distances(a, b));
  }
  for (const auto& pair : pairs.numbers) {
    widen(by_place_[pair.place], {compare_detail::distance(pair.subject, pair.reference)});
  }
}

}  // namespace assay::verify
