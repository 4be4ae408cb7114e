#include "reports/html/markup.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
