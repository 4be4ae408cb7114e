#include "verify/diagnosis/causes.h"

#include <fmt/core.h>

#include <algorithm>

#include "verify/diagnosis/origin.h"
#include "verify/observation/places.h"

namespace assay::verify::diagnosis {
namespace {

/// What a repair exchanges at one of its places.
Exchange part_of(const Repair& repair, size_t place) {
  Exchange part = repair.exchange;
  part.exchanged = repair.places[place].differences;
  return part;
}

bool is_same_fault(const Finding& a, const Finding& b) {
  bool same_line =
      base_name(a.cause.file) == base_name(b.cause.file) && a.cause.line == b.cause.line;
  bool a_number = !b.cause.literal.empty() && b.cause.role != "repetitions";  // Loops may well be
  bool same_number = a_number && a.class_id == b.class_id &&                  // as long as others.
                     a.cause.literal == b.cause.literal && a.evidence.exports == b.evidence.exports;
  return same_line || same_number;
}

/// Which of the causes before it `finding` belongs to, as another place that the fault reaches.
/// Their number for a fault of its own.
size_t fault_of(const ExportDiff& view, const Repair& repair, size_t at, const Finding& finding,
                const std::vector<ProvenCause>& before) {
  const Attribution& a = repair.places[at];
  // Entries in another order go through other layers, and what becomes of them is put together
  // anew.
  bool of_order = repair.places[0].kind == &pinned_input_keys && a.class_id == "AS103";
  bool follows = of_order || belongs_to_steps(view, a) || hands_on(view, a);
  if (finding.cause.line == 0 || follows) return 0;
  auto same = std::find_if(before.begin(), before.end(), [&](const ProvenCause& cause) {
    return is_same_fault(cause.finding, finding);
  });
  return static_cast<size_t>(same - before.begin());
}

/// Where the value of an attribution left the graph, if that is known.
std::optional<SourceLocation> escape_of(const ExportDiff& view, const Attribution& a,
                                        const Escapes& escapes, const SourceLocation& reader) {
  if (a.origin) return a.origin->place;
  if (a.place) return a.place;
  if (a.escape) return a.escape->place;
  const GraphDifference& d = view.alignment->differences[a.differences[0]];
  bool literal = d.kind == GraphDifference::Kind::literal;
  if (a.class_id == "AS103" || (a.class_id == "AS113" && !literal)) {
    return decided_at(escapes, reader);
  }
  if (!literal) return std::nullopt;
  auto place = captured_at(escapes, d.literal_a, d.literal_b, reader);
  bool by_seed = a.class_id == "AS113" && view.axis.kind == "seed";
  bool of_values = a.class_id == "AS101";
  // Python may have made something else of the numbers: twice a stride, an order, a mask.
  if (place || !(of_values || by_seed || a.class_id == "AS112")) return place;
  if (of_values) place = handed_out_at(escapes, reader);
  if (!place) place = only_source(escapes, reader);
  return place ? place : only_source(escapes);
}

/// What `bare` becomes with one of the repair's places as its cause.
ProvenCause cause_at(const ExportDiff& view, const Repair& repair, size_t place,
                     const Escapes& escapes, Finding bare) {
  bare.cause.proof = Proof::proven;
  bare.cause.proof_text = repair.how;
  describe(view, repair.places[place], escapes, bare);
  return {std::move(bare), part_of(repair, place)};
}

}  // namespace

std::vector<ProvenCause> causes_of(const ExportDiff& view, const Repair& repair,
                                   const Escapes& escapes, const Finding& bare) {
  std::vector<ProvenCause> causes{cause_at(view, repair, 0, escapes, bare)};
  auto note = [&](size_t of, std::string text) {
    causes[of].finding.evidence.notes.push_back(std::move(text));
  };
  for (const std::string& text : repair.notes) note(0, text);
  for (size_t i = 1; i < repair.places.size(); ++i) {
    ProvenCause cause = cause_at(view, repair, i, escapes, bare);
    size_t of = fault_of(view, repair, i, cause.finding, causes);
    if (of == causes.size() && i < repair.needed) {
      causes.push_back(std::move(cause));
      continue;
    }
    if (of == causes.size()) of = 0;
    auto& exchanged = causes[of].exchange.exchanged;
    const auto& more = repair.places[i].differences;
    exchanged.insert(exchanged.end(), more.begin(), more.end());
    note(of, "also changed for the proof: " + step_text(step_of(view, repair.places[i])));
  }
  return causes;
}

void describe(const ExportDiff& view, const Attribution& a, const Escapes& escapes,
              Finding& finding) {
  const Program& program = a.in_probe ? *view.probe : *view.subject;
  finding.class_id = a.class_id;
  finding.title.clear();
  if (a.kind) name_kind(*a.kind, finding);
  Cause& cause = finding.cause;
  set_cause(program, a.step, finding);
  auto left = escape_of(view, a, escapes, {cause.file, cause.line, cause.function});
  if (left) name_escape(*left, finding);
  cause.role = a.role;
  cause.literal = a.literal;
  finding.evidence.exports = a.exports;
  finding.evidence.fit = a.fit_text;
  if (a.fit) finding.evidence.fix = fmt::format("{} -> {}", a.literal, a.fit->text());
  if (a.origin) finding.evidence.fix = a.literal + " -> " + a.origin->expression.text;
}

void name_kind(const FaultKind& kind, Finding& finding) {
  finding.title = kind.title;
  finding.hint = kind.hint;
}

const std::string& file_of(const ExportDiff& view, const Attribution& a) {
  return located(a.in_probe ? *view.probe : *view.subject, a.step).file;
}

void set_cause(const Program& program, size_t index, Finding& finding) {
  const Step& step = program.steps[index];
  finding.cause.node = step_text(step);
  finding.cause.op = served_op(program, index);
  const Step& place = located(program, index);
  finding.cause.scope = place.scope;
  place_at(place_of(place), finding);
}

void place_at(const SourceLocation& place, Finding& finding) {
  finding.cause.file = place.file;
  finding.cause.line = place.line;
  finding.cause.function = place.function;
}

void name_escape(SourceLocation place, Finding& finding) {
  SourceLocation reader{finding.cause.file, finding.cause.line, finding.cause.function};
  if (place.line == reader.line) return;
  bool same_file = base_name(place.file) == base_name(reader.file);
  if (same_file) place.file = reader.file;  // As it is called where the subject was made.
  place_at(place, finding);
  if (reader.line == 0) return;
  finding.evidence.notes.push_back(
      fmt::format("it takes effect at {}:{}", relative_path(reader.file), reader.line));
}

}  // namespace assay::verify::diagnosis
