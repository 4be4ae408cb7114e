#include "reports/junit.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "reports/escape.h"

namespace assay::reports {

using nlohmann::json;

namespace {

enum class Mark { passed, failure, error, skipped };

struct Test {
  explicit Test(std::string its_name) : name(std::move(its_name)) {}

  std::string name;
  Mark mark = Mark::passed;
  std::string type, message, body;
  std::string file;
  int64_t line = 0;
};

std::string said(const json& object, const char* key) { return object.at(key).get<std::string>(); }

bool fails_gate(const json& finding, const json& report) {
  const json failing = report.at("gate").value("failing", json::array());
  return std::ranges::find(failing, finding.at("id")) != failing.end();
}

/// Several findings of a property may lie on one axis: their classes and lines tell them apart.
Test test_of_finding(const json& finding, const json& report) {
  const json& cause = finding.at("cause");
  Test test(fmt::format("{}[{}] {}", said(finding, "property"), said(finding.at("axis"), "text"),
                        said(finding, "class")));
  std::string state = said(finding, "state");
  bool accepted = state == "known" || state == "xfail";
  test.mark = accepted ? Mark::skipped : fails_gate(finding, report) ? Mark::failure : Mark::passed;
  test.type = said(finding, "class") + "." + said(finding, "visibility");
  test.message = accepted || state == "xpass"
                     ? said(finding, "state_reason")
                     : fmt::format("{}: {}", said(finding, "title"),
                                   said(finding.at("comparison"), "headline"));
  test.body = finding.value("text", test.message);
  test.file = said(cause, "file");
  test.line = cause.at("line");
  return test;
}

/// A property that findings show in is told by them. One that gave up in a run that passed was not
/// asked for.
Test test_of_property(const json& property, bool gate_passed) {
  Test test{said(property, "id")};
  std::string status = said(property, "status");
  if (status == "passed") return test;
  test.mark = status == "failed"                   ? Mark::failure
              : status == "skipped" || gate_passed ? Mark::skipped
                                                   : Mark::error;
  test.type = status;
  test.message = said(property, "reason");
  return test;
}

Test test_of_axis(const json& axis) {
  Test test{fmt::format("declared[{}]", said(axis.at("axis"), "text"))};
  if (said(axis, "verdict") == "not tested") {
    test.mark = Mark::skipped;
    test.message = fmt::format("{} was not tested", said(axis, "declared"));
  }
  return test;
}

Test test_of_gate(const json& gate) {
  Test test{"gate"};
  int code = gate.at("exit_code");
  std::string rules;
  for (const json& rule : gate.at("rules")) rules += rule.get<std::string>() + "\n";
  test.message = said(gate, "sentence");
  test.body = rules;
  if (code == 1) test.mark = Mark::failure, test.type = "failed";
  if (code > 1) test.mark = Mark::error, test.type = code == 4 ? "undecided" : "error";
  return test;
}

std::vector<Test> tests_of(const json& report) {
  std::vector<Test> tests;
  std::map<std::string, bool> told;
  for (const json& finding : report.at("findings")) {
    tests.push_back(test_of_finding(finding, report));
    told[said(finding, "property")] = true;
  }
  bool passed = report.at("gate").at("exit_code") == 0;
  for (const json& property : report.at("properties")) {
    if (!told.contains(said(property, "id"))) tests.push_back(test_of_property(property, passed));
  }
  for (const json& axis : report.at("axes")) {
    if (said(axis, "verdict") != "not varied") tests.push_back(test_of_axis(axis));
  }
  tests.push_back(test_of_gate(report.at("gate")));
  std::map<std::string, int> seen;
  for (Test& test : tests) {
    if (int n = ++seen[test.name]; n > 1) test.name += fmt::format(" ({})", n);
  }
  return tests;
}

std::string attribute(const char* name, const std::string& value) {
  return fmt::format(" {}=\"{}\"", name, escape_markup(value));
}

std::string element_of(const Test& test) {
  const char* names[] = {"system-out", "failure", "error", "skipped"};
  const char* name = names[static_cast<int>(test.mark)];
  if (test.mark == Mark::passed) {
    return test.body.empty() ? "" : fmt::format("<{0}>{1}</{0}>", name, escape_markup(test.body));
  }
  std::string out = fmt::format("<{}{}", name, attribute("message", test.message));
  if (test.mark != Mark::skipped && !test.type.empty()) out += attribute("type", test.type);
  return out + fmt::format(">{}</{}>", escape_markup(test.body), name);
}

std::string test_text(const Test& test, const std::string& suite) {
  std::string out = "    <testcase" + attribute("classname", suite) + attribute("name", test.name) +
                    attribute("time", "0");
  if (!test.file.empty()) out += attribute("file", test.file);
  if (test.line > 0) out += attribute("line", std::to_string(test.line));
  std::string inner = element_of(test);
  return out + (inner.empty() ? "/>\n" : ">" + inner + "</testcase>\n");
}

std::string properties_text(const json& report) {
  const json& run = report.at("run");
  std::string out = "    <properties>\n";
  auto add = [&](const char* name, const std::string& value) {
    out += "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
  };
  add("seed", std::to_string(run.at("seed").get<uint64_t>()));
  add("engine", said(run, "engine"));
  add("host", said(run, "host"));
  add("command", said(run, "command"));
  for (const json& finding : report.at("findings"))
    add("repro", said(finding, "repro") + said(finding, "repro_flags"));
  return out + "    </properties>\n";
}

}  // namespace

std::string junit_text(const json& report) {
  std::vector<Test> tests = tests_of(report);
  auto count = [&](Mark mark) {
    return std::ranges::count_if(tests, [&](const Test& t) { return t.mark == mark; });
  };
  const json& run = report.at("run");
  double seconds = run.contains("times") ? run.at("times").at("seconds").get<double>() : 0;
  std::string counts = fmt::format(
      " tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"", tests.size(),
      count(Mark::failure), count(Mark::error), count(Mark::skipped), seconds);
  std::string suite = "assay." + said(report.at("model"), "name");
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts +
                    ">\n  <testsuite" + attribute("name", suite) + counts + ">\n" +
                    properties_text(report);
  for (const Test& test : tests) out += test_text(test, suite);
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace assay::reports
