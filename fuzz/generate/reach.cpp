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

/// NaN and infinity make any condition false: only a way that no other number leads to is theirs.
bool is_special(const std::string& word) { return word == "nan" || word == "inf"; }

bool is_of_its_own(const Export& made, const std::vector<std::shared_ptr<const Export>>& ways) {
  return std::all_of(ways.begin(), ways.end(), [&](const auto& way) {
    return !way || has_other_steps(way->program(), made.program());
  });
}

/// Whether the model itself refused its inputs: an operator that does so raises RuntimeError, and
/// raises it in the export, too.
bool refuses(const std::string& failure) {
  return failure.starts_with("AssertionError") || failure.starts_with("ValueError");
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
  auto export_with = [&](const std::string& word) -> ExportResult {
    Point point = subject.exported_at->point;
    for (const std::string& path : paths) point.choices["value " + path] = word;
    std::optional<Point> there = nearest_point(wide, point);
    if (!there) return {};
    return exporter.export_at(build_case(wide, *there), false);
  };
  std::vector<std::shared_ptr<const Export>> ways;  // Other than the subject's.
  for (const std::string& word : base::split(axis.choices, ',')) {
    if (is_among(usual, word)) continue;
    if (is_special(word) && ways.empty()) {
      for (const std::string& plain : usual) ways.push_back(export_with(plain).exported);
    }
    ExportResult made = export_with(word);
    bool other = made.exported && has_other_steps(subject.program(), made.exported->program());
    if (is_special(word)) {
      if (made.exported ? other && is_of_its_own(*made.exported, ways) : refuses(made.failure)) {
        added.push_back(word);
      }
    } else if (other) {
      added.push_back(word);
      ways.push_back(made.exported);
    }
  }
  if (added.empty()) return added;
  usual.insert(usual.end(), added.begin(), added.end());
  for (const std::string& path : paths) spec.input_choices[axis.axis][path] = usual;
  return added;
}

}  // namespace assay::fuzz
