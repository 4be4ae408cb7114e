#include "ci/cli/guards.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"

namespace assay::cli {
namespace {

using Json = nlohmann::json;

/// Python's text of a number: JSON has no way to write every double, so they are texts.
std::string number(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string word(const Json& item, const char* name) { return item.at(name).get<std::string>(); }

std::string guard(const Json& item) {
  return fmt::format("  {} is {}  # {}\n", word(item, "condition"), number(item.at("value")),
                     word(item, "place"));
}

std::string origin(const Json& item) {
  return fmt::format("  {} = {}, by {}  # {}\n", number(item.at("value")), word(item, "expression"),
                     word(item, "how"), word(item, "place"));
}

std::string baked(const Json& item) {
  return fmt::format("  {} = {} in {} ({})  # {}\n", number(item.at("value")),
                     word(item, "expression"), word(item, "op"), word(item, "argument"),
                     word(item, "place"));
}

std::string section(const Json& file, const char* name, const char* title,
                    std::string (*line)(const Json&)) {
  const Json& items = file.at(name);
  if (items.empty()) return "";
  std::string out = std::string(title) + "\n";
  for (const Json& item : items) out += line(item);
  return out;
}

}  // namespace

std::string guards_text(const std::string& json) {
  try {
    Json file = Json::parse(json);
    return section(file, "guards", "conditions that the trace went by:", guard) +
           section(file, "origins", "numbers that left the trace:", origin) +
           section(file, "baked", "constants that were such numbers:", baked);
  } catch (const Json::exception& e) {
    base::fail("the archive's ", origins_file, " is damaged: ", e.what());
  }
}

}  // namespace assay::cli
