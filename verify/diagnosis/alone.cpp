#include "verify/diagnosis/alone.h"

#include "verify/diagnosis/axis.h"
#include "verify/diagnosis/boundary.h"

namespace assay::verify::diagnosis {
namespace {

/// Sizes of one letter that are judged; each takes an export of its own.
constexpr size_t boundary_budget = 24;

bool may_shrink(const Alone& alone) {
  return alone.shrink && !alone.request->only && !alone.start.given &&
         in_domain(*alone.request->spec, alone.start.point);
}

}  // namespace

bool tell_alone(const Alone& alone, Finding& finding) {
  const DiagnosisRequest& request = *alone.request;
  JudgeRepaired judge = judge_others_repaired(alone.others, request.judge, *request.exporter);
  auto fails = [](const Judgement& j) { return j.verdict == Judgement::Verdict::violated; };
  Case smallest = alone.start;
  Judgement there = judge(smallest);
  if (!fails(there)) return false;
  if (may_shrink(alone)) {
    alone.shrink(alone.start.point, [&](const Point& point) {
      Case c = build_case(*request.spec, point);
      Judgement judgement = judge(c);
      if (!fails(judgement)) return false;
      smallest = std::move(c);
      there = std::move(judgement);
      return true;
    });
  }
  DecidingAxis deciding = decide_axis(*request.spec, smallest, request.right, judge, request.only);
  finding.axis = deciding.axis;
  bool captured = finding.class_id == "AS101" || finding.class_id == "AS102";
  if (finding.axis.kind == "call" && captured) {
    // What only a later call has otherwise follows what the model keeps.
    finding.class_id = "AS109";
    finding.title = std::string(find_failure_class("AS109")->name);
    finding.hint.clear();
  }
  finding.visibility = visibility_of(there.comparison);
  finding.comparison = std::move(there.comparison);
  finding.fingerprint = fingerprint(finding);
  Case base = request.right.value_or(deciding.nearest_failure.value_or(smallest));
  finding.boundaries = {
      measure_boundary(*request.spec, base, deciding.axis, judge, request.only, boundary_budget)};
  finding.smallest_case = std::move(smallest);
  return true;
}

}  // namespace assay::verify::diagnosis
