#include "ci/cli/tolerances.h"

#include <fmt/core.h>

#include "engine/base/text.h"

namespace assay::cli {

namespace {

constexpr size_t most_named = 12;

/// "foo" of "--atol foo".
std::string_view name_of(std::string_view tolerance) {
  return tolerance.substr(tolerance.find(' ') + 1);
}

/// Whether the name is that of the place or of what holds it.
bool names(std::string_view name, std::string_view place) {
  if (!place.starts_with(name)) return false;
  return place.size() == name.size() || place[name.size()] == '[' || place[name.size()] == '.';
}

}  // namespace

Tolerances::Tolerances(const verify::Spec& spec) {
  for (const auto& [name, value] : spec.atol) wanted_.insert("--atol " + name);
  for (const auto& [name, value] : spec.rtol) wanted_.insert("--rtol " + name);
  // What a call may change is met only where it does: that says nothing about whether it is there.
  std::erase_if(wanted_, [](const std::string& tolerance) {
    std::string_view name = name_of(tolerance);
    return name == "*" || name.starts_with("args[") || name.starts_with("kwargs[") ||
           name.starts_with("state:");
  });
  asks_ = !wanted_.empty();
}

void Tolerances::case_judged(const verify::Property&, const verify::Case&,
                             const verify::Judgement& judgement) {
  if (!asks_) return;
  for (const std::string& place : judgement.comparison.places) {
    std::erase_if(wanted_,
                  [&](const std::string& tolerance) { return names(name_of(tolerance), place); });
    if (places_.size() <= most_named) places_.insert(place);
  }
  asks_ = !wanted_.empty();
}

std::vector<std::string> Tolerances::without_output() const {
  std::vector<std::string> out;
  if (places_.empty()) return out;
  std::vector<std::string> known(places_.begin(), places_.end());
  if (known.size() > most_named) known.back() = "more";
  for (const std::string& tolerance : wanted_) {
    out.push_back(fmt::format("{}: no such output was met in any case; the outputs are {}",
                              tolerance, base::join(known, ", ")));
  }
  return out;
}

}  // namespace assay::cli
