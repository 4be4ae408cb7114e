#pragma once

#include <memory>
#include <string>

#include "ci/cli/arguments.h"
#include "verify/host/pytorch_host.h"
#include "verify/run/engine_export.h"

namespace assay::cli {

/// What is exported, and how.
struct Exported {
  std::string model, method;
  verify::host::ExportRequest::Kind kind;
};

/// Exports the model in another host, too, at the inputs of the first export: one sentence on
/// whether both hosts make the same graph, with the places where they differ. Never throws for what
/// the other host cannot do: then that is the sentence.
std::string second_opinion(const verify::EngineExport& first, const Exported& what,
                           const std::shared_ptr<verify::host::PytorchHost>& other,
                           const Arguments& arguments);

}  // namespace assay::cli
