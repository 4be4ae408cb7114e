#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "verify/lint/checks.h"

namespace assay::verify::lint {

/// Fewer repetitions may have been written one by one.
inline constexpr size_t fewest_rounds = 3;

/// What may be the rounds of a loop: a step of each, in the order of the program.
using Starts = std::vector<size_t>;

/// A number that rises by the same from round to round.
struct Counter {
  size_t operand;  ///< Of each of the steps.
  Starts steps;
  int64_t first, last;
};

/// The number that counts the rounds of one line, whose equal operators these steps are: in a row,
/// or in every second, third ... of them, where a round has several.
std::optional<Counter> counter_in(const View& view, const Starts& steps);

/// Whether each of the steps works on what the one before gave.
bool is_chain(const View& view, const Starts& steps);

/// Whether what reads each of several results is the same in all rounds: steps of the same lines
/// with the same numbers, and the steps behind them, too, but for the last round, which nothing
/// need follow.
bool have_equal_readers(const View& view, const std::vector<std::vector<Flow::Place>>& rounds);

/// Whether rounds that start at these steps read weights, or inputs, and each its own: a list of
/// layers has so many, whatever the input.
bool have_own_sources(const View& view, const Starts& steps);

}  // namespace assay::verify::lint
