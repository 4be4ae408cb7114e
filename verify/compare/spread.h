#pragma once

#include <map>
#include <string>
#include <vector>

#include "verify/observation/observation.h"

namespace assay::verify {

/// How far rounding alone moves each element of what a run gave: the largest distance from the run
/// itself over several runs of the same call in which every inexact operator was rounded at random
/// (RandomRounding). It measures how the program amplifies rounding errors at this very input,
/// where a bound from the graph alone can only guess.
class Spread {
 public:
  /// How many times an element's spread two right implementations may be apart. On the networks
  /// that tests/bench/conditioning.py measures it is 0 to 4 times (six runs; of a million elements,
  /// some move so little by chance that it is 14 times, and further runs are made).
  static constexpr double reach = 4;

  /// One more run of the same call. A place whose structure or shape rounding changes is left out.
  void add(const Observation& plain, const Observation& rounded);

  /// By element in row-major order, for a tensor or a number at a place as in Difference::place;
  /// null where nothing is known.
  const std::vector<double>* at(const std::string& place) const;

 private:
  void add_values(const std::string& place, const core::Value& plain, const core::Value& rounded);

  std::map<std::string, std::vector<double>> by_place_;
};

}  // namespace assay::verify
