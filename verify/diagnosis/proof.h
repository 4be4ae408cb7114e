#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/diagnosis/attribution.h"
#include "verify/diagnosis/repair.h"
#include "verify/graph/substitute.h"

namespace assay::verify::diagnosis {

/// What a proof works on.
struct ProofContext {
  const ExportDiff* view = nullptr;
  std::shared_ptr<const Export> subject, probe;
  const std::map<std::string, SizeSource>* sources = nullptr;
  /// Whether the property holds at the failing case with this graph over that export's parameters.
  std::function<bool(const std::shared_ptr<ir::Graph>& graph, const Export& owner)> cures;
};

/// A set of places whose exchange restores agreement at the failing case.
struct Repair {
  /// The smallest such set that was found, the deciding place first; where a fit was put in, it is
  /// that place's.
  std::vector<Attribution> places;
  /// How many of them, from the first on, were seen to be needed; of the others it is not known.
  size_t needed = 0;
  std::string how;                 ///< "by substitution of the size itself"
  std::vector<std::string> notes;  ///< Other fits that cure as well.
  /// The subject's graph with the fit put in, good for any case; null where values were exchanged.
  std::shared_ptr<ir::Graph> fitted;
  Exchange exchange;  ///< Of the places, for what the probe has there.
};

/// Looks for the smallest set of attributions that restores agreement: one alone (a fitted size
/// before the value itself), then some of one class, then some of all; each without what is not
/// needed.
std::optional<Repair> prove(const ProofContext& context, const std::vector<Attribution>& all);

/// Whether this is a literal at a line of which only one program has further steps: it changes with
/// them.
bool belongs_to_steps(const ExportDiff& view, const Attribution& a);

/// Whether the steps that only one program has there do nothing but hand values on, as where a call
/// gives back a tuple.
bool hands_on(const ExportDiff& view, const Attribution& a);

/// The step that an attribution points at, of the subject or of the probe.
const Step& step_of(const ExportDiff& view, const Attribution& a);

}  // namespace assay::verify::diagnosis
