#include "reports/html/findings.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "reports/escape.h"
#include "reports/html/diff.h"
#include "reports/html/map.h"
#include "reports/html/markup.h"
#include "reports/number_text.h"

namespace assay::reports {

using nlohmann::json;

namespace {

std::string place_of(const json& cause) {
  std::string place = text(cause, "file");
  if (place.empty()) return {};
  place += ":" + text(cause, "line");
  std::string function = text(cause, "function");
  return function.empty() ? place : place + " in " + function;
}

/// "literal 7 in aten::arange (end)".
std::string cause_text(const json& cause) {
  std::string op = text(cause, "op"), literal = text(cause, "literal"), role = text(cause, "role");
  if (op.empty()) return "not located in the graph";
  if (literal.empty()) return code(op);
  if (role == "repetitions") return code(op) + " repeated " + literal + " times";
  std::string out = "literal " + code(literal) + " in " + code(op);
  return role.empty() ? out : out + " (" + role + ")";
}

std::string proof_text(const json& cause) {
  std::string proof = text(cause, "proof"), how = text(cause, "proof_text");
  if (proof == "none") return {};
  std::string reach = text(cause.at("reach"), "text");
  return proof + (how.empty() ? "" : " " + how) + (reach.empty() ? "" : "; the repair " + reach);
}

std::string source_line(const json& cause) {
  std::string place = place_of(cause), source = text(cause, "source");
  if (place.empty()) return {};
  if (source.empty()) return "<p class=\"source\"><code>" + place + "</code></p>\n";
  return "<figure class=\"source\"><figcaption><code>" + place + "</code></figcaption><pre>" +
         source + "</pre></figure>\n";
}

std::string exports_table(const json& evidence) {
  std::string features, literals;
  for (const auto& e : evidence.at("exports")) {
    features += "<td>" + escape_markup(e[0].get<std::string>()) + "</td>";
    literals += "<td>" + escape_markup(e[1].get<std::string>()) + "</td>";
  }
  if (features.empty()) return {};
  return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Exports at other "
         "inputs\"><table class=\"exports\"><tr><th scope=\"row\">exported at</th>" +
         features + "</tr><tr><th scope=\"row\">the graph has</th>" + literals +
         "</tr></table></div>\n";
}

std::string boundaries_html(const json& f) {
  std::string out;
  for (const auto& b : f.at("boundaries")) {
    std::string words = text(b, "text");
    if (words.empty()) continue;
    out += "<p><strong>" + text(b.at("axis"), "text") + "</strong>: " + words + "</p>\n" +
           boundary_strip(b);
  }
  return out;
}

std::string repro_html(const std::string& id, const json& f) {
  std::string repro = text(f, "repro");
  if (repro.empty()) return {};
  return "<h4>Reproduce</h4>\n<div class=\"repro\"><pre tabindex=\"0\" id=\"repro-" + id +
         "\">assay replay '" + repro + "'" + text(f, "repro_flags") +
         "</pre><button type=\"button\" hidden data-copy=\"repro-" + id +
         "\">Copy<span class=\"unseen\"> the command that reproduces " + id +
         "</span></button></div>\n";
}

std::string evidence_html(const json& f) {
  const json& evidence = f.at("evidence");
  std::string notes;
  for (const auto& n : evidence.at("notes")) {
    notes += element("li", escape_markup(n.get<std::string>()));
  }
  std::string out;
  std::string fit = text(evidence, "fit");
  if (!fit.empty()) out += "<p>" + code(fit) + "</p>\n";
  out += exports_table(evidence) + side_by_side(evidence.at("diff").get<std::string>());
  if (!notes.empty()) out += element("ul", notes);
  return out.empty() ? out : "<h4>Evidence</h4>\n" + out;
}

std::string badge(const std::string& css, const std::string& words) {
  return words.empty() ? words : "<span class=\"badge " + css + "\">" + words + "</span> ";
}

std::string finding_html(const json& f, const json& classes) {
  const json& cause = f.at("cause");
  std::string id = text(f, "id"), class_id = text(f, "class");
  std::string smallest = f.contains("smallest_case") ? text(f.at("smallest_case"), "text") : "";
  bool flaky = f.at("flaky").get<bool>();
  std::string state = text(f, "state");
  std::string head = badge("wrong", text(f, "visibility")) +
                     badge("proof", text(cause, "proof") == "none" ? "" : text(cause, "proof")) +
                     badge("warn", flaky ? "flaky" : "") +
                     badge("warn", state == "new" ? "" : state);
  std::string meaning =
      classes.contains(class_id) ? text(classes.at(class_id), "meaning") : std::string();
  std::string list =
      entry("Cause", cause_text(cause)) + entry("Proof", proof_text(cause)) +
      entry("Confirmation", text(f, "confirmation")) +
      entry("Difference", text(f.at("comparison"), "headline")) +
      entry("Smallest case", code(smallest)) +
      entry("Export gives", code(text(f, "subject_gave"))) +
      entry("Model gives", code(text(f, "reference_gave"))) +
      entry("Repair", code(text(f.at("evidence"), "fix"))) + entry("What to do", text(f, "hint")) +
      entry("Met in", number_text(f.at("count")) + (f.at("count") == 1 ? " case" : " cases") +
                          " of " + code(text(f, "property"))) +
      entry("Method", code(text(f, "method"))) + entry("Module", code(text(cause, "scope")));
  return "<details class=\"finding\" open id=\"" + id + "\"><summary><span class=\"title\">" + id +
         " " + class_id + " " + text(f, "title") + "</span> " + head + "</summary>\n" +
         (meaning.empty() ? "" : element("p", meaning, "faint")) + source_line(cause) +
         boundaries_html(f) + "<dl>" + list + "</dl>\n" + evidence_html(f) + repro_html(id, f) +
         "</details>\n";
}

/// Findings in their order, those of one source line together.
std::vector<std::pair<std::string, std::vector<const json*>>> by_cause(const json& findings) {
  std::vector<std::pair<std::string, std::vector<const json*>>> groups;
  for (const auto& f : findings) {
    std::string place = place_of(f.at("cause"));
    auto known = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& g) { return !place.empty() && g.first == place; });
    if (known == groups.end()) known = groups.insert(groups.end(), {place, {}});
    known->second.push_back(&f);
  }
  return groups;
}

}  // namespace

std::string findings_html(const json& report) {
  const json& findings = report.at("findings");
  if (findings.empty()) return element("p", "None.");
  std::string out;
  if (findings.size() > 1) {
    out += "<button type=\"button\" hidden id=\"open-all\">Open or close all</button>\n";
  }
  for (const auto& [place, members] : by_cause(findings)) {
    std::string heading = place.empty() ? "No source line" : place;
    if (members.size() > 1) heading += fmt::format(" ({} findings)", members.size());
    out += element("h3", heading);
    for (const json* f : members) out += finding_html(*f, report.at("classes"));
  }
  return out;
}

}  // namespace assay::reports
