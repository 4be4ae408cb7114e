#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/cases/case.h"
#include "verify/graph/origins.h"
#include "verify/graph/program.h"
#include "verify/observation/observation.h"
#include "verify/run/runner.h"
#include "verify/run/weights.h"

namespace assay::verify {

/// An exported graph that the engine can run, and run again after it was edited.
class Export {
 public:
  virtual ~Export() = default;

  /// The method under test, inlined and flattened.
  virtual const Program& program() const = 0;
  /// Runs this export's module with `graph` in place of the method's own. The graph is a (possibly
  /// edited) copy of program().graph, or of another export's of the same model.
  virtual std::shared_ptr<Runner> run_with(std::shared_ptr<ir::Graph> graph) const = 0;

  /// Its parameters by path; empty where they are not at hand.
  virtual std::vector<std::pair<std::string, core::Value>> parameters() const { return {}; }
  /// Its parameters and buffers.
  virtual std::vector<std::pair<std::string, core::Value>> weights() const { return {}; }

  /// What its trace tells of itself; null where assay's engine did not trace it.
  virtual const Origins* origins() const { return nullptr; }

  std::optional<Case> exported_at;  ///< The inputs it was exported with, where known.
  std::vector<Escape> escapes;      ///< What left the graph while it was traced, where known.
};

/// What came of an attempt to export.
struct ExportResult {
  std::shared_ptr<const Export> exported;  ///< Null if it failed.
  std::string failure;                     ///< Why; empty if it did not fail.
  std::string note = {};                   ///< What is to be told of the export; mostly nothing.
};

/// Makes exports of the model under test at chosen inputs: a PyTorch host, or a recording that
/// holds some.
class Exporter {
 public:
  virtual ~Exporter() = default;
  /// `meta`: export under PyTorch's meta device, to see which device literals follow the input.
  virtual ExportResult export_at(const Case& c, bool meta) = 0;
  /// A further export at the same inputs: what differs from the first one was drawn, not computed.
  virtual ExportResult export_again(const Case&) {
    return {nullptr, "no further export is at hand"};
  }
  /// Of the model's parameters, where they were noted beside calls that were recorded; else empty.
  virtual const WeightHashes& weights() const {
    static const WeightHashes none;
    return none;
  }
  /// Exports that are there already, each with its exported_at: what a recording holds. Empty for a
  /// host, which makes any export that is asked for.
  virtual const std::vector<std::shared_ptr<const Export>>& known() const {
    static const std::vector<std::shared_ptr<const Export>> none;
    return none;
  }
};

}  // namespace assay::verify
