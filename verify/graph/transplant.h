#pragma once

#include <memory>
#include <vector>

#include "verify/graph/align.h"
#include "verify/graph/program.h"

namespace assay::verify {

/// `a`'s graph with the differences in `keep` (positions in `alignment.differences`) exchanged for
/// what `b` has there, and all others left as they are. A structural difference brings its steps of
/// `b` and takes away its steps of `a`; what reads them is rewired as `b` has it, and around steps
/// of `b` that stay away. Nothing where that cannot be done: steps with blocks, or a value that has
/// no counterpart in the other program.
std::shared_ptr<ir::Graph> transplant(const Program& a, const Program& b,
                                      const Alignment& alignment, const std::vector<size_t>& keep);

/// The same by the simplest means that does it: literals alone are put in; where all that is
/// structural is in `keep`, it is `b` with the other literals put back; else a transplant.
std::shared_ptr<ir::Graph> exchange(const Program& a, const Program& b, const Alignment& alignment,
                                    const std::vector<size_t>& keep);

/// For each difference the structural ones that it follows from: of a wiring those whose steps give
/// what the counterparts read, of `a` or of `b`. Counterparts that read different counterparts
/// follow from none.
std::vector<std::vector<size_t>> dependencies_of(const Program& a, const Program& b,
                                                 const Alignment& alignment);

}  // namespace assay::verify
