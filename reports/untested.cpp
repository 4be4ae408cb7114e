#include "reports/untested.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

namespace assay::reports {

using nlohmann::json;

namespace {

using Sentences = std::vector<std::string>;

std::string member(const json& object, const char* key) { return object.value(key, std::string()); }

std::string axis_of(const json& row) { return member(row.at("axis"), "text"); }

void add_declared(const json& axes, Sentences& out) {
  for (const json& a : axes) {
    if (member(a, "exercised").empty()) {
      out.push_back(
          fmt::format("{}: declared {}, never compared", axis_of(a), member(a, "declared")));
    }
  }
  for (const json& a : axes) {
    for (const json& w : a.value("words", json::array())) {
      if (w.at("comparisons") != 0 || member(a, "exercised").empty()) continue;
      out.push_back(fmt::format("{} {}: declared, never compared: {}", axis_of(a),
                                member(w, "word"), member(w, "reason")));
    }
  }
}

void add_fixed(const json& axes, Sentences& out) {
  std::string fixed;
  for (const json& a : axes) {
    if (member(a, "verdict") != "not varied") continue;
    fixed += fmt::format("{}{} other than {}", fixed.empty() ? "" : ", ", axis_of(a),
                         member(a, "exercised"));
  }
  if (!fixed.empty()) out.push_back("Not varied by the spec: " + fixed);
}

}  // namespace

Sentences untested(const json& report) {
  Sentences out;
  const json& axes = report.at("axes");
  add_declared(axes, out);
  const json alone = report.value("alone", json{{"is", false}});
  if (alone.at("is")) out.push_back("There is no model: " + member(alone, "text") + ".");
  const json uncompared = report.value("uncompared", json::object());
  for (const auto& [reason, cases] : uncompared.items())
    out.push_back(fmt::format("{} cases were not compared: {}", cases.get<int64_t>(), reason));
  for (const json& v : report.value("vacuous", json::array()))
    out.push_back("Compared, but says little: " + v.get<std::string>());
  for (const json& n : report.at("not_tested")) out.push_back(n);
  add_fixed(axes, out);
  return out;
}

}  // namespace assay::reports
