#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/campaign.h"
#include "fuzz/draw.h"

namespace assay::fuzz {

/// The sequence of cases of a campaign: a function of spec, hints, seed and reference alone.
/// Remembered cases; then, where the reference has certain cases only, these (closed), and copies
/// of them on the other devices of the spec; else systematic probes, then random points without
/// end.
class Sequence {
 public:
  Sequence(const verify::PropertyContext& context, const CampaignOptions& options);

  /// Nothing after the last case of a closed sequence.
  std::optional<Turn> next();

  /// The first case with every letter that had one size only at another one: for a campaign that
  /// has time for one more. Nothing where no letter is left, and for a closed sequence.
  std::optional<verify::Case> at_other_sizes(
      const std::function<std::set<int64_t>(const std::string&)>& sizes_of) const;

  /// How many cases there will be; to be asked before the first is taken.
  int64_t planned() const;
  bool closed() const { return closed_; }
  /// Of a closed sequence: how many cases the reference holds.
  int64_t held() const { return held_; }
  /// How many of the first cases were remembered.
  int64_t remembered() const { return remembered_; }

 private:
  void add_remembered(const std::vector<verify::Case>* only);
  void add_on_other_devices(const std::vector<verify::Case>& only);
  void add(verify::Case c);

  const verify::Spec& spec_;
  const CampaignOptions& options_;
  std::deque<verify::Case> cases_;
  bool closed_ = false;
  int64_t given_ = 0, remembered_ = 0, held_ = 0;
  rc::Random random_;
};

}  // namespace assay::fuzz
