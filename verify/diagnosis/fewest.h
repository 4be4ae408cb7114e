#pragma once

#include <vector>

namespace assay::verify::diagnosis {

/// Of things that cure a failure together, those without which the rest does not: each is left out
/// in turn, from the last on. Empty where they do not cure it.
template <typename T, typename Cures>
std::vector<T> fewest_that_cure(std::vector<T> all, const Cures& cures) {
  if (all.empty() || !cures(all)) return {};
  for (size_t i = all.size(); i-- > 0 && all.size() > 1;) {
    std::vector<T> fewer = all;
    fewer.erase(fewer.begin() + static_cast<long>(i));
    if (cures(fewer)) all = std::move(fewer);
  }
  return all;
}

}  // namespace assay::verify::diagnosis
