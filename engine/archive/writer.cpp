#include "engine/archive/writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "engine/archive/pickler.h"
#include "engine/archive/python_printer.h"
#include "engine/archive/upgraders.h"
#include "engine/archive/zip_writer.h"
#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "engine/ops/native_class.h"

namespace assay::archive {
namespace {

using core::Value;

/// Numbers storages in the order in which they are met and writes their records.
class StorageRecords {
 public:
  StorageRecords(ZipWriter& zip, std::string folder) : zip_(zip), folder_(std::move(folder)) {}

  std::string store(const core::StorageRef& storage) {
    auto found = keys_.find(storage.get());
    if (found != keys_.end()) return found->second;
    std::string key = std::to_string(keys_.size());
    core::StorageRef on_host = core::to_host(storage);
    const char* bytes = reinterpret_cast<const char*>(on_host->data());
    zip_.add(folder_ + key, {bytes, bytes ? storage->nbytes() : 0});
    keys_.emplace(storage.get(), key);
    kept_.push_back(storage);
    return key;
  }

 private:
  ZipWriter& zip_;
  std::string folder_;
  std::unordered_map<const core::Storage*, std::string> keys_;
  std::vector<core::StorageRef> kept_;
};

std::string qualifier_of(const std::string& qualified_name) {
  size_t dot = qualified_name.rfind('.');
  base::check(dot != std::string::npos, qualified_name, " has no qualified name");
  return qualified_name.substr(0, dot);
}

/// Collects, for each source file, what is printed into it.
class Sources {
 public:
  Sources(ir::Unit& unit, PythonContext& context) : unit_(unit), context_(context) {}

  /// Prints everything that has been mentioned, and what that mentions in turn.
  void print_all() {
    size_t types = 0, functions = 0;
    const Dependencies& wanted = context_.dependencies;
    while (types < wanted.types().size() || functions < wanted.functions().size()) {
      if (types < wanted.types().size()) {
        core::TypePtr type = wanted.types()[types++];
        file(type->name()).print_type(type);
      } else {
        std::string name = wanted.functions()[functions++];
        ir::Function& function = unit_.function(name);
        file(name).print_function(function);
      }
    }
  }

  /// Files by qualifier, in order of first use.
  const std::vector<std::pair<std::string, std::unique_ptr<PythonPrinter>>>& files() const {
    return files_;
  }

 private:
  PythonPrinter& file(const std::string& qualified_name) {
    std::string qualifier = qualifier_of(qualified_name);
    for (auto& [name, printer] : files_) {
      if (name == qualifier) return *printer;
    }
    files_.emplace_back(qualifier, std::make_unique<PythonPrinter>(context_, unit_));
    return *files_.back().second;
  }

  ir::Unit& unit_;
  PythonContext& context_;
  std::vector<std::pair<std::string, std::unique_ptr<PythonPrinter>>> files_;
};

Value encode(const base::SourceRange& range, std::vector<Value>& strings,
             std::unordered_map<std::string, int64_t>& indexes,
             std::unordered_map<const base::Source*, Value>& sources) {
  auto index_of = [&](const std::string& text) {
    auto [found, fresh] = indexes.emplace(text, static_cast<int64_t>(strings.size()));
    if (fresh) strings.push_back(Value(text));
    return found->second;
  };
  Value& source = sources[range.source.get()];
  if (source.is_none()) {
    std::vector<int64_t> lines;
    const std::string empty;
    const std::string& text = range.source ? range.source->text : empty;
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      lines.push_back(index_of(text.substr(at, end - at)));
      at = end;
    }
    int64_t first_line = range.source ? range.source->first_line : 0;
    source = Value(core::make_tuple({Value(core::make_int_list(lines)),
                                     Value(index_of(range.source ? range.source->name : empty)),
                                     Value(first_line)}));
  }
  return Value(core::make_tuple(
      {source, Value(static_cast<int64_t>(range.begin)), Value(static_cast<int64_t>(range.end))}));
}

/// A `.debug_pkl` record in the format with a string table.
std::string debug_record(const detail::TaggedText& text) {
  core::Values strings, records;
  std::unordered_map<std::string, int64_t> indexes;
  std::unordered_map<const base::Source*, Value> sources;
  for (const auto& [offset, range] : text.tags) {
    records.push_back(Value(core::make_tuple({Value(static_cast<int64_t>(offset)),
                                              encode(range, strings, indexes, sources),
                                              Value(static_cast<int64_t>(records.size()))})));
  }
  return pickle(Value(core::make_tuple({Value("FORMAT_WITH_STRING_TABLE"),
                                        Value(core::make_tuple(std::move(strings))),
                                        Value(core::make_tuple(std::move(records)))})),
                {});
}

std::string path_of(std::string qualifier) {
  std::replace(qualifier.begin(), qualifier.end(), '.', '/');
  return fmt::format("code/{}.py", qualifier);
}

/// The oldest version whose readers give the written operators their present meaning.
int64_t needed_version(const PythonContext& context) {
  constexpr int64_t least = 3;
  int64_t version = least;
  for (const Upgrader& upgrader : upgraders()) {
    base::Symbol kind(upgrader.op.substr(0, upgrader.op.find('.')));
    if (context.operators.count(kind)) version = std::max(version, upgrader.since);
  }
  return version;
}

}  // namespace

std::string write_module(ir::Unit& unit, const core::ObjectRef& module, const WriteOptions& options,
                         const std::function<Value(ir::Function&, core::Values)>& run) {
  ZipWriter zip(options.root);
  PythonContext context;
  StorageRecords data(zip, "data/"), constants(zip, "constants/");
  PickleSink sink;
  sink.store = [&](const core::StorageRef& storage) { return data.store(storage); };
  sink.get_state = [&](const core::ObjectRef& object) -> std::optional<Value> {
    context.dependencies.add_type(object->type);
    base::check(
        !ops::is_native_name(object->type->name()) || object->type->has_method("__getstate__"),
        "the module holds a ", object->type->name(),
        ", which cannot be saved: it has no __getstate__");
    bool has_state =
        object->type->has_method("__getstate__") && object->type->has_method("__setstate__");
    if (!has_state) return std::nullopt;
    return run(unit.method(*object->type, "__getstate__"), {Value(object)});
  };
  zip.add("data.pkl", pickle(Value(module), sink));

  Sources sources(unit, context);
  sources.print_all();
  base::check(context.outside_call.empty(),
              "an archive cannot hold the call of the Python function '", context.outside_call,
              "': mark it with @torch.jit.unused, or let it be compiled");
  for (const auto& [qualifier, printer] : sources.files()) {
    zip.add(path_of(qualifier), printer->text().text);
    if (options.source_ranges) {
      zip.add(path_of(qualifier) + ".debug_pkl", debug_record(printer->text()));
    }
  }
  PickleSink constant_sink;
  constant_sink.store = [&](const core::StorageRef& storage) { return constants.store(storage); };
  zip.add("constants.pkl", pickle(Value(core::make_tuple(context.constants)), constant_sink));
  for (const auto& [name, contents] : options.extra_files) zip.add("extra/" + name, contents);
  zip.add("version", fmt::format("{}\n", needed_version(context)));
  return zip.finish();
}

}  // namespace assay::archive
