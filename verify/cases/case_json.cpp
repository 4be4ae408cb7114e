#include "verify/cases/case_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/cases/case.h"
#include "verify/cases/detail/given_json.h"
#include "verify/spec/strict_json.h"

namespace assay::verify {

namespace {

using Json = nlohmann::json;

constexpr size_t max_text = 1 << 20;
constexpr int max_nesting = 96;
constexpr size_t max_nodes = 65536;
constexpr int64_t max_elements = int64_t{1} << 28;

constexpr std::array<std::string_view, 10> kinds{"tensor", "int",  "float", "bool", "str",
                                                 "none",   "list", "tuple", "dict", "record"};

Json value_json(const CaseValue& value) {
  Json out;
  out["kind"] = kinds[static_cast<size_t>(value.kind)];
  if (value.kind == CaseValue::Kind::tensor) {
    out["dtype"] = dtype_name(value.dtype);
    out["shape"] = Json::array();
    for (int64_t size : value.shape) out["shape"].push_back(size);
    if (value.layout != "contiguous") out["layout"] = value.layout;
  }
  if (value.values != "normal") out["values"] = value.values;
  if (value.range) out["range"] = {value.range->first, value.range->second};
  if (!value.texts.empty()) out["words"] = value.texts;
  for (const CaseValue& child : value.children) out["children"].push_back(value_json(child));
  if (!value.keys.empty()) out["keys"] = value.keys;
  if (!value.class_name.empty()) out["class"] = value.class_name;
  return out;
}

/// Reads a case from JSON whose syntax is fine and whose content is not trusted.
class Reader {
 public:
  Case read(const Json& root) {
    Case out;
    object(root, {"aliases", "cast", "choices", "given", "inputs", "seed", "sizes"});
    if (root.contains("seed")) {
      expect(root["seed"].is_number_unsigned(), "seed is a number of at least 0");
      out.point.seed = root["seed"].get<uint64_t>();
    }
    if (root.contains("sizes")) {
      expect(root["sizes"].is_object(), "sizes is an object");
      for (const auto& [name, size] : root["sizes"].items()) out.point.sizes[name] = integer(size);
    }
    if (root.contains("choices")) {
      expect(root["choices"].is_object(), "choices is an object");
      for (const auto& [name, choice] : root["choices"].items())
        out.point.choices[name] = text(choice);
    }
    expect(root.contains("inputs") && root["inputs"].is_array(), "inputs is a list");
    for (const Json& input : root["inputs"]) {
      object(input, {"keyword", "name", "value"});
      expect(input.contains("name") && input.contains("value"), "an input has a name and a value");
      bool keyword = input.contains("keyword") && input["keyword"] == true;
      out.inputs.push_back({text(input["name"]), keyword, value(input["value"])});
    }
    if (root.contains("cast")) {
      out.cast = parse_dtype(text(root["cast"]));
      expect(out.cast && core::is_floating(*out.cast), "cast is a floating-point type");
    }
    if (root.contains("aliases")) out.aliases = aliases(root["aliases"]);
    if (root.contains("given")) {
      out.given = std::make_shared<const Call>(detail::call_from_json(root["given"]));
    }
    (void)out.device();
    return out;
  }

 private:
  static void expect(bool condition, std::string_view rule) {
    base::check(condition, "this is not a case: ", rule);
  }

  static void object(const Json& json, const std::vector<std::string>& known) {
    expect(json.is_object(), "expected an object");
    for (const auto& [key, ignored] : json.items()) {
      expect(std::find(known.begin(), known.end(), key) != known.end(),
             fmt::format("there is no key \"{}\"", key.substr(0, 40)));
    }
  }

  static std::string text(const Json& json) {
    expect(json.is_string(), "expected a string");
    return json.get<std::string>();
  }

  static int64_t integer(const Json& json) {
    expect(json.is_number_integer(), "expected a whole number");
    return json.get<int64_t>();
  }

  static std::vector<std::string> texts(const Json& json) {
    expect(json.is_array(), "expected a list of strings");
    std::vector<std::string> out;
    for (const Json& item : json) out.push_back(text(item));
    return out;
  }

  static std::vector<std::vector<std::string>> aliases(const Json& json) {
    expect(json.is_array(), "aliases is a list of groups");
    std::vector<std::vector<std::string>> out;
    for (const Json& group : json) {
      out.push_back(texts(group));
      expect(out.back().size() >= 2, "a group of aliases has two members or more");
    }
    return out;
  }

