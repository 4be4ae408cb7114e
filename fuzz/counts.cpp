#include "fuzz/counts.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "engine/core/host_access.h"

namespace assay::fuzz {

using verify::Case;
using verify::Comparison;
using verify::Judgement;
using verify::ValueError;
using Verdict = Judgement::Verdict;

namespace {

bool is_compared(const Judgement& judgement) {
  return judgement.verdict == Verdict::holds || judgement.verdict == Verdict::violated;
}

/// Of what was discarded: by both sides, rather than because the law says nothing of it.
bool is_rejected(const Judgement& judgement) {
  return judgement.reason.empty() || judgement.comparison.verdict == Comparison::Verdict::rejected;
}

bool same_tensor(const core::Tensor& a, const core::Tensor& b) {
  return a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.strides() == b.strides() &&
         core::has_bytes(a) && core::has_bytes(b) && core::same_bytes(a, b);
}

bool same_output(const core::Value& a, const core::Value& b) {
  if (a.is_tensor() && b.is_tensor()) return same_tensor(a.to_tensor(), b.to_tensor());
  return a.tag() == b.tag() && !a.is_tensor() && a.equals(b);
}

template <typename F>
void for_each_feature(const verify::Point& point, F&& f) {
  for (const auto& [name, size] : point.sizes) f(name, std::to_string(size));
  for (const auto& [key, choice] : point.choices) f(key, choice);
}

}  // namespace

void Counts::add(const JudgedCase& judged, const std::vector<int>& failures) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (!judged.judgements[i]) continue;
    const Judgement& judgement = *judged.judgements[i];
    count(rows_[i], judgement);
    if (judgement.verdict == Verdict::holds) {
      auto& right = rows_[i].right;
      if (right.size() == max_right) right.pop_back();
      right.push_back(judged.tested);
    }
    int failure = failures.empty() ? -1 : failures[i];
    if (judged.number <= most_points) add_point(*judged.tested, i, judgement, failure);
  }
  count_case(judged);
}

void Counts::add_point(const Case& c, size_t property, const Judgement& judgement, int failure) {
  points_.push_back(
      {{c.point.sizes, c.point.choices, std::string((*properties_)[property]->id()),
        std::string(verdict_name(judgement.verdict)), "", visibility_of(judgement.comparison)},
       failure});
}

void Counts::count(Row& row, const Judgement& judgement) {
  const Comparison& comparison = judgement.comparison;
  switch (judgement.verdict) {
    case Verdict::discarded:
      ++row.outcome.discarded;
      if (is_rejected(judgement)) ++row.outcome.rejected;
      return;
    case Verdict::not_tested:
      ++row.outcome.discarded;
      ++row.not_tested[judgement.reason];
      return;
    case Verdict::errored:
      ++row.errored;
      if (row.error.empty()) row.error = judgement.reason;
      return;
    case Verdict::holds:
    case Verdict::violated:
      break;
  }
  ++row.outcome.valid;
  if (judgement.verdict == Verdict::holds && !judgement.reason.empty()) {
    ++row.in_part[judgement.reason];
  }
  for (int64_t places : comparison.compared) row.outcome.comparisons += places;
  row.outcome.elements += comparison.elements();
  if (judgement.verdict == Verdict::holds) row.outcome.adjudicated += comparison.adjudicated();
  row.values += comparison.compared[static_cast<size_t>(verify::Layer::values)];
  row.nan += comparison.nan_elements();
  // Beside what is wrong, little of what lies near its bound is rounding.
  for (const auto& [place, error] : comparison.errors) {
    note_error(place, error, comparison.agrees());
  }
}

bool Counts::says_of_the_case(size_t property, const Judgement& judgement) const {
  return judgement.of_reference ||
         (!context_->reference && !(*properties_)[property]->about_assay());
}

void Counts::count_case(const JudgedCase& judged) {
  ++totals_.cases;
  const Judgement* lead = nullptr;
  const Judgement* obstacle = nullptr;
  const Judgement* rejected = nullptr;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (!judged.judgements[i] || !says_of_the_case(i, *judged.judgements[i])) continue;
    const Judgement& judgement = *judged.judgements[i];
    if (is_compared(judgement)) {
      if (!lead) lead = &judgement;
    } else if (judgement.verdict == Verdict::discarded) {
      rejected = &judgement;
    } else if (!obstacle) {
      obstacle = &judgement;
    }
  }
  if (lead) {
    ++totals_.valid;
    note_compared(*judged.tested, *lead);
  } else if (rejected) {
    ++totals_.discarded;
    note_missed(*judged.tested, is_rejected(*rejected) ? "both sides reject it" : rejected->reason);
  } else {
    std::string reason = obstacle ? obstacle->reason : "no property concerns it";
    ++totals_.uncompared;
    ++uncompared_[reason];
    note_missed(*judged.tested, reason);
  }
}

