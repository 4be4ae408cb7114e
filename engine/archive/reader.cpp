#include "engine/archive/reader.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/archive/source_origins.h"
#include "engine/archive/typed_value.h"
#include "engine/archive/unpickler.h"
#include "engine/base/error.h"
#include "engine/ops/native_class.h"
#include "engine/script/importer.h"

namespace assay::archive {
namespace {

constexpr int64_t oldest_version = 1, newest_version = 10;
/// Bounds on single records, far above what real archives hold.
constexpr uint64_t max_pickle = uint64_t{1} << 29, max_source = uint64_t{1} << 27;
constexpr std::string_view code_folder = "code/";

std::string folder_of_first_record(const ZipReader& zip) {
  base::check(!zip.records().empty(), "not a TorchScript archive: the zip file is empty");
  const std::string& name = zip.records()[0].name;
  size_t slash = name.find('/');
  base::check(slash != std::string::npos, "not a TorchScript archive: member ", name,
              " lies in no root folder");
  return name.substr(0, slash + 1);
}

TensorRecords::MapDevice device_map(const ReadOptions& options) {
  return [options](core::Device saved) {
    if (options.map_location) return *options.map_location;
    base::check(saved.type != core::DeviceType::cuda || options.has_cuda,
                "the archive has tensors on ", saved.text(),
                ", which is not available here; load it with a map_location");
    if (saved.type == core::DeviceType::cuda && saved.index < 0) saved.index = 0;
    return saved;
  };
}

/// What a slot holds before its object got its state counts as unset, unless None is allowed there.
bool may_be_none(const core::TypePtr& type) {
  return type->is(core::TypeKind::tensor) || type->is(core::TypeKind::any) ||
         core::is_subtype(core::none_type(), type);
}

}  // namespace

Reader::Reader(FileBytes file) : Reader(std::make_shared<const ZipReader>(std::move(file))) {}

Reader::Reader(std::shared_ptr<const ZipReader> zip) : zip_(std::move(zip)) {
  root_ = folder_of_first_record(*zip_);
  if (has("model.json")) {
    base::unsupported(
        "the archive has the layout of PyTorch 1.0 and 1.1 (model.json); load and "
        "save it once with PyTorch 1.2 to 1.13");
  }
  base::check(has("data.pkl"), "not a TorchScript archive: it has no data.pkl");
  base::check(
      has("constants.pkl"),
      "not a TorchScript archive: it has no constants.pkl (files written by torch.save hold "
      "no program)");
  read_version();
  if (has("byteorder")) {
    std::string order = text("byteorder");
    base::check(order == "little" || order == "big",
                "the archive has an unknown byte order: ", base::python_repr(order));
    big_endian_ = order == "big";
  }
}

Reader::~Reader() = default;

bool Reader::has(std::string_view name) const {
  return zip_->find(fmt::format("{}{}", root_, name)) != nullptr;
}

std::string Reader::text(std::string_view name) const {
  const ZipRecord* record = zip_->find(fmt::format("{}{}", root_, name));
  base::check(record != nullptr, "the archive has no member ", name);
  return zip_->read(*record, max_pickle);
}

void Reader::read_version() {
  const char* name = has(".data/version") ? ".data/version" : "version";
  base::check(has(name), "not a TorchScript archive: it has no version");
  std::string written = text(name);
  base::check(base::parse_int(base::trim(written), version_),
              "the archive's version is no number: ",
              base::python_repr(std::string_view(written).substr(0, 40)));
  if (version_ > newest_version) {
    base::unsupported("the archive has format version ", version_, "; up to ", newest_version,
                      " are known");
  }
  base::check(version_ >= oldest_version, "the archive has format version ", version_,
              ", which PyTorch never wrote");
}

std::vector<std::string> Reader::extra_files() const {
  std::vector<std::string> names;
  std::string folder = root_ + "extra/";
  for (const ZipRecord& record : zip_->records()) {
    if (record.name.starts_with(folder)) names.push_back(record.name.substr(folder.size()));
  }
  return names;
}

std::string Reader::extra_file(std::string_view name) const {
  return text(fmt::format("extra/{}", name));
}

std::vector<std::string> Reader::source_files() const {
  std::vector<std::string> names;
  std::string folder = fmt::format("{}{}", root_, code_folder);
  for (const ZipRecord& record : zip_->records()) {
    if (record.name.starts_with(folder) && record.name.ends_with(".py")) {
      names.push_back(record.name.substr(folder.size()));
    }
  }
  return names;
}

std::shared_ptr<const base::Source> Reader::source(std::string_view file) const {
  std::string path = fmt::format("{}{}", code_folder, file);
  const ZipRecord* record = zip_->find(root_ + path);
  if (record == nullptr) return nullptr;
  auto source = std::make_shared<base::Source>();
  source->text = zip_->read(*record, max_source);
  source->name = path;
  const ZipRecord* map = zip_->find(fmt::format("{}{}.debug_pkl", root_, path));
  if (map != nullptr) {
    source->origin_at = source_origins([zip = zip_, map] { return zip->read(*map, max_pickle); });
  }
  return source;
}

std::string Reader::source_text(std::string_view file) const {
  auto found = source(file);
  return found == nullptr ? std::string() : found->text;
}

TensorRecords Reader::records(std::string_view folder, TensorRecords::MapDevice map_device) const {
  return TensorRecords(zip_, fmt::format("{}{}", root_, folder), big_endian_,
                       std::move(map_device));
}

void Reader::set_state(ir::Unit& unit, const core::ObjectRef& object, const core::Value& state,
                       const Run& run, VisitBudget& visits) const {
  const core::ClassType& type = *object->type;
  const auto& attributes = type.attributes();
  if (ir::Function* method = unit.find_method(type, "__setstate__")) {
    const auto& parameters = method->schema().arguments;
    base::check(parameters.size() == 2 && run, "class ", type.name(),
                " has a __setstate__ that does not take one state");
    run(*method, {core::Value(object), typed_value(state, parameters[1].type, visits)});
    for (size_t i = 0; i < attributes.size(); ++i) {
      base::check(!object->slots[i].is_none() || may_be_none(attributes[i].type),
                  "__setstate__ of ", type.name(), " leaves attribute ", attributes[i].name,
                  " unset");
    }
    return;
  }
  base::check(!ops::is_native_name(type.name()), "the class ", type.name(),
              " cannot be restored: it has no __setstate__");
  base::check(state.is_dict(), "the state of a ", type.name(), " is no dict");
  for (size_t i = 0; i < attributes.size(); ++i) {
    const core::Value* value = state.dict().find(core::Value(attributes[i].name));
    base::check(value != nullptr, "data.pkl gives no value for attribute ", attributes[i].name,
                " of ", type.name());
    try {
      object->slots[i] = typed_value(*value, attributes[i].type, visits);
    } catch (base::Error& e) {
      throw e.add_context(fmt::format("in attribute {} of {}", attributes[i].name, type.name()));
    }
  }
}

core::ObjectRef Reader::read_module(ir::Unit& unit, const ReadOptions& options, const Run& run) {
  base::invariant(importer_ == nullptr, "an archive is read twice");
  importer_ = std::make_unique<script::Importer>(
      unit, core::Values(), [this](const std::string& file) { return source(file); });
  upgrades_ = Upgrades(version_);
  if (upgrades_.needed()) {
    importer_->set_revise([this](ir::Function& function) { upgrades_.apply(function); });
  }
  TensorRecords::MapDevice map_device = device_map(options);
  TensorRecords constants = records("constants/", map_device), data = records("data/", map_device);
  TensorRecords* tensors = &constants;
  PickleContext context;
  context.resolve_type = [&](const std::string& name) { return importer_->resolve_type(name); };
  context.parse_type = [&](const std::string& written) { return importer_->parse_type(written); };
  context.load_storage = [&](const StorageId& id) { return tensors->load(id); };
  std::string constants_pickle = text("constants.pkl"), data_pickle = text("data.pkl");
  VisitBudget visits(constants_pickle.size() + data_pickle.size());
  context.visits = &visits;
  context.set_state = [&](const core::ObjectRef& object, const core::Value& state) {
    set_state(unit, object, state, run, visits);
  };
  core::Value table = unpickle(constants_pickle, context);
  importer_->set_constants(table.is_list() ? table.list().items : table.tuple().items);

  tensors = &data;
  core::Value module = unpickle(data_pickle, context);
  base::check(module.is_object() && module.object().type->is_module(), "data.pkl holds no module");
  zip_->file().read_ahead(true);  // What is read from now on are mostly weights, whole.
  return module.ref<core::Object>();
}

}  // namespace assay::archive
