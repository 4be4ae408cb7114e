#include "ci/cli/case_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "ci/cli/files.h"
#include "engine/archive/npz.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/host_access.h"
#include "verify/host/fields.h"
#include "verify/host/value_tree.h"
#include "verify/observation/bounded.h"

namespace assay::cli {

using nlohmann::json;
namespace host = verify::host;

namespace {

constexpr std::string_view description_file = "case.json";
constexpr std::string_view tensor_file = "tensors.safetensors";

std::string below(const std::string& folder, std::string_view name) {
  return fmt::format("{}/{}", folder, name);
}

json in_short(const json& tree, const host::Frame& frame);

json all_in_short(const json& trees, const host::Frame& frame) {
  base::check(trees.is_array(), "expected a list of values");
  json out = json::array();
  for (const json& tree : trees) out.push_back(in_short(tree, frame));
  return out;
}

/// The value trees of folders with several calls say `kind`, `name`, `value` and `items` for what
/// the others call `t`, `ref` and `v`.
json in_short(const json& tree, const host::Frame& frame) {
  std::string kind = host::detail::text_field(tree, "kind");
  base::check(kind != "result", "it is the result of an earlier call, which is not run here");
  json out{{"t", kind}};
  if (kind == "tensor") {
    std::string name = host::detail::text_field(tree, "name");
    auto raw = frame.tensors.find(name);
    base::check(raw != frame.tensors.end(), "no tensor \"", name, "\" in ", tensor_file);
    out["ref"] = name;
    out["dtype"] = core::python_name(raw->second.dtype);
    out["shape"] = std::vector<int64_t>(raw->second.shape.begin(), raw->second.shape.end());
    if (tree.contains("strides")) out["strides"] = tree["strides"];
  } else if (kind == "dict") {
    out["v"] = json::array();
    for (const json& pair : host::detail::list_field(tree, "items")) {
      out["v"].push_back(all_in_short(pair, frame));
    }
  } else if (tree.contains("items")) {
    out["v"] = all_in_short(tree["items"], frame);
  } else if (tree.contains("value")) {
    out["v"] = tree["value"];
  }
  return out;
}

/// The call of that number among several; `number` is empty where the path names none.
const json& one_of(const json& calls, const std::string& folder,
                   const std::optional<int64_t>& number) {
  base::check(calls.is_array() && !calls.empty(), "it holds no call");
  int64_t count = std::ssize(calls);
  base::check(number || count == 1, "it holds ", count, " calls; name one: ", folder, "#0 to ",
              folder, "#", count - 1);
  int64_t wanted = number.value_or(0);
  base::check(wanted < count, "it holds ", count, " call(s), counted from 0, and none of number ",
              wanted);
  return calls[static_cast<size_t>(wanted)];
}

SavedCall read_call(const json& document, const std::string& folder,
                    const std::optional<int64_t>& number, const host::Frame& frame) {
  bool several = document.contains("calls");
  base::check(several || !number, "it holds one call, which needs no number");
  const json& call = several ? one_of(document["calls"], folder, number) : document;
  auto ours = [&](const json& tree) { return several ? in_short(tree, frame) : tree; };
  host::TreeReader reader(frame);
  SavedCall out;
  for (const json& tree : call.value("args", json::array())) {
    out.call.args.push_back(reader.value(ours(tree)));
  }
  const json kwargs = call.value("kwargs", json::object());
  base::check(kwargs.is_object(), "\"kwargs\" is not an object");
  for (const auto& [name, tree] : kwargs.items()) {
    out.call.kwargs.emplace_back(name, reader.value(ours(tree)));
  }
  if (call.contains("method")) out.method = host::detail::text_field(call, "method");
  if (call.contains("seed")) out.seed = host::detail::as_unsigned(call["seed"], "seed");
  return out;
}

SavedCall read_folder(const std::string& folder, const std::optional<int64_t>& number) {
  // Description first: a folder without one is no case folder, whatever else it lacks.
  std::string described = read_file(below(folder, description_file));
  std::string tensors = read_file(below(folder, tensor_file), size_t{16} << 30);
  host::MemorySource source(tensors);
  auto frame = host::read_frame(source);
  base::check(frame.has_value(), below(folder, tensor_file), " is empty");
  try {
    json document = host::detail::parse_json(described, description_file);
    base::check(document.is_object(), "expected an object");
    return read_call(document, folder, number, *frame);
  } catch (const json::exception& e) {
    base::fail(below(folder, description_file), ": ", e.what());
  } catch (base::Error& e) {
    e.add_context(fmt::format("in {}", description_file));
    throw;
  }
}

SavedCall read_npz_call(const std::string& path) {
  SavedCall out;
  for (auto& [name, tensor] : archive::read_npz(archive::FileBytes::map(path))) {
    out.call.kwargs.emplace_back(name, std::move(tensor));
  }
  return out;
}

/// A result as arrays: "output", "output[0]", "output['logits']".
void add_arrays(const std::string& name, const core::Value& value,
                std::vector<archive::NamedArray>& out) {
  auto number = [&](core::DType dtype, const void* bytes) {
    std::string copy(static_cast<const char*>(bytes), core::size_of(dtype));
    out.push_back({name, dtype, {}, std::move(copy)});
  };
  if (value.is_tensor()) {
    core::Tensor tensor = value.to_tensor();
    out.push_back({name, tensor.dtype(), tensor.sizes(), host::row_major_bytes(tensor)});
  } else if (value.is_bool()) {
    bool v = value.to_bool();
    number(core::DType::boolean, &v);
  } else if (value.is_int()) {
    int64_t v = value.to_int();
    number(core::DType::int64, &v);
  } else if (value.is_float()) {
    double v = value.to_float();
    number(core::DType::float64, &v);
  } else if (value.is_list() || value.is_tuple()) {
    const core::Values& items = value.is_list() ? value.list().items : value.tuple().items;
    for (size_t i = 0; i < items.size(); ++i) {
      add_arrays(fmt::format("{}[{}]", name, i), items[i], out);
    }
  } else {
    base::check(value.is_dict(), name, " is a ", value.kind_name(),
                ", which a .npz file cannot hold; name a folder instead");
    for (const auto& entry : value.dict().entries()) {
      base::check(entry.key.is_string(), name,
                  " is a dict with keys that are no texts, which a "
                  ".npz file cannot hold; name a folder instead");
      add_arrays(fmt::format("{}[{}]", name, base::python_repr(entry.key.to_string())), entry.value,
                 out);
    }
  }
}

core::Value on_device(const core::Value& value, core::Device device) {
  auto all = [&](const core::Values& items) {
    core::Values out;
    for (const core::Value& item : items) out.push_back(on_device(item, device));
    return out;
  };
  if (value.is_tensor()) {
    core::Tensor t = value.to_tensor();
    if (t.device() == device) return value;
    return core::Tensor::view_of(core::copy_to_device(t.storage(), device), t.offset(), t.sizes(),
                                 t.strides(), t.dtype());
  }
  if (value.is_list()) return core::make_list(value.list().element, all(value.list().items));
  if (value.is_tuple()) {
    return base::make_ref<core::TupleObject>(all(value.tuple().items), value.tuple().named);
  }
  if (!value.is_dict()) return value;
  core::DictRef out = core::make_dict(value.dict().key, value.dict().value);
  for (const auto& entry : value.dict().entries())
    out->set(entry.key, on_device(entry.value, device));
  return out;
}

}  // namespace

void move_to(core::Device device, verify::Call& call) {
  for (core::Value& value : call.args) value = on_device(value, device);
  for (auto& [name, value] : call.kwargs) value = on_device(value, device);
}

bool is_npz(const std::string& path) { return path.ends_with(".npz"); }

SavedCall load_call(const std::string& path) {
  try {
    if (is_npz(path)) return read_npz_call(path);
    size_t mark = path.rfind('#');
    int64_t number = 0;
    bool numbered = mark != std::string::npos &&
                    base::parse_int(std::string_view(path).substr(mark + 1), number) && number >= 0;
    if (!numbered) return read_folder(path, std::nullopt);
    return read_folder(path.substr(0, mark), number);
  } catch (base::Error& e) {
    e.add_context(fmt::format("reading the inputs in {}", path));
    throw;
  }
}

void place_arrays(verify::Call& call, const std::vector<std::string>& parameters,
                  const std::string& path) {
  auto& given = call.kwargs;
  bool in_order = !given.empty();
  for (size_t i = 0; i < given.size(); ++i) {
    in_order = in_order && std::any_of(given.begin(), given.end(), [&](const auto& keyword) {
                 return keyword.first == fmt::format("arr_{}", i);
               });
  }
  std::vector<std::string> names = parameters;
  if (in_order) {
    names.clear();
    for (size_t i = 0; i < given.size(); ++i) names.push_back(fmt::format("arr_{}", i));
  }
  for (const auto& [name, value] : given) {
    bool known = std::find(names.begin(), names.end(), name) != names.end();
    base::check(known, path, " has an array ", name, "; the method takes ",
                parameters.empty() ? "nothing" : base::join(parameters, ", "),
                ": name the arrays so, as in numpy.savez(file, ",
                parameters.empty() ? "x" : parameters[0], "=...), or not at all");
  }
  // Those that stand at the beginning are positional, which the fast form of a method needs.
  for (const std::string& name : names) {
    auto found = std::find_if(given.begin(), given.end(),
                              [&](const auto& keyword) { return keyword.first == name; });
    if (found == given.end()) return;
    call.args.push_back(std::move(found->second));
    given.erase(found);
  }
}

void save_call(const std::string& path, const SavedCall& saved, const core::Value& result) {
  verify::check_bounded(result, "the result");
  if (is_npz(path)) {
    std::vector<archive::NamedArray> arrays;
    add_arrays("output", result, arrays);
    return write_file(path, archive::npz_bytes(arrays));
  }
  host::TreeWriter writer;
  json document{{"format", 1}, {"args", writer.trees(saved.call.args)}};
  document["kwargs"] = json::object();
  for (const auto& [name, value] : saved.call.kwargs) document["kwargs"][name] = writer.tree(value);
  document["expected"] = writer.tree(result);
  if (saved.method) document["method"] = *saved.method;
  if (saved.seed) document["seed"] = *saved.seed;
  std::error_code ignored;
  bool made = !std::filesystem::exists(path, ignored);
  make_folder(path);
  try {
    write_file(below(path, tensor_file), host::frame_bytes(json::object(), writer.tensors()));
    write_file(below(path, description_file), document.dump(2) + "\n");
  } catch (const base::Error&) {  // Half a case is none.
    std::filesystem::remove(below(path, tensor_file), ignored);
    if (made) std::filesystem::remove(path, ignored);
    throw;
  }
}

}  // namespace assay::cli
