#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/diagnosis/attribution.h"
#include "verify/graph/origins.h"
#include "verify/graph/substitute.h"
#include "verify/graph/written.h"

namespace assay::verify::diagnosis {

// What the trace of a subject tells of its own literals, branches and loops, where assay's engine
// made it: read, where other exports have to be fitted to.

/// The expression that a literal was, and where its numbers had left the graph; nothing where the
/// trace tells of none there.
std::optional<TracedOrigin> traced_origin(const Origins* origins, const Program& program,
                                          size_t step, size_t operand);

/// "7 = x.size(1) // 2, by int at line 12".
std::string origin_sentence(const std::string& literal, const TracedOrigin& origin);

/// The literals of which the trace tells what they were: that alone, one after the other, and then
/// all together.
std::vector<std::vector<Substitution>> traced_trials(const Origins* origins,
                                                     const Program& program);

/// The condition that the subject's trace and the other went by with different answers: the nearest
/// above `reader`, else the first. Null where either tells nothing, or all are alike.
const Origins::Guard* decided_otherwise(const Origins* subject, const Origins* other,
                                        const SourceLocation& reader);

/// The count of a loop's rounds that left the graph and was another one in the other trace.
const Origins::Origin* turned_otherwise(const Origins* subject, const Origins* other,
                                        const SourceLocation& reader);

/// The trace's last look at an element type above `reader`.
std::optional<SourceLocation> looked_at_type(const Origins* origins, const SourceLocation& reader);

/// "x.dtype was torch.float32 in the export under test, and is torch.float64 here": the nearest
/// look above `reader` at what a tensor is that gave the two traces different answers; empty for
/// none.
std::string look_sentence(const Origins* subject, const Origins* other,
                          const SourceLocation& reader);

/// Whether numbers can have come into this trace on ways that it does not follow: by NumPy, by
/// texts, from a generator, from what the model keeps.
bool has_other_ways(const Origins& origins);

/// Where the trace tells that the model did what makes a fault of this class: wrote an attribute
/// (AS109), handed out a tensor's memory (AS110), asked a generator or a clock (AS113). Nothing
/// where it did so at several lines.
std::optional<SourceLocation> told_by_trace(const Origins* origins, const std::string& class_id);

/// Of a silent difference that only the trace can explain: AS110, AS113 or AS109 where it tells of
/// such a line and of no condition, else AS103.
std::string class_told_by_trace(const Origins* origins);

/// "x.size(1) > 8 was True in the export under test, and is False here".
std::string guard_sentence(const Origins::Guard& guard);

}  // namespace assay::verify::diagnosis
