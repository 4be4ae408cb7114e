#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "verify/graph/align.h"
#include "verify/properties/property.h"
#include "verify/run/export.h"

namespace assay::verify::diagnosis {

/// Judges a case with the subject repaired.
using JudgeRepaired = std::function<Judgement(const Case&)>;

/// The property with another runner in place of the subject's own.
using JudgeRunner = std::function<Judgement(const std::shared_ptr<Runner>&, const Case&)>;

/// The property with these lines of the model without effect, and with another runner in place of
/// the subject's own (null: with its own).
using JudgeWithout = std::function<Judgement(const std::vector<Omission>&,
                                             const std::shared_ptr<Runner>&, const Case&)>;

/// An exchange that cures the case it was found at: these differences between the subject and
/// another export, exchanged for what that export has.
struct Exchange {
  std::shared_ptr<const Export> subject, other;
  Alignment alignment;            ///< Subject as `a`, the other export as `b`.
  std::vector<size_t> exchanged;  ///< Positions in `alignment.differences`.
};

/// The graph with the exchange made; `device` stands for every device that is exchanged, since the
/// other export may have been made on meta. Nothing where that cannot be done.
std::shared_ptr<ir::Graph> exchanged_graph(const Exchange& exchange, core::Device device);

/// Whether it takes steps of the other export, which run over that one's parameters.
bool takes_steps(const Exchange& exchange);

/// The exchange as a repair: just as it was found.
JudgeRepaired repair_by(Exchange exchange, JudgeRunner judge);

/// The exchange as a repair of any case: where what was found does not hold, with what an export at
/// that very case has at the same places of the subject (a branch that the case takes, as many
/// rounds as it asks for); of a recording, whose exports are what they are, with what one of them
/// has there.
JudgeRepaired repair_by(Exchange exchange, JudgeRunner judge, Exporter& exporter);

/// All of the exchanges together, of one subject, as a repair of any case: with what an export at
/// that very case, or one of a recording's, has at their places.
JudgeRepaired repair_by_all(std::vector<Exchange> exchanges, JudgeRunner judge, Exporter& exporter);

/// Judges a case with these faults repaired and any others left: with what an export at that very
/// case has at their places, and nothing else ("not tested" where there is no such export).
JudgeRepaired judge_others_repaired(std::vector<Exchange> exchanges, JudgeRunner judge,
                                    Exporter& exporter);

/// Which differences between the subject and a further export lie at the places of the exchanges:
/// at the same operands, or at the source lines of steps that came or went. Runs of steps that come
/// or go are cut at those lines in `to_further`.
std::vector<size_t> cut_to_places(const std::vector<Exchange>& exchanges, const Program& further,
                                  Alignment& to_further);

}  // namespace assay::verify::diagnosis
