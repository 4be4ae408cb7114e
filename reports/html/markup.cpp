#include "reports/html/markup.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "reports/html/escape.h"

namespace assay::reports {

using nlohmann::json;

std::string text(const json& object, const char* key) {
  auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  return escape_html(found->is_string() ? found->get<std::string>() : found->dump());
}

std::string number_text(const json& value) {
  if (value.is_number_integer()) {
    std::string digits = value.dump();
    for (size_t at = digits.size(); at > 3 && digits[at - 4] != '-';) {
      at -= 3;
      digits.insert(at, "\xE2\x80\xAF");  // A narrow space that does not break.
    }
    return digits;
  }
  if (!value.is_number()) return escape_html(value.is_string() ? value.get<std::string>() : "");
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.4g", value.get<double>());
  return buffer;
}

std::string element(const char* tag, const std::string& inner, const std::string& css) {
  std::string open =
      css.empty() ? base::cat("<", tag, ">") : base::cat("<", tag, " class=\"", css, "\">");
  return base::cat(open, inner, "</", tag, ">\n");
}

std::string entry(const std::string& name, const std::string& inner) {
  return inner.empty() ? std::string() : "<dt>" + name + "</dt><dd>" + inner + "</dd>\n";
}

std::string code(const std::string& inner) {
  return inner.empty() ? inner : "<code>" + inner + "</code>";
}

std::string section(const char* id, const char* title, const std::string& inner) {
  return base::cat("<section id=\"", id, "\" aria-labelledby=\"", id, "-title\">\n<h2 id=\"", id,
                   "-title\">", title, "</h2>\n", inner, "</section>\n");
}

std::string cell(const char* column, const std::string& inner, const std::string& css) {
  return base::cat("<td data-column=\"", column, "\"",
                   css.empty() ? std::string() : base::cat(" class=\"", css, "\""), ">", inner,
                   "</td>");
}

std::string table(std::initializer_list<const char*> columns, const std::string& rows) {
  std::string head;
  for (std::string_view column : columns) {
    bool number = column.starts_with('#');
    head += base::cat("<th scope=\"col\"", number ? " class=\"number\">" : ">",
                      number ? column.substr(1) : column, "</th>");
  }
  return "<table><thead><tr>" + head + "</tr></thead><tbody>\n" + rows + "</tbody></table>\n";
}

}  // namespace assay::reports
