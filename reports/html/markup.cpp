#include "reports/html/markup.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "reports/escape.h"

namespace assay::reports {

using nlohmann::json;

std::string text(const json& object, const char* key) {
  auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  return escape_markup(found->is_string() ? found->get<std::string>() : found->dump());
}

std::string element(const char* tag, const std::string& inner, const std::string& css) {
  std::string open =
      css.empty() ? fmt::format("<{}>", tag) : fmt::format("<{} class=\"{}\">", tag, css);
  return fmt::format("{}{}</{}>\n", open, inner, tag);
}

std::string entry(const std::string& name, const std::string& inner) {
  return inner.empty() ? std::string() : "<dt>" + name + "</dt><dd>" + inner + "</dd>\n";
}

std::string code(const std::string& inner) {
  return inner.empty() ? inner : "<code>" + inner + "</code>";
}

std::string section(const char* id, const char* title, const std::string& inner) {
  return fmt::format(
      "<section id=\"{}\" aria-labelledby=\"{}-title\">\n<h2 "
      "id=\"{}-title\">{}</h2>\n{}</section>\n",
      id, id, id, title, inner);
}

std::string cell(const char* column, const std::string& inner, const std::string& css) {
  return fmt::format("<td data-column=\"{}\"{}>{}</td>", column,
                     css.empty() ? std::string() : fmt::format(" class=\"{}\"", css), inner);
}

std::string table(std::initializer_list<const char*> columns, const std::string& rows) {
  std::string head;
  for (std::string_view column : columns) {
    bool number = column.starts_with('#');
    head += fmt::format("<th scope=\"col\"{}{}</th>", number ? " class=\"number\">" : ">",
                        number ? column.substr(1) : column);
  }
  return "<table><thead><tr>" + head + "</tr></thead><tbody>\n" + rows + "</tbody></table>\n";
}

}  // namespace assay::reports
