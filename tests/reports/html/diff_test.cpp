#include "reports/html/diff.h"

#include <gtest/gtest.h>

namespace assay::reports {
namespace {

TEST(SideBySide, PairsLinesAndMarksWhatChanged) {
  std::string html = side_by_side("  same()\n- f(7, x)\n+ f(11, x)\n@@\n- gone()");
  EXPECT_NE(html.find("<td class=\"same\"><code>same()</code></td><td class=\"same "
                      "again\"><code>same()</code></td>"),
            std::string::npos);
  EXPECT_NE(html.find("<td class=\"del\"><code>f(<mark>7</mark>, x)</code></td><td "
                      "class=\"add\"><code>f(<mark>11</mark>, x)</code></td>"),
            std::string::npos)
      << html;
  EXPECT_NE(html.find("<td class=\"gap\" colspan=\"2\">⋯</td>"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"del\"><code>gone()</code></td><td class=\"none\"></td>"),
            std::string::npos);
}

TEST(SideBySide, EscapesAndKeepsCharactersWhole) {
  std::string html = side_by_side("- <b>é</b>\n+ <b>è</b>");
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_NE(html.find("<mark>é</mark>"), std::string::npos) << html;
  EXPECT_NE(html.find("<mark>è</mark>"), std::string::npos) << html;
}

TEST(SideBySide, OfNothingIsNothing) { EXPECT_EQ(side_by_side(""), ""); }

}  // namespace
}  // namespace assay::reports
