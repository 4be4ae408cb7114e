#include "fuzz/host_sample.h"

#include <algorithm>

namespace assay::fuzz {

using verify::Case;
using verify::Ending;
using verify::Judgement;
using Verdict = Judgement::Verdict;

namespace {

/// Others that are kept to draw from.
constexpr size_t most_at_random = 64;

bool engine_gave_up(const Judgement& judgement) {
  bool answered = judgement.reference.ending == Ending::returned ||
                  judgement.reference.ending == Ending::raised;
  return answered && judgement.subject.ending != Ending::returned &&
         judgement.subject.ending != Ending::raised;
}

}  // namespace

void HostSample::case_judged(const verify::Property& property, const Case& c,
                             const Judgement& judgement) {
  if (property.id() != "parity") return;
  bool passes = judgement.verdict == Verdict::holds || judgement.verdict == Verdict::discarded;
  if (passes) ++passing_;
  longest_run_ = std::max(longest_run_, judgement.reference.wall_seconds);
  if (!in_pytorch_.cannot_run(c).empty()) return;
  if (auto doubt = doubt_at(c, judgement)) {
    std::vector<Case>& known = doubtful_[*doubt];
    if (known.size() < most_doubtful) known.push_back(c);
  } else if (passes) {
    draw(c);
  }
}

std::optional<HostSample::Doubt> HostSample::doubt_at(const Case& c,
                                                      const Judgement& judgement) const {
  if (judgement.verdict == Verdict::violated) return {};  // Its confirmation asks PyTorch.
  if (judgement.verdict == Verdict::discarded) return Doubt::rejected;
  if (judgement.verdict != Verdict::holds) {
    return engine_gave_up(judgement) ? std::optional(Doubt::refused) : std::nullopt;
  }
  if (judgement.comparison.adjudicated() > 0) return Doubt::adjudicated;
  bool failed_once = std::find(remembered_.begin(), remembered_.end(), c) != remembered_.end();
  return failed_once ? std::optional(Doubt::remembered) : std::nullopt;
}

void HostSample::draw(const Case& c) {
  if (shows_more(c.point)) {
    showing_.push_back(c);
    return;
  }
  ++others_;
  if (at_random_.size() < most_at_random) {
    at_random_.push_back(c);
  } else if (uint64_t at = random_() % others_; at < most_at_random) {
    at_random_[at] = c;
  }
}

/// Whether a point has a word, or an end of a size, that none had before it.
bool HostSample::shows_more(const verify::Point& point) {
  bool more = false;
  for (const auto& [key, word] : point.choices) {
    more = words_.insert(key + "=" + word).second || more;
  }
  for (const auto& [letter, size] : point.sizes) {
    auto [known, fresh] = ends_.try_emplace(letter, size, size);
    auto& [low, high] = known->second;
    more = more || fresh || size < low || size > high;
    low = std::min(low, size);
    high = std::max(high, size);
  }
  return more;
}

std::set<std::string> HostSample::features_of(const Case& c) const {
  std::set<std::string> out;
  for (const auto& [key, word] : c.point.choices) out.insert(key + "=" + word);
  for (const auto& [letter, size] : c.point.sizes) {
    const auto& [low, high] = ends_.at(letter);
    if (size == low) out.insert(letter + " smallest");
    if (size == high) out.insert(letter + " largest");
  }
  return out;
}

std::vector<Case> HostSample::refused() const {
  auto found = doubtful_.find(Doubt::refused);
  return found == doubtful_.end() ? std::vector<Case>() : found->second;
}

std::vector<Case> HostSample::doubtful() const {
  std::vector<Case> out;
  for (const auto& [doubt, cases] : doubtful_) {
    if (doubt != Doubt::refused) out.insert(out.end(), cases.begin(), cases.end());
  }
  return out;
}

/// First whatever shows most that those before it do not, then any.
std::vector<Case> HostSample::drawn() const {
  std::vector<std::pair<const Case*, std::set<std::string>>> left;
  for (const auto* from : {&showing_, &at_random_}) {
    for (const Case& c : *from) left.emplace_back(&c, features_of(c));
  }
  std::vector<Case> out;
  while (!left.empty() && out.size() < most) {
    auto best = std::max_element(left.begin(), left.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    bool shows = !best->second.empty();
    if (!shows && out.size() >= wanted) break;
    // Those that were drawn at random stand behind the others.
    if (!shows) best = left.end() - 1;
    std::set<std::string> shown = std::move(best->second);
    out.push_back(*best->first);
    left.erase(best);
    for (auto& [c, features] : left) {
      for (const std::string& feature : shown) features.erase(feature);
    }
  }
  return out;
}

}  // namespace assay::fuzz
