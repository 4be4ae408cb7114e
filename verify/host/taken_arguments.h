#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/value.h"

namespace assay::verify::host {

/// A place in the arguments of a call: first a position or a keyword, then indices, keys and names
/// of fields.
using ArgumentPath = std::vector<std::variant<int64_t, std::string>>;

/// What tracing took of a call's arguments where it cannot take all of them: the export has these
/// for its positional inputs, and everything else is fixed at what it was during the export.
struct TakenArguments {
  std::vector<ArgumentPath> inputs;
  /// Where None was. What stands there in a later call is passed behind the inputs, so that the
  /// export itself says that it has no such input.
  std::vector<ArgumentPath> absent;

  /// All positional arguments but the last ones that are None, which tracing leaves out.
  static TakenArguments without_last_none(const core::Values& args);

  /// The positional arguments that the export is called with in place of the model's. Input error
  /// where the call has nothing at the place of an input.
  core::Values chosen(const core::Values& args,
                      const std::vector<std::pair<std::string, core::Value>>& kwargs) const;
};

/// As JSON: `{"inputs": [[0], ["mask", "left"]], "absent": []}`, and back (input error).
nlohmann::json taken_tree(const TakenArguments& taken);
TakenArguments read_taken(const nlohmann::json& tree);

}  // namespace assay::verify::host
