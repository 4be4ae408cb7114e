#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verify/run/export.h"
#include "verify/run/recording.h"
#include "verify/run/runner.h"

namespace assay::verify {

/// The calls of a recording as a reference: it can run those cases only.
class RecordingRunner : public Runner {
 public:
  /// `path` is its name in reports; the spec places the calls in the input space.
  RecordingRunner(std::shared_ptr<const Recording> recording, std::string path, const Spec& spec);

  Observation run(const Case& c) override;
  std::string name() const override { return path_; }
  std::string cannot_run(const Case& c) const override;
  const std::vector<Case>* only_cases() const override { return &cases_; }

 private:
  const RecordedCall* find(const Case& c) const;

  std::shared_ptr<const Recording> recording_;
  std::string path_;
  std::vector<Case> cases_;
  std::vector<Case> plain_;  ///< The recorded calls, as far as the model is concerned.
};

/// The exports of a recording. `export_at` gives the one made at equal inputs, else at inputs of
/// equal shapes.
class RecordingExporter : public Exporter {
 public:
  RecordingExporter(std::shared_ptr<const Recording> recording, const Spec& spec,
                    std::string method = "forward");
  ExportResult export_at(const Case& c, bool meta) override;
  const std::vector<std::shared_ptr<const Export>>& known() const override { return known_; }
  const WeightHashes& weights() const override { return recording_->header.weights; }

 private:
  ExportResult load(const RecordedExport& exported, Case at) const;

  std::shared_ptr<const Recording> recording_;
  std::string method_;
  std::vector<std::shared_ptr<const Export>> known_;
};

}  // namespace assay::verify
