#include "verify/compare/structure.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "verify/compare/values.h"
#include "verify/spec/spec.h"

namespace assay::verify::compare_detail {

namespace {

constexpr size_t max_text = 120;

/// What structure compares: kinds that differ here differ for a user.
std::string kind_of(const core::Value& value) { return value.kind_name(); }

std::string key_text(const core::Value& key) {
  if (key.is_string()) return base::python_repr(key.to_string());
  return value_text(key);
}

const core::Values& items_of(const core::Value& value) {
  return value.is_list() ? value.list().items : value.tuple().items;
}

bool is_number(const core::Value& value) {
  return value.is_bool() || value.is_int() || value.is_float() || value.is_complex();
}

class Walker {
 public:
  Walker(Collector& out, Pairs& pairs) : out_(out), pairs_(pairs) {}

  void walk(const std::string& place, const core::Value& s, const core::Value& r) {
    if (s.is_object() && r.is_object()) return objects(place, s.object(), r.object());
    out_.count(Layer::structure);
    bool holds_others = s.is_list() || s.is_tuple() || s.is_dict();
    if (!holds_others) out_.places.push_back(place);
    if (s.tag() != r.tag()) {
      out_.differ(Layer::structure, place, value_text(s), value_text(r));
    } else if (s.is_tensor()) {
      pairs_.tensors.push_back({place, s.to_tensor(), r.to_tensor()});
    } else if (is_number(s)) {
      pairs_.numbers.push_back({place, s, r});
    } else if (s.is_list() || s.is_tuple()) {
      sequences(place, items_of(s), items_of(r), s, r);
    } else if (s.is_dict()) {
      dicts(place, s.dict(), r.dict(), s, r);
    } else {
      texts(place, s, r);
    }
  }

 private:
  void sequences(const std::string& place, const core::Values& s, const core::Values& r,
                 const core::Value& subject, const core::Value& reference) {
    if (s.size() != r.size()) {
      out_.differ(Layer::structure, place, value_text(subject), value_text(reference));
    }
    for (size_t i = 0; i < std::min(s.size(), r.size()); ++i) {
      walk(fmt::format("{}[{}]", place, i), s[i], r[i]);
    }
  }

  void dicts(const std::string& place, const core::DictObject& s, const core::DictObject& r,
             const core::Value& subject, const core::Value& reference) {
    auto same_key = [](const auto& a, const auto& b) { return a.key.equals(b.key); };
    if (!std::equal(s.entries().begin(), s.entries().end(), r.entries().begin(), r.entries().end(),
                    same_key)) {
      out_.differ(Layer::structure, place, value_text(subject), value_text(reference));
    }
    for (const auto& entry : r.entries()) {
      const core::Value* other = s.find(entry.key);
      if (other) walk(fmt::format("{}[{}]", place, key_text(entry.key)), *other, entry.value);
    }
  }

  void objects(const std::string& place, const core::Object& s, const core::Object& r) {
    if (s.slots.empty() && r.slots.empty()) return;  // Nothing is known about either.
    // Modules are places of their own, which may hold themselves.
    if (s.type->is_module() && r.type->is_module()) return;
    out_.count(Layer::structure);
    const auto& names = r.type->attributes();
    if (s.slots.size() != r.slots.size()) {
      out_.differ(Layer::structure, place, "object of " + s.type->name(),
                  "object of " + r.type->name());
      return;
    }
    for (size_t i = 0; i < names.size() && i < r.slots.size(); ++i) {
      std::optional<size_t> at = s.type->find_attribute(names[i].name);
      if (at) {
        walk(fmt::format("{}.{}", place, names[i].name), s.slots[*at], r.slots[i]);
      } else {
        out_.differ(Layer::structure, fmt::format("{}.{}", place, names[i].name),
                    "no such attribute", value_text(r.slots[i]));
      }
    }
  }

  void texts(const std::string& place, const core::Value& s, const core::Value& r) {
    bool equal = true;
    if (s.is_string()) equal = s.to_string() == r.to_string();
    if (s.is_device()) equal = s.to_device() == r.to_device();
    if (s.is_enum()) equal = s.enumeration().name == r.enumeration().name;
    if (!s.is_none()) out_.count(Layer::values);
    if (!equal) out_.differ(Layer::values, place, value_text(s), value_text(r));
  }

  Collector& out_;
  Pairs& pairs_;
};

std::string shortened(std::string text) {
  if (text.size() > max_text)
    text = fmt::format("{}...", std::string_view(text).substr(0, max_text));
  return text;
}

}  // namespace

void compare_structure(const std::string& place, const core::Value& subject,
                       const core::Value& reference, Collector& out, Pairs& pairs) {
  Walker(out, pairs).walk(place, subject, reference);
}

std::string tensor_text(const core::Tensor& tensor) {
  return fmt::format("{}{}", dtype_name(tensor.dtype()), tensor.sizes());
}

std::string value_text(const core::Value& value) {
  if (value.is_none()) return "None";
  if (value.is_tensor()) return tensor_text(value.to_tensor());
  if (value.is_bool()) return value.to_bool() ? "True" : "False";
  if (value.is_int()) return std::to_string(value.to_int());
  if (value.is_float()) return base::python_float(value.to_float());
  if (value.is_string()) return shortened(base::python_repr(value.to_string()));
  if (value.is_device()) return value.to_device().text();
  if (value.is_list()) return fmt::format("list of {}", value.list().items.size());
  if (value.is_tuple()) return fmt::format("tuple of {}", value.tuple().items.size());
  if (value.is_dict()) {
    std::vector<std::string> keys;
    for (const auto& entry : value.dict().entries()) keys.push_back(key_text(entry.key));
    return shortened("dict with keys " + base::join(keys, ", "));
  }
  if (value.is_object()) return "object of " + value.object().type->name();
  return kind_of(value);
}

}  // namespace assay::verify::compare_detail
