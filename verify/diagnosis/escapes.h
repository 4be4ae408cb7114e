#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/core/value.h"
#include "verify/observation/observation.h"

namespace assay::verify::diagnosis {

/// What left the graph while the subject and the export beside it were traced.
struct Escapes {
  const std::vector<Escape>* subject = nullptr;
  const std::vector<Escape>* probe = nullptr;
};

/// A literal in one export, and what left the graph while that one was traced.
struct EscapeSample {
  const std::vector<Escape>* escapes = nullptr;
  core::Value literal;
};

/// A literal as a function of a number that left the graph at a line.
struct EscapeFit {
  SourceLocation place;
  std::string kind;            ///< Escape::kind.
  std::string text;            ///< "v", "v//3 + 1", "-0.5*v": v is what left the graph.
  std::vector<double> values;  ///< v by sample.
  int freedom = 0;             ///< Numbers in the formula that the samples had to settle.
};

/// The simplest such function that gives every sample, in forms that a person would write: v
/// itself, v times or plus a number, its root, its reciprocal, a number times v rounded, a rounded
/// quotient. More samples
/// than the form has freedom must speak for it. Of lines that serve equally the nearest above
/// `reader` in its function is taken; lines that the program comes to only after the literal was
/// read, by `comes_later`, are those of its consequences, and serve where no other does.
std::optional<EscapeFit> fit_to_escapes(
    const std::vector<EscapeSample>& samples, const SourceLocation& reader,
    const std::function<bool(const SourceLocation&)>& comes_later = nullptr);

/// The one line above `reader` in its function at which numbers left the graph that differ between
/// the traces: where a literal that no formula explains can only come from. Nothing if there are
/// several.
std::optional<SourceLocation> only_source(const Escapes& escapes, const SourceLocation& reader);
/// The same of all lines of the program, where a function is handed the number and makes much of
/// it.
std::optional<SourceLocation> only_source(const Escapes& escapes);

/// The line at which a literal that differs between two exports became a Python number: an escape
/// gave the one value in the subject and the other in the probe. Of several, the nearest above
/// `reader` (the line whose operator reads the literal) in its function, else the only one there
/// is.
std::optional<SourceLocation> captured_at(const Escapes& escapes, const core::Value& in_subject,
                                          const core::Value& in_probe,
                                          const SourceLocation& reader);

/// The nearest line above `reader` in its function that handed out a tensor's memory, or made a
/// list of its elements.
std::optional<SourceLocation> handed_out_at(const Escapes& escapes, const SourceLocation& reader);

/// The line of a condition that the two traces decided differently: the nearest above `reader` in
/// its function, else the first; where none was decided on a tensor, the nearest line above
/// `reader` in its function that gave Python different numbers, or drew some that are not known.
std::optional<SourceLocation> decided_at(const Escapes& escapes, const SourceLocation& reader);

/// The line at which Python's or NumPy's generator drew a literal in each trace: of other numbers
/// in another trace, or such as nobody writes; places as for captured_at.
std::optional<SourceLocation> drawn_at(const std::vector<EscapeSample>& samples,
                                       const SourceLocation& reader);

/// The nearest line above `reader` in its function that drew or looked at a clock, else the only
/// such line: where a number comes from that two exports at the same inputs hold differently.
std::optional<SourceLocation> asked_at(const std::vector<Escape>& escapes,
                                       const SourceLocation& reader);

/// Whether an escape is a number that a generator drew or a clock showed: Python's, NumPy's, the
/// system's.
bool is_draw(const Escape& escape);
/// Whether it is such a number that nobody saw: of a generator that the model holds itself.
bool is_hidden_draw(const Escape& escape);
/// Whether it handed out a tensor's memory, through which no tracer sees a write.
bool hands_out_memory(const Escape& escape);
/// Whether it assigned something to a module's attribute, which no graph of a trace does.
bool assigns_state(const Escape& escape);
/// Whether it looked something up by a tensor, as a size is while it is traced.
bool looks_up(const Escape& escape);
/// Whether it is the model's question whether it is being traced.
bool asks_for_tracing(const Escape& escape);

/// Whether a number that left the graph at one place and turn is another one in the two traces.
bool gave_other_numbers(const Escapes& escapes);

/// Whether the two traces decided a condition on tensors differently at all.
bool decided_differently(const Escapes& escapes);

}  // namespace assay::verify::diagnosis
