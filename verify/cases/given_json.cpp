#include "verify/cases/detail/given_json.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/core/host_access.h"
#include "verify/cases/detail/base64.h"

namespace assay::verify::detail {

namespace {

using Json = nlohmann::json;
using core::Tensor;
using core::Value;

constexpr size_t max_bytes = 64 << 10;
constexpr int max_depth = 24;

void expect(bool condition, std::string_view rule) {
  base::check(condition, "this is not a case: ", rule);
}

/// Calls f(offset of an element from the tensor's first) in row-major order.
template <typename F>
void for_each_offset(const core::Dims& sizes, const core::Dims& strides, F&& f) {
  int64_t count = core::numel(sizes), offset = 0;
  core::Dims at(sizes.size(), 0);
  for (int64_t k = 0; k < count; ++k) {
    f(offset);
    for (size_t d = sizes.size(); d-- > 0;) {
      offset += strides[d];
      if (++at[d] < sizes[d]) break;
      offset -= at[d] * strides[d];
      at[d] = 0;
    }
  }
}

std::string bytes_of(const Tensor& on_device) {
  Tensor tensor = core::to_host(on_device);
  std::string out;
  size_t size = tensor.item_size();
  for_each_offset(tensor.sizes(), tensor.strides(), [&](int64_t offset) {
    auto* from = tensor.device_address() + offset * static_cast<int64_t>(size);
    out.append(reinterpret_cast<const char*>(from), size);
  });
  return out;
}

/// Counts what the text of a value would hold; false where there is no text for it.
class Fitting {
 public:
  bool fits(const Value& value, int depth = 0) {
    if (depth > max_depth || ++values_ > 4096) return false;
    if (value.is_tensor()) return tensor(value.to_tensor());
    if (value.is_string()) return (bytes_ += value.to_string().size()) <= max_bytes;
    if (value.is_float()) return std::isfinite(value.to_float());
    if (value.is_none() || value.is_bool() || value.is_int()) return true;
    auto inner = [&](const Value& item) { return fits(item, depth + 1); };
    if (value.is_list()) {
      return std::all_of(value.list().items.begin(), value.list().items.end(), inner);
    }
    if (value.is_tuple()) {
      return std::all_of(value.tuple().items.begin(), value.tuple().items.end(), inner);
    }
    if (!value.is_dict()) return false;
    const auto& entries = value.dict().entries();
    return std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
      return entry.key.is_string() && inner(entry.value);
    });
  }

 private:
  bool tensor(const Tensor& tensor) {
    if (tensor.device().type != core::DeviceType::cpu) return false;
    // Tensors that share memory would no longer share it when they are read back.
    if (!storages_.insert(tensor.storage().get()).second) return false;
    auto spread = static_cast<size_t>(core::extent(tensor.sizes(), tensor.strides()).high);
    bytes_ += std::max(spread, static_cast<size_t>(tensor.numel())) * tensor.item_size();
    return bytes_ <= max_bytes;
  }

  size_t bytes_ = 0, values_ = 0;
  std::set<const core::Storage*> storages_;
};

Json list_json(const core::Dims& dims) {
  Json out = Json::array();
  for (int64_t d : dims) out.push_back(d);
  return out;
}

Json value_json(const Value& value) {
  if (value.is_none()) return nullptr;
  if (value.is_bool()) return value.to_bool();
  if (value.is_int()) return value.to_int();
  // An object, so that 1.0 does not come back as a whole number.
  if (value.is_float()) return {{"float", value.to_float()}};
  if (value.is_string()) return value.to_string();
  Json items = Json::array();
  if (value.is_tensor()) {
    Tensor tensor = value.to_tensor();
    return {{"dtype", dtype_name(tensor.dtype())},
            {"shape", list_json(tensor.sizes())},
            {"strides", list_json(tensor.strides())},
            {"data", base64url(bytes_of(tensor))}};
  }
  if (value.is_list()) {
    for (const Value& item : value.list().items) items.push_back(value_json(item));
    return items;
  }
  if (value.is_tuple()) {
    for (const Value& item : value.tuple().items) items.push_back(value_json(item));
    const core::TupleType* named = core::as_tuple(value.tuple().named);
    if (!named) return {{"tuple", std::move(items)}};
    return {{"tuple", std::move(items)}, {"class", named->name()}, {"fields", named->fields}};
  }
  for (const auto& entry : value.dict().entries()) {
    items.push_back({entry.key.to_string(), value_json(entry.value)});
  }
  return {{"dict", std::move(items)}};
}

