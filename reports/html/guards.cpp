#include "reports/html/guards.h"

#include <nlohmann/json.hpp>

#include "reports/html/markup.h"

namespace assay::reports {

using nlohmann::json;

std::string guards_html(const json& report) {
  const json guards = report.value("guards", json::object());
  if (!guards.value("traced", false)) return {};
  std::string out = element("h3", "What the trace says itself");
  out += element("p", "By its own conditions: " + text(guards, "sentence") + ".");
  std::string rests_on = text(guards, "rests_on");
  if (!rests_on.empty()) out += element("p", "That rests on: " + rests_on + ".", "faint");
  std::string items;
  for (const json& c : guards.at("conditions")) {
    std::string line =
        code(text(c, "condition")) + " (" + text(c, "place") + "): " + text(c, "kind");
    if (!text(c, "otherwise").empty()) line += "; false at " + text(c, "otherwise");
    if (!text(c, "outcome").empty()) line += ": " + text(c, "outcome");
    items += element("li", line);
  }
  for (const json& f : guards.at("fixed")) {
    items += element("li", code(text(f, "expression")) + " is fixed at " + text(f, "value") +
                               " in " + text(f, "what") + " (" + text(f, "place") + ")");
  }
  return items.empty() ? out : out + element("ul", items);
}

}  // namespace assay::reports
