#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "verify/graph/program.h"

namespace assay::verify::diagnosis {

/// A size that a trace changes in place. While tracing a size is a tensor: `n += 1` changes it
/// under every name that it has, where Python makes a new number and leaves the other names alone.
struct ChangedSize {
  /// Where a number is read: step and operand.
  using Read = std::pair<size_t, size_t>;
  using Reads = std::vector<Read>;
  size_t changed = 0;         ///< The step that writes to it.
  size_t operand = 0;         ///< Which of its operands the size is.
  std::vector<Reads> trials;  ///< Which reads may have meant the size as it was, fewest first.
  /// Of two names that are changed apart (`lo = hi = n // 2; hi += 2; lo -= 2`) what the second
  /// change writes to: the size as it was. The reads of a trial then mean the first change's
  /// result.
  std::optional<Read> apart;
};

/// Those of a program, in order: of each tensor of a size, or of numbers computed from sizes, the
/// first change, with all reads after it; of one that is changed several times, as an offset that
/// runs along, then each change, with the reads up to the next; of one that is changed twice also
/// as two names. None in what scripting made, where a size is a number.
std::vector<ChangedSize> changed_sizes(const Program& program);

/// Sizes to repair together: each alone, then all that one line changes, as a layer does that is
/// called several times. Those of a group have equally many trials.
using SizeGroup = std::vector<ChangedSize>;
std::vector<SizeGroup> size_groups(const Program& program);

/// A copy of the program's graph in which the reads of each size's trial of this number see it as
/// it was before, or as its first change alone made it.
std::shared_ptr<ir::Graph> read_unchanged(const Program& program, const SizeGroup& sizes,
                                          size_t trial);

}  // namespace assay::verify::diagnosis
