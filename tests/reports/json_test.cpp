#include "reports/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/reports/sample_report.h"

namespace assay::reports {
namespace {

TEST(Json, EqualRunsGiveEqualBytesWithoutTimes) {
  verify::RunReport a = sample_report(), b = sample_report();
  b.run.start = "2027-01-01T00:00:00Z";
  b.run.seconds = 3;
  EXPECT_EQ(json_text(a, false), json_text(b, false));
  EXPECT_NE(json_text(a, true), json_text(b, true));
}

TEST(Json, HasNoTokenForTheNonFinite) {
  std::string text = json_text(sample_report());
  auto document = nlohmann::json::parse(text);
  EXPECT_EQ(document["errors"][0]["values"]["max_rel"], "inf");
}

TEST(Json, SurvivesTextThatIsNoUtf8) {
  verify::RunReport r = sample_report();
  r.model.name = "\xff\xfe";
  EXPECT_TRUE(nlohmann::json::accept(json_text(r)));
}

TEST(Json, PointsTellWhatWasVaried) {
  verify::RunReport r = sample_report();
  verify::AxisReport mode, layout;
  mode.axis.kind = "mode";
  mode.verdict = "not varied";
  layout.axis = {"layout", "x", -1, ""};
  layout.verdict = "right";
  r.axes = {mode, layout};
  r.points[0].choices = {{"mode", "eval"}, {"layout x", "strided"}};
  EXPECT_EQ(to_json(r)["points"][0]["choices"], (nlohmann::json{{"layout x", "strided"}}));
}

TEST(Json, NamesTheClassesItSpeaksOf) {
  verify::RunReport r = sample_report();
  r.benign["AS902"] = 3;
  auto classes = to_json(r)["classes"];
  EXPECT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes["AS102"]["name"], "pinned size");
  EXPECT_EQ(classes["AS902"]["name"], "precondition");
}

TEST(Json, TellsAFindingWhole) {
  auto f = to_json(sample_report())["findings"][0];
  EXPECT_EQ(f["class"], "AS102");
  EXPECT_EQ(f["cause"]["proof"], "proven");
  EXPECT_EQ(f["boundaries"][0]["regions"][1]["sizes"][1][1], 64);
  EXPECT_FALSE(f["hint"].get<std::string>().empty());  // The class's, where the finding has none.
}

}  // namespace
}  // namespace assay::reports
