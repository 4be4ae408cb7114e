#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/graph/origins.h"
#include "verify/graph/program.h"
#include "verify/guards/solve.h"

namespace assay::verify::guards {

/// A condition that a trace went by, over the letters of a spec.
struct Condition {
  enum class Kind {
    always,     ///< True at all sizes of the spec.
    implied,    ///< True wherever the others are.
    splits,     ///< False at some sizes of the spec: `otherwise` is one of them.
    undecided,  ///< Over sizes; neither proven nor refuted.
    unread,     ///< Not over sizes alone: values, or sizes of what was computed.
  };
  Kind kind = Kind::unread;
  std::string text;     ///< As it held in the trace: "h*w > 64".
  std::string written;  ///< As the trace wrote it: "(x.size(2) * x.size(3)) > 64".
  bool answer = true;   ///< What that was.
  SourceLocation place;
  std::optional<Point> otherwise;
};

/// A number that is fixed in the trace: a constant, or how often a loop turned.
struct Fixed {
  std::string text;  ///< Over the letters where it can be read: "b + 1".
  std::string value;
  std::string what;  ///< "aten::arange (end)", "rounds of a loop"
  SourceLocation place;
};

/// The conditions under which a trace is right, as far as it knows.
struct Validity {
  std::vector<Condition> conditions;
  std::vector<Fixed> fixed;  ///< Those that other sizes of the spec, or other values, change.
  /// Numbers that left the trace, that other sizes of the spec or other values change, and that
  /// came back in no condition and no constant: Python may have decided by them what no trace
  /// notes.
  std::vector<Fixed> unseen;
  std::vector<Origins::Escape> escapes;

  /// Nothing that the trace noted sets one size of the spec apart from another.
  bool for_all_sizes() const;
  /// "valid on the whole declared space for sizes", or "valid where h*w <= 64"; one sentence.
  std::string sentence() const;
  /// What that sentence rests on; empty where nothing was noted that it passes over.
  std::string rests_on() const;
};

/// `inputs` are the names of the graph's inputs, in order, without `self`: the spec's inputs may
/// have other ones. `base` is where the trace was made.
Validity validity(const Spec& spec, const Origins& origins, const std::vector<std::string>& inputs,
                  const Point& base);

/// The first condition that the trace went by and that is false at these sizes; null where sizes do
/// not tell of any. Nothing is solved for it.
const Origins::Guard* false_at(const Spec& spec, const Origins& origins,
                               const std::vector<std::string>& inputs, const Bindings& sizes);

/// Conditions as they held, with sizes by their names in the trace: "x.size(0) <= 3"; each once.
/// For a reader who has no spec.
std::vector<Condition> conditions_of(const Origins& origins);

/// The names of the inputs of an exported graph.
std::vector<std::string> input_names(const Program& program);

std::string_view kind_name(Condition::Kind kind);

}  // namespace assay::verify::guards
