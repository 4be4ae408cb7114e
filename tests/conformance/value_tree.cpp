#include "tests/conformance/value_tree.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/core/host_access.h"

namespace assay::conformance {
namespace {

using core::Value;
using nlohmann::json;

double number_of(const json& value) {
  if (!value.is_string()) return value.get<double>();
  double number = 0;
  base::check(base::parse_double(value.get<std::string>(), number), "bad number in a case");
  return number;
}

int64_t named_int(const std::string& kind, std::string name) {
  if (name.starts_with("torch.")) name.erase(0, 6);
  if (kind == "dtype") {
    auto dtype = core::dtype_from_name(name);
    if (!dtype) base::unsupported("dtype ", name);
    return static_cast<int64_t>(*dtype);
  }
  // PyTorch's numbers for layouts and memory formats.
  static const std::map<std::string, int64_t> numbers{
      {"strided", 0},           {"sparse_coo", 1},      {"sparse_csr", 2},      {"_mkldnn", 3},
      {"contiguous_format", 0}, {"contiguous", 0},      {"preserve_format", 1}, {"preserve", 1},
      {"channels_last", 2},     {"channels_last_3d", 3}};
  auto found = numbers.find(name);
  base::check(found != numbers.end(), "unknown ", kind, " in a case: ", name);
  return found->second;
}

/// Writes a row-major tensor's elements into one of other strides.
void copy_elements(const core::Tensor& from, const core::Tensor& to) {
  core::Dims at(from.sizes().size(), 0);
  size_t item = from.item_size();
  for (int64_t i = 0; i < from.numel(); ++i) {
    int64_t offset = 0;
    for (size_t d = 0; d < at.size(); ++d) offset += at[d] * to.strides()[d];
    std::memcpy(to.device_address() + offset * static_cast<int64_t>(item),
                from.device_address() + i * static_cast<int64_t>(item), item);
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < from.sizes()[d]) break;
      at[d] = 0;
    }
  }
}

}  // namespace

core::Values ValueTrees::items(const json& trees, const core::Values& results) {
  core::Values out;
  for (const json& tree : trees) out.push_back(value(tree, results));
  return out;
}

core::Tensor ValueTrees::tensor(const json& tree) {
  std::string name = tree.contains("ref") ? tree["ref"] : tree["name"];
  auto known = made_.find(name);
  if (known != made_.end()) return known->second;
  auto stored = tensors_.find(name);
  base::check(stored != tensors_.end(), "the case has no tensor ", name);
  core::Tensor made = stored->second;
  if (tree.contains("strides")) {
    auto strides = tree["strides"].get<std::vector<int64_t>>();
    made = core::Tensor::empty_strided(stored->second.sizes(), strides, stored->second.dtype());
    copy_elements(stored->second, made);
  } else {
    // A copy, so that a call that changes its argument leaves the case's own tensor alone.
    made = core::Tensor::empty(stored->second.sizes(), stored->second.dtype());
    copy_elements(stored->second, made);
  }
  if (device_ != core::Device{}) {
    made = core::Tensor::view_of(core::copy_to_device(made.storage(), device_), made.offset(),
                                 made.sizes(), made.strides(), made.dtype());
  }
  made.impl()->requires_grad = tree.value("requires_grad", false);
  made_.emplace(name, made);
  return made;
}

Value ValueTrees::enumeration(const json& tree, const core::Values& results) {
  std::string class_name = tree["class"], name = tree["name"];
  core::TypePtr type = find_enum_ ? find_enum_(class_name) : nullptr;
  if (type) {
    for (const auto& member : core::as_enum(type)->members) {
      if (member.name != name) continue;
      return Value(base::make_ref<core::EnumObject>(type, name, *member.value));
    }
  }
  type = std::make_shared<core::EnumType>(class_name, core::any_type());
  Value member = tree["value"].is_object() ? value(tree["value"], results) : Value();
  return Value(base::make_ref<core::EnumObject>(type, name, member));
}

Value ValueTrees::value(const json& tree, const core::Values& results) {
  if (tree.is_null()) return Value();
  std::string kind = tree.contains("t") ? tree["t"] : tree["kind"];
  const json& content = tree.contains("v")       ? tree["v"]
                        : tree.contains("value") ? tree["value"]
                        : tree.contains("items") ? tree["items"]
                                                 : tree;
  if (kind == "tensor") return Value(tensor(tree));
  if (kind == "none") return Value();
  if (kind == "bool") return Value(content.get<bool>());
  if (kind == "int") return Value(content.get<int64_t>());
  if (kind == "str") return Value(content.get<std::string>());
  if (kind == "float") return Value(number_of(content));
  if (kind == "complex") {
    return Value(core::Complex128(number_of(content[0]), number_of(content[1])));
  }
  if (kind == "list") return Value(core::make_list(core::any_type(), items(content, results)));
  if (kind == "tuple") return Value(core::make_tuple(items(content, results)));
  if (kind == "dict") {
    auto dict = core::make_dict(core::any_type(), core::any_type());
    for (const json& pair : content) dict->set(value(pair[0], results), value(pair[1], results));
    return Value(dict);
  }
  if (kind == "device") {
    auto device = core::parse_device(content.get<std::string>());
    base::check(device.has_value(), "unknown device in a case: ", content.get<std::string>());
    return Value(*device);
  }
  if (kind == "dtype" || kind == "layout" || kind == "memory_format") {
    return Value(named_int(kind, content.get<std::string>()));
  }
  if (kind == "enum") return enumeration(tree, results);
  if (kind == "future") return value(content, results);
  if (kind == "result") {
    size_t call = tree["call"];
    base::check(call < results.size(), "a case refers to a call that is not there");
    return results[call];
  }
  if (kind == "object") {
    auto type = std::make_shared<core::ClassType>(tree["class"].get<std::string>());
    core::Values slots;
    for (const json& attribute : tree["attributes"]) {
      slots.push_back(value(attribute[1], results));
      type->add_attribute(attribute[0], core::any_type());
    }
    auto object = base::make_ref<core::Object>(type);
    object->slots = std::move(slots);
    return Value(object);
  }
  base::unsupported("a value of kind ", kind, " in a case");
}

}  // namespace assay::conformance
