#include "reports/sarif.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace assay::reports {

using nlohmann::json;

namespace {

/// A path as a URI reference (RFC 3986).
std::string uri_of(const std::string& path) {
  std::string out;
  for (char c : path) {
    bool plain = std::isalnum(static_cast<unsigned char>(c)) ||
                 std::string_view("-._~/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return path.starts_with('/') ? "file://" + out : out;
}

/// "model.py" of "model.py:Net(8)": where a finding without a line is shown.
std::string file_of_model(const json& model) {
  const std::string& path = model.at("path").get_ref<const std::string&>();
  if (!path.empty()) return path;
  const std::string& name = model.at("name").get_ref<const std::string&>();
  return name.substr(0, name.find(':'));
}

json text_of(const std::string& text) { return {{"text", text}}; }

json rule_of(const std::string& id, const json& row) {
  const std::string& name = row.at("name").get_ref<const std::string&>();
  json rule{{"id", id},
            {"name", name},
            {"shortDescription", text_of(name)},
            {"fullDescription", text_of(row.at("meaning"))},
            {"defaultConfiguration",
             {{"level", row.value("level", "fail") == "fail" ? "error" : "note"}}},
            {"properties", {{"tags", {"export", "assay"}}, {"problem.severity", "error"}}}};
  if (row.contains("hint")) rule["help"] = text_of(row.at("hint"));
  return rule;
}

std::string level_of(const json& finding, const json& report) {
  const json failing = report.at("gate").value("failing", json::array());
  if (std::ranges::find(failing, finding.at("id")) != failing.end()) return "error";
  const json& row =
      report.at("classes").value(finding.at("class").get<std::string>(), json::object());
  return row.value("level", "fail") == "fail" ? "warning" : "note";
}

json location_of(const json& finding, const json& model) {
  const json& cause = finding.at("cause");
  std::string file = cause.at("file");
  int64_t line = cause.at("line");
  json physical{
      {"artifactLocation", {{"uri", uri_of(file.empty() ? file_of_model(model) : file)}}}};
  if (line > 0) physical["region"] = {{"startLine", line}};
  json out{{"physicalLocation", std::move(physical)}};
  std::string scope = cause.at("scope"), function = cause.at("function");
  if (scope.empty()) scope = function;
  if (!scope.empty())
    out["logicalLocations"] = {{{"fullyQualifiedName", scope}, {"kind", "function"}}};
  return out;
}

json result_of(const json& finding, const json& report,
               const std::map<std::string, size_t>& rules) {
  std::string id = finding.at("class");
  json out{{"ruleId", id},
           {"level", level_of(finding, report)},
           {"message", text_of(finding.value("text", finding.at("title").get<std::string>()))},
           {"locations", {location_of(finding, report.at("model"))}},
           {"occurrenceCount", std::max<int64_t>(1, finding.at("count"))},
           {"partialFingerprints", {{"assay/v1", finding.at("fingerprint")}}},
           {"properties",
            {{"visibility", finding.at("visibility")},
             {"axis", finding.at("axis").at("text")},
             {"property", finding.at("property")},
             {"proof", finding.at("cause").at("proof")},
             {"repro", finding.at("repro")}}}};
  if (auto rule = rules.find(id); rule != rules.end()) out["ruleIndex"] = rule->second;
  if (finding.at("state") == "xfail" || finding.at("state") == "known") {
    out["suppressions"] = {
        {{"kind", "external"}, {"justification", finding.value("state_reason", "")}}};
  }
  return out;
}

/// What the gate rests on besides findings: why it is undecided, and what was not tested.
json notifications_of(const json& report) {
  json out = json::array();
  const json& gate = report.at("gate");
  auto add = [&](const char* level, const json& text) {
    out.push_back({{"level", level}, {"message", text_of(text)}});
  };
  bool by_findings = gate.at("exit_code") == 1;
  if (gate.at("result") != "passed" && !by_findings) {
    for (const json& rule : gate.at("rules")) add("error", rule);
  }
  for (const json& text : report.at("not_tested")) add("note", text);
  return out;
}

json invocation_of(const json& report) {
  const json& run = report.at("run");
  int code = report.at("gate").at("exit_code");
  json out{{"commandLine", run.at("command")},
           {"exitCode", code},
           {"executionSuccessful", code == 0 || code == 1},
           {"toolExecutionNotifications", notifications_of(report)}};
  if (run.contains("times")) {
    out["startTimeUtc"] = run.at("times").at("start");
    out["endTimeUtc"] = run.at("times").at("end");
  }
  return out;
}

}  // namespace

std::string sarif_text(const json& report) {
  json rules = json::array(), results = json::array();
  std::map<std::string, size_t> index;
  for (const auto& [id, row] : report.at("classes").items()) {
    index[id] = rules.size();
    rules.push_back(rule_of(id, row));
  }
  for (const json& finding : report.at("findings"))
    results.push_back(result_of(finding, report, index));
  const json& tool = report.at("tool");
  json driver{{"name", tool.at("name")},
              {"semanticVersion", tool.at("version")},
              {"rules", std::move(rules)}};
  json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
           {"version", "2.1.0"},
           {"runs",
            {{{"tool", {{"driver", std::move(driver)}}},
              {"columnKind", "unicodeCodePoints"},
              {"invocations", {invocation_of(report)}},
              {"results", std::move(results)},
              {"properties", {{"verdict", report.at("gate").at("sentence")}}}}}}};
  return log.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
