#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "verify/findings/events.h"
#include "verify/run/runner.h"

namespace assay::fuzz {

/// Chooses, while a campaign goes on, the cases that the host's PyTorch shall run as well, because
/// assay's engine may take what PyTorch refuses: those at which the engine's word counts least, and
/// of the cases that pass a few that have every declared word and the ends of every size.
class HostSample final : public verify::Listener {
 public:
  /// Passing cases that are chosen where there are so many, and at most, where that is needed for
  /// every word.
  static constexpr size_t wanted = 12, most = 32;
  /// Doubtful cases of one kind that are chosen at most.
  static constexpr size_t most_doubtful = 32;

  /// `in_pytorch` is to run them: what it cannot run is not chosen. `remembered`: cases that
  /// earlier campaigns saw fail. Both must live longer.
  HostSample(const verify::Runner& in_pytorch, const std::vector<verify::Case>& remembered,
             uint64_t seed)
      : in_pytorch_(in_pytorch), remembered_(remembered), random_(seed) {}

  bool hears_of(const verify::Case&) const override { return true; }
  void case_judged(const verify::Property& property, const verify::Case& c,
                   const verify::Judgement& judgement) override;

  /// What the longest of the reference's runs took: PyTorch's of the archive takes about as long.
  double longest_run() const { return longest_run_; }
  /// Cases at which parity found no difference.
  int64_t passing() const { return passing_; }
  /// Cases that the engine could not run.
  std::vector<verify::Case> refused() const;
  /// Passing cases that say little: both sides reject them, rounding explains the difference, or
  /// they failed once.
  std::vector<verify::Case> doubtful() const;
  /// Further passing cases.
  std::vector<verify::Case> drawn() const;

 private:
  enum class Doubt { refused, rejected, adjudicated, remembered };
  std::optional<Doubt> doubt_at(const verify::Case& c, const verify::Judgement& judgement) const;
  bool shows_more(const verify::Point& point);
  std::set<std::string> features_of(const verify::Case& c) const;
  void draw(const verify::Case& c);

  const verify::Runner& in_pytorch_;
  const std::vector<verify::Case>& remembered_;
  std::mt19937_64 random_;
  std::map<Doubt, std::vector<verify::Case>> doubtful_;
  int64_t passing_ = 0;
  double longest_run_ = 0;
  /// The words that passing cases have, and the smallest and the largest of each size.
  std::set<std::string> words_;
  std::map<std::string, std::pair<int64_t, int64_t>> ends_;
  std::vector<verify::Case> showing_;    // Each had a word or an end of a size that was new.
  std::vector<verify::Case> at_random_;  // Of the others, each as likely as any.
  uint64_t others_ = 0;
};

}  // namespace assay::fuzz
