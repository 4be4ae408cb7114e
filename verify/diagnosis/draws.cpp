#include "verify/diagnosis/draws.h"

#include <algorithm>
#include <set>

namespace assay::verify::diagnosis {
namespace {

/// So often the export is made again: two draws are alike by chance, five hardly ever.
constexpr size_t most_draws = 4;

const GraphDifference& difference_of(const ExportDiff& view, const Attribution& a) {
  return view.alignment->differences[a.differences[0]];
}

SourceLocation reader_of(const ExportDiff& view, const Attribution& a) {
  return place_of(located(a.in_probe ? *view.probe : *view.subject, a.step));
}

bool is_captured(const ExportDiff& view, const Attribution& a) {
  bool captured = a.class_id == "AS102" || a.class_id == "AS101";
  return captured && difference_of(view, a).kind == GraphDifference::Kind::literal;
}

/// A captured number or constant that follows no size.
bool is_open(const ExportDiff& view, const Attribution& a) {
  return is_captured(view, a) && (a.fit_text.empty() || (a.escape && !a.fit));
}

/// Where it became a Python number.
std::optional<SourceLocation> source_of(const ExportDiff& view, const Attribution& a,
                                        const Escapes& escapes) {
  const GraphDifference& d = difference_of(view, a);
  auto place = captured_at(escapes, d.literal_a, d.literal_b, reader_of(view, a));
  if (!place && a.escape) place = a.escape->place;
  return place;
}

void name_drawn(Attribution& a, std::string sign) {
  a.class_id = "AS113";
  a.kind = nullptr;
  a.fit_text = std::move(sign);
}

/// Whether a branch was taken by a number that a generator drew, and by no tensor's.
bool was_drawn(const ExportDiff& view, const Attribution& a, const Escapes& escapes) {
  if (a.class_id != "AS103" || decided_differently(escapes)) return false;
  auto line = decided_at(escapes, reader_of(view, a));
  return line &&
         std::any_of(escapes.subject->begin(), escapes.subject->end(), [&](const Escape& e) {
           return is_draw(e) && e.place.file == line->file && e.place.line == line->line;
         });
}

/// Whether a further export differs from the probe where that differs from the subject by `d`.
bool parts_there(const GraphDifference& d, const GraphDifference& other) {
  using Kind = GraphDifference::Kind;
  bool wired = d.kind == Kind::wiring;
  if (other.kind == Kind::wiring) {
    return wired && other.step_a == d.step_b && other.operand == d.operand;
  }
  size_t begin = wired ? d.step_b : d.begin_b, end = wired ? d.step_b : d.end_b;
  return other.kind == Kind::structure && other.begin_a <= end && begin <= other.end_a;
}

}  // namespace

std::shared_ptr<const Export> Draws::further(size_t k) {
  if (!exporter_.known().empty()) return nullptr;  // A recording cannot make one.
  while (made_.size() <= k) made_.push_back(exporter_.export_again(at_).exported);
  return made_[k];
}

std::shared_ptr<const Export> Draws::other_than(const Program& subject) {
  for (size_t k = 0; k < most_draws; ++k) {
    auto again = further(k);
    if (again && !align(subject, again->program()).equal()) return again;
  }
  return nullptr;
}

std::string Draws::sign_of(const ExportDiff& view, const Attribution& a) {
  const GraphDifference& d = difference_of(view, a);
  bool by_generator = (a.escape && a.escape->kind == "random") ||
                      drawn_at(escape_samples(view, d), reader_of(view, a)).has_value();
  if (by_generator) return "drawn by a generator, or read off a clock, during the export";
  if (!a.fit_text.empty()) return "";
  auto is_there = [&](const GraphDifference& other) {
    return other.kind == GraphDifference::Kind::literal && other.step_a == d.step_b &&
           other.operand == d.operand;
  };
  for (size_t k = 0; k < most_draws; ++k) {
    auto again = further(k);
    if (!again) break;
    Alignment twins = align(*view.probe, again->program());
    bool otherwise = std::any_of(twins.differences.begin(), twins.differences.end(), is_there);
    if (otherwise) return "two exports at the same inputs hold different numbers";
  }
  return "";
}

bool Draws::chose_steps(const ExportDiff& view, const Attribution& a, const Escapes& escapes) {
  if (a.class_id != "AS103" || decided_differently(escapes)) return false;
  if (std::none_of(escapes.subject->begin(), escapes.subject->end(), is_draw)) return false;
  const GraphDifference& d = difference_of(view, a);
  for (size_t k = 0; k < most_draws; ++k) {
    auto again = further(k);
    if (!again) break;
    Alignment twins = align(*view.probe, again->program());
    bool otherwise = std::any_of(twins.differences.begin(), twins.differences.end(),
                                 [&](const GraphDifference& t) { return parts_there(d, t); });
    if (otherwise) return true;
  }
  return false;
}

void Draws::name(const ExportDiff& view, const Escapes& escapes, std::vector<Attribution>& found) {
  std::set<std::pair<std::string, int>> lines;
  for (Attribution& a : found) {
    // What another seed alone changes was drawn, whatever became of it before it was captured.
    if (view.axis.kind == "seed" && is_captured(view, a)) {
      name_drawn(a,
                 a.fit_text.empty() ? "exports with other seeds hold other numbers" : a.fit_text);
      continue;
    }
    std::string sign = is_open(view, a) ? sign_of(view, a) : "";
    if (was_drawn(view, a, escapes)) sign = "decided by what a generator drew or a clock showed";
    bool chosen = sign.empty() && chose_steps(view, a, escapes);
    if (chosen) sign = "two exports at the same inputs have different steps";
    if (sign.empty()) continue;
    name_drawn(a, std::move(sign));
    auto source = source_of(view, a, escapes);
    bool literal = difference_of(view, a).kind == GraphDifference::Kind::literal;
    if (!source && (literal || chosen))
      source = a.place = asked_at(*escapes.subject, reader_of(view, a));
    if (source) lines.insert({source->file, source->line});
  }
  for (Attribution& a : found) {
    auto source = is_open(view, a) ? source_of(view, a, escapes) : std::nullopt;
    bool same_line = source && lines.count({source->file, source->line});
    if (same_line) name_drawn(a, "read where other numbers were drawn");
  }
}

}  // namespace assay::verify::diagnosis
