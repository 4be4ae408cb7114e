#include "reports/html/markup.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/html/escape.h"

namespace assay::reports {
namespace {

using nlohmann::json;

TEST(Text, IsEscapedAndEmptyWhereThereIsNone) {
  json object{{"a", "<b>&\"'"}, {"n", 3}, {"none", nullptr}};
  EXPECT_EQ(text(object, "a"), "&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(text(object, "n"), "3");
  EXPECT_EQ(text(object, "none"), "");
  EXPECT_EQ(text(object, "absent"), "");
}

TEST(EscapeHtml, ReplacesControlCharacters) {
  EXPECT_EQ(escape_html(std::string_view("a\x01\x00z\n\t", 6)), "a\xEF\xBF\xBD\xEF\xBF\xBDz\n\t");
}

TEST(NumberText, IsForPeople) {
  const std::string gap = "\xE2\x80\xAF";
  EXPECT_EQ(number_text(7), "7");
  EXPECT_EQ(number_text(999), "999");
  EXPECT_EQ(number_text(1234567), "1" + gap + "234" + gap + "567");
  EXPECT_EQ(number_text(-1000), "-1" + gap + "000");
  EXPECT_EQ(number_text(0.000123456), "0.0001235");
  EXPECT_EQ(number_text("inf"), "inf");
}

TEST(Entry, OfNothingIsNothing) {
  EXPECT_EQ(entry("Name", ""), "");
  EXPECT_EQ(code(""), "");
  EXPECT_EQ(entry("Name", code("x")), "<dt>Name</dt><dd><code>x</code></dd>\n");
}

TEST(Table, SaysWhichColumnsHoldNumbers) {
  std::string html = table({"Axis", "#Cases"}, "<tr></tr>");
  EXPECT_NE(html.find("<th scope=\"col\">Axis</th>"), std::string::npos);
  EXPECT_NE(html.find("<th scope=\"col\" class=\"number\">Cases</th>"), std::string::npos);
}

}  // namespace
}  // namespace assay::reports
