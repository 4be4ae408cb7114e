#include "verify/run/engine_export.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "engine/api/load.h"
#include "engine/api/save.h"
#include "engine/base/error.h"
#include "engine/base/temporary_folder.h"
#include "engine/ir/passes/inline.h"
#include "verify/graph/written.h"
#include "verify/run/archive_host_runner.h"
#include "verify/run/backed_runner.h"
#include "verify/run/engine_runner.h"

namespace assay::verify {
namespace {

/// An archive's program may run forever; a host's call has as long.
api::Engine untrusted_engine() {
  api::EngineOptions options;
  options.limits.time = std::chrono::minutes(1);
  return api::Engine(options);
}

}  // namespace

/// A temporary file that is gone when this is.
class EngineExport::File {
 public:
  /// Null where it cannot be written.
  static std::shared_ptr<File> of(std::string_view bytes) {
    try {
      static const base::TemporaryFolder folder;
      static std::atomic<int> files;
      auto file = std::make_shared<File>();
      file->path_ = (folder.path() / fmt::format("large{}.pt", ++files)).string();
      std::ofstream out(file->path_, std::ios::binary);
      out.write(bytes.data(), std::ssize(bytes));
      out.close();
      return out ? file : nullptr;
    } catch (const base::Error&) {  // There is no folder for it.
      return nullptr;
    }
  }
  File() = default;
  ~File() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

EngineExport::EngineExport(std::string path, Bytes bytes, std::shared_ptr<File> file,
                           std::string method)
    : path_(std::move(path)),
      bytes_(std::move(bytes)),
      file_(std::move(file)),
      method_(std::move(method)) {
  if (bytes_) {
    load_ = [shared = bytes_] { return api::load_bytes(untrusted_engine(), *shared); };
  } else {
    load_ = [name = path_, kept = file_] { return api::load(untrusted_engine(), name); };
  }
}

std::shared_ptr<EngineExport> EngineExport::from_file(const std::string& path,
                                                      const std::string& method) {
  return std::shared_ptr<EngineExport>(new EngineExport(path, nullptr, nullptr, method));
}

std::shared_ptr<EngineExport> EngineExport::from_bytes(std::string bytes,
                                                       const std::string& method) {
  constexpr size_t large = size_t{16} << 20;
  if (bytes.size() >= large) {
    if (auto file = File::of(bytes)) {
      return std::shared_ptr<EngineExport>(new EngineExport(file->path(), nullptr, file, method));
    }
  }
  auto shared = std::make_shared<const std::string>(std::move(bytes));
  return std::shared_ptr<EngineExport>(new EngineExport("", std::move(shared), nullptr, method));
}

std::string EngineExport::bytes() const {
  if (bytes_) return *bytes_;
  std::ifstream file(path_, std::ios::binary);
  base::check(file.good(), "cannot read ", path_);
  return {std::istreambuf_iterator<char>(file), {}};
}

const Program& EngineExport::program() const {
  if (!program_) {
    api::Module module = load_();
    auto graph = module.graph(method_).copy();
    ir::inline_calls(*graph, module.unit());
    read_origins_of(module);
    program_ = flatten(std::move(graph));
  }
  return *program_;
}

std::vector<std::pair<std::string, core::Value>> EngineExport::parameters() const {
  return load_().parameters();
}

std::vector<std::pair<std::string, core::Value>> EngineExport::weights() const {
  api::Module module = load_();
  auto all = module.parameters();
  for (auto& buffer : module.buffers()) all.push_back(std::move(buffer));
  return all;
}

const Origins* EngineExport::origins() const {
  if (!origins_read_) read_origins_of(load_());
  if (origins_text_ && !origins_) {
    origins_ = read_origins(*origins_text_, input_names(*program().graph));
  }
  return origins_ ? &*origins_ : nullptr;
}

/// Whenever a module is loaded for something else: another load would take as long as a small run.
void EngineExport::read_origins_of(const api::Module& module) const {
  if (std::exchange(origins_read_, true)) return;
  auto files = module.importer()->extra_files();
  if (std::find(files.begin(), files.end(), Origins::file) != files.end()) {
    origins_text_ = module.importer()->extra_file(Origins::file);
  }
}

std::function<std::string()> EngineExport::archive_with(std::shared_ptr<ir::Graph> graph) const {
  return [load = load_, method = method_, edited = std::move(graph)] {
    api::Module module = load();
    module.function(method).set_graph(edited->copy());
    return api::save_bytes(module);
  };
}

std::shared_ptr<Runner> EngineExport::run_with(std::shared_ptr<ir::Graph> graph) const {
  auto in_engine = std::make_shared<EngineRunner>(load_, method_, graph, taken_);
  if (!host_) return in_engine;
  auto in_host = std::make_shared<ArchiveHostRunner>(host_, "", archive_with(std::move(graph)),
                                                     method_, taken_);
  return std::make_shared<BackedRunner>(in_engine, in_host, handover_);
}

std::shared_ptr<Runner> EngineExport::runner(std::shared_ptr<Runner> behind,
                                             std::shared_ptr<const Handover> handover) const {
  auto in_engine = std::make_shared<EngineRunner>(load_, method_, nullptr, taken_);
  if (!behind) return in_engine;
  return std::make_shared<BackedRunner>(in_engine, std::move(behind), std::move(handover));
}

std::shared_ptr<Runner> EngineExport::runner_in(std::shared_ptr<host::PytorchHost> host) const {
  ArchiveHostRunner::Bytes bytes;
  if (bytes_) bytes = [shared = bytes_] { return *shared; };
  std::string path = bytes_ ? "" : std::filesystem::absolute(path_).string();
  auto made = std::make_shared<ArchiveHostRunner>(std::move(host), path, bytes, method_, taken_);
  // It may outlive this, and the file has to outlive it.
  using Both = std::pair<std::shared_ptr<File>, std::shared_ptr<Runner>>;
  auto both = std::make_shared<Both>(file_, std::move(made));
  return {both, both->second.get()};
}

std::shared_ptr<Runner> EngineExport::optimized_runner() const {
  return std::make_shared<EngineRunner>(load_, method_, nullptr, taken_, true);
}

}  // namespace assay::verify
