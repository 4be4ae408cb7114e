#pragma once

#include <vector>

#include "verify/diagnosis/attribution.h"
#include "verify/diagnosis/escapes.h"
#include "verify/diagnosis/proof.h"
#include "verify/diagnosis/repair.h"
#include "verify/findings/finding.h"

namespace assay::verify::diagnosis {

/// One of the causes that a repair cures, and what the repair exchanges for it.
struct ProvenCause {
  Finding finding;
  Exchange exchange;
};

/// The causes among the places of a repair, the deciding one first: places that one fault reaches
/// (the same number read again, a literal inside of a loop's body) are one cause. `bare` is what is
/// known of the failure itself.
std::vector<ProvenCause> causes_of(const ExportDiff& view, const Repair& repair,
                                   const Escapes& escapes, const Finding& bare);

/// Class, place, literal and evidence of an attribution. The line is that at which the value left
/// the graph, where the traces tell, in place of the one that reads it.
void describe(const ExportDiff& view, const Attribution& a, const Escapes& escapes,
              Finding& finding);

/// Calls a finding what its kind is called within its class.
void name_kind(const FaultKind& kind, Finding& finding);

/// The source file of the step that an attribution is about; empty where none is known.
const std::string& file_of(const ExportDiff& view, const Attribution& a);

/// The step of a program as the cause.
void set_cause(const Program& program, size_t index, Finding& finding);
void place_at(const SourceLocation& place, Finding& finding);
/// Moves the cause to the line where its value left the graph; the one before takes effect.
void name_escape(SourceLocation place, Finding& finding);

}  // namespace assay::verify::diagnosis
