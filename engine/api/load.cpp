#include "engine/api/load.h"

#include "engine/ops/dispatch.h"

namespace assay::api {
namespace {

/// Computes operators while compiling, unseen by the engine's observers and without touching its
/// random generator.
script::Evaluate constant_folding(const ops::Context& context) {
  auto own = std::make_shared<ops::Context>();
  own->kernels = context.kernels;
  own->fake_cuda = context.fake_cuda;
  own->default_dtype = context.default_dtype;
  return [own](const ir::Node& node, const core::Values& arguments) -> std::optional<core::Values> {
    if (node.op() == nullptr) return std::nullopt;
    try {
      return ops::call(*own, *node.op(), arguments);
    } catch (const base::Error&) {
      return std::nullopt;  // What raises is left to the program's run.
    }
  };
}

Module read(const Engine& engine, archive::FileBytes bytes, const LoadOptions& options) {
  auto program = std::make_shared<Program>(engine.context());
  program->reader = std::make_unique<archive::Reader>(std::move(bytes));
  archive::ReadOptions read_options;
  read_options.map_location = options.map_location;
  read_options.has_cuda = engine.context().fake_cuda;
  auto run = [&](ir::Function& method, core::Values args) {
    return program->interpreter.run(method, std::move(args));
  };
  core::ObjectRef object = program->reader->read_module(program->unit, read_options, run,
                                                        constant_folding(engine.context()));
  return Module(engine, std::move(program), std::move(object));
}

}  // namespace

Module load(const Engine& engine, const std::string& path, const LoadOptions& options) {
  try {
    return read(engine, archive::FileBytes::map(path), options);
  } catch (base::Error& e) {
    e.add_context("loading " + path);
    throw;
  }
}

Module load_bytes(const Engine& engine, std::string_view bytes, const LoadOptions& options) {
  return read(engine, archive::FileBytes::copy(bytes), options);
}

}  // namespace assay::api
