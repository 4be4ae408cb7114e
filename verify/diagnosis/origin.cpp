#include "verify/diagnosis/origin.h"

#include <fmt/core.h>

#include <filesystem>
#include <set>

#include "verify/diagnosis/block_header.h"
#include "verify/diagnosis/state_line.h"

namespace assay::verify::diagnosis {
namespace {

SourceLines lines_of(const SourceText& source, const std::string& file) {
  return [&source, name = relative_path(file)](int line) { return source(name, line); };
}

/// A buffer that only the model changes: the line that writes it, in a function that the export has
/// steps of.
void place_lost_write(Finding& finding, const SourceText& source, const Export& exported) {
  const Difference* headline = finding.comparison.headline();
  if (finding.class_id != "AS109" || !headline || headline->layer != Layer::state) return;
  const std::string& path = headline->place;  // "state:norm.level"
  std::set<std::string> attribute{path.substr(path.find_last_of(".:") + 1)};
  for (const Step& step : exported.program().steps) {
    int line = step.line == 0 ? 0 : write_near(lines_of(source, step.file), step.line, attribute);
    if (line == 0) continue;
    finding.cause.file = step.file;
    finding.cause.line = line;
    finding.cause.function = step.function;
    return;
  }
}

/// The last names of paths: "calls" of "model.Net.calls", "banks" and "a" of "banks/a".
std::set<std::string> names_of_state(const std::vector<std::string>& paths) {
  std::set<std::string> names;
  for (const std::string& path : paths) {
    size_t last = path.find_last_of("./ ");
    names.insert(path.substr(last + 1));
    bool item = last != std::string::npos && path[last] == '/';
    if (!item) continue;
    size_t before = path.find_last_of("./ ", last - 1);
    names.insert(path.substr(before + 1, last - before - 1));
  }
  return names;
}

/// Whether another structure is all that is known of a finding.
bool of_structure(const Finding& finding) {
  const Difference* headline = finding.comparison.headline();
  return finding.class_id == "AS115" && finding.cause.proof == Proof::suspected && headline &&
         headline->layer == Layer::structure;
}

/// What nothing explains, of a model that answers otherwise where it is scripted or traced: the
/// line that asks, in a function that the export has steps of.
void place_question(Finding& finding, const SourceText& source, const Export& exported) {
  if (finding.class_id != "AS121" && !of_structure(finding)) return;
  for (const Step& step : exported.program().steps) {
    int line = step.line == 0 ? 0 : asks_how_it_runs(lines_of(source, step.file), step.line);
    if (line == 0) continue;
    if (finding.class_id == "AS121") {
      finding.class_id = "AS103";
      finding.title = std::string(find_failure_class("AS103")->name);
    }
    finding.cause.proof_text = "the model asks there whether it is scripted or traced";
    finding.cause.file = step.file;
    finding.cause.line = line;
    finding.cause.function = step.function;
    finding.fingerprint = fingerprint(finding);
    return;
  }
}

/// Gradients that the export asks for and the model does not: the line that switches them off, in a
/// function that the export has steps of.
void place_gradients(Finding& finding, const SourceText& source, const Export& exported) {
  if (finding.class_id != "AS119") return;
  for (const Step& step : exported.program().steps) {
    int line = step.line == 0 ? 0 : switches_gradients(lines_of(source, step.file), step.line);
    if (line == 0) continue;
    finding.cause.file = step.file;
    finding.cause.line = line;
    finding.cause.function = step.function;
    return;
  }
}

}  // namespace

std::string relative_path(const std::string& file) {
  std::error_code error;
  std::string here = std::filesystem::current_path(error).string() + "/";
  return !error && file.starts_with(here) ? file.substr(here.size()) : file;
}

namespace {

/// A condition that a trace went by once says no more than a branch; at a `while` it ends a loop.
void name_loop(Finding& finding, const SourceText& source) {
  if (finding.class_id != "AS103") return;
  if (!is_while(lines_of(source, finding.cause.file), finding.cause.line)) return;
  finding.class_id = "AS104";
  finding.title = std::string(find_failure_class("AS104")->name);
  finding.fingerprint = fingerprint(finding);
}

}  // namespace

void move_to_origin(Finding& finding, const SourceText& source, const Export* exported) {
  Cause& cause = finding.cause;
  if (!source) return;
  if (exported) place_question(finding, source, *exported);
  if (cause.line == 0) {
    if (exported) place_lost_write(finding, source, *exported);
    if (exported) place_gradients(finding, source, *exported);
    return;
  }
  // It is that very line.
  bool known = finding.class_id == "AS119" && cause.proof == Proof::proven;
  if (known || of_structure(finding)) return;
  SourceLines lines = lines_of(source, cause.file);
  int origin = origin_of(finding.class_id, lines, cause.line);
  if (finding.class_id == "AS109") {
    std::set<std::string> names = names_of_state(cause.changed);
    if (!writes_state(lines(origin), names)) {
      if (int at = only_write_of(lines, origin, names); at != 0) origin = at;
    }
    for (int other : other_state_writes(lines, cause.line, origin)) {
      finding.evidence.notes.push_back(
          fmt::format("also written at {}:{}", relative_path(cause.file), other));
    }
  }
  if (origin == cause.line) return name_loop(finding, source);
  std::string_view what = origin < cause.line ? "it takes effect" : "what it goes by is made";
  finding.evidence.notes.push_back(
      fmt::format("{} at {}:{}", what, relative_path(cause.file), cause.line));
  cause.line = origin;
  name_loop(finding, source);
}

}  // namespace assay::verify::diagnosis
