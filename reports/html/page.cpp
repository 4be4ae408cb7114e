#include "reports/html/page.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "reports/escape.h"
#include "reports/html/findings.h"
#include "reports/html/guards.h"
#include "reports/html/histogram.h"
#include "reports/html/map.h"
#include "reports/html/markup.h"
#include "reports/number_text.h"
#include "reports/untested.h"

namespace assay::reports {

using nlohmann::json;

namespace {

constexpr std::string_view style =
#include "reports/html/page.css.inc"
    ;
constexpr std::string_view script =
#include "reports/html/page.js.inc"
    ;

/// The sections after the verdict, in their order.
struct Heading {
  const char* id;
  const char* title;
};
constexpr Heading headings[] = {
    {"axes", "Where it is right"},
    {"findings", "Findings"},
    {"outputs", "Outputs"},
    {"accepted", "Accepted and harmless"},
    {"untested", "What was not tested"},
    {"provenance", "Provenance"},
};

std::string state_of(const json& gate) {
  bool undecided = gate.at("exit_code") == 4 || gate.at("exit_code") == 5;
  return gate.at("result") == "passed" ? "passed" : undecided ? "undecided" : "failed";
}

std::string fact(const std::string& number, const char* what) {
  return "<li><strong>" + number + "</strong> " + what + "</li>";
}

std::string verdict_html(const json& r) {
  const json& gate = r.at("gate");
  const json& totals = r.at("totals");
  std::string state = state_of(gate);
  const char* sign = state == "passed" ? "✓" : state == "undecided" ? "?" : "✗";
  std::string rules;
  for (const auto& rule : gate.at("rules")) {
    rules += element("li", escape_markup(rule.get<std::string>()));
  }
  for (const auto& finding : gate.value("not_gated", json::array())) {
    rules += element("li", "not gated: " + escape_markup(finding.get<std::string>()));
  }
  std::string stopped = text(totals, "stopped_by");
  std::string facts = fact(number_text(totals.at("valid")), "cases compared") +
                      fact(number_text(totals.at("elements")), "elements compared") +
                      fact(number_text(totals.at("discarded")), "cases not compared") +
                      fact(std::to_string(r.at("findings").size()),
                           r.at("findings").size() == 1 ? "finding" : "findings");
  std::string also = text(r.value("in_pytorch", json{{"text", ""}}), "text");
  if (!also.empty()) facts += "<li>" + also + "</li>";
  if (!stopped.empty())
    facts += "<li>stopped by the limit on <strong>" + stopped + "</strong></li>";
  return "<header class=\"verdict " + state +
         "\">\n<p class=\"state\"><span aria-hidden=\"true\">" + sign + "</span> " + state +
         "</p>\n" + element("h1", text(r.at("model"), "name")) +
         element("p", text(gate, "sentence"), "sentence") + "<ul class=\"facts\">" + facts +
         "</ul>\n" + (rules.empty() ? "" : "<ul class=\"rules\">" + rules + "</ul>\n") +
         "</header>\n";
}

std::string contents_html() {
  std::string items;
  for (const Heading& h : headings) {
    items += fmt::format("<li><a href=\"#{}\">{}</a></li>", h.id, h.title);
  }
  return "<nav aria-label=\"Contents\"><ul>" + items + "</ul></nav>\n";
}

/// Lists may break after a comma.
std::string spaced(const std::string& list) { return base::join(base::split(list, ','), ", "); }

std::string axes_html(const json& r) {
  std::string rows, fixed;
  for (const auto& a : r.at("axes")) {
    std::string name = text(a.at("axis"), "text"), verdict = text(a, "verdict");
    if (verdict == "not varied") {
      fixed += "<li>" + name + " <strong>" + text(a, "exercised") + "</strong></li>";
      continue;
    }
    std::string exercised = text(a, "exercised"), boundary = text(a, "boundary");
    rows += "<tr><th scope=\"row\">" + name + "</th>" +
            cell("verdict", verdict, verdict == "not tested" ? "untested" : verdict) +
            cell("measured boundary", boundary.empty() ? "–" : boundary) +
            cell("declared", spaced(text(a, "declared"))) +
            cell("tried", exercised.empty() ? "nothing" : exercised) +
            cell("comparisons", number_text(a.at("comparisons")), "number") + "</tr>\n";
  }
  std::string out;
  if (!rows.empty()) {
    out +=
        table({"Axis", "Verdict", "Measured boundary", "Declared", "Tried", "#Comparisons"}, rows);
  }
  std::string map = shape_map(r);
  if (!map.empty()) out += element("h3", "Judged cases by size") + map;
  if (!fixed.empty())
    out += element("h3", "Held at one value") + "<ul class=\"fixed\">" + fixed + "</ul>\n";
  return out;
}

std::string output_html(const json& e) {
  const json& v = e.at("values");
  bool wrong = v.at("mismatched") != 0;
  std::string worst = text(v, "worst_subject");
  std::string at = v.at("worst_index").dump();
  if (!worst.empty()) {
    worst = code(worst) + " instead of " + code(text(v, "worst_reference")) + " at " + code(at);
  }
  std::string list = entry("Elements", number_text(v.at("compared"))) +
                     entry("Outside the bound", number_text(v.at("mismatched"))) +
                     entry("Worst element", worst) +
                     entry("Largest absolute error", number_text(v.at("max_abs"))) +
                     entry("Largest relative error", number_text(v.at("max_rel"))) +
                     entry("Tolerance needed", "atol " + number_text(v.at("needed_atol")) +
                                                   " or rtol " + number_text(v.at("needed_rtol"))) +
                     entry("Bound applied", code(text(v, "bound")));
  return "<div class=\"output\"><h3>" + text(e, "place") + " " +
         (wrong ? "<span class=\"badge wrong\">differs</span>"
                : "<span class=\"badge right\">within the bound</span>") +
         "</h3>\n<div class=\"pair\"><dl>" + list +
         "</dl>\n<figure><figcaption>Elements by absolute error</figcaption>" +
         error_histogram(v.at("histogram")) + "</figure></div></div>\n";
}

std::string outputs_html(const json& r) {
  std::string out;
  for (const auto& e : r.at("errors")) out += output_html(e);
  if (out.empty()) out = element("p", "No values were compared.");
  std::string rows;
  for (const auto& p : r.at("properties")) {
    std::string status = text(p, "status");
    const char* css = status == "passed" ? "right" : status == "failed" ? "wrong" : "untested";
    rows += "<tr><th scope=\"row\">" + text(p, "id") + "</th>" + cell("outcome", status, css) +
            cell("because", text(p, "reason").empty() ? "–" : text(p, "reason")) +
            cell("cases", number_text(p.at("valid")), "number") +
            cell("not compared", number_text(p.at("discarded")), "number") +
            cell("places", number_text(p.at("comparisons")), "number") +
            cell("elements", number_text(p.at("elements")), "number") + "</tr>\n";
  }
  return element("p",
                 "At the case with the largest error of each output, over all cases that agree in "
                 "form:",
                 "faint") +
         out + element("h3", "Properties") +
         table(
             {"Property", "Outcome", "Because", "#Cases", "#Not compared", "#Places", "#Elements"},
             rows);
}

std::string accepted_html(const json& r) {
  std::string items;
  for (const auto& [id, count] : r.at("benign").items()) {
    const json& classes = r.at("classes");
    std::string name = classes.contains(id) ? text(classes.at(id), "name") : "";
    std::string meaning = classes.contains(id) ? text(classes.at(id), "meaning") : "";
    items += "<li><strong>" + number_text(count) + "</strong> " + escape_markup(id) + " " + name +
             ": <span class=\"faint\">" + meaning + "</span>" +
             (id == "AS117" && r.contains("adjudicated") ? " " + text(r.at("adjudicated"), "text")
                                                         : "") +
             "</li>\n";
  }
  for (const auto& f : r.at("findings")) {
    std::string reason = f.contains("state_reason") ? text(f, "state_reason") : "";
    if (!reason.empty())
      items += "<li>" + text(f, "id") + ": " + text(f, "state") + ", " + reason + "</li>\n";
  }
  return items.empty() ? element("p", "Nothing.") : element("ul", items);
}

std::string untested_html(const json& r) {
  std::string items;
  for (const std::string& sentence : untested(r)) items += element("li", escape_markup(sentence));
  return items.empty() ? element("p", "Everything declared was tested.") : element("ul", items);
}

std::string provenance_html(const json& r) {
  const json& run = r.at("run");
  const json& model = r.at("model");
  std::string devices, methods;
  for (const auto& d : run.at("devices")) devices += escape_markup(d.get<std::string>()) + " ";
  for (const auto& m : model.at("methods")) methods += escape_markup(m.get<std::string>()) + " ";
  const json& totals = r.at("totals");
  std::string list =
      entry("Model",
            code(text(model, "path").empty() ? text(model, "name") : text(model, "path"))) +
      entry("SHA-256", code(text(model, "sha256"))) +
      entry("SHA-256 of the weights", code(text(model, "weights_sha256"))) +
      entry("Methods", code(methods)) + entry("Exported by", text(model, "exported_by")) +
      entry("Exported at", text(model, "example")) + entry("Reference", text(r, "reference")) +
      entry("Tool", text(r.at("tool"), "name") + " " + text(r.at("tool"), "version") + " " +
                        text(r.at("tool"), "commit")) +
      entry("Engine", text(run, "engine")) + entry("Host", text(run, "host")) +
      entry("Devices", devices) + entry("Seed", text(run, "seed")) +
      entry("Profile", text(run, "profile")) + entry("Spec hash", code(text(run, "config_hash"))) +
      entry("Stopped by", text(totals, "stopped_by")) +
      entry("Remembered cases", number_text(totals.at("remembered"))) +
      entry("Shrinking steps", number_text(totals.at("shrinks")));
  if (run.contains("times")) {
    list += entry("Started", text(run.at("times"), "start")) +
            entry("Seconds", number_text(run.at("times").at("seconds")));
  }
  return "<dl>" + list + "</dl>\n<h3>Command</h3><pre tabindex=\"0\">" + text(run, "command") +
         "</pre>\n<details><summary>Spec</summary><pre tabindex=\"0\">" +
         escape_markup(r.at("spec").dump(2)) + "</pre></details>\n";
}

std::string body_html(const json& r) {
  const std::string inner[] = {axes_html(r) + guards_html(r),
                               findings_html(r),
                               outputs_html(r),
                               accepted_html(r),
                               untested_html(r),
                               provenance_html(r)};
  std::string out = verdict_html(r) + contents_html();
  for (size_t i = 0; i < std::size(headings); ++i) {
    out += section(headings[i].id, headings[i].title, inner[i]);
  }
  return out;
}

}  // namespace

std::string html_page(const json& report) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n<title>" +
         state_of(report.at("gate")) + ": " + text(report.at("model"), "name") +
         " (assay)</title>\n<style>" + std::string(style) +
         "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#findings\">To the findings</a>\n"
         "<main>\n" +
         body_html(report) + "</main>\n<script>" + std::string(script) +
         "</script>\n</body>\n</html>\n";
}

}  // namespace assay::reports
