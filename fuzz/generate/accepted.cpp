#include "fuzz/generate/accepted.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "fuzz/generate/probes.h"

namespace assay::fuzz {

using namespace verify;  // NOLINT: this file puts together what verify names.

std::optional<Accepted> accepted_case(Runner& model, const Spec& spec, uint64_t seed) {
  constexpr size_t most = 24;
  constexpr std::chrono::seconds longest{5};
  auto end = std::chrono::steady_clock::now() + longest;
  auto size = [](const Point& point) {
    int64_t total = 0;
    for (const auto& [name, own] : point.sizes) total += own;
    return total;
  };
  std::vector<Point> points = systematic_probes(spec, {}, seed, most);
  std::ranges::stable_sort(points, {}, size);
  for (const Point& point : points) {
    if (std::chrono::steady_clock::now() >= end) break;
    Case at = build_case(spec, point);
    Observation result = model.run(at);
    if (result.ending == Ending::returned) return Accepted{std::move(at), std::move(result)};
  }
  return std::nullopt;
}

}  // namespace assay::fuzz
