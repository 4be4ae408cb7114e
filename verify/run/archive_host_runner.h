#pragma once

#include <memory>
#include <string>

#include "verify/host/pytorch_host.h"
#include "verify/run/runner.h"

namespace assay::verify {

/// An archive in the user's own PyTorch, beside the model: shows whether a difference is the
/// export's or assay's, and runs what the engine has no operator for. The archive is loaded there
/// at the first run.
class ArchiveHostRunner : public Runner {
 public:
  /// The archive is a file, or bytes where `bytes` is not null. Up to `left_out` last arguments are
  /// not passed where they are None.
  ArchiveHostRunner(std::shared_ptr<host::PytorchHost> host, std::string path,
                    std::shared_ptr<const std::string> bytes, std::string method, size_t left_out)
      : host_(std::move(host)),
        path_(std::move(path)),
        bytes_(std::move(bytes)),
        method_(std::move(method)),
        left_out_(left_out) {}

  /// Not run where PyTorch cannot load the archive.
  Observation run(const Case& c) override;
  /// "PyTorch 1.13.1 (/usr/bin/python3)"
  std::string name() const override;
  std::string cannot_run(const Case& c) const override;

 private:
  /// Why the archive cannot be loaded; empty if it is.
  std::string load();

  std::shared_ptr<host::PytorchHost> host_;
  std::string path_;
  std::shared_ptr<const std::string> bytes_;
  std::string method_;
  size_t left_out_;
  std::string trouble_;
};

}  // namespace assay::verify
