#include "verify/diagnosis/origin.h"

#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <set>

#include "verify/diagnosis/block_header.h"
#include "verify/diagnosis/causes.h"
#include "verify/diagnosis/state_line.h"
#include "verify/observation/places.h"

namespace assay::verify::diagnosis {
namespace {

SourceLines lines_of(const SourceText& source, const std::string& file) {
  return [&source, name = relative_path(file)](int line) { return source(name, line); };
}

/// Moves the cause to the first line that is found from the line of one of the export's steps, in
/// the user's own files; false where none is. `find` gives 0 where it finds none.
bool place_from_steps(Finding& finding, const SourceText& source, const Export& exported,
                      const std::function<int(const SourceLines&, int)>& find) {
  for (const Step& step : exported.program().steps) {
    if (step.line == 0 || is_of_library(step.file)) continue;
    int line = find(lines_of(source, step.file), step.line);
    if (line == 0) continue;
    finding.cause.file = step.file;
    finding.cause.line = line;
    finding.cause.function = step.function;
    return true;
  }
  return false;
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

/// State that only the model changes: the line that writes it.
void place_lost_write(Finding& finding, const SourceText& source, const Export& exported) {
  const Difference* headline = finding.comparison.headline();
  if (finding.class_id != "AS109") return;
  if (headline && headline->layer == Layer::state) {
    const std::string& path = headline->place;  // "state:norm.level"
    std::set<std::string> attribute{path.substr(path.find_last_of(".:") + 1)};
    place_from_steps(finding, source, exported, [&](const SourceLines& lines, int line) {
      return write_near(lines, line, attribute);
    });
    return;
  }
  // It may be in a method that no export has steps of: `__call__`.
  place_from_steps(finding, source, exported, [&](const SourceLines& lines, int line) {
    return only_write_of(lines, line, names_of_state(finding.cause.changed));
  });
}

/// An attribute that the model's own `train` sets: the line that does; else where it decides by the
/// mode.
void place_mode(Finding& finding, const SourceText& source, const Export& exported) {
  if (finding.class_id != "AS108") return;
  if (place_from_steps(finding, source, exported, mode_write)) return;
  place_from_steps(finding, source, exported, only_branch_on_mode);
}

void call_it(const char* class_id, Finding& finding) {
  finding.class_id = class_id;
  finding.title = std::string(find_failure_class(class_id)->name);
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
  if (!place_from_steps(finding, source, exported, asks_how_it_runs)) return;
  if (finding.class_id == "AS121") call_it("AS103", finding);
  finding.cause.proof_text = "the model asks there whether it is scripted or traced";
  finding.fingerprint = fingerprint(finding);
}

/// What nothing explains, of a scripted model that changes an attribute where no compiled code
/// does: the one line that does.
void place_uncompiled_write(Finding& finding, const SourceText& source, const Export& exported) {
  bool scripted = is_scripted(exported.program());
  if (finding.class_id != "AS121" || !scripted || finding.cause.changed.empty()) return;
  bool found = place_from_steps(finding, source, exported, [&](const SourceLines& lines, int line) {
    return only_write_of(lines, line, names_of_state(finding.cause.changed));
  });
  if (!found) return;
  call_it("AS109", finding);
  finding.cause.proof_text = "the model changes there what the export does not";
  finding.fingerprint = fingerprint(finding);
}

/// Gradients that the export asks for and the model does not: the line that switches them off, in a
/// function that the export has steps of.
void place_gradients(Finding& finding, const SourceText& source, const Export& exported) {
  if (finding.class_id == "AS119") place_from_steps(finding, source, exported, switches_gradients);
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
  call_it("AS104", finding);
  finding.fingerprint = fingerprint(finding);
}

/// Steps that come with an entry of a dict, in a loop over whatever entries there are: no condition
/// decided, the trace has fixed the keys.
void name_walk(Finding& finding, const SourceText& source) {
  bool of_entry = finding.axis.kind == "option" && finding.axis.path.find('.') != std::string::npos;
  if (finding.class_id != "AS103" || !of_entry) return;
  SourceLines lines = lines_of(source, finding.cause.file);
  if (!walks_unconditionally(lines, finding.cause.line)) return;
  call_it("AS115", finding);
  name_kind(pinned_input_keys, finding);
  finding.fingerprint = fingerprint(finding);
}

/// A number that follows nothing which left the graph, and that the source has: a condition on what
/// left picked it (`gain = 0.8 if peak.item() < 9 else 0.1`).
void name_choice(Finding& finding, const SourceText& source) {
  const Cause& cause = finding.cause;
  if (finding.class_id != "AS102" || !finding.evidence.fit.empty()) return;
  int header = choice_of(lines_of(source, cause.file), cause.line, cause.literal);
  if (header == 0) return;
  finding.cause.line = header;
  finding.hint.clear();
  call_it("AS103", finding);
  finding.fingerprint = fingerprint(finding);
}

/// What only the model rejects, at a line that asks for nothing itself: an operator refuses what
/// the model has computed.
void name_refusal(Finding& finding, const SourceLines& lines) {
  if (finding.class_id != "AS114" || finding.cause.proof >= Proof::supported) return;
  std::string text = lines(finding.cause.line);
  if (text.empty() || python::mentions_any(text, {"raise", "assert", "check"})) return;
  finding.hint =
      "the model has no check there: an operator refuses what the model hands it, and the export "
      "hands it something else; look for what is frozen before it";
}

}  // namespace

void move_to_origin(Finding& finding, const SourceText& source, const Export* exported) {
  Cause& cause = finding.cause;
  if (!source) return;
  if (exported) place_question(finding, source, *exported);
  if (exported) place_uncompiled_write(finding, source, *exported);
  if (cause.line == 0) {
    if (!exported) return;
    place_lost_write(finding, source, *exported);
    place_mode(finding, source, *exported);
    place_gradients(finding, source, *exported);
    return;
  }
  // It is that very line.
  bool known = finding.class_id == "AS119" && cause.proof == Proof::proven;
  if (known || of_structure(finding)) return;
  name_choice(finding, source);
  name_walk(finding, source);
  SourceLines lines = lines_of(source, cause.file);
  name_refusal(finding, lines);
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
  bool asked = finding.class_id == "AS106" || finding.class_id == "AS107";
  std::string_view what =
      asked || origin < cause.line ? "it takes effect" : "what it goes by is made";
  finding.evidence.notes.push_back(
      fmt::format("{} at {}:{}", what, relative_path(cause.file), cause.line));
  auto [function, head] = python::function_around(lines, origin);
  if (head != 0 && head != python::function_around(lines, cause.line).second) {
    cause.function = function;
  }
  cause.line = origin;
  name_loop(finding, source);
}

}  // namespace assay::verify::diagnosis
