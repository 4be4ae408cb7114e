#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "verify/spec/parser.h"
#include "verify/spec/strict_json.h"

namespace assay::verify {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t max_file = 1 << 20;
constexpr int max_nesting = 8;

std::string text_of(const Json& value, const std::string& where) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return std::to_string(value.get<int64_t>());
  if (value.is_number()) return base::number(value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";  // As a switch is meant.
  base::fail(where, ": expected a string or a number");
}

/// A list of choices as one text: "a,b".
std::string list_text(const Json& value, const std::string& where) {
  if (!value.is_array()) return text_of(value, where);
  std::vector<std::string> parts;
  for (const Json& item : value) parts.push_back(text_of(item, where));
  return base::join(parts, ",");
}

bool takes_paths(const std::string& flag) {
  for (const CategoricalAxisInfo& axis : categorical_axes()) {
    if (axis.flag == flag) return axis.per_input;
  }
  return flag == "dtypes" || flag == "atol" || flag == "rtol";
}

/// The key of a spec file that stands for a flag: plural where it holds several pieces.
std::string key_of(const std::string& flag) {
  if (flag == "input" || flag == "dim") return flag + "s";
  return flag;
}

void add_pieces(const std::string& flag, const Json& value, const std::string& where,
                std::vector<SpecPiece>& out) {
  auto add = [&](std::string text, const std::string& at) {
    out.push_back({flag, std::move(text), at});
  };
  if (flag == "input") {
    if (value.is_string()) return add(text_of(value, where), where);
    base::check(value.is_array(), where, ": expected a list of inputs");
    for (size_t i = 0; i < value.size(); ++i) {
      std::string at = fmt::format("{}[{}]", where, i);
      add(text_of(value[i], at), at);
    }
  } else if (flag == "aliases") {
    if (value.is_string()) return add(text_of(value, where), where);
    base::check(value.is_array(), where, ": expected a list of groups");
    for (const Json& group : value) {
      if (group.is_string()) {
        add(text_of(group, where), where);
        continue;
      }
      base::check(group.is_array(), where, ": expected a list of inputs, or \"x=y\"");
      std::vector<std::string> paths;
      for (const Json& path : group) paths.push_back(text_of(path, where));
      add(base::join(paths, "="), where);
    }
  } else if (flag == "dim" || flag == "ranks") {
    base::check(value.is_object(), where, ": expected an object, from letters to ranges");
    for (const auto& [letter, range] : value.items()) {
      add(fmt::format("{}={}", letter, list_text(range, where)),
          fmt::format("{}.{}", where, letter));
    }
  } else if (takes_paths(flag) && value.is_object()) {
    for (const auto& [path, choices] : value.items()) {
      std::string prefix = path == "*" ? "" : path + ":";
      add(prefix + list_text(choices, where), fmt::format("{}.{}", where, path));
    }
  } else {
    add(list_text(value, where), where);
  }
}

Json words_json(const std::string& text) {
  Json list = Json::array();
  for (const std::string& choice : base::split(text, ',')) list.push_back(choice);
  return list;
}

void put(const SpecPiece& piece, Json& out) {
  Json& at = out[key_of(piece.flag)];
  if (piece.flag == "input") {
    at.push_back(piece.text);
  } else if (piece.flag == "aliases") {
    Json group = Json::array();
    for (const std::string& path : base::split(piece.text, '=')) group.push_back(path);
    at.push_back(std::move(group));
  } else if (piece.flag == "dim" || piece.flag == "ranks") {
    size_t equals = piece.text.find('=');
    at[piece.text.substr(0, equals)] = piece.text.substr(equals + 1);
  } else if (takes_paths(piece.flag)) {
    size_t colon = piece.text.rfind(':');
    bool all = colon == std::string::npos;
    std::string path = all ? "*" : piece.text.substr(0, colon);
    std::string value = all ? piece.text : piece.text.substr(colon + 1);
    double number = 0;
    bool tolerance = piece.flag == "atol" || piece.flag == "rtol";
    if (tolerance && base::parse_double(value, number)) {
      at[path] = number;
    } else {
      at[path] = words_json(value);
    }
  } else if (piece.flag == "calls" || piece.flag == "seeds" || piece.flag == "exports") {
    at = piece.text;
  } else {
    at = words_json(piece.text);
  }
}

}  // namespace

Spec parse_spec_json(std::string_view text, const std::string& file) {
  base::check(text.size() <= max_file, file, ": a spec file has at most 1 MiB");
  Json root = detail::parse_strictly<Json>(text, file, max_nesting);
  base::check(root.is_object(), file, ": expected an object");
  std::vector<SpecPiece> pieces;
  for (const auto& [key, value] : root.items()) {
    if (key == "$schema") continue;
    bool known = false;
    for (const SpecFlag& flag : spec_flags()) {
      if (key_of(flag.flag) != key) continue;
      add_pieces(flag.flag, value, fmt::format("{}: {}", file, key), pieces);
      known = true;
    }
    base::check(known, file, ": a spec has no \"", key, "\"");
  }
  return parse_spec(pieces);
}

std::string spec_json(const Spec& spec) {
  Json out = Json::object();
  for (const SpecPiece& piece : spec_pieces(spec)) put(piece, out);
  return out.dump(2);
}

}  // namespace assay::verify
