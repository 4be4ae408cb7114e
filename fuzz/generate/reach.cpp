#include "fuzz/generate/reach.h"

#include <algorithm>

#include "engine/base/text.h"

namespace assay::fuzz {

using verify::CategoricalAxis;

namespace {

bool is_decision(const verify::Escape& escape) {
  return escape.kind == "bool" || escape.kind == "float" || escape.kind == "item";
}

/// The words that the spec would take, the usual ones first.
std::vector<std::string> every_word() {
  const verify::CategoricalAxisInfo& axis = categorical_axis(CategoricalAxis::values);
  std::vector<std::string> words = base::split(axis.initial, ',');
  for (std::string& word : base::split(axis.choices, ',')) {
    if (std::find(words.begin(), words.end(), word) == words.end())
      words.push_back(std::move(word));
  }
  return words;
}

}  // namespace

std::vector<std::string> reach_further(verify::Spec& spec,
                                       const std::vector<verify::Escape>& escapes) {
  std::vector<std::string> widened;
  if (std::none_of(escapes.begin(), escapes.end(), is_decision)) return widened;
  std::map<std::string, std::vector<std::string>> by_path;
  if (auto own = spec.input_choices.find(CategoricalAxis::values); own != spec.input_choices.end())
    by_path = own->second;
  if (by_path.count("*") > 0) return widened;
  for (const verify::InputPlace& place : input_places(spec)) {
    bool open = place.tree->kind == verify::InputTree::Kind::tensor &&
                core::is_floating(place.tree->dtype) && !place.tree->range;
    if (open && by_path.emplace(place.path, every_word()).second) widened.push_back(place.path);
  }
  if (!widened.empty()) spec.input_choices[CategoricalAxis::values] = std::move(by_path);
  return widened;
}

}  // namespace assay::fuzz
