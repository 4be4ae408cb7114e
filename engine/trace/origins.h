#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/source_range.h"
#include "engine/core/value.h"

namespace assay::trace {

/// What a trace knows of numbers that left its graph: Python computed with them, so that the graph
/// holds what they were in this one run.
class Origins {
 public:
  /// A number that left the graph.
  struct Origin {
    std::string expression;  ///< Over the inputs: "x.size(0)".
    core::Value value;       ///< What it was.
    std::string how;         ///< "int", "len", "item", ...
    std::string place;       ///< "model.py:12".
  };
  /// Positions in origins(): what a condition or a constant was computed from.
  using From = std::vector<size_t>;
  /// A condition that the program asked for, and the answer that it went on with.
  struct Guard {
    std::string condition;  ///< "x.size(0) > 3".
    core::Value value;
    std::string place;
    From from = {};
  };
  /// Where a number that had left, or what Python computed from such, came back as a constant.
  struct Baked {
    std::string expression;
    core::Value value;
    std::string op;        ///< "aten::arange".
    std::string argument;  ///< "end", or of a list's element "size[1]".
    std::string place;
    From from = {};
  };
  /// Something beside numbers that the trace depends on and does not show.
  struct Escape {
    std::string kind;   ///< "dtype", "numpy", "random", "time", "attribute", ...: README.md.
    std::string what;   ///< "x.dtype", "random.random()", "self.count".
    std::string value;  ///< As Python writes it; "" where it is none to write down.
    std::string place;
  };

  /// Gives the number of the origin; equal ones are one.
  size_t leave(Origin origin);
  void guard(Guard guard);
  void bake(Baked baked);
  void escape(Escape escape);

  const std::vector<Origin>& origins() const { return origins_; }
  const std::vector<Guard>& guards() const { return guards_; }
  const std::vector<Baked>& baked() const { return baked_; }
  const std::vector<Escape>& escapes() const { return escapes_; }
  bool empty() const {
    return origins_.empty() && guards_.empty() && baked_.empty() && escapes_.empty();
  }

  /// Calls an input otherwise wherever it was told of.
  void rename(const std::string& input, const std::string& name);
  /// The text of `assay/origins.json` in an archive (README.md).
  std::string json() const;

 private:
  std::vector<Origin> origins_;
  std::vector<Guard> guards_;
  std::vector<Baked> baked_;
  std::vector<Escape> escapes_;
};

}  // namespace assay::trace
