#include "reports/html/page.h"

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "reports/html/escape.h"
#include "reports/html/map.h"

namespace assay::reports {

using nlohmann::json;

namespace {

constexpr std::string_view style =
#include "reports/html/page.css.inc"
    ;
constexpr std::string_view script =
#include "reports/html/page.js.inc"
    ;

std::string text(const json& object, const char* key) {
  auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  return escape_html(found->is_string() ? found->get<std::string>() : found->dump());
}

std::string element(const char* tag, const std::string& inner, const std::string& css = {}) {
  std::string open =
      css.empty() ? base::cat("<", tag, ">") : base::cat("<", tag, " class=\"", css, "\">");
  return base::cat(open, inner, "</", tag, ">\n");
}

/// A row of a description list; nothing for an empty text.
std::string entry(const std::string& name, const std::string& inner) {
  return inner.empty() ? std::string() : "<dt>" + name + "</dt><dd>" + inner + "</dd>\n";
}

std::string code(const std::string& inner) {
  return inner.empty() ? inner : "<code>" + inner + "</code>";
}

std::string verdict_section(const json& r) {
  const json& gate = r.at("gate");
  bool passed = gate.at("result") == "passed";
  bool undecided = gate.at("exit_code") == 4;
  std::string state = passed ? "passed" : undecided ? "undecided" : "failed";
  const json& totals = r.at("totals");
  std::string inner = element("h1", text(r.at("model"), "name") + ": " + state);
  inner +=
      element("p", base::cat("Compared with ", text(r, "reference"), ": ", text(totals, "valid"),
                             " of ", text(totals, "cases"), " cases, ", text(totals, "elements"),
                             " elements, ", r.at("findings").size(), " finding(s)."));
  for (const auto& rule : gate.at("rules")) {
    inner += element("p", escape_html(rule.get<std::string>()), "faint");
  }
  return "<section class=\"verdict " + state + "\" aria-label=\"Verdict\">" + inner +
         "</section>\n";
}

std::string axes_section(const json& r) {
  std::string rows =
      "<tr><th scope=\"col\">Axis</th><th scope=\"col\">Declared</th><th "
      "scope=\"col\">Exercised</th>"
      "<th scope=\"col\">Verdict</th><th scope=\"col\">Measured boundary</th>"
      "<th scope=\"col\" class=\"number\">Comparisons</th></tr>\n";
  for (const auto& a : r.at("axes")) {
    std::string exercised = text(a, "exercised");
    rows += "<tr><th scope=\"row\">" + text(a.at("axis"), "text") + "</th><td>" +
            text(a, "declared") + "</td><td>" + (exercised.empty() ? "not tested" : exercised) +
            "</td><td class=\"" + text(a, "verdict") + "\">" + text(a, "verdict") + "</td><td>" +
            text(a, "boundary") + "</td><td class=\"number\">" + text(a, "comparisons") +
            "</td></tr>\n";
  }
  std::string map = shape_map(r.at("points"));
  return "<section>" + element("h2", "Axes") + "<div class=\"scroll\"><table>" + rows +
         "</table></div>\n" + (map.empty() ? "" : element("h3", "Where it is right") + map) +
         "</section>\n";
}

std::string diff_block(const std::string& diff) {
  if (diff.empty()) return {};
  std::string out = "<pre>";
  for (const std::string& line : base::split(diff, '\n')) {
    const char* css = line.starts_with("-") ? "del" : line.starts_with("+") ? "add" : nullptr;
    out += css ? base::cat("<span class=\"", css, "\">", line, "</span>\n") : line + "\n";
  }
  return element("h3", "Graphs exported at the example and at the failing case") + out + "</pre>\n";
}

std::string cause_entries(const json& cause) {
  std::string place = text(cause, "file");
  if (!place.empty()) place += ":" + text(cause, "line");
  std::string proof = text(cause, "proof");
  if (!text(cause, "proof_text").empty()) proof += " " + text(cause, "proof_text");
  return entry("Source", code(place)) + entry("Node", code(text(cause, "node"))) +
         entry("Literal", code(text(cause, "literal"))) + entry("Role", code(text(cause, "role"))) +
         entry("Proof", proof);
}

std::string finding_section(const json& f) {
  const json& evidence = f.at("evidence");
  std::string boundaries;
  for (const auto& b : f.at("boundaries")) {
    boundaries += text(b.at("axis"), "text") + ": " + text(b, "text") + "<br>";
  }
  std::string exports;
  for (const auto& e : evidence.at("exports")) {
    exports += (exports.empty() ? "" : ", ") + escape_html(e[0].get<std::string>()) + " → " +
               escape_html(e[1].get<std::string>());
  }
  std::string notes;
  for (const auto& n : evidence.at("notes")) notes += escape_html(n.get<std::string>()) + "<br>";
  std::string smallest = f.contains("smallest_case") ? text(f.at("smallest_case"), "text") : "";
  std::string list =
      entry("Boundary", boundaries) + entry("Difference", text(f.at("comparison"), "headline")) +
      cause_entries(f.at("cause")) + entry("Fit", text(evidence, "fit")) +
      entry("Exports", exports) + entry("Suggested fix", code(text(evidence, "fix"))) +
      entry("Smallest case", smallest) + entry("Export gave", code(text(f, "subject_gave"))) +
      entry("Model gave", code(text(f, "reference_gave"))) + entry("Hint", text(f, "hint")) +
      entry("Met in", text(f, "count") + " case(s)") + entry("Notes", notes);
  std::string id = text(f, "id");
  std::string repro = text(f, "repro");
  std::string copy;
  if (!repro.empty()) {
    copy = element("h3", "Reproduce") + "<pre id=\"repro-" + id + "\">assay replay '" + repro +
           "'</pre><button hidden data-copy=\"repro-" + id + "\">copy</button>\n";
  }
  return "<details class=\"finding\" open id=\"" + id + "\"><summary>" + text(f, "class") + " " +
         text(f, "title") + " <span class=\"badge wrong\">" + text(f, "visibility") + "</span> " +
         text(f.at("axis"), "text") + "</summary>\n<dl>" + list + "</dl>\n" +
         diff_block(text(evidence, "diff")) + copy + "</details>\n";
}

std::string findings_section(const json& r) {
  std::string inner = element("h2", "Findings");
  if (r.at("findings").empty()) inner += element("p", "None.");
  if (r.at("findings").size() > 1)
    inner += "<button hidden id=\"open-all\">open or close all</button>\n";
  for (const auto& f : r.at("findings")) inner += finding_section(f);
  return "<section>" + inner + "</section>\n";
}

std::string errors_section(const json& r) {
  if (r.at("errors").empty()) return {};
  std::string rows =
      "<tr><th scope=\"col\">Output</th><th scope=\"col\" class=\"number\">Elements</th>"
      "<th scope=\"col\" class=\"number\">Worst absolute</th><th scope=\"col\" "
      "class=\"number\">Worst "
      "relative</th><th scope=\"col\">At</th><th scope=\"col\">Bound</th><th scope=\"col\">Errors "
      "by "
      "size</th></tr>\n";
  for (const auto& e : r.at("errors")) {
    const json& v = e.at("values");
    rows += "<tr><th scope=\"row\">" + text(e, "place") + "</th><td class=\"number\">" +
            text(v, "compared") + "</td><td class=\"number\">" + text(v, "max_abs") +
            "</td><td class=\"number\">" + text(v, "max_rel") + "</td><td>" +
            text(v, "worst_index") + "</td><td>" + text(v, "bound") + "</td><td>" +
            error_histogram(v.at("histogram")) + "</td></tr>\n";
  }
  return "<section>" + element("h2", "Outputs") + "<div class=\"scroll\"><table>" + rows +
         "</table></div></section>\n";
}

std::string untested_section(const json& r) {
  std::string items;
  for (const auto& n : r.at("not_tested"))
    items += element("li", escape_html(n.get<std::string>()));
  for (const auto& p : r.at("properties")) {
    std::string reason = text(p, "reason");
    items +=
        element("li", "property " + text(p, "id") + ": " + text(p, "status") +
                          (reason.empty() ? "" : " (" + reason + ")") + ", " + text(p, "valid") +
                          " compared, " + text(p, "discarded") + " discarded");
  }
  for (const auto& [id, count] : r.at("benign").items()) {
    items += element("li", escape_html(id) + ": " + escape_html(count.dump()));
  }
  return "<section>" + element("h2", "Properties, notes and what was not tested") + "<ul>" + items +
         "</ul></section>\n";
}

std::string provenance_section(const json& r) {
  const json& run = r.at("run");
  const json& model = r.at("model");
  std::string list =
      entry("Tool", text(r.at("tool"), "name") + " " + text(r.at("tool"), "version") + " " +
                        text(r.at("tool"), "commit")) +
      entry("Command", code(text(run, "command"))) + entry("Seed", text(run, "seed")) +
      entry("Profile", text(run, "profile")) + entry("Engine", text(run, "engine")) +
      entry("Host", text(run, "host")) + entry("Model", code(text(model, "path"))) +
      entry("SHA-256", code(text(model, "sha256"))) +
      entry("Exported by", text(model, "exported_by")) + entry("Example", text(model, "example")) +
      entry("Stopped by", text(r.at("totals"), "stopped_by"));
  if (run.contains("times")) {
    list += entry("Started", text(run.at("times"), "start")) +
            entry("Seconds", text(run.at("times"), "seconds"));
  }
  std::string spec = escape_html(r.at("spec").dump(2));
  return "<section>" + element("h2", "Provenance") + "<dl>" + list +
         "</dl><details><summary>Spec</summary><pre>" + spec + "</pre></details></section>\n";
}

}  // namespace

std::string html_page(const json& report) {
  bool known = report.is_object() && report.contains("schema_version") &&
               report.at("schema_version").is_string() &&
               report.at("schema_version").get<std::string>().starts_with("1.");
  base::check(known,
              "this is no assay report of schema version 1; make it with assay check --json");
  try {
    std::string title = escape_html(report.at("model").at("name").get<std::string>());
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, "
           "initial-scale=1\">\n<title>assay: " +
           title + "</title>\n<style>" + std::string(style) +
           "</style>\n</head>\n<body>\n<main>\n" + verdict_section(report) + axes_section(report) +
           findings_section(report) + errors_section(report) + untested_section(report) +
           provenance_section(report) + "</main>\n<script>" + std::string(script) +
           "</script>\n</body>\n</html>\n";
  } catch (const json::exception& e) {
    base::fail("this report lacks a part that its schema requires: ", e.what());
  }
}

}  // namespace assay::reports
