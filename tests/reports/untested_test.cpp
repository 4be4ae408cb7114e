#include "reports/untested.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/json.h"
#include "tests/reports/sample_report.h"

namespace assay::reports {
namespace {

bool says(const verify::RunReport& report, const std::string& sentence) {
  auto all = untested(to_json(report));
  return std::ranges::find(all, sentence) != all.end();
}

TEST(Untested, NothingWhereAllWasCompared) {
  EXPECT_TRUE(untested(to_json(sample_report())).empty());
}

TEST(Untested, NamesWhatWasDeclaredAndNeverCompared) {
  verify::RunReport r = sample_report();
  r.axes[0].exercised.clear();
  EXPECT_TRUE(says(r, "dim ids.1 (t): declared 1..64, never compared"));
  r = sample_report();
  r.axes[0].words = {{"f64", 0, "the model rejects it"}, {"f32", 5, ""}};
  EXPECT_TRUE(says(r, "dim ids.1 (t) f64: declared, never compared: the model rejects it"));
  EXPECT_EQ(untested(to_json(r)).size(), 1u);
}

TEST(Untested, TellsWhatSaysLittleAndWhatWasHeld) {
  verify::RunReport r = sample_report();
  r.uncompared = {{"the model died", 3}};
  r.vacuous = {"output[0] is NaN on both sides"};
  r.not_tested = {"device_portable: no device but the CPU"};
  r.axes[0].verdict = "not varied";
  EXPECT_TRUE(says(r, "3 cases were not compared: the model died"));
  EXPECT_TRUE(says(r, "Compared, but says little: output[0] is NaN on both sides"));
  EXPECT_TRUE(says(r, "device_portable: no device but the CPU"));
  EXPECT_TRUE(says(r, "Not varied by the spec: dim ids.1 (t) other than 1, 7, 8"));
}

}  // namespace
}  // namespace assay::reports
