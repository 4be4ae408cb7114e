#include "verify/engine/engine_export.h"

#include "engine/api/load.h"
#include "engine/ir/passes/inline.h"
#include "verify/engine/engine_runner.h"

namespace assay::verify {

EngineExport::EngineExport(std::function<api::Module()> load, std::string method)
    : load_(std::move(load)), method_(std::move(method)) {}

std::shared_ptr<EngineExport> EngineExport::from_file(const std::string& path,
                                                      const std::string& method) {
  auto load = [path] { return api::load(api::Engine(), path); };
  return std::shared_ptr<EngineExport>(new EngineExport(load, method));
}

std::shared_ptr<EngineExport> EngineExport::from_bytes(std::string bytes,
                                                       const std::string& method) {
  auto shared = std::make_shared<const std::string>(std::move(bytes));
  auto load = [shared] { return api::load_bytes(api::Engine(), *shared); };
  return std::shared_ptr<EngineExport>(new EngineExport(load, method));
}

const Program& EngineExport::program() const {
  if (!program_) {
    api::Module module = load_();
    auto graph = module.graph(method_).copy();
    ir::inline_calls(*graph, module.unit());
    program_ = flatten(std::move(graph));
  }
  return *program_;
}

std::shared_ptr<Runner> EngineExport::run_with(std::shared_ptr<ir::Graph> graph) const {
  return std::make_shared<EngineRunner>(load_, method_, std::move(graph));
}

std::shared_ptr<Runner> EngineExport::runner() const {
  return std::make_shared<EngineRunner>(load_, method_, nullptr);
}

}  // namespace assay::verify
