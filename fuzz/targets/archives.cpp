#include <algorithm>

#include "engine/api/load.h"
#include "engine/archive/pickler.h"
#include "engine/archive/source_origins.h"
#include "engine/archive/unpickler.h"
#include "engine/archive/zip_reader.h"
#include "engine/base/error.h"
#include "engine/core/print.h"
#include "fuzz/targets/targets.h"

namespace assay::fuzz {

void feed_zip(std::string_view bytes) {
  archive::ZipReader zip(archive::FileBytes::copy(bytes));
  constexpr uint64_t limit = uint64_t{1} << 24;
  for (const archive::ZipRecord& record : zip.records()) zip.read(record, limit);
}

void feed_pickle(std::string_view bytes) {
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

void feed_archive(std::string_view bytes) {
  api::Module module = api::load_bytes(api::Engine(), bytes);
  for (const std::string& method : module.methods()) {
    module.graph(method).str();
    module.code(method);
  }
}

void feed_source_map(std::string_view bytes) {
  auto origin = archive::source_origins([&] { return std::string(bytes); });
  for (size_t offset : {size_t{0}, size_t{1}, size_t{1000}, SIZE_MAX}) origin(offset).picture();
}

}  // namespace assay::fuzz
