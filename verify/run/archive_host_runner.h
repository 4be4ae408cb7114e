#pragma once

#include <functional>
#include <memory>
#include <string>

#include "verify/host/pytorch_host.h"
#include "verify/run/runner.h"

namespace assay::verify {

/// An archive in the user's own PyTorch, beside the model: shows whether a difference is the
/// export's or assay's, and runs what the engine has no operator for. The archive is loaded there
/// at the first run, and again where another one took its place.
class ArchiveHostRunner : public Runner {
 public:
  /// Gives an archive's bytes.
  using Bytes = std::function<std::string()>;

  /// The archive is a file, or made when it is first run where `bytes` is not null. `taken`: which
  /// of a call's arguments are passed; nothing: all as they are.
  ArchiveHostRunner(std::shared_ptr<host::PytorchHost> host, std::string path, Bytes bytes,
                    std::string method, std::optional<host::TakenArguments> taken)
      : host_(std::move(host)),
        path_(std::move(path)),
        bytes_(std::move(bytes)),
        method_(std::move(method)),
        taken_(std::move(taken)) {}
  ~ArchiveHostRunner() override;
  ArchiveHostRunner(const ArchiveHostRunner&) = delete;

  /// Not run where PyTorch cannot load the archive.
  Observation run(const Case& c) override;
  GradientFlow gradient_flow(const Case& c, const FlowWish& wish) override;
  /// "PyTorch 1.13.1 (/usr/bin/python3)"
  std::string name() const override;
  std::string cannot_run(const Case& c) const override;

 private:
  /// Why the archive cannot be loaded; empty if it is the host's now.
  std::string load();
  void write_file();
  Observation run_calls(const Case& c);
  /// That of the call of this number among those in a row.
  host::CallRequest request_of(const Case& c, int64_t number) const;

  std::shared_ptr<host::PytorchHost> host_;
  std::string path_;  // Empty until the bytes are written.
  Bytes bytes_;
  std::string method_;
  std::optional<host::TakenArguments> taken_;
  std::string trouble_;
};

}  // namespace assay::verify
