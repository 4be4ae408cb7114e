#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verify/cases/point.h"

namespace assay::fuzz {

/// What is known about the subject and steers generation to where exports break.
struct Hints {
  /// Whole numbers that occur in the graph, ascending, without repetition.
  std::vector<int64_t> literals;
  /// The point the subject was exported at, where known.
  std::optional<verify::Point> example;
  /// Points at which a condition that the subject's trace went by is false: judged before others.
  std::vector<verify::Point> otherwise;
};

/// Every size that is chosen at this point, with what it may be there, in the order of choice.
std::vector<std::pair<std::string, verify::SizeDomain>> size_features(const verify::Spec& spec,
                                                                      const verify::Point& point);

/// Sizes worth trying for one letter, most promising first, all in the domain, without repetition:
/// the ends of the domain; 0, 1, 2; around the example's size; the literals of the graph, their
/// neighbours and multiples; sizes that other letters have.
std::vector<int64_t> interesting_sizes(const verify::SizeDomain& domain,
                                       std::optional<int64_t> example, const Hints& hints,
                                       const verify::Bindings& others);

/// The point that probes start from: the example where there is one, else small unequal sizes
/// (primes where the domain has them) and the plainest choices. Nothing where the spec has no
/// point.
std::optional<verify::Point> base_point(const verify::Spec& spec, const Hints& hints,
                                        uint64_t seed);

}  // namespace assay::fuzz
