#include <algorithm>

#include "engine/archive/npz.h"
#include "engine/archive/pickler.h"
#include "engine/archive/reader.h"
#include "engine/archive/source_origins.h"
#include "engine/archive/unpickler.h"
#include "engine/archive/zip_reader.h"
#include "engine/archive/zip_writer.h"
#include "engine/base/error.h"
#include "engine/core/print.h"
#include "engine/ir/verify.h"
#include "fuzz/targets/engine/targets.h"

namespace assay::fuzz {

void parse_zip(std::string_view bytes) {
  archive::ZipReader zip(archive::FileBytes::copy(bytes));
  constexpr uint64_t limit = uint64_t{1} << 24;
  for (const archive::ZipRecord& record : zip.records()) zip.read(record, limit);
}

void parse_npz(std::string_view bytes) { archive::read_npz(archive::FileBytes::copy(bytes)); }

/// One array, in a file whose checksums are right: those of a damaged file hide what lies in it.
void parse_npy(std::string_view bytes) {
  archive::ZipWriter zip("");
  zip.add("a.npy", std::string(bytes));
  parse_npz(zip.finish());
}

void parse_pickle(std::string_view bytes) {
  archive::PickleContext context;
  auto type = std::make_shared<core::ClassType>("__torch__.Net", true);
  type->add_attribute("training", core::any_type());
  context.resolve_type = [&](const std::string&) { return type; };
  context.parse_type = [](const std::string& text) {
    if (text.starts_with("List")) return core::list_of(core::any_type());
    return core::dict_of(core::any_type(), core::any_type());
  };
  context.set_state = [](const core::ObjectRef& object, const core::Value& state) {
    object->set_attribute("training", state);
  };
  context.load_storage = [](const archive::StorageId& id) {
    constexpr int64_t most = 1024;
    return core::Tensor::empty(core::Dims{std::clamp<int64_t>(id.numel, 0, most)}, id.dtype);
  };
  core::Value value = archive::unpickle(bytes, context);
  core::repr(value);
  archive::PickleSink sink;
  sink.store = [](const core::StorageRef&) { return std::string("0"); };
  sink.get_state = [](const core::ObjectRef&) { return std::nullopt; };
  archive::unpickle(archive::pickle(value, sink), context);
}

void parse_archive(std::string_view bytes) {
  archive::Reader reader(archive::FileBytes::copy(bytes));
  for (const std::string& name : reader.extra_files()) reader.extra_file(name);
  ir::Unit unit;
  // Without an interpreter: a class that defines __setstate__ is refused here.
  core::ObjectRef module = reader.read_module(unit, {}, nullptr);
  for (const std::string& name : module->type->methods()) {
    ir::Graph& graph = unit.method(*module->type, name).graph();
    graph.str();
    ir::verify(graph);
  }
}

void parse_source_map(std::string_view bytes) {
  auto origin = archive::source_origins([&] { return std::string(bytes); });
  for (size_t offset : {size_t{0}, size_t{1}, size_t{1000}, SIZE_MAX}) origin(offset).picture();
}

}  // namespace assay::fuzz
