#include "reports/html/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/json.h"
#include "tests/reports/sample_report.h"

namespace assay::reports {
namespace {

TEST(Page, IsSelfContainedAndEscapesHostileText) {
  std::string page = html_page(to_json(sample_report()));
  EXPECT_EQ(page.find("<script>alert(1)"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)"), std::string::npos);
  for (const char* outside : {"http://", "https://", "src=", "@import", "url("}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
}

TEST(Page, ShowsVerdictFindingsAndProof) {
  std::string page = html_page(to_json(sample_report()));
  for (const char* part : {"AS102", "encoder.py:41", "proven by substitution",
                           "right only at t = 7", "<svg", "role=\"img\"", "ASSAY1:abc"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST(Page, TellsHowManyPassingCasesPytorchRan) {
  verify::RunReport r = sample_report();
  EXPECT_EQ(html_page(to_json(r)).find("passing cases"), std::string::npos);
  r.in_pytorch = {"PyTorch 1.13.1", 60, 12, ""};
  std::string page = html_page(to_json(r));
  EXPECT_NE(page.find("<li>12 of 60 passing cases also run by PyTorch 1.13.1: all agree</li>"),
            std::string::npos);
  nlohmann::json of_before = to_json(r);
  of_before.erase("in_pytorch");
  EXPECT_EQ(html_page(of_before).find("passing cases"), std::string::npos);
}

}  // namespace
}  // namespace assay::reports
