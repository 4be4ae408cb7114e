#pragma once

#include <vector>

#include "fuzz/generate/hints.h"

namespace assay::fuzz {

/// The points that are tried before any random one, in order, without repetition: the base point;
/// each feature alone at every size worth trying; then pairs of choices (float64 at zeros), pairs
/// of sizes (swapped, equal, both at an end, another split of the same product) and pairs of a
/// size's end with another choice. At most `limit` of them; the first are the most promising.
std::vector<verify::Point> systematic_probes(const verify::Spec& spec, const Hints& hints,
                                             uint64_t seed, size_t limit);

}  // namespace assay::fuzz
