#include "reports/markdown.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

#include "reports/number_text.h"
#include "reports/untested.h"

namespace assay::reports {

using nlohmann::json;

namespace {

/// Text that means nothing to Markdown, in one line.
std::string literal(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (std::string_view("\\`*_{}[]<>#|~&$").find(c) != std::string_view::npos) out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

std::string member(const json& object, const char* key) {
  return literal(object.at(key).get_ref<const std::string&>());
}

/// Text as it is, between fences that are longer than any in it.
std::string block(const std::string& text) {
  size_t longest = 0, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  std::string fence(std::max<size_t>(3, longest + 1), '`');
  return fence + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string row(std::initializer_list<std::string> cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + (cell.empty() ? "–" : cell) + " |";
  return out + "\n";
}

std::string verdict(const json& r) {
  const json& gate = r.at("gate");
  int code = gate.at("exit_code");
  const char* state = code == 0 ? "passed" : code == 1 ? "failed" : "undecided";
  std::string out =
      fmt::format("# {}: {}\n\n{}\n", literal(r.at("model").at("name").get<std::string>()), state,
                  member(gate, "sentence"));
  const json& totals = r.at("totals");
  out += fmt::format("\n{} cases and {} elements compared; findings: {}.\n",
                     number_text(totals.at("valid")), number_text(totals.at("elements")),
                     r.at("findings").size());
  if (!gate.at("rules").empty()) out += "\n";
  for (const json& rule : gate.at("rules")) out += "- " + literal(rule.get<std::string>()) + "\n";
  for (const json& left : gate.value("not_gated", json::array()))
    out += "- not gated: " + literal(left.get<std::string>()) + "\n";
  return out;
}

std::string axes(const json& r) {
  std::string rows;
  for (const json& a : r.at("axes")) {
    if (a.at("verdict") == "not varied") continue;
    rows += row({member(a.at("axis"), "text"), member(a, "verdict"), member(a, "boundary"),
                 member(a, "declared"), member(a, "exercised"), number_text(a.at("comparisons"))});
  }
  std::string out;
  if (!rows.empty()) {
    out = "\n## Where it is right\n\n" +
          row({"axis", "verdict", "measured boundary", "declared", "tried", "comparisons"}) +
          "|---|---|---|---|---|---:|\n" + rows;
  }
  const json guards = r.value("guards", json{{"traced", false}});
  if (guards.value("traced", false))
    out += "\nBy its own conditions the trace is " + member(guards, "sentence") + ".\n";
  return out;
}

std::string findings(const json& r) {
  std::string out;
  for (const json& f : r.at("findings")) {
    out += fmt::format("\n### {} {}\n\n", literal(f.at("class").get<std::string>()),
                       member(f, "title"));
    out += block(f.value("text", f.at("comparison").at("headline").get<std::string>()));
    std::string said = f.value("confirmation", std::string());
    if (!said.empty()) out += "\n" + literal(said) + "\n";
  }
  return out.empty() ? out : "\n## Findings\n" + out;
}

std::string outputs(const json& r) {
  std::string rows;
  for (const json& e : r.at("errors")) {
    const json& v = e.at("values");
    rows += row({member(e, "place"), number_text(v.at("compared")), number_text(v.at("mismatched")),
                 literal(number_text(v.at("max_abs"))), literal(number_text(v.at("max_rel"))),
                 member(v, "bound")});
  }
  if (rows.empty()) return rows;
  return "\n## Outputs\n\nAt the case with the largest error of each:\n\n" +
         row({"output", "elements", "outside the bound", "largest absolute error",
              "largest relative error", "bound"}) +
         "|---|---:|---:|---:|---:|---|\n" + rows;
}

std::string not_tested(const json& r) {
  std::string out;
  for (const std::string& sentence : untested(r)) out += "- " + literal(sentence) + "\n";
  return out.empty() ? out : "\n## What was not tested\n\n" + out;
}

std::string provenance(const json& r) {
  const json &run = r.at("run"), &model = r.at("model"), &tool = r.at("tool");
  std::string out = "\n## Provenance\n\n";
  auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) out += fmt::format("- {}: {}\n", name, value);
  };
  add("model", member(model, "name"));
  add("SHA-256", member(model, "sha256"));
  add("SHA-256 of the weights", member(model, "weights_sha256"));
  add("exported by", member(model, "exported_by"));
  add("reference", member(r, "reference"));
  add("tool", member(tool, "name") + " " + member(tool, "version") + " " + member(tool, "commit"));
  add("host", member(run, "host"));
  add("seed", std::to_string(run.at("seed").get<uint64_t>()));
  return out + "\n" + block(run.at("command").get<std::string>());
}

}  // namespace

std::string markdown_text(const json& report) {
  return verdict(report) + axes(report) + findings(report) + outputs(report) + not_tested(report) +
         provenance(report);
}

}  // namespace assay::reports
