#include "verify/host/value_tree.h"

#include <fmt/core.h>

#include <cstring>

#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "verify/host/fields.h"

namespace assay::verify::host {

using core::Tensor;
using core::Value;
using core::Values;
using nlohmann::json;

namespace {

/// What strides may make of a frame's bytes: room enough for sparse views of what was sent.
constexpr size_t kFreeRoom = size_t{64} << 20;
constexpr size_t kRoomPerByte = 64;

/// Calls `body(pointer to element)` in row-major order.
template <typename F>
void each_element(const Tensor& tensor, F body) {
  if (tensor.numel() == 0) return;
  core::Dims index(static_cast<size_t>(tensor.dim()));
  auto size = static_cast<int64_t>(tensor.item_size());
  std::byte* at = tensor.device_address();
  for (;;) {
    body(at);
    size_t d = index.size();
    for (; d > 0; --d) {
      at += tensor.stride(d - 1) * size;
      if (++index[d - 1] < tensor.size(d - 1)) break;
      at -= tensor.stride(d - 1) * size * index[d - 1];
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

void fill_row_major(const Tensor& tensor, std::span<const std::byte> bytes) {
  if (!core::has_bytes(tensor)) return;
  size_t size = tensor.item_size();
  Tensor on_host = core::to_host(tensor);
  const std::byte* from = bytes.data();
  if (!tensor.is_contiguous()) {
    each_element(on_host, [&](std::byte* at) {
      std::memcpy(at, from, size);
      from += size;
    });
  } else if (!bytes.empty()) {
    std::memcpy(on_host.device_address(), from, bytes.size());
  }
  core::copy_back(tensor, on_host);
}

json int_list(core::DimSpan items) { return std::vector<int64_t>(items.begin(), items.end()); }

core::Dims read_dims(const json& list, std::string_view what) {
  core::Dims dims;
  for (const json& item : list) dims.push_back(detail::as_size(item, what));
  return dims;
}

core::TypePtr joined_type(const Values& items, core::TypePtr if_empty) {
  if (items.empty()) return if_empty;
  core::TypePtr type = items[0].type();
  for (const Value& item : items) {
    auto both = core::unify(type, item.type());
    if (!both) return core::any_type();
    type = *both;
  }
  return type;
}

Value opaque(const std::string& class_name) {
  auto type = std::make_shared<core::ClassType>(class_name);
  return core::ObjectRef(new core::Object(type));
}

/// dtypes, layouts and memory formats are ints in TorchScript.
Value named_number(const std::string& kind, const std::string& name) {
  if (kind == "dtype") {
    if (auto dtype = core::dtype_from_name(name)) return static_cast<int64_t>(*dtype);
    return opaque("torch.dtype." + name);
  }
  static const std::map<std::string, int64_t> numbers = {
      {"strided", 0},         {"sparse_coo", 1},    {"contiguous_format", 0},
      {"preserve_format", 1}, {"channels_last", 2}, {"channels_last_3d", 3}};
  auto found = numbers.find(name);
  return found == numbers.end() ? opaque("torch." + name) : Value(found->second);
}

}  // namespace

std::string row_major_bytes(const Tensor& on_device) {
  Tensor tensor = core::to_host(on_device);
  size_t size = tensor.item_size(), nbytes = static_cast<size_t>(tensor.numel()) * size;
  std::string out;
  if (nbytes == 0) return out;
  if (tensor.is_contiguous()) {
    return out.assign(reinterpret_cast<const char*>(tensor.device_address()), nbytes);
  }
  out.reserve(nbytes);
  each_element(tensor, [&](std::byte* at) { out.append(reinterpret_cast<char*>(at), size); });
  return out;
}

json TreeWriter::tree(const Value& value) {
  switch (value.tag()) {
    case Value::Tag::none:
      return {{"t", "none"}};
    case Value::Tag::boolean:
      return {{"t", "bool"}, {"v", value.to_bool()}};
    case Value::Tag::integer:
      return {{"t", "int"}, {"v", value.to_int()}};
    case Value::Tag::floating:
      return {{"t", "float"}, {"v", detail::from_float(value.to_float())}};
    case Value::Tag::complex: {
      auto c = value.to_complex();
      return {{"t", "complex"},
              {"v", json::array({detail::from_float(c.real()), detail::from_float(c.imag())})}};
    }
    case Value::Tag::device:
      return {{"t", "device"}, {"v", value.to_device().text()}};
    case Value::Tag::string:
      return {{"t", "str"}, {"v", value.to_string()}};
    case Value::Tag::tensor:
      return tensor_tree(value.to_tensor());
    case Value::Tag::list:
      return {{"t", "list"}, {"v", trees(value.list().items)}};
    case Value::Tag::tuple:
      return tuple_tree(value.tuple());
    case Value::Tag::dict: {
      json pairs = json::array();
      for (const auto& entry : value.dict().entries())
        pairs.push_back(json::array({tree(entry.key), tree(entry.value)}));
      return {{"t", "dict"}, {"v", pairs}};
    }
    case Value::Tag::object:
      return object_tree(value.object());
    case Value::Tag::enumeration: {
      const auto& member = value.enumeration();
      return {{"t", "enum"},
              {"class", member.type->name()},
              {"name", member.name},
              {"value", tree(member.value)}};
    }
    case Value::Tag::future:
      return {{"t", "future"}, {"v", tree(value.future().value)}};
    case Value::Tag::function:
    case Value::Tag::generator:
      break;
  }
  return {{"t", "opaque"}, {"type", value.kind_name()}};
}

json TreeWriter::trees(const Values& values) {
  json out = json::array();
  for (const Value& value : values) out.push_back(tree(value));
  return out;
}

json TreeWriter::tensor_tree(const Tensor& tensor) {
  keep_.push_back(tensor);
  json out = {{"t", "tensor"},
              {"dtype", core::python_name(tensor.dtype())},
              {"shape", int_list(tensor.sizes())},
              {"offset", tensor.offset()}};
  out["storage"] = storages_.try_emplace(tensor.storage().get(), storages_.size()).first->second;
  if (!tensor.is_contiguous()) out["strides"] = int_list(tensor.strides());
  if (tensor.requires_grad()) out["requires_grad"] = true;
  if (tensor.device() != core::Device{}) out["device"] = tensor.device().text();
  if (tensor.device().type == core::DeviceType::meta) return out;
  auto [found, is_new] = refs_.try_emplace(tensor.impl(), fmt::format("t{}", tensors_.size()));
  if (is_new)
    tensors_.push_back({found->second, tensor.dtype(), tensor.sizes(), row_major_bytes(tensor)});
  out["ref"] = found->second;
  return out;
}

json TreeWriter::tuple_tree(const core::TupleObject& tuple) {
  json out = {{"t", "tuple"}, {"v", trees(tuple.items)}};
  if (const core::TupleType* named = core::as_tuple(tuple.named)) {
    out["name"] = named->name();
    out["fields"] = named->fields;
  }
  return out;
}

json TreeWriter::object_tree(const core::Object& object) {
  // A module is a place of its own, not a part of what refers to it, and may hold itself.
  if (object.type->is_module()) return {{"t", "opaque"}, {"type", object.type->name()}};
  json fields = json::array();
  for (const auto& attribute : object.type->attributes()) fields.push_back(attribute.name);
  return {{"t", "object"},
          {"class", object.type->name()},
          {"fields", fields},
          {"v", trees(object.slots)}};
}

core::StorageRef TreeReader::storage(int64_t number) const {
  auto found = storages_.find(number);
  return found == storages_.end() ? core::StorageRef() : found->second;
}

Values TreeReader::values(const json& trees) {
  base::check(trees.is_array(), "expected a list of value trees");
  Values out;
  for (const json& item : trees) out.push_back(value(item));
  return out;
}

Value TreeReader::value(const json& tree) {
  std::string kind = detail::text_field(tree, "t");
  if (kind == "tensor") return tensor(tree);
  if (kind == "none") return Value();
  if (kind == "tuple") return tuple(tree);
  if (kind == "dict") return dict(tree);
  if (kind == "enum") return enumeration(tree);
  if (kind == "object") return object(tree);
  if (kind == "opaque") return opaque(detail::text_field(tree, "type"));
  const json& v = detail::field(tree, "v");
  if (kind == "bool") return detail::as_bool(v, "v");
  if (kind == "int") return detail::as_int(v, "v");
  if (kind == "float") return detail::as_float(v, "v");
  if (kind == "str") return detail::as_text(v, "v");
  if (kind == "dtype" || kind == "layout" || kind == "memory_format")
    return named_number(kind, detail::as_text(v, "v"));
  if (kind == "complex") {
    base::check(v.is_array() && v.size() == 2, "a complex number needs two parts");
    return core::Complex128(detail::as_float(v[0], "v"), detail::as_float(v[1], "v"));
  }
  if (kind == "device") {
    auto device = core::parse_device(detail::as_text(v, "v"));
    return device ? Value(*device) : opaque("torch.device");
  }
  if (kind == "list") {
    Values items = values(v);
    core::TypePtr element = joined_type(items, core::tensor_type());
    return core::make_list(element, std::move(items));
  }
  if (kind == "future") {
    auto future = base::make_ref<core::FutureObject>();
    future->value = value(v);
    future->element = future->value.type();
    return future;
  }
  base::fail("unknown kind of value \"", kind.substr(0, 40), "\"");
}

/// The memory that a tensor lies in: shared with those of the same `storage` number.
core::StorageRef TreeReader::room(const json& tree, size_t bytes, core::Device device) {
  const json* number = detail::optional_field(tree, "storage");
  core::StorageRef known;
  if (number) known = storage(detail::as_size(*number, "storage"));
  size_t old = known ? known->nbytes() : 0;
  if (known && old >= bytes) return known;
  if (device.type != core::DeviceType::meta) {
    claimed_ += bytes - old;
    base::check(claimed_ <= kFreeRoom + kRoomPerByte * frame_.payload->size(),
                "strides and offsets of a frame's tensors claim ", claimed_, " bytes for ",
                frame_.payload->size(), " that were sent");
  }
  if (known) {
    known->resize(bytes);
  } else {
    known = core::Storage::allocate(bytes, device);
    if (number) storages_.emplace(number->get<int64_t>(), known);
  }
  core::fill_bytes(known, old, bytes, std::byte{0});
  return known;
}

Tensor TreeReader::tensor(const json& tree) {
  const json* ref = detail::optional_field(tree, "ref");
  std::string name = ref ? detail::as_text(*ref, "ref") : std::string();
  if (auto known = made_.find(name); ref && known != made_.end()) return known->second;
  auto dtype = core::dtype_from_name(detail::text_field(tree, "dtype"));
  base::check(dtype.has_value(), "unknown element type of tensor \"", name, "\"");
  auto device = core::parse_device(detail::text_field(tree, "device", "cpu"));
  base::check(device.has_value(), "unknown device of tensor \"", name, "\"");
  core::Dims shape = read_dims(detail::list_field(tree, "shape"), "shape");
  base::check(shape.size() <= 64, "a tensor with ", shape.size(), " dimensions");
  core::Dims strides = core::contiguous_strides(shape);
  if (const json* given = detail::optional_field(tree, "strides")) {
    base::check(given->is_array(), "\"strides\" is not a list");
    strides = read_dims(*given, "strides");
  }
  base::check(strides.size() == shape.size(), "as many strides as dimensions are needed");

  const json* start = detail::optional_field(tree, "offset");
  int64_t offset = start ? detail::as_size(*start, "offset") : 0;
  int64_t end = offset;
  bool fits = true;
  if (core::numel(shape) > 0) {
    ++end;
    for (size_t d = 0; d < shape.size() && fits; ++d) {
      int64_t reach = 0;
      fits = !__builtin_mul_overflow(shape[d] - 1, strides[d], &reach) &&
             !__builtin_add_overflow(end, reach, &end);
    }
  }
  base::check(fits && end >= 0 && end < INT64_MAX / 16, "strides reach beyond any memory");
  if (device->type != core::DeviceType::meta) {
    base::check(ref, "a tensor without \"ref\"");
    auto raw = frame_.tensors.find(name);
    base::check(raw != frame_.tensors.end(), "no tensor \"", name, "\" in the frame");
    base::check(raw->second.dtype == *dtype && raw->second.shape == shape, "tensor \"", name,
                "\" differs from what the frame holds");
  }
  core::StorageRef memory = room(tree, static_cast<size_t>(end) * core::size_of(*dtype), *device);
  base::check(memory->device() == *device, "a storage on two devices");
  Tensor made = Tensor::view_of(memory, offset, shape, strides, *dtype);
  if (const json* grad = detail::optional_field(tree, "requires_grad"))
    made.impl()->requires_grad = detail::as_bool(*grad, "requires_grad");
  if (ref) {
    fill_row_major(made, frame_.tensors.at(name).bytes);
    made_.emplace(name, made);
  }
  return made;
}

Value TreeReader::tuple(const json& tree) {
  Values items = values(detail::list_field(tree, "v"));
  const json* names = detail::optional_field(tree, "fields");
  if (!names) return core::make_tuple(std::move(items));
  base::check(names->is_array() && names->size() == items.size(),
              "a named tuple needs a name for each member");
  std::vector<std::string> fields;
  std::vector<core::TypePtr> types;
  for (size_t i = 0; i < items.size(); ++i) {
    fields.push_back(detail::as_text((*names)[i], "fields"));
    types.push_back(items[i].type());
  }
  auto type = core::named_tuple(detail::text_field(tree, "name"), types, fields);
  return core::TupleRef(new core::TupleObject(std::move(items), type));
}

Value TreeReader::dict(const json& tree) {
  Values keys, items;
  for (const json& pair : detail::list_field(tree, "v")) {
    base::check(pair.is_array() && pair.size() == 2, "a dict entry is not a pair");
    keys.push_back(value(pair[0]));
    const Value& key = keys.back();
    bool usable = key.is_number() || key.is_string() || key.is_device() || key.is_tensor();
    if (!usable) keys.back() = Value(fmt::format("<{}>", key.kind_name()));
    items.push_back(value(pair[1]));
  }
  auto out = core::make_dict(joined_type(keys, core::string_type()),
                             joined_type(items, core::tensor_type()));
  for (size_t i = 0; i < keys.size(); ++i) out->set(keys[i], items[i]);
  return out;
}

Value TreeReader::enumeration(const json& tree) {
  Value held = value(detail::field(tree, "value"));
  auto type = std::make_shared<core::EnumType>(detail::text_field(tree, "class"), held.type());
  return core::EnumRef(new core::EnumObject(type, detail::text_field(tree, "name"), held));
}

Value TreeReader::object(const json& tree) {
  Values items = values(detail::list_field(tree, "v"));
  const json& names = detail::list_field(tree, "fields");
  base::check(names.size() == items.size(), "an object needs a name for each field");
  auto type = std::make_shared<core::ClassType>(detail::text_field(tree, "class"));
  for (size_t i = 0; i < items.size(); ++i) {
    std::string name = detail::as_text(names[i], "fields");
    base::check(!type->find_attribute(name), "an object has field \"", name, "\" twice");
    type->add_attribute(name, items[i].type());
  }
  core::ObjectRef made(new core::Object(type));
  made->slots = std::move(items);
  return made;
}

}  // namespace assay::verify::host
