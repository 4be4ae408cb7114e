// The class of a list that holds the same value several times: AS102.
#include <algorithm>

#include "verify/diagnosis/attribution.h"
#include "verify/diagnosis/steps.h"

namespace assay::verify::diagnosis {
namespace {

using Kind = GraphDifference::Kind;

/// The list of the subject that a difference is about.
std::optional<size_t> list_of(const Program& subject, const GraphDifference& d) {
  bool one = d.kind == Kind::structure && d.end_a - d.begin_a == 1;
  if (d.kind == Kind::literal || (d.kind == Kind::structure && !one)) return std::nullopt;
  size_t step = one ? d.begin_a : d.step_a;
  return gathers(subject.steps[step]) ? std::optional(step) : std::nullopt;
}

/// Where the list is read: the step, and which of its operands it is.
std::optional<std::pair<size_t, size_t>> reader_of(const Program& program, size_t list) {
  for (size_t s = list + 1; s < program.steps.size(); ++s) {
    const std::vector<Operand>& operands = program.steps[s].operands;
    for (size_t o = 0; o < operands.size(); ++o) {
      if (operands[o].kind == Operand::Kind::result && operands[o].step == list) return {{s, o}};
    }
  }
  return std::nullopt;
}

/// How often a list holds the value that it holds most often, and how many others it holds.
struct Entries {
  int64_t same = 0;
  size_t others = 0;
};

Entries entries_of(const Step& list) {
  size_t same = most_alike(list);
  return {static_cast<int64_t>(same), list.operands.size() - same};
}

/// The entries of another export's list that is read at the same place.
std::optional<Entries> entries_in(const Program& other, const Alignment& alignment,
                                  const std::pair<size_t, size_t>& reader) {
  auto counterpart = alignment.to_b[reader.first];
  if (!counterpart) return std::nullopt;
  const std::vector<Operand>& operands = other.steps[*counterpart].operands;
  bool made = reader.second < operands.size() &&
              operands[reader.second].kind == Operand::Kind::result &&
              gathers(other.steps[operands[reader.second].step]);
  if (!made) return std::nullopt;
  return entries_of(other.steps[operands[reader.second].step]);
}

}  // namespace

std::optional<Attribution> repeated_entries(const ExportDiff& view, size_t difference) {
  const Program& subject = *view.subject;
  auto list = list_of(subject, view.alignment->differences[difference]);
  auto reader = list ? reader_of(subject, *list) : std::nullopt;
  auto probed = reader ? entries_in(*view.probe, *view.alignment, *reader) : std::nullopt;
  if (!probed) return std::nullopt;
  Entries own = entries_of(subject.steps[*list]);
  bool counted = own.others == probed->others && own.same != probed->same &&
                 std::max(own.same, probed->same) > 1;
  if (!counted) return std::nullopt;
  Attribution a;
  a.class_id = "AS102";
  a.kind = &captured_value;
  a.differences = all_of(view, {view.owners[difference]});
  a.step = *list;
  a.role = "repetitions";
  a.literal = std::to_string(own.same);
  std::vector<EscapeSample> samples;
  if (view.subject_escapes) samples.push_back({view.subject_escapes, core::Value(own.same)});
  for (const Variant& v : *view.variants) {
    auto entries = entries_in(v.exported->program(), v.to_subject, *reader);
    if (!entries) continue;
    add_export(a, feature_text(v.at, view.axis), std::to_string(entries->same));
    samples.push_back({&v.exported->escapes, core::Value(entries->same)});
  }
  a.escape = fit_to_escapes(samples, place_of(located(subject, reader->first)));
  // What no number that left the graph tells was put together otherwise.
  return a.escape ? std::optional(a) : std::nullopt;
}

}  // namespace assay::verify::diagnosis
