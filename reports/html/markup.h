#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::reports {

/// The member `key` of a JSON object as HTML text: escaped; empty where it is absent or null.
std::string text(const nlohmann::json& object, const char* key);

/// "<tag class="css">inner</tag>"; `inner` is HTML.
std::string element(const char* tag, const std::string& inner, const std::string& css = {});
/// A row of a description list; nothing for an empty text.
std::string entry(const std::string& name, const std::string& inner);
/// "<code>inner</code>"; nothing for an empty text.
std::string code(const std::string& inner);
/// A section with a heading that the contents can point at.
std::string section(const char* id, const char* title, const std::string& inner);
/// A table cell that says what column it is in, for screens too narrow for columns.
std::string cell(const char* column, const std::string& inner, const std::string& css = {});
/// A table with these column headings, each row's HTML given; a column that starts with '#' holds
/// numbers. Rows become blocks on narrow screens.
std::string table(std::initializer_list<const char*> columns, const std::string& rows);

}  // namespace assay::reports
