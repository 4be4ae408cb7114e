#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/catalog.h"

namespace assay::kernels::testing {

/// A line of tests/golden/ops: see record.py there for the notation. Values stay text until they
/// are needed, since their types come from the schema.
struct Golden {
  const ops::Operator* op = nullptr;
  std::vector<std::string> args;
  std::vector<std::string> results;
  std::map<size_t, std::string> written;
  bool refused = false;
};

/// Input errors where the text is not of that notation.
Golden parse_golden(std::string_view line);
core::Values arguments_of(const Golden& golden);
/// How `actual` differs from the recorded value, if it does. `args`: for results that share
/// storage.
std::optional<std::string> mismatch(const Golden& golden, const std::string& expected,
                                    const core::Value& actual, const core::Values& args);

}  // namespace assay::kernels::testing
