#pragma once

#include <memory>
#include <string>

#include "ci/cli/arguments.h"
#include "verify/host/pytorch_host.h"

namespace assay::cli {

/// A host, with nothing loaded, as --host and --python say: PyTorch in the interpreter that is
/// named, or the engine's torch in one that can load it. `note`, where something is put there, says
/// that PyTorch was not found and what took its place.
std::shared_ptr<verify::host::PytorchHost> start_host(const Arguments& arguments,
                                                      std::string* note = nullptr);

/// Loads a Python model and its example as the flags say.
verify::host::Loaded load_model(verify::host::PytorchHost& host, const std::string& model,
                                const Arguments& arguments);

/// A host of the engine with the same model loaded, for what the one of PyTorch cannot do; null
/// where there can be none, or `host` is one.
std::shared_ptr<verify::host::PytorchHost> start_engine_beside(
    const verify::host::PytorchHost& host, const std::string& model, const Arguments& arguments);

/// With --host both: a host of the engine beside the one of PyTorch; null otherwise.
std::shared_ptr<verify::host::PytorchHost> start_second_host(const Arguments& arguments);

}  // namespace assay::cli
