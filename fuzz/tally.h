#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fuzz/counts.h"
#include "verify/properties/property.h"

namespace assay::fuzz {

struct CampaignResult;

/// What a campaign comes to: how each property came out, and whether what was compared says
/// anything.
class Tally {
 public:
  /// Both must live longer.
  Tally(const verify::PropertyContext& context, const Properties& properties);

  /// The properties, null where one does not apply.
  const Properties& active() const { return active_; }
  std::string name(size_t property) const { return std::string(properties_[property]->id()); }

  /// Of the cases so far.
  Counts& counts() { return counts_; }
  /// A new kind of failure, which repeats or not.
  void add_kind(size_t property, bool flaky);
  /// Those that a letter had.
  std::set<int64_t> sizes_of(const std::string& letter) const;

  /// Decides how each property came out, and hands over everything.
  void conclude(CampaignResult& result);

 private:
  struct Kinds {
    int64_t all = 0, flaky = 0;
  };

  verify::Outcome outcome_of(size_t property) const;
  void tell_vacuous(CampaignResult& result) const;

  const Properties& properties_;
  Properties active_;
  std::vector<std::string> why_skipped_;
  std::vector<Kinds> kinds_;
  Counts counts_;
};

}  // namespace assay::fuzz
