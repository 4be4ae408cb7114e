#include "verify/compare/alias.h"

#include <algorithm>
#include <set>

#include "engine/base/text.h"

namespace assay::verify::compare_detail {

namespace {

using Groups = std::set<std::vector<std::string>>;

Groups visible(const std::vector<std::vector<std::string>>& groups) {
  Groups out;
  for (const auto& group : groups) {
    std::vector<std::string> kept;
    for (const std::string& place : group) {
      if (place.rfind("state:", 0) != 0) kept.push_back(place);
    }
    if (kept.size() >= 2) out.insert(std::move(kept));
  }
  return out;
}

std::string text_of(const std::vector<std::string>& group) { return base::join(group, " and "); }

}  // namespace

void compare_aliases(const Observation& subject, const Observation& reference, Collector& out) {
  if (!out.options->aliasing) return;
  Groups s = visible(subject.aliases), r = visible(reference.aliases);
  out.count(Layer::aliasing);
  for (const auto& group : r) {
    if (s.count(group) == 0)
      out.differ(Layer::aliasing, text_of(group), "other sharing", "share memory");
  }
  for (const auto& group : s) {
    if (r.count(group) == 0)
      out.differ(Layer::aliasing, text_of(group), "share memory", "other sharing");
  }
}

}  // namespace assay::verify::compare_detail
