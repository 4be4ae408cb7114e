#include "fuzz/generate/reach.h"

#include <algorithm>

#include "engine/base/text.h"
#include "verify/graph/align.h"

namespace assay::fuzz {

using namespace verify;  // NOLINT: this file is about what verify names.

namespace {

using Words = std::vector<std::string>;

bool is_among(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The inputs of floating numbers for whose values the spec says nothing.
Words open_inputs(const Spec& spec) {
  Words paths;
  auto own = spec.input_choices.find(CategoricalAxis::values);
  auto is_told = [&](const std::string& path) {
    return own != spec.input_choices.end() && own->second.count(path) > 0;
  };
  if (is_told("*")) return paths;
  for (const InputPlace& place : input_places(spec)) {
    bool floating =
        place.tree->kind == InputTree::Kind::tensor && core::is_floating(place.tree->dtype);
    if (floating && !place.tree->range && !is_told(place.path)) paths.push_back(place.path);
  }
  return paths;
}

/// Whether two traces of a model went different ways; other literals alone are no other way.
bool has_other_steps(const Program& a, const Program& b) {
  Alignment alignment = align(a, b);
  return std::any_of(
      alignment.differences.begin(), alignment.differences.end(),
      [](const GraphDifference& d) { return d.kind == GraphDifference::Kind::structure; });
}

}  // namespace

std::vector<std::string> reach_further(Spec& spec, const Export& subject, Exporter& exporter) {
  Words added;
  bool numbers_left = std::any_of(subject.escapes.begin(), subject.escapes.end(),
                                  [](const Escape& e) { return e.value.has_value(); });
  Words paths = open_inputs(spec);
  if (!numbers_left || paths.empty() || !subject.exported_at) return added;
  const CategoricalAxisInfo& axis = categorical_axis(CategoricalAxis::values);
  Words usual = base::split(axis.initial, ',');
  Spec wide = spec;
  for (const std::string& path : paths)
    wide.input_choices[axis.axis][path] = base::split(axis.choices, ',');
  for (const std::string& word : base::split(axis.choices, ',')) {
    if (is_among(usual, word)) continue;
    Point point = subject.exported_at->point;
    for (const std::string& path : paths) point.choices["value " + path] = word;
    std::optional<Point> there = nearest_point(wide, point);
    if (!there) continue;
    ExportResult made = exporter.export_at(build_case(wide, *there), false);
    if (!made.exported) continue;
    if (has_other_steps(subject.program(), made.exported->program())) added.push_back(word);
  }
  if (added.empty()) return added;
  usual.insert(usual.end(), added.begin(), added.end());
  for (const std::string& path : paths) spec.input_choices[axis.axis][path] = usual;
  return added;
}

}  // namespace assay::fuzz
