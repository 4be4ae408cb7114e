#include "verify/diagnosis/omissions.h"

#include <algorithm>
#include <utility>

#include "verify/diagnosis/escapes.h"
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

std::vector<Omission> lost_checks(Judgement judgement, const JudgeWithout& judge) {
  constexpr size_t most = 4;
  std::vector<Omission> checks;
  while (judgement.verdict == Verdict::violated && checks.size() < most) {
    const auto& raised = judgement.reference.failure;
    if (!raised || is_among(checks, raised->place)) return {};
    checks.push_back({Omission::Kind::check, raised->place});
    judgement = judge(checks);
  }
  return judgement.verdict == Verdict::holds ? checks : std::vector<Omission>{};
}

std::vector<Omission> lost_writes(const std::vector<Escape>& escapes, const JudgeWithout& judge) {
  std::vector<Omission> handing_out;
  for (const Escape& escape : escapes) {
    if (hands_out_memory(escape) && !is_among(handing_out, escape.place))
      handing_out.push_back({Omission::Kind::write, escape.place});
  }
  return fewest_that_cure(std::move(handing_out), [&](const std::vector<Omission>& omitted) {
    return judge(omitted).verdict == Verdict::holds;
  });
}

}  // namespace assay::verify::diagnosis
