#include "engine/api/load.h"

#include <fmt/core.h>

namespace assay::api {
namespace {

Module read(const Engine& engine, archive::FileBytes bytes, const LoadOptions& options) {
  const interp::Limits& limits = engine.options().limits;
  std::optional<core::MemoryScope> memory;
  if (limits.memory) memory.emplace(base::make_ref<core::MemoryBudget>(limits.memory));
  auto program = std::make_shared<Program>(engine.context());
  program->interpreter.set_limits(limits);
  program->importer = archive::open_importer(std::move(bytes));
  archive::ReadOptions read_options;
  read_options.map_location = options.map_location;
  read_options.has_cuda = engine.context().fake_cuda;
  auto run = [&](ir::Function& method, core::Values args) {
    return program->interpreter.run(method, std::move(args));
  };
  core::ObjectRef object = program->importer->read_module(program->unit, read_options, run);
  return Module(engine, std::move(program), std::move(object));
}

}  // namespace

Module load(const Engine& engine, const std::string& path, const LoadOptions& options) {
  auto bytes = archive::FileBytes::open(path);
  try {
    return read(engine, std::move(bytes), options);
  } catch (base::Error& e) {
    const char* remedy = e.kind() == base::ErrorKind::input
                             ? " (if torch.jit.load refuses it too, export or copy it again)"
                             : " (the file may be right; this version of assay cannot read it)";
    e.add_context(fmt::format("loading {}{}", path, remedy));
    throw;
  }
}

Module load_bytes(const Engine& engine, std::string_view bytes, const LoadOptions& options) {
  return read(engine, archive::FileBytes::copy(bytes), options);
}

}  // namespace assay::api