core::Dims dims_of(const Json& json) {
  expect(json.is_array() && json.size() <= 16, "a shape has at most 16 sizes");
  core::Dims out;
  for (const Json& size : json) {
    expect(size.is_number_integer(), "a size is a whole number");
    auto s = size.get<int64_t>();
    expect(s >= 0 && s <= static_cast<int64_t>(max_bytes), "a given tensor has at most 64 KiB");
    out.push_back(s);
  }
  return out;
}

Tensor read_tensor(const Json& json) {
  expect(json.size() == 4 && json["dtype"].is_string() && json["data"].is_string() &&
             json.contains("shape") && json.contains("strides"),
         "a given tensor has dtype, shape, strides and data");
  std::optional<core::DType> dtype = parse_dtype(json["dtype"].get<std::string>());
  expect(dtype.has_value(), "a tensor has a known element type");
  core::Dims sizes = dims_of(json["shape"]), strides = dims_of(json["strides"]);
  expect(sizes.size() == strides.size(), "a tensor has one stride per size");
  std::string data = from_base64url(json["data"].get<std::string>());
  size_t item = core::size_of(*dtype);
  int64_t count = 1, spread = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    bool fits = !__builtin_mul_overflow(count, sizes[d], &count) &&
                count <= static_cast<int64_t>(max_bytes);
    expect(fits, "a given tensor has at most 64 KiB");
    spread += std::max<int64_t>(0, sizes[d] - 1) * strides[d];
    expect(spread <= static_cast<int64_t>(max_bytes), "a given tensor has at most 64 KiB");
  }
  expect(data.size() == static_cast<size_t>(count) * item, "a tensor has all its elements");
  core::StorageRef storage =
      core::Storage::allocate(static_cast<size_t>(count == 0 ? 0 : spread) * item, {});
  core::fill_bytes(storage, 0, storage->nbytes(), std::byte{0});
  Tensor out = Tensor::view_of(storage, 0, sizes, strides, *dtype);
  size_t from = 0;
  for_each_offset(sizes, strides, [&](int64_t offset) {
    std::memcpy(out.device_address() + offset * static_cast<int64_t>(item), data.data() + from,
                item);
    from += item;
  });
  return out;
}

