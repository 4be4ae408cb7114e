#include "fuzz/tally.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/host_access.h"
#include "fuzz/campaign.h"

namespace assay::fuzz {

using verify::Case;
using verify::Comparison;
using verify::Judgement;
using verify::Outcome;
using verify::Status;
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

template <typename Key, typename F>
void for_each_feature(const Key& point, F&& f) {
  for (const auto& [name, size] : point.sizes) f(name, std::to_string(size));
  for (const auto& [key, choice] : point.choices) f(key, choice);
}

}  // namespace

Tally::Tally(const verify::PropertyContext& context, const Properties& properties)
    : context_(context), properties_(properties) {
  for (const auto& property : properties) {
    Row row;
    row.outcome.property = property->id();
    std::string why = property->not_applicable(context);
    if (!why.empty()) {
      row.outcome.status = Status::skipped;
      row.outcome.reason = why;
    }
    active_.push_back(why.empty() ? property : nullptr);
    rows_.push_back(std::move(row));
  }
}

void Tally::count(size_t property, const Judgement& judgement) {
  Row& row = rows_[property];
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
  note_errors(comparison);
}

bool Tally::says_of_the_case(size_t property, const Judgement& judgement) const {
  return judgement.of_reference || (!context_.reference && !properties_[property]->about_assay());
}

void Tally::count_case(const JudgedCase& judged) {
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
    note_compared(judged.tested, *lead);
  } else if (rejected) {
    ++totals_.discarded;
    note_missed(judged.tested, is_rejected(*rejected) ? "both sides reject it" : rejected->reason);
  } else {
    std::string reason = obstacle ? obstacle->reason : "no property concerns it";
    ++totals_.uncompared;
    ++uncompared_[reason];
    note_missed(judged.tested, reason);
  }
}

void Tally::add_kind(size_t property, bool flaky) {
  ++rows_[property].kinds;
  if (flaky) ++rows_[property].flaky_kinds;
}

void Tally::note_compared(const Case& c, const Judgement& lead) {
  for (int64_t places : lead.comparison.compared) totals_.comparisons += places;
  totals_.elements += lead.comparison.elements();
  for_each_feature(
      c.point, [&](const std::string& key, const std::string& value) { ++exercised_[key][value]; });
  note_outputs("output", lead.reference.outputs);
}

void Tally::note_missed(const Case& c, const std::string& reason) {
  for_each_feature(c.point, [&](const std::string& key, const std::string& value) {
    missed_[key].try_emplace(value, reason);
  });
}

void Tally::note_outputs(const std::string& place, const core::Value& value) {
  if (value.is_list() || value.is_tuple()) {
    const core::Values& items = value.is_list() ? value.list().items : value.tuple().items;
    for (size_t i = 0; i < items.size(); ++i)
      note_outputs(fmt::format("{}[{}]", place, i), items[i]);
    return;
  }
  if (!value.is_tensor() && !value.is_number()) return;
  Output& output = outputs_[place];
  if (++output.cases == 1) {
    output.first = value;
  } else if (!output.changes && !same_output(value, output.first)) {
    output.changes = true;
    output.first = core::Value();
  }
}

void Tally::note_errors(const Comparison& comparison) {
  // Beside what is wrong, little of what lies near its bound is rounding.
  bool rounding = comparison.agrees();
  for (const auto& [place, error] : comparison.errors) {
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
}

void Tally::tell_vacuous(CampaignResult& result) const {
  for (const Row& row : rows_) {
    bool about_the_model = row.nan > 0 && &row == &rows_[0];
    if (!about_the_model) continue;
    result.vacuous.push_back(fmt::format("{} of {} elements are NaN on both sides", row.nan,
                                         row.nan + row.outcome.elements));
  }
  for (const auto& [place, output] : outputs_) {
    if (output.changes || output.cases < 2) continue;
    result.vacuous.push_back(fmt::format(
        "{} was the same in all {} cases: it does not follow the inputs", place, output.cases));
  }
}

void Tally::conclude(CampaignResult& result) {
  tell_vacuous(result);
  for (size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    Outcome& outcome = row.outcome;
    if (outcome.status != Status::skipped) decide(row, properties_[i]->compares_values());
    if (properties_[i]->about_assay() && outcome.status == Status::undecided) {
      outcome.status = Status::skipped;
      row.not_tested.clear();  // The outcome's reason says it.
    }
    if (outcome.status == Status::skipped) {
      result.not_tested.push_back(fmt::format("{}: {}", outcome.property, outcome.reason));
    }
    for (const auto& [reason, cases] : row.not_tested) {
      result.not_tested.push_back(fmt::format("{}: {} cases: {}", outcome.property, cases, reason));
    }
    for (const auto& [reason, cases] : row.in_part) {
      result.not_tested.push_back(
          fmt::format("{}: {} cases were compared in part: {}", outcome.property, cases, reason));
    }
    result.outcomes.push_back(std::move(outcome));
  }
  result.exercised = std::move(exercised_);
  result.missed = std::move(missed_);
  result.uncompared = std::move(uncompared_);
  result.errors.assign(errors_.begin(), errors_.end());
  verify::RunReport::Totals& totals = result.totals;
  totals.cases = totals_.cases;
  totals.valid = totals_.valid;
  totals.discarded = totals_.discarded;
  totals.uncompared = totals_.uncompared;
  totals.comparisons = totals_.comparisons;
  totals.elements = totals_.elements;
}

void Tally::decide(Row& row, bool by_values) {
  Outcome& outcome = row.outcome;
  if (row.errored > 0) {
    outcome.status = Status::errored;
    outcome.reason = fmt::format("{} cases: {}", row.errored, row.error);
  } else if (row.kinds > row.flaky_kinds) {
    outcome.status = Status::failed;
  } else if (row.flaky_kinds > 0) {
    outcome.status = Status::flaky;
  } else if (outcome.valid == 0) {
    outcome.status = Status::undecided;
    outcome.reason = outcome.discarded == 0 ? "no case was run"
                     : row.not_tested.empty()
                         ? "both sides reject every case"
                         : "no case was compared: " + row.not_tested.begin()->first;
  } else if (by_values && row.values == 0) {
    outcome.status = Status::undecided;
    outcome.reason = row.nan > 0 ? "every element that was compared is NaN on both sides"
                                 : "no output had an element to compare";
  } else {
    outcome.status = Status::passed;
  }
}

}  // namespace assay::fuzz
