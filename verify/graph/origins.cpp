#include "verify/graph/origins.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace assay::verify {
namespace {

using Json = nlohmann::json;

std::string word(const Json& item, const char* name) { return item.at(name).get<std::string>(); }

/// A text over a graph's inputs, with those that it calls by their position ("input_2") by these
/// names.
std::string over(const std::vector<std::string>& inputs, std::string text) {
  static const std::regex by_position(R"(\binput_(\d+)\b)");
  if (text.find("input_") == std::string::npos) return text;
  std::string out;
  auto rest = text.cbegin();
  for (std::sregex_iterator at(text.begin(), text.end(), by_position), end; at != end; ++at) {
    int64_t position = 0;
    bool known =
        base::parse_int((*at)[1].str(), position) && position < static_cast<int64_t>(inputs.size());
    out.append(rest, (*at)[0].first);
    out += known ? inputs[static_cast<size_t>(position)] : (*at)[0].str();
    rest = (*at)[0].second;
  }
  return out.append(rest, text.cend());
}

/// A float is a text of all its digits, as Python writes it: JSON has no way to write every double.
core::Value number(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<int64_t>();
  const auto& text = value.get_ref<const std::string&>();
  char* end = nullptr;
  double read = std::strtod(text.c_str(), &end);
  base::check(!text.empty() && *end == '\0', "'", text, "' is no number");
  return read;
}

SourceLocation place(const Json& item) {
  std::string text = word(item, "place");
  SourceLocation out;
  size_t colon = text.rfind(':');
  int64_t line = 0;
  if (colon == std::string::npos || !base::parse_int(text.substr(colon + 1), line)) return out;
  out.file = text.substr(0, colon);
  out.line = static_cast<int>(line);
  return out;
}

/// Absent in earlier versions.
Origins::From from(const Json& item, size_t origins) {
  Origins::From out;
  for (const Json& number : item.value("from", Json::array())) {
    auto at = number.get<size_t>();
    base::check(at < origins, "there is no origin ", at);
    out.push_back(at);
  }
  return out;
}

template <typename Item, typename Read>
std::vector<Item> list(const Json& file, const char* name, Read read) {
  std::vector<Item> out;
  for (const Json& item : file.at(name)) out.push_back(read(item));
  return out;
}

}  // namespace

Origins read_origins(const std::string& json, const std::vector<std::string>& inputs) {
  try {
    Json file = Json::parse(json);
    auto text = [&](const Json& item, const char* name) { return over(inputs, word(item, name)); };
    Origins out;
    out.origins = list<Origins::Origin>(file, "origins", [&](const Json& item) {
      return Origins::Origin{text(item, "expression"), number(item.at("value")), word(item, "how"),
                             place(item)};
    });
    out.guards = list<Origins::Guard>(file, "guards", [&](const Json& item) {
      return Origins::Guard{text(item, "condition"), number(item.at("value")), place(item),
                            from(item, out.origins.size())};
    });
    out.baked = list<Origins::Baked>(file, "baked", [&](const Json& item) {
      return Origins::Baked{text(item, "expression"),
                            number(item.at("value")),
                            word(item, "op"),
                            word(item, "argument"),
                            place(item),
                            from(item, out.origins.size())};
    });
    if (file.contains("escapes")) {
      out.escapes = list<Origins::Escape>(file, "escapes", [&](const Json& item) {
        return Origins::Escape{word(item, "kind"), text(item, "what"), word(item, "value"),
                               place(item)};
      });
    }
    return out;
  } catch (const Json::exception& e) {
    base::fail("the archive's ", Origins::file, " is damaged: ", e.what());
  } catch (base::Error& e) {
    e.add_context(fmt::format("reading the archive's {}", Origins::file));
    throw;
  }
}

std::string place_text(const SourceLocation& place) {
  return place.file.empty() ? "" : fmt::format("{}:{}", place.file, place.line);
}

}  // namespace assay::verify
