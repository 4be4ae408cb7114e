#include "fuzz/tally.h"

#include <fmt/core.h>

#include <charconv>

#include "fuzz/campaign.h"

namespace assay::fuzz {

using verify::Outcome;
using verify::Status;

Tally::Tally(const verify::PropertyContext& context, const Properties& properties)
    : properties_(properties), kinds_(properties.size()), counts_(context, properties) {
  for (const auto& property : properties) {
    why_skipped_.push_back(property->not_applicable(context));
    active_.push_back(why_skipped_.back().empty() ? property : nullptr);
  }
}

void Tally::add_kind(size_t property, bool flaky) {
  ++kinds_[property].all;
  if (flaky) ++kinds_[property].flaky;
}

std::set<int64_t> Tally::sizes_of(const std::string& letter) const {
  std::set<int64_t> sizes;
  auto note = [&](const auto& by_feature) {
    auto found = by_feature.find(letter);
    if (found == by_feature.end()) return;
    for (const auto& [text, what] : found->second) {
      int64_t size = 0;
      auto end = std::from_chars(text.data(), text.data() + text.size(), size).ptr;
      if (end == text.data() + text.size()) sizes.insert(size);
    }
  };
  note(counts_.exercised());
  note(counts_.missed());
  return sizes;
}

void Tally::tell_vacuous(CampaignResult& result) const {
  if (!counts_.rows().empty() && counts_.rows()[0].nan > 0) {
    const Counts::Row& row = counts_.rows()[0];
    result.vacuous.push_back(fmt::format("{} of {} elements are NaN on both sides", row.nan,
                                         row.nan + row.outcome.elements));
  }
  for (const auto& [place, output] : counts_.outputs()) {
    if (output.changes || output.cases < 2) continue;
    result.vacuous.push_back(fmt::format(
        "{} was the same in all {} cases: it does not follow the inputs", place, output.cases));
  }
}

void Tally::conclude(CampaignResult& result) {
  tell_vacuous(result);
  for (size_t i = 0; i < properties_.size(); ++i) {
    const Counts::Row& row = counts_.rows()[i];
    Outcome outcome = outcome_of(i);
    bool nothing_to_tell = properties_[i]->about_assay() && outcome.status == Status::undecided;
    if (nothing_to_tell) outcome.status = Status::skipped;  // Its reason says it.
    if (outcome.status == Status::skipped) {
      result.not_tested.push_back(fmt::format("{}: {}", outcome.property, outcome.reason));
    }
    for (const auto& [reason, cases] : row.not_tested) {
      if (nothing_to_tell) break;
      result.not_tested.push_back(fmt::format("{}: {} cases: {}", outcome.property, cases, reason));
    }
    for (const auto& [reason, cases] : row.in_part) {
      result.not_tested.push_back(
          fmt::format("{}: {} cases were compared in part: {}", outcome.property, cases, reason));
    }
    for (const auto& c : row.right) result.right[outcome.property].push_back(*c);
    result.outcomes.push_back(std::move(outcome));
  }
  result.exercised = counts_.exercised();
  result.missed = counts_.missed();
  result.uncompared = counts_.uncompared();
  result.errors.assign(counts_.errors().begin(), counts_.errors().end());
  result.points = counts_.take_points();
  verify::RunReport::Totals& totals = result.totals;
  totals.cases = counts_.totals().cases;
  totals.valid = counts_.totals().valid;
  totals.discarded = counts_.totals().discarded;
  totals.uncompared = counts_.totals().uncompared;
  totals.comparisons = counts_.totals().comparisons;
  totals.elements = counts_.totals().elements;
}

Outcome Tally::outcome_of(size_t property) const {
  const Counts::Row& row = counts_.rows()[property];
  Outcome outcome = row.outcome;
  outcome.property = name(property);
  if (!why_skipped_[property].empty()) {
    outcome.status = Status::skipped;
    outcome.reason = why_skipped_[property];
    return outcome;
  }
  if (row.errored > 0) {
    outcome.status = Status::errored;
    outcome.reason = fmt::format("{} cases: {}", row.errored, row.error);
  } else if (kinds_[property].all > kinds_[property].flaky) {
    outcome.status = Status::failed;
  } else if (kinds_[property].flaky > 0) {
    outcome.status = Status::flaky;
  } else if (outcome.valid == 0) {
    outcome.status = Status::undecided;
    outcome.reason = outcome.discarded == 0 ? "no case was run"
                     : row.not_tested.empty()
                         ? "both sides reject every case"
                         : "no case was compared: " + row.not_tested.begin()->first;
  } else if (properties_[property]->compares_values() && row.values == 0) {
    outcome.status = Status::undecided;
    outcome.reason = row.nan > 0 ? "every element that was compared is NaN on both sides"
                                 : "no output had an element to compare";
  } else {
    outcome.status = Status::passed;
  }
  return outcome;
}

}  // namespace assay::fuzz
