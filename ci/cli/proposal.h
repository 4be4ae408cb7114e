#pragma once

#include <optional>
#include <string>

#include "ci/cli/arguments.h"
#include "engine/api/module.h"
#include "verify/cases/case.h"
#include "verify/host/pytorch_host.h"
#include "verify/run/runner.h"
#include "verify/spec/spec.h"

namespace assay::cli {

/// Whether the flags say what the inputs are (--input, --spec).
bool declares_inputs(const Arguments& arguments);

/// A spec for a user who declared no inputs, refined by what other flags say.
struct Proposal {
  verify::Spec spec;
  std::optional<verify::Call> example;  ///< The arguments that it was made from, where it was.
};

// Each tells the proposal on standard error, so that it can be pasted and changed.

/// From a recording's header.
Proposal propose_recorded(const verify::Spec& recorded, const std::string& path,
                          const Arguments& arguments);
/// For a Python model: from its example; else from its signature, by trying shapes in `runner`.
/// Input error, with the signature, where nothing is found.
Proposal propose_for_model(const std::string& model, const verify::host::Loaded& loaded,
                           verify::Runner& runner, const Arguments& arguments);
/// For an archive: from its method's signature, in the same way.
Proposal propose_for_archive(const std::string& path, const api::Module& module,
                             const std::string& method, verify::Runner& runner,
                             const Arguments& arguments);
/// Two calls in a row, where the spec says nothing of calls, for a model whose second call gives
/// another result than the first with equal arguments: what a call leaves behind shows in the next
/// one only.
void propose_second_call(verify::Spec& spec, verify::Runner& model, uint64_t seed);
/// Two seeds of the model's generator, where the spec says nothing of seeds, for a model that
/// draws: an export that has drawn numbers as constants agrees with it at the seed that it was made
/// with.
void propose_seeds(verify::Spec& spec, verify::Runner& model, uint64_t seed);

}  // namespace assay::cli
