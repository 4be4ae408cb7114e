#pragma once

#include <map>
#include <string>
#include <utility>

#include "verify/diagnosis/origin.h"
#include "verify/graph/program.h"

namespace assay::fuzz {

/// Names places of the user's program by what stands there, so that a name outlives lines that are
/// put in above. Lines of the graph that are not the same never have one name.
class PlaceNames {
 public:
  /// `source` gives lines of the model's source and may be null.
  PlaceNames(const verify::Program& program, verify::diagnosis::SourceText source);

  /// "model.py encoder.forward aten::view #2": the path of the submodule and the function, the
  /// operators that the graph has of the line, and which such line it is; where the graph has none
  /// of it, the words of the line within its class and function. The line's number only where
  /// neither is at hand.
  std::string name(const verify::SourceLocation& place) const;

 private:
  using Line = std::pair<std::string, int>;

  std::string by_source(const verify::SourceLocation& place) const;

  std::map<Line, std::string> of_graph_;
  verify::diagnosis::SourceText source_;
  mutable std::map<Line, std::string> of_source_;  // What `source` said: it reads a file each time.
};

}  // namespace assay::fuzz
