#include "verify/diagnosis/omissions.h"

#include <algorithm>
#include <utility>

#include "verify/diagnosis/fewest.h"

namespace assay::verify::diagnosis {
namespace {

using Verdict = Judgement::Verdict;

bool is_among(const std::vector<Omission>& omitted, const SourceLocation& place) {
  return std::ranges::any_of(omitted, [&](const Omission& known) {
    return known.place.file == place.file && known.place.line == place.line;
  });
}

}  // namespace

std::vector<Omission> lost_checks(Judgement judgement, const JudgeWithout& judge, const Case& c) {
  if (!judge) return {};
  constexpr size_t most = 4;
  std::vector<Omission> checks;
  while (judgement.verdict == Verdict::violated && checks.size() < most) {
    const auto& raised = judgement.reference.failure;
    if (!raised || is_among(checks, raised->place)) return {};
    checks.push_back({Omission::Kind::check, raised->place});
    judgement = judge(checks, nullptr, c);
  }
  return judgement.verdict == Verdict::holds ? checks : std::vector<Omission>{};
}

std::vector<Omission> lost_effects(const std::vector<Escape>& escapes,
                                   bool (*of_kind)(const Escape&), Omission::Kind effect,
                                   const JudgeWithout& judge, const Case& c) {
  if (!judge) return {};
  std::vector<Omission> lines;
  for (const Escape& escape : escapes) {
    if (of_kind(escape) && !is_among(lines, escape.place)) lines.push_back({effect, escape.place});
  }
  return fewest_that_cure(std::move(lines), [&](const std::vector<Omission>& omitted) {
    return judge(omitted, nullptr, c).verdict == Verdict::holds;
  });
}

}  // namespace assay::verify::diagnosis