void Counts::note_compared(const Case& c, const Judgement& lead) {
  for (int64_t places : lead.comparison.compared) totals_.comparisons += places;
  totals_.elements += lead.comparison.elements();
  for_each_feature(
      c.point, [&](const std::string& key, const std::string& value) { ++exercised_[key][value]; });
  note_outputs("output", lead.reference.outputs);
}

void Counts::note_missed(const Case& c, const std::string& reason) {
  for_each_feature(c.point, [&](const std::string& key, const std::string& value) {
    missed_[key].try_emplace(value, reason);
  });
}

void Counts::note_outputs(const std::string& place, const core::Value& value) {
  if (value.is_list() || value.is_tuple()) {
    const core::Values& items = value.is_list() ? value.list().items : value.tuple().items;
    for (size_t i = 0; i < items.size(); ++i)
      note_outputs(fmt::format("{}[{}]", place, i), items[i]);
    return;
  }
  if (!value.is_tensor() && !value.is_number()) return;
  note_output(place, {value, false, 1});
}

void Counts::note_output(const std::string& place, const Output& seen) {
  Output& output = outputs_[place];
  bool first = output.cases == 0;
  output.cases += seen.cases;
  if (first) {
    output.first = seen.first;
    output.changes = seen.changes;
  } else if (!output.changes && (seen.changes || !same_output(seen.first, output.first))) {
    output.changes = true;
    output.first = core::Value();
  }
}

void Counts::note_error(const std::string& place, const ValueError& error, bool rounding) {
  ValueError& known = errors_[place];
  bool worse = rounding && error.adjudicated_difference > known.adjudicated_difference;
  double difference = (worse ? error : known).adjudicated_difference;
  double spread = (worse ? error : known).adjudicated_spread;
  if (known.compared == 0 || error.needed_atol > known.needed_atol) {
    known = error;
    if (!rounding) known.adjudicated = 0;
  }
  known.adjudicated_difference = difference;
  known.adjudicated_spread = spread;
}

void Counts::add(Counts&& later) {
  for (size_t i = 0; i < rows_.size(); ++i) add(rows_[i], later.rows_[i]);
  for (auto part : {&verify::RunReport::Totals::cases, &verify::RunReport::Totals::valid,
                    &verify::RunReport::Totals::discarded, &verify::RunReport::Totals::uncompared,
                    &verify::RunReport::Totals::comparisons, &verify::RunReport::Totals::elements})
    totals_.*part += later.totals_.*part;
  std::ranges::move(later.points_, std::back_inserter(points_));
  for (const auto& [key, counts] : later.exercised_) add(exercised_[key], counts);
  for (const auto& [key, reasons] : later.missed_) {
    for (const auto& [value, reason] : reasons) missed_[key].try_emplace(value, reason);
  }
  add(uncompared_, later.uncompared_);
  // What is no rounding was told apart when it was counted.
  for (const auto& [place, error] : later.errors_) note_error(place, error, true);
  for (const auto& [place, output] : later.outputs_) note_output(place, output);
}

void Counts::add(Row& row, const Row& later) {
  using verify::Outcome;
  for (auto part : {&Outcome::valid, &Outcome::discarded, &Outcome::rejected, &Outcome::comparisons,
                    &Outcome::elements, &Outcome::adjudicated}) {
    row.outcome.*part += later.outcome.*part;
  }
  row.errored += later.errored;
  row.values += later.values;
  row.nan += later.nan;
  add(row.not_tested, later.not_tested);
  add(row.in_part, later.in_part);
  if (row.error.empty()) row.error = later.error;
  for (const auto& c : later.right) {
    if (row.right.size() == max_right) break;
    row.right.push_back(c);
  }
  if (!later.right.empty()) row.right.back() = later.right.back();
}

void Counts::add(std::map<std::string, int64_t>& counts,
                 const std::map<std::string, int64_t>& later) {
  for (const auto& [text, count] : later) counts[text] += count;
}

}  // namespace assay::fuzz