  static std::string axis_word(CategoricalAxis axis, const Json& json) {
    std::string choice = text(json);
    std::vector<std::string> known = base::split(categorical_axis(axis).choices, ',');
    expect(std::find(known.begin(), known.end(), choice) != known.end(),
           fmt::format("'{}' is none of {}", choice.substr(0, 40), base::join(known, ", ")));
    return choice;
  }

  CaseValue value(const Json& json) {
    expect(++nodes_ <= max_nodes, "it has too many values");
    object(json, {"children", "class", "dtype", "keys", "kind", "layout", "range", "shape",
                  "values", "words"});
    CaseValue out;
    expect(json.contains("kind"), "a value has a kind");
    auto kind = std::find(kinds.begin(), kinds.end(), text(json["kind"]));
    expect(kind != kinds.end(), "a value has a known kind");
    out.kind = static_cast<CaseValue::Kind>(kind - kinds.begin());
    if (out.kind == CaseValue::Kind::tensor) tensor(json, out);
    if (json.contains("values")) out.values = axis_word(CategoricalAxis::values, json["values"]);
    if (json.contains("range")) range(json["range"], out);
    if (json.contains("words")) out.texts = texts(json["words"]);
    if (json.contains("keys")) out.keys = texts(json["keys"]);
    if (json.contains("class")) out.class_name = text(json["class"]);
    if (json.contains("children")) {
      expect(json["children"].is_array(), "children is a list");
      for (const Json& child : json["children"]) out.children.push_back(value(child));
    }
    bool record = out.kind == CaseValue::Kind::record;
    bool keyed = record || out.kind == CaseValue::Kind::dict;
    bool container =
        keyed || out.kind == CaseValue::Kind::list || out.kind == CaseValue::Kind::tuple;
    expect(container || out.children.empty(), "only containers have children");
    expect(out.keys.size() == (keyed ? out.children.size() : 0), "a dict has one key per child");
    expect(record != out.class_name.empty(), "a record, and nothing else, has a class");
    return out;
  }

  static void range(const Json& json, CaseValue& out) {
    expect(json.is_array() && json.size() == 2 && json[0].is_number() && json[1].is_number(),
           "a range has two numbers");
    out.range = {json[0].get<double>(), json[1].get<double>()};
    expect(out.range->first <= out.range->second, "a range is not empty");
  }

  void tensor(const Json& json, CaseValue& out) {
    expect(json.contains("dtype") && json.contains("shape"), "a tensor has a dtype and a shape");
    std::optional<core::DType> dtype = parse_dtype(text(json["dtype"]));
    expect(dtype.has_value(), "a tensor has a known element type");
    out.dtype = *dtype;
    expect(json["shape"].is_array() && json["shape"].size() <= 16, "a shape has at most 16 sizes");
    int64_t elements = 1;
    for (const Json& size : json["shape"]) {
      int64_t s = integer(size);
      expect(s >= 0 && s <= max_elements && !__builtin_mul_overflow(elements, s, &elements) &&
                 elements <= max_elements,
             "a tensor has at most 2^28 elements");
      out.shape.push_back(s);
    }
    expect((elements_ += elements) <= max_elements, "its tensors have at most 2^28 elements");
    if (json.contains("layout")) out.layout = axis_word(CategoricalAxis::layouts, json["layout"]);
  }

  size_t nodes_ = 0;
  int64_t elements_ = 0;
};

}  // namespace

namespace detail {

Json case_to_json(const Case& c) {
  base::check(has_text(c), "a case with large given arguments has no text");
  Json out;
  if (c.given) out["given"] = call_to_json(*c.given);
  if (!c.aliases.empty()) out["aliases"] = c.aliases;
  if (c.cast) out["cast"] = dtype_name(*c.cast);
  if (!c.point.choices.empty()) out["choices"] = c.point.choices;
  if (!c.point.sizes.empty()) out["sizes"] = c.point.sizes;
  out["seed"] = c.point.seed;
  out["inputs"] = Json::array();
  for (const CaseInput& input : c.inputs) {
    Json item{{"name", input.name}, {"value", value_json(input.value)}};
    if (input.keyword) item["keyword"] = true;
    out["inputs"].push_back(std::move(item));
  }
  return out;
}

Case case_from_json(const Json& json) {
  try {
    return Reader().read(json);
  } catch (const Json::exception&) {
    base::fail("this is not a case: a number does not fit");
  }
}

}  // namespace detail

std::string to_json(const Case& c) { return detail::case_to_json(c).dump(); }

Case case_from_json(std::string_view text) {
  base::check(text.size() <= max_text, "a case has at most 1 MiB of JSON");
  return detail::case_from_json(detail::parse_strictly<Json>(text, "case", max_nesting));
}

}  // namespace assay::verify
