#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verify/export.h"
#include "verify/recording.h"
#include "verify/runner.h"

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
};

/// The exports of a recording: at a case that was exported, that one; else the one whose inputs are
/// most alike (equal values, then equal shapes).
class RecordingExporter : public Exporter {
 public:
  explicit RecordingExporter(std::shared_ptr<const Recording> recording,
                             std::string method = "forward");
  ExportResult export_at(const Case& c, bool meta) override;

 private:
  std::shared_ptr<const Recording> recording_;
  std::string method_;
};

}  // namespace assay::verify
