#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"

namespace assay::verify::detail {

/// Parses JSON from outside: no comments, no key twice in one object, bounded nesting. Every
/// failure is an input error that names `what` and, for syntax, the place.
template <typename Json>
Json parse_strictly(std::string_view text, const std::string& what, int max_nesting) {
  std::vector<std::set<std::string>> keys;
  auto watch = [&](int depth, typename Json::parse_event_t event, Json& parsed) {
    base::check(depth <= max_nesting, what, ": this nests too deeply");
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& key = parsed.template get_ref<const std::string&>();
      base::check(keys.back().insert(key).second, what, ": key \"", key, "\" is given twice");
    }
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), watch);
  } catch (const typename Json::exception& error) {
    auto* syntax = dynamic_cast<const typename Json::parse_error*>(&error);
    size_t at = syntax && syntax->byte > 0 ? std::min(syntax->byte - 1, text.size()) : 0;
    base::Source source;
    source.text = std::string(text);
    source.name = what;
    base::SourceRange range{std::make_shared<const base::Source>(std::move(source)), at, at + 1};
    base::fail_at(range, "this is not JSON: unexpected character here");
  }
}

}  // namespace assay::verify::detail
