#include "reports/html/map.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/json.h"
#include "tests/reports/sample_report.h"

namespace assay::reports {
namespace {

using verify::Visibility;

verify::JudgedPoint point(verify::Bindings sizes, Visibility visibility,
                          const std::string& property = "parity") {
  verify::JudgedPoint p;
  p.sizes = std::move(sizes);
  p.property = property;
  p.visibility = visibility;
  p.verdict = visibility == Visibility::none ? "holds" : "violated";
  return p;
}

std::string map_of(const std::vector<verify::JudgedPoint>& points) {
  verify::RunReport r = sample_report();
  r.points = points;
  return shape_map(to_json(r));
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(ShapeMap, OneLetterIsARowOfSizesWithItsMarks) {
  std::string html =
      map_of({point({{"t", 1}}, Visibility::silent), point({{"t", 7}}, Visibility::none),
              point({{"t", 8}}, Visibility::loud), point({{"t", 9}}, Visibility::lenient),
              point({{"t", 10}}, Visibility::none), point({{"t", 10}}, Visibility::silent)});
  EXPECT_EQ(count(html, "<svg"), 0u);
  EXPECT_NE(html.find("wrong without an error at </span>1</li>"), std::string::npos) << html;
  EXPECT_NE(html.find(">right at </span>7</li>"), std::string::npos);
  EXPECT_NE(html.find("error where the model gives a result at </span>8</li>"), std::string::npos);
  EXPECT_NE(html.find("result where the model gives an error at </span>9</li>"), std::string::npos);
  EXPECT_NE(html.find("right in some cases, wrong in others at </span>10</li>"), std::string::npos);
}

TEST(ShapeMap, SpeaksOfParityWhereItWasJudged) {
  std::string html = map_of({point({{"t", 1}}, Visibility::silent),
                             point({{"t", 1}}, Visibility::none, "deterministic"),
                             point({{"t", 2}}, Visibility::none)});
  EXPECT_EQ(html.find("right in some cases"), std::string::npos);
  html = map_of({point({{"t", 1}}, Visibility::silent, "deterministic"),
                 point({{"t", 2}}, Visibility::none, "deterministic")});
  EXPECT_NE(html.find("wrong without an error at </span>1"), std::string::npos);
}

TEST(ShapeMap, TwoLettersAreAPictureThatTheKeyboardCanScroll) {
  std::string html = map_of({point({{"h", 1}, {"w", 2}}, Visibility::none),
                             point({{"h", 2}, {"w", 2}}, Visibility::silent),
                             point({{"h", 2}, {"w", 4}}, Visibility::none)});
  EXPECT_EQ(count(html, "<svg"), 1u);
  EXPECT_EQ(count(html, "<g class="), 3u);
  EXPECT_NE(html.find("tabindex=\"0\""), std::string::npos);
  EXPECT_NE(html.find("h = 2, w = 2: 1 wrong without an error"), std::string::npos) << html;
}

TEST(ShapeMap, ShowsTheLetterThatDecidesAFinding) {
  std::vector<verify::JudgedPoint> points;
  for (int64_t k = 1; k < 6; ++k) {  // The finding of the sample report is along t.
    points.push_back(point({{"a", k}, {"b", 2 * k}, {"t", k % 2}}, Visibility::none));
  }
  std::string html = map_of(points);
  EXPECT_NE(html.find("t = 1, a = 3"), std::string::npos) << html;
}

TEST(ShapeMap, WithoutAVaryingLetterThereIsNone) {
  EXPECT_EQ(map_of({point({{"t", 1}}, Visibility::none), point({{"t", 1}}, Visibility::none)}), "");
  EXPECT_EQ(map_of({}), "");
}

TEST(BoundaryStrip, HasTheIntervalsInOrder) {
  auto boundary = to_json(sample_report())["findings"][0]["boundaries"][0];
  std::string html = boundary_strip(boundary);
  size_t first = html.find("</span>2–6</li>"), second = html.find("</span>7</li>"),
         third = html.find("</span>8–64</li>");
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_NE(third, std::string::npos);
}

}  // namespace
}  // namespace assay::reports
