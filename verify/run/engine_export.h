#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/api/module.h"
#include "verify/host/pytorch_host.h"
#include "verify/run/export.h"
#include "verify/run/handover.h"

namespace assay::verify {

/// An archive in the engine: the subject of a check, a scripted reference, or a further export.
class EngineExport : public Export, public std::enable_shared_from_this<EngineExport> {
 public:
  /// `path` names the archive's file.
  static std::shared_ptr<EngineExport> from_file(const std::string& path,
                                                 const std::string& method = "forward");
  /// The bytes of an archive, for instance what a host exported. Large ones are put into a
  /// temporary file, so that all modules that are loaded from them share one copy of the weights.
  static std::shared_ptr<EngineExport> from_bytes(std::string bytes,
                                                  const std::string& method = "forward");

  /// The graph is inlined when it is first asked for.
  const Program& program() const override;
  std::shared_ptr<Runner> run_with(std::shared_ptr<ir::Graph> graph) const override;
  std::vector<std::pair<std::string, core::Value>> parameters() const override;
  std::vector<std::pair<std::string, core::Value>> weights() const override;
  /// Input error if they are there and damaged.
  const Origins* origins() const override;
  /// Runs the archive as it is; by `behind`, where it is not null, what the engine has no operator
  /// for, and everything once it is handed over.
  std::shared_ptr<Runner> runner(std::shared_ptr<Runner> behind = nullptr,
                                 std::shared_ptr<const Handover> handover = nullptr) const;
  /// Runs the optimized form of the archive's method (engine/optimize).
  std::shared_ptr<Runner> optimized_runner() const;

  /// Runs the archive in the host's own PyTorch, beside the model; loads it there at the first run.
  std::shared_ptr<Runner> runner_in(std::shared_ptr<host::PytorchHost> host) const;
  /// From now on run_with's runners have this host behind the engine, as `runner` has one.
  void put_behind(std::shared_ptr<host::PytorchHost> host,
                  std::shared_ptr<const Handover> handover) {
    host_ = std::move(host);
    handover_ = std::move(handover);
  }

  /// A module of its own, as freshly loaded.
  api::Module load() const { return load_(); }
  const std::string& method() const { return method_; }
  /// The archive, of one that was made from bytes.
  std::string bytes() const;
  /// For an export that has not all of the model's arguments for inputs.
  void called_with(std::optional<host::TakenArguments> taken) { taken_ = std::move(taken); }

 private:
  using Bytes = std::shared_ptr<const std::string>;
  std::function<std::string()> archive_with(std::shared_ptr<ir::Graph> graph) const;
  class File;
  EngineExport(std::string path, Bytes bytes, std::shared_ptr<File> file, std::string method);

  std::string path_;  // Empty where there are bytes.
  Bytes bytes_;
  std::shared_ptr<File> file_;  // Of bytes that were put into one; null otherwise.
  std::function<api::Module()> load_;
  std::string method_;
  std::optional<host::TakenArguments> taken_;
  std::shared_ptr<host::PytorchHost> host_;
  std::shared_ptr<const Handover> handover_;
  void read_origins_of(const api::Module& module) const;

  mutable std::optional<Program> program_;
  mutable bool origins_read_ = false;
  mutable std::optional<std::string> origins_text_;  // Nothing where the archive has none.
  mutable std::optional<Origins> origins_;
};

}  // namespace assay::verify
