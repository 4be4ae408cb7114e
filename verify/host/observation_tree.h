#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/host/value_tree.h"
#include "verify/observation/gradient_flow.h"
#include "verify/observation/observation.h"

namespace assay::verify::host {

/// "returned", "raised", "died", "timed_out", "invalid_reply", "not_run", and back (input error).
std::string_view ending_name(Ending ending);
Ending ending_from_name(std::string_view name);

/// An observation as JSON with value trees; its tensors gather in the writer.
nlohmann::json observation_tree(const Observation& observation, TreeWriter& writer);
/// Reads what `observation_tree` wrote, or a host's reply to `run`. Where it says nothing about
/// aliases they are found from the tensors' storages. Input error on anything else.
Observation read_observation(const nlohmann::json& tree, TreeReader& reader);

/// A host's reply to `gradients`. Input error on anything else.
GradientFlow read_gradient_flow(const nlohmann::json& tree, TreeReader& reader);

/// Named values as a list of [name, tree] pairs.
nlohmann::json named_trees(const std::vector<std::pair<std::string, core::Value>>& values,
                           TreeWriter& writer);
std::vector<std::pair<std::string, core::Value>> read_named_values(const nlohmann::json& pairs,
                                                                   TreeReader& reader);

/// The parts that exports have, too.
std::vector<Warning> read_warnings(const nlohmann::json& list);
nlohmann::json escapes_tree(const std::vector<Escape>& escapes);
std::vector<Escape> read_escapes(const nlohmann::json& list);
std::vector<StateChange> read_state(const nlohmann::json& state, TreeReader& reader);
Failure read_failure(const nlohmann::json& error);

}  // namespace assay::verify::host
