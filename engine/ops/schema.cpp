#include "engine/ops/schema.h"

#include <algorithm>

#include "engine/base/text.h"

namespace assay::ops {
namespace {

std::string quoted(const std::string& text) {
  constexpr std::string_view names = "ntrfv\\\"", characters = "\n\t\r\f\v\\\"";
  std::string out = "\"";
  for (char c : text) {
    size_t found = characters.find(c);
    if (found != std::string_view::npos) out += '\\';
    out += found == std::string_view::npos ? c : names[found];
  }
  return out + "\"";
}

std::string default_text(const core::Value& value) {
  using Tag = core::Value::Tag;
  switch (value.tag()) {
    case Tag::none:
      return "None";
    case Tag::boolean:
      return value.to_bool() ? "True" : "False";
    case Tag::integer:
      return std::to_string(value.to_int());
    case Tag::floating:
      return base::python_float(value.to_float());
    case Tag::string:
      return quoted(value.to_string());
    case Tag::list: {
      std::vector<std::string> parts;
      for (const auto& item : value.list().items) parts.push_back(default_text(item));
      return "[" + base::join(parts, ", ") + "]";
    }
    default:
      return value.kind_name();
  }
}

std::string alias_text(const AliasInfo& a) {
  std::string arrow = a.set_after == a.set ? "" : " -> " + a.set_after;
  return "(" + a.set + (a.writes ? "!" : "") + arrow + ")";
}

/// Puts the alias annotation and the list size where ATen writes them: `Tensor(a!)[]`, `int[2]?`.
std::string type_text(const Argument& argument, const core::TypePtr& type) {
  if (type->is(core::TypeKind::optional)) return type_text(argument, type->element()) + "?";
  bool on_list = argument.alias && argument.alias->on_list;
  if (type->is(core::TypeKind::list)) {
    std::string size = argument.list_size ? std::to_string(*argument.list_size) : "";
    std::string text = type_text(argument, type->element()) + "[" + size + "]";
    return on_list ? text + alias_text(*argument.alias) : text;
  }
  std::string text = argument.int_kind.empty() ? type->str() : argument.int_kind;
  return argument.alias && !on_list ? text + alias_text(*argument.alias) : text;
}

std::string argument_text(const Argument& argument) {
  std::string text = type_text(argument, argument.type);
  if (!argument.name.empty()) text += " " + argument.name;
  if (argument.default_value) text += "=" + default_text(*argument.default_value);
  return text;
}

}  // namespace

std::string Schema::qualified_name() const {
  return overload.empty() ? name : name + "." + overload;
}

std::optional<size_t> Schema::find_argument(std::string_view argument) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name == argument) return i;
  }
  return std::nullopt;
}

bool Schema::is_mutable() const {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const Argument& a) { return a.alias && a.alias->writes; });
}

std::string Schema::str() const {
  std::vector<std::string> parts;
  bool star = false;
  for (const auto& argument : arguments) {
    if (argument.kwarg_only && !star) {
      parts.push_back("*");
      star = true;
    }
    parts.push_back(argument_text(argument));
  }
  if (vararg) parts.push_back("...");
  std::vector<std::string> results;
  for (const auto& result : returns) results.push_back(argument_text(result));
  if (varret) results.push_back("...");
  std::string out = qualified_name() + "(" + base::join(parts, ", ") + ") -> ";
  // A single unnamed result stands without parentheses.
  // One that begins with a parenthesis would read as a list of results.
  bool bare = returns.size() == 1 && returns[0].name.empty() && !varret && results[0][0] != '(';
  return out + (bare ? results[0] : "(" + base::join(results, ", ") + ")");
}

}  // namespace assay::ops
