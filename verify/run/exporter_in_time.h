#pragma once

#include <functional>
#include <utility>

#include "verify/run/export.h"

namespace assay::verify {

/// Exports as another exporter does until time is over; from then on each attempt fails at once and
/// says so.
class ExporterInTime final : public Exporter {
 public:
  /// `exporter` outlives it.
  ExporterInTime(Exporter& exporter, std::function<bool()> over)
      : exporter_(exporter), over_(std::move(over)) {}

  ExportResult export_at(const Case& c, bool meta) override {
    return over_() ? too_late() : exporter_.export_at(c, meta);
  }
  ExportResult export_again(const Case& c) override {
    return over_() ? too_late() : exporter_.export_again(c);
  }
  const WeightHashes& weights() const override { return exporter_.weights(); }
  const std::vector<std::shared_ptr<const Export>>& known() const override {
    return exporter_.known();
  }

 private:
  static ExportResult too_late() { return {nullptr, "the time of the check was over"}; }

  Exporter& exporter_;
  std::function<bool()> over_;
};

}  // namespace assay::verify
