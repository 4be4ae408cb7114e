#include "fuzz/sequence.h"

#include <algorithm>

#include "fuzz/generate/probes.h"

namespace assay::fuzz {

using verify::Case;
using verify::Point;

namespace {

constexpr int64_t most_probes = 3000;

}  // namespace

Sequence::Sequence(const verify::PropertyContext& context, const CampaignOptions& options)
    : spec_(*context.spec), options_(options), random_(options.seed) {
  const std::vector<Case>* only =
      context.reference ? context.reference->runner->only_cases() : nullptr;
  add_remembered(only);
  if (only) {
    closed_ = true;
    held_ = static_cast<int64_t>(only->size());
    for (const Case& c : *only) add(c);
    add_on_other_devices(*only);
    return;
  }
  for (const Point& point : options.hints.otherwise) add(build_case(spec_, point));
  // Random points get their share even of a small budget.
  int64_t share = std::min(options.budget.max_examples, most_probes) * 2 / 3;
  auto limit = static_cast<size_t>(std::max<int64_t>(1, share));
  for (const Point& point : systematic_probes(spec_, options.hints, options.seed, limit)) {
    add(build_case(spec_, point));
  }
}

std::optional<Turn> Sequence::next() {
  ++given_;
  if (!cases_.empty()) {
    Case c = std::move(cases_.front());
    cases_.pop_front();
    return c;
  }
  if (closed_) return std::nullopt;
  // RapidCheck's size grows from case to case, so that wide domains are searched wider.
  return Draw{random_.split(), static_cast<int>(std::min<int64_t>(100, given_ / 2))};
}

std::optional<Case> Sequence::at_other_sizes(
    const std::function<std::set<int64_t>(const std::string&)>& sizes_of) const {
  std::optional<Point> base = base_point(spec_, options_.hints, options_.seed);
  if (closed_ || !base) return std::nullopt;
  Point wanted = *base;
  for (const auto& [letter, domain] : size_features(spec_, *base)) {
    std::set<int64_t> seen = sizes_of(letter);
    if (seen.size() != 1) continue;
    for (int64_t size : interesting_sizes(domain, base->sizes.at(letter), {}, {})) {
      if (seen.count(size)) continue;
      wanted.sizes[letter] = size;
      break;
    }
  }
  std::optional<Point> point = nearest_point(spec_, wanted);
  if (!point || point->sizes == base->sizes) return std::nullopt;
  return build_case(spec_, *point);
}

int64_t Sequence::planned() const {
  auto known = static_cast<int64_t>(cases_.size());
  int64_t most = options_.budget.max_examples;
  if (closed_) return std::min(known, most);
  return most >= unlimited ? 0 : most;
}

void Sequence::add_remembered(const std::vector<Case>* only) {
  for (const Case& c : options_.first) {
    bool known = only ? std::find(only->begin(), only->end(), c) != only->end()
                      : in_domain(spec_, c.point) && (c.given || build_case(spec_, c.point) == c);
    if (known) add(c);
  }
  remembered_ = static_cast<int64_t>(cases_.size());
}

/// A reference without those cases cannot say what the model does there, but the subject must give
/// on each device what it gives on the CPU.
void Sequence::add_on_other_devices(const std::vector<Case>& only) {
  for (core::Device device : spec_.devices) {
    if (device.type == core::DeviceType::cpu) continue;
    for (const Case& c : only) {
      if (c.device().type != core::DeviceType::cpu) continue;
      Case moved = c;
      moved.point.choices["device"] = device.text();
      if (std::find(only.begin(), only.end(), moved) == only.end()) add(std::move(moved));
    }
  }
}

/// Unless it is one of those remembered, which come first.
void Sequence::add(Case c) {
  auto end = cases_.begin() + remembered_;
  if (std::find(cases_.begin(), end, c) == end) cases_.push_back(std::move(c));
}

}  // namespace assay::fuzz
