#include "verify/host/fields.h"

#include "engine/base/error.h"

namespace assay::verify::host::detail {

using nlohmann::json;

namespace {

constexpr int kMaxNesting = 256;

void check_nesting(std::string_view text, std::string_view what) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      base::check(++depth <= kMaxNesting, what, " is nested more than ", kMaxNesting, " deep");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

}  // namespace

json parse_json(std::string_view text, std::string_view what) {
  check_nesting(text, what);
  try {
    return json::parse(text);
  } catch (const json::exception& error) {
    base::fail(what, " is not valid JSON: ", error.what());
  }
}

const json* optional_field(const json& object, std::string_view name) {
  base::check(object.is_object(), "expected an object with a field \"", name, "\"");
  auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

const json& field(const json& object, std::string_view name) {
  const json* found = optional_field(object, name);
  base::check(found, "field \"", name, "\" is missing");
  return *found;
}

std::string text_field(const json& object, std::string_view name) {
  return as_text(field(object, name), name);
}

std::string text_field(const json& object, std::string_view name, std::string_view otherwise) {
  const json* found = optional_field(object, name);
  return found && !found->is_null() ? as_text(*found, name) : std::string(otherwise);
}

const json& list_field(const json& object, std::string_view name) {
  const json& found = field(object, name);
  base::check(found.is_array(), "field \"", name, "\" is not a list");
  return found;
}

std::string as_text(const json& value, std::string_view what) {
  base::check(value.is_string(), "\"", what, "\" is not a text");
  return value.get<std::string>();
}

int64_t as_int(const json& value, std::string_view what) {
  base::check(value.is_number_integer(), "\"", what, "\" is not a whole number");
  bool fits = !value.is_number_unsigned() || value.get<uint64_t>() <= uint64_t{INT64_MAX};
  base::check(fits, "\"", what, "\" is out of range");
  return value.get<int64_t>();
}

int64_t as_size(const json& value, std::string_view what) {
  int64_t size = as_int(value, what);
  base::check(size >= 0, "\"", what, "\" is negative");
  return size;
}

uint64_t as_unsigned(const json& value, std::string_view what) {
  base::check(value.is_number_unsigned(), "\"", what, "\" is not a whole number from 0 on");
  return value.get<uint64_t>();
}

bool as_bool(const json& value, std::string_view what) {
  base::check(value.is_boolean(), "\"", what, "\" is neither true nor false");
  return value.get<bool>();
}

double as_float(const json& value, std::string_view what) {
  double number = 0;
  if (value.is_number()) return value.get<double>();
  bool known = value.is_string() && base::parse_double(value.get<std::string>(), number);
  base::check(known, "\"", what, "\" is not a number");
  return number;
}

json from_float(double value) {
  if (value != value) return "nan";
  if (value - value != 0) return value > 0 ? "inf" : "-inf";
  return value;
}

}  // namespace assay::verify::host::detail
