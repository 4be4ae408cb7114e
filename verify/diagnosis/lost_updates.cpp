#include "verify/diagnosis/lost_updates.h"

#include <algorithm>

#include "verify/diagnosis/steps.h"

namespace assay::verify::diagnosis {
namespace {

bool writes(const Step& step) { return writes_operand(step, 0); }

bool writes_anywhere(const Program& program) { return std::ranges::any_of(program.steps, writes); }

/// The first step of the probe among an attribution's that writes.
std::optional<size_t> missing_write(const ExportDiff& view, const Attribution& a) {
  for (size_t difference : a.differences) {
    const GraphDifference& d = view.alignment->differences[difference];
    if (d.kind != GraphDifference::Kind::structure) continue;
    for (size_t step = d.begin_b; step < d.end_b; ++step) {
      if (writes(view.probe->steps[step])) return step;
    }
  }
  return std::nullopt;
}

bool writes_where_right(const ExportDiff& view, Exporter& exporter,
                        const std::optional<Case>& right) {
  if (!right) {
    return std::ranges::all_of(
        *view.variants, [](const Variant& v) { return writes_anywhere(v.exported->program()); });
  }
  ExportResult made = exporter.export_at(*right, false);
  return made.exported && writes_anywhere(made.exported->program());
}

}  // namespace

void name_lost_updates(const ExportDiff& view, Exporter& exporter, const std::optional<Case>& right,
                       std::vector<Attribution>& found) {
  if (writes_anywhere(*view.subject)) return;
  for (Attribution& a : found) {
    auto write = a.class_id == "AS103" ? missing_write(view, a) : std::nullopt;
    if (!write) continue;
    if (!writes_where_right(view, exporter, right)) return;
    a.class_id = "AS110";
    a.step = *write;
    a.in_probe = true;
    a.fit_text.clear();
    a.place.reset();
  }
}

}  // namespace assay::verify::diagnosis
