#include "reports/formats.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/error.h"
#include "reports/json.h"
#include "tests/reports/sample_report.h"

namespace assay::reports {
namespace {

using nlohmann::json;

TEST(Formats, EachMakesAFileOfTheSameRun) {
  std::set<std::string_view> names;
  for (const Format& format : formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    std::string file = rendered(format, to_json(sample_report()));
    EXPECT_NE(file.find("AS102"), std::string::npos) << format.name;
    EXPECT_EQ(file.back(), '\n') << format.name;
  }
}

TEST(Formats, JsonIsTheReportItself) {
  EXPECT_EQ(rendered(formats().front(), json::parse(json_text(sample_report()))),
            json_text(sample_report()));
}

TEST(Formats, RefuseWhatIsNoReport) {
  for (const Format& format : formats()) {
    EXPECT_THROW(rendered(format, json::array()), base::Error) << format.name;
    EXPECT_THROW(rendered(format, {{"schema_version", "2.0"}}), base::Error) << format.name;
    if (format.name == "json") continue;  // It reads no part of it.
    EXPECT_THROW(rendered(format, {{"schema_version", "1.0"}}), base::Error) << format.name;
  }
}

/// What a program of before this version wrote has no level, no text, and not which findings fail.
TEST(Formats, ReportsOfEarlierVersionsAreRead) {
  json report = to_json(sample_report());
  report["gate"].erase("failing");
  report["findings"][0].erase("text");
  for (auto& row : report["classes"]) row.erase("level"), row.erase("hint");
  for (const Format& format : formats()) EXPECT_NO_THROW(rendered(format, report)) << format.name;
}

}  // namespace
}  // namespace assay::reports
