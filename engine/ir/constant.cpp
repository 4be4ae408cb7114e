#include "engine/ir/constant.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/core/device.h"
#include "engine/ir/kinds.h"

namespace assay::ir {

namespace {

constexpr int max_nesting = 64;

const base::Symbol& value_name() {
  static const base::Symbol name("value");
  return name;
}

/// Whether a graph can hold a value: how often that holds a part does not matter.
class Holdable {
 public:
  bool check(const core::Value& value, int depth) {
    using Tag = core::Value::Tag;
    if (depth > max_nesting) return false;
    switch (value.tag()) {
      case Tag::list:
        return !deeper(&value.list(), depth) || all(value.list().items, depth);
      case Tag::tuple:
        return !deeper(&value.tuple(), depth) || all(value.tuple().items, depth);
      case Tag::dict:
        return !deeper(&value.dict(), depth) || entries(value.dict(), depth);
      case Tag::future:
      case Tag::generator:
        return false;
      default:
        return true;
    }
  }

 private:
  /// Whether the container was not met so deep yet.
  bool deeper(const void* container, int depth) {
    int& deepest = deepest_.try_emplace(container, -1).first->second;
    if (depth <= deepest) return false;
    deepest = depth;
    return true;
  }

  bool all(const core::Values& items, int depth) {
    return std::all_of(items.begin(), items.end(),
                       [&](const core::Value& item) { return check(item, depth + 1); });
  }

  bool entries(const core::DictObject& dict, int depth) {
    return std::all_of(dict.entries().begin(), dict.entries().end(),
                       [&](const core::DictObject::Entry& entry) {
                         return check(entry.key, depth + 1) && check(entry.value, depth + 1);
                       });
  }

  std::unordered_map<const void*, int> deepest_;
};

Attribute attribute_of(const core::Value& value) {
  using Tag = core::Value::Tag;
  switch (value.tag()) {
    case Tag::boolean:
      return int64_t{value.to_bool()};
    case Tag::integer:
      return value.to_int();
    case Tag::floating:
      return value.to_float();
    case Tag::complex:
      return value.to_complex();
    case Tag::string:
      return value.to_string();
    case Tag::device:
      return value.to_device().text();
    case Tag::tensor:
      return value.to_tensor();
    default:
      return value;
  }
}

core::Value from_text(const std::string& text, const core::TypePtr& type) {
  if (!type->is(core::TypeKind::device)) return text;
  auto device = core::parse_device(text);
  base::check(device.has_value(), "a constant names an unknown device '", text, "'");
  return *device;
}

}  // namespace

bool is_constant(const core::Value& value) { return Holdable().check(value, 0); }

std::optional<core::Value> constant_value(const Node* node) {
  if (!node->is(kinds().constant) || node->outputs().size() != 1) return std::nullopt;
  const core::TypePtr& type = node->output()->type();
  const Attribute* attribute = node->find_attribute(value_name());
  if (!attribute) return core::Value();
  if (auto integer = std::get_if<int64_t>(attribute))
    return type->is(core::TypeKind::boolean) ? core::Value(*integer != 0) : core::Value(*integer);
  if (auto real = std::get_if<double>(attribute)) return core::Value(*real);
  if (auto complex = std::get_if<core::Complex128>(attribute)) return core::Value(*complex);
  if (auto text = std::get_if<std::string>(attribute)) return from_text(*text, type);
  if (auto tensor = std::get_if<core::Tensor>(attribute)) return core::Value(*tensor);
  if (auto value = std::get_if<core::Value>(attribute)) return *value;
  return std::nullopt;
}

std::optional<core::Value> constant_value(const Value* value) {
  return constant_value(value->node());
}

bool always_true(const Value* value) {
  auto held = constant_value(value);
  return held && held->is_bool() && held->to_bool();
}

void set_constant(Node* node, const core::Value& value) {
  base::check(is_constant(value), "a graph's constant cannot hold a ", value.kind_name());
  if (value.is_none())
    node->remove_attribute(value_name());
  else
    node->set(value_name(), attribute_of(value));
  core::TypePtr type = value.is_tensor() ? exact_type(value.to_tensor()) : value.type();
  node->output()->set_type(std::move(type));
}

core::TypePtr exact_type(const core::Tensor& tensor) {
  core::TensorInfo info;
  info.dtype = tensor.dtype();
  info.device = tensor.device();
  info.sizes = tensor.sizes();
  info.strides = tensor.strides();
  info.requires_grad = tensor.requires_grad();
  return std::make_shared<core::TensorType>(std::move(info));
}

}  // namespace assay::ir
