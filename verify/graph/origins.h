#pragma once

#include <string>
#include <vector>

#include "engine/core/value.h"
#include "verify/observation/observation.h"

namespace assay::verify {

/// What a trace that assay's engine made knows of itself: the numbers that left its graph, the
/// conditions that the program asked for, and where such numbers came back as constants. Lies in
/// the archive (engine/trace/README.md).
struct Origins {
  /// The file among an archive's extra files.
  static constexpr const char* file = "assay/origins.json";

  /// A number that left the graph.
  struct Origin {
    std::string expression;  ///< Over the inputs, in Python's form: "x.size(0) // 2".
    core::Value value;       ///< What it was.
    std::string how;         ///< "int", "len", "item", ...
    SourceLocation place;
  };
  /// Positions in `origins`: what a condition or a constant was computed from.
  using From = std::vector<size_t>;
  /// A condition, and the answer that the program went on with.
  struct Guard {
    std::string condition;  ///< "x.size(0) > 3".
    core::Value value;
    SourceLocation place;
    From from = {};
  };
  /// Where a number that had left came back as a constant.
  struct Baked {
    std::string expression;
    core::Value value;
    std::string op, argument;  ///< "aten::arange", "end"; of a list's element "size[1]".
    SourceLocation place;
    From from = {};
  };

  /// Something beside numbers that the trace depends on and does not show.
  struct Escape {
    std::string kind;   ///< "dtype", "numpy", "random", "attribute", ...
    std::string what;   ///< "x.dtype", "self.count".
    std::string value;  ///< As Python writes it; empty where it is none to write down.
    SourceLocation place;
  };

  std::vector<Origin> origins;
  std::vector<Guard> guards;
  std::vector<Baked> baked;
  std::vector<Escape> escapes;
};

/// The text of that file, of a graph whose inputs have these names (input_names()): where the
/// program calls several inputs alike, the file calls them by their position ("input_2"). Input
/// error if it is damaged; what later versions add to it is passed over.
Origins read_origins(const std::string& json, const std::vector<std::string>& inputs);

/// "model.py:12"; empty where unknown.
std::string place_text(const SourceLocation& place);

}  // namespace assay::verify
