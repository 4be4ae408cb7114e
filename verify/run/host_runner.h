#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/host/pytorch_host.h"
#include "verify/run/export.h"
#include "verify/run/handover.h"
#include "verify/run/runner.h"

namespace assay::verify {

/// The eager model beside the user's PyTorch, as a reference.
class HostRunner : public Runner {
 public:
  /// The host has loaded the model.
  explicit HostRunner(std::shared_ptr<host::PytorchHost> host, std::string method = "forward")
      : host_(std::move(host)), method_(std::move(method)) {}

  Observation run(const Case& c) override { return *run_without(c, {}); }
  std::optional<Observation> run_without(const Case& c,
                                         const std::vector<Omission>& omitted) override;
  GradientFlow gradient_flow(const Case& c, const FlowWish& wish) override;
  /// "PyTorch 1.13.1 (/usr/bin/python3)"
  std::string name() const override;
  std::string cannot_run(const Case& c) const override;

 private:
  std::shared_ptr<host::PytorchHost> host_;
  std::string method_;
};

/// Exports the model again at other inputs, and loads the result into the engine. Exports at equal
/// cases are made once, as long as all of them are small enough to be kept.
class HostExporter : public Exporter {
 public:
  /// Starts another host, with the model loaded; null where it cannot.
  using OtherHost = std::function<std::shared_ptr<host::PytorchHost>()>;

  /// `handover` hands the runs of its exports over to the host. `other` makes the exports at which
  /// the host dies (PyTorch 1.13 does where an operator raises in a trace and the model catches
  /// it).
  HostExporter(std::shared_ptr<host::PytorchHost> host, host::ExportRequest::Kind kind,
               std::string method = "forward", std::shared_ptr<const Handover> handover = nullptr,
               OtherHost other = nullptr)
      : host_(std::move(host)),
        kind_(kind),
        method_(std::move(method)),
        handover_(std::move(handover)),
        other_(std::move(other)) {}

  /// Python's and NumPy's generators draw for it what they draw for a run at the same case, so that
  /// the export shows what a call draws.
  ExportResult export_at(const Case& c, bool meta) override;
  /// They draw other numbers for it than for any run or export before.
  ExportResult export_again(const Case& c) override { return make(c, false, false); }

 private:
  ExportResult make(const Case& c, bool meta, bool draws_as_runs);
  /// What the other host gives, if there is one that can; else `died` again.
  ExportResult make_elsewhere(const Case& c, bool meta, ExportResult died);

  std::shared_ptr<host::PytorchHost> host_;
  host::ExportRequest::Kind kind_;
  std::string method_;
  std::shared_ptr<const Handover> handover_;
  OtherHost other_;
  std::unique_ptr<HostExporter> elsewhere_;  // Of the other host, once it was needed.
  std::map<std::string, ExportResult> made_;
  size_t bytes_made_ = 0;  // Of their archives.
};

/// What a host has to be told to call or export a model at a case, for the call of that number
/// among those in a row (from 0).
host::CallRequest call_request(const Case& c, const std::string& method, int64_t number);

}  // namespace assay::verify
