#include "reports/sarif.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/json.h"
#include "tests/reports/sample_report.h"

namespace assay::reports {
namespace {

using nlohmann::json;

json run_of(const verify::RunReport& report, bool times = true) {
  json log = json::parse(sarif_text(to_json(report, times)));
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["runs"].size(), 1);
  return log["runs"][0];
}

verify::RunReport failing() {
  verify::RunReport r = sample_report();
  r.gate.failing = {"F1"};
  return r;
}

TEST(Sarif, AFindingIsAResultAtItsSourceLine) {
  json run = run_of(failing());
  const json& result = run["results"].at(0);
  EXPECT_EQ(result["ruleId"], "AS102");
  EXPECT_EQ(result["level"], "error");
  const json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "encoder.py");
  EXPECT_EQ(place["region"]["startLine"], 41);
  std::string text = result["message"]["text"];
  EXPECT_NE(text.find("AS102 pinned size (silent)"), std::string::npos) << text;
  EXPECT_NE(text.find("right only at t = 7"), std::string::npos) << text;
  EXPECT_EQ(result["properties"]["axis"], "dim ids.1 (t)");
  EXPECT_TRUE(result["partialFingerprints"].contains("assay/v1"));
}

TEST(Sarif, ItsRuleSaysWhatTheClassMeans) {
  json run = run_of(failing());
  const json& rule =
      run["tool"]["driver"]["rules"].at(run["results"][0]["ruleIndex"].get<size_t>());
  EXPECT_EQ(rule["id"], "AS102");
  EXPECT_EQ(rule["name"], "pinned size");
  EXPECT_EQ(rule["defaultConfiguration"]["level"], "error");
  const auto* row = verify::find_failure_class("AS102");
  EXPECT_EQ(rule["fullDescription"]["text"], row->meaning);
  EXPECT_EQ(rule["help"]["text"], row->hint);
}

TEST(Sarif, WhatThePolicyLetsPassIsAWarningAndANoteStaysANote) {
  verify::RunReport r = sample_report();
  EXPECT_EQ(run_of(r)["results"][0]["level"], "warning");
  r.findings[0].class_id = "AS117";
  EXPECT_EQ(run_of(r)["results"][0]["level"], "note");
}

TEST(Sarif, AFindingWithoutALineIsShownAtTheModel) {
  verify::RunReport r = failing();
  r.model.name = "my nets/model.py:Net(8)";
  r.findings[0].cause.file.clear();
  r.findings[0].cause.line = 0;
  r.findings[0].cause.scope = "model.encoder";
  const json place = run_of(r)["results"][0]["locations"][0];
  EXPECT_EQ(place["physicalLocation"]["artifactLocation"]["uri"], "my%20nets/model.py");
  EXPECT_FALSE(place["physicalLocation"].contains("region"));
  EXPECT_EQ(place["logicalLocations"][0]["fullyQualifiedName"], "model.encoder");
}

TEST(Sarif, WhatLeftTheGateUndecidedIsANotification) {
  verify::RunReport r = failing();
  EXPECT_TRUE(run_of(r)["invocations"][0]["executionSuccessful"]);
  EXPECT_EQ(run_of(r)["invocations"][0]["toolExecutionNotifications"].size(), 0);
  r.gate.exit_code = 4;
  r.gate.rules = {"dtype f64: not compared"};
  r.not_tested = {"device cuda: there is none"};
  json invocation = run_of(r)["invocations"][0];
  EXPECT_FALSE(invocation["executionSuccessful"]);
  EXPECT_EQ(invocation["exitCode"], 4);
  json told = invocation["toolExecutionNotifications"];
  ASSERT_EQ(told.size(), 2);
  EXPECT_EQ(told[0]["message"]["text"], "dtype f64: not compared");
  EXPECT_EQ(told[0]["level"], "error");
  EXPECT_EQ(told[1]["level"], "note");
}

TEST(Sarif, WithoutTimesItHasNone) {
  EXPECT_TRUE(run_of(failing())["invocations"][0].contains("startTimeUtc"));
  EXPECT_FALSE(run_of(failing(), false)["invocations"][0].contains("startTimeUtc"));
}

}  // namespace
}  // namespace assay::reports
