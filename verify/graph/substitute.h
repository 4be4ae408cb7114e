#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "verify/graph/align.h"
#include "verify/graph/fit.h"
#include "verify/graph/written.h"
#include "verify/spec/spec.h"

namespace assay::verify {

/// Where a letter's size can be read inside the graph: a dimension of a tensor that is an argument.
struct SizeSource {
  /// Position among the graph's inputs, `self` counted; numbers and texts are not, since tracing
  /// makes constants of them.
  size_t graph_input;
  int64_t dim;
};
/// For every letter that stands alone at some dimension of a positional tensor input, or of a field
/// of a named tuple or dataclass, of which tracing takes each tensor by itself.
std::map<std::string, SizeSource> size_sources(const Spec& spec);

/// One literal of a program, and what to put in its place.
struct Substitution {
  size_t step = 0;
  size_t operand = 0;
  std::variant<core::Value, SizeFit, Written> replacement;
};

/// A copy of the program's graph with the substitutions made. A fitted size
/// and an expression become what a script makes of them, just before the step. Nothing if a fit
/// uses a letter without a source, or an expression is no script.
std::shared_ptr<ir::Graph> substitute(const Program& program,
                                      const std::vector<Substitution>& substitutions,
                                      const std::map<std::string, SizeSource>& sources);

/// The graph of `b` with each literal that differs put back to what `a` has, except those in `keep`
/// (positions in `alignment.differences`): `a` with only its structure exchanged.
std::shared_ptr<ir::Graph> exchange_structure(const Program& a, const Program& b,
                                              const Alignment& alignment,
                                              const std::vector<size_t>& keep);

}  // namespace assay::verify
