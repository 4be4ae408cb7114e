// How often steps of each kind come in the exports, and what that tells of steps beside each other.

#include "verify/diagnosis/attribution.h"

namespace assay::verify::diagnosis {

using Kind = GraphDifference::Kind;

namespace {

KeyCounts counts(const Program& program) {
  KeyCounts count;
  for (const Step& s : program.steps) ++count[s.key()];
  return count;
}

}  // namespace

int64_t count_of(const KeyCounts& counts, const std::string& key) {
  auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

void count_keys(ExportDiff& view) {
  view.counts = counts(*view.subject);
  view.variant_counts.clear();
  for (const Variant& v : *view.variants)
    view.variant_counts.push_back(counts(v.exported->program()));
}

Alignment split_unrelated(ExportDiff view) {
  count_keys(view);
  // Whether the subject has a step at all, and in which variants there is more, and less, of it.
  auto company = [&](const Step& step) {
    std::string key = step.key();
    int64_t own = count_of(view.counts, key);
    std::vector<int> signs{own > 0 ? 1 : 0};
    for (const KeyCounts& counts : view.variant_counts) {
      int64_t more = count_of(counts, key) - own;
      signs.push_back(more > 0 ? 1 : more < 0 ? -1 : 0);
    }
    return signs;
  };
  Alignment out = *view.alignment;
  out.differences.clear();
  for (const GraphDifference& d : view.alignment->differences) {
    bool in_a = d.begin_b == d.end_b;
    if (d.kind != Kind::structure || (!in_a && d.begin_a != d.end_a)) {
      out.differences.push_back(d);
      continue;
    }
    const Program& program = in_a ? *view.subject : *view.probe;
    size_t begin = in_a ? d.begin_a : d.begin_b, end = in_a ? d.end_a : d.end_b;
    for (size_t s = begin; s < end;) {
      size_t next = s + 1;
      while (next < end && company(program.steps[next]) == company(program.steps[s])) ++next;
      GraphDifference part = d;
      (in_a ? part.begin_a : part.begin_b) = s;
      (in_a ? part.end_a : part.end_b) = next;
      out.differences.push_back(part);
      s = next;
    }
  }
  return out;
}

}  // namespace assay::verify::diagnosis
