#include "ci/cli/second_opinion.h"

#include <fmt/core.h>

#include "ci/cli/host.h"
#include "engine/base/error.h"
#include "verify/graph/align.h"
#include "verify/run/host_runner.h"

namespace assay::cli {

using namespace verify;  // NOLINT: this file puts together what verify names.

std::string second_opinion(const EngineExport& first, const Exported& what,
                           const std::shared_ptr<host::PytorchHost>& other,
                           const Arguments& arguments) {
  std::string told = fmt::format("second opinion: {} ", other->name());
  ExportResult made;
  try {
    load_model(*other, what.model, arguments);
    made = HostExporter(other, what.kind, what.method).export_at(*first.exported_at, false);
  } catch (const base::Error& e) {
    made.failure = e.message();
  }
  if (!made.exported) return told + "cannot export the model: " + made.failure;
  const Program &ours = first.program(), &theirs = made.exported->program();
  Alignment alignment = align(ours, theirs);
  if (alignment.equal())
    return told + fmt::format("exports the same graph, of {} steps", theirs.steps.size());
  return told + fmt::format("exports another graph:\n{}",
                            difference_text(ours, theirs, alignment, /*max_lines=*/20));
}

}  // namespace assay::cli