class Reader {
 public:
  Value value(const Json& json, int depth = 0) {
    expect(depth <= max_depth && ++values_ <= 4096, "its arguments nest too deeply");
    if (json.is_null()) return {};
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_integer()) return json.get<int64_t>();
    if (json.is_string()) return json.get<std::string>();
    if (json.is_array()) return list(json, depth);
    expect(json.is_object() && !json.empty(), "a given value is a value");
    if (json.contains("dtype")) return read_tensor(json);
    if (json.contains("float") && json["float"].is_number()) return json["float"].get<double>();
    if (json.contains("fields")) return record(json, depth);
    if (json.contains("tuple")) return core::make_tuple(items(json["tuple"], depth));
    expect(json.contains("dict") && json["dict"].is_array(), "a given value is a value");
    core::Values values;
    std::vector<std::string> keys;
    for (const Json& entry : json["dict"]) {
      expect(entry.is_array() && entry.size() == 2 && entry[0].is_string(), "an entry has a key");
      keys.push_back(entry[0].get<std::string>());
      values.push_back(value(entry[1], depth + 1));
    }
    core::DictRef dict = core::make_dict(core::string_type(), element_type(values));
    for (size_t i = 0; i < keys.size(); ++i) dict->set(keys[i], values[i]);
    return dict;
  }

 private:
  core::Values items(const Json& json, int depth) {
    expect(json.is_array(), "a tuple has a list of members");
    core::Values out;
    for (const Json& item : json) out.push_back(value(item, depth + 1));
    return out;
  }

  Value record(const Json& json, int depth) {
    expect(json.contains("tuple") && json.contains("class") && json["class"].is_string() &&
               json["fields"].is_array(),
           "a named tuple has a class and fields");
    core::Values members = items(json["tuple"], depth);
    std::vector<std::string> fields;
    std::vector<core::TypePtr> types;
    for (const Json& field : json["fields"]) {
      expect(field.is_string(), "a field has a name");
      fields.push_back(field.get<std::string>());
    }
    expect(fields.size() == members.size(), "a named tuple has a name for each member");
    for (const Value& member : members) types.push_back(member.type());
    auto type = core::named_tuple(json["class"].get<std::string>(), types, fields);
    return base::make_ref<core::TupleObject>(std::move(members), type);
  }

  Value list(const Json& json, int depth) {
    core::Values values = items(json, depth);
    core::TypePtr element = element_type(values);
    return core::make_list(element, std::move(values));
  }

  static core::TypePtr element_type(const core::Values& values) {
    core::TypePtr element = values.empty() ? core::tensor_type() : values[0].type();
    for (const Value& item : values) {
      element = core::unify(element, item.type()).value_or(core::any_type());
    }
    return element;
  }

  size_t values_ = 0;
};

bool same_value(const Value& a, const Value& b) {
  if (a.tag() != b.tag()) return false;
  auto all = [](const core::Values& x, const core::Values& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_value);
  };
  if (a.is_tensor()) {
    Tensor x = a.to_tensor(), y = b.to_tensor();
    bool alike = x.dtype() == y.dtype() && x.sizes() == y.sizes() && x.strides() == y.strides() &&
                 x.device() == y.device();
    bool bytes = core::has_bytes(x) && core::has_bytes(y);
    return alike && (!bytes || bytes_of(x) == bytes_of(y));
  }
  if (a.is_list()) return all(a.list().items, b.list().items);
  if (a.is_tuple()) return all(a.tuple().items, b.tuple().items);
  if (a.is_dict()) {
    const auto &x = a.dict().entries(), &y = b.dict().entries();
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& s, const auto& t) {
      return s.key.equals(t.key) && same_value(s.value, t.value);
    });
  }
  return a.equals(b);
}

}  // namespace

bool fits_text(const Call& call) {
  Fitting fitting;
  return std::all_of(call.args.begin(), call.args.end(),
                     [&](const Value& arg) { return fitting.fits(arg); }) &&
         std::all_of(call.kwargs.begin(), call.kwargs.end(),
                     [&](const auto& arg) { return fitting.fits(arg.second); });
}

Json call_to_json(const Call& call) {
  Json out{{"args", Json::array()}, {"kwargs", Json::array()}};
  for (const Value& arg : call.args) out["args"].push_back(value_json(arg));
  for (const auto& [name, arg] : call.kwargs) out["kwargs"].push_back({name, value_json(arg)});
  return out;
}

Call call_from_json(const Json& json) {
  expect(json.is_object() && json.contains("args") && json["args"].is_array() &&
             json.contains("kwargs") && json["kwargs"].is_array(),
         "given arguments have args and kwargs");
  Reader reader;
  Call out;
  for (const Json& arg : json["args"]) out.args.push_back(reader.value(arg));
  for (const Json& arg : json["kwargs"]) {
    expect(arg.is_array() && arg.size() == 2 && arg[0].is_string(), "a keyword has a name");
    out.kwargs.emplace_back(arg[0].get<std::string>(), reader.value(arg[1]));
  }
  return out;
}

bool same_call(const Call& a, const Call& b) {
  return std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(), same_value) &&
         std::equal(a.kwargs.begin(), a.kwargs.end(), b.kwargs.begin(), b.kwargs.end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && same_value(x.second, y.second);
                    });
}

}  // namespace assay::verify::detail
