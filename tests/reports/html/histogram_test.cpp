#include "reports/html/histogram.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::reports {
namespace {

TEST(ErrorHistogram, TellsCountsByDecade) {
  nlohmann::json histogram = std::vector<int>(16, 0);
  histogram[0] = 5;
  histogram[1] = 2;
  histogram[14] = 1;
  histogram[15] = 3;
  std::string svg = error_histogram(histogram);
  EXPECT_NE(svg.find("aria-label=\"Elements by absolute error: 5 equal; 2 below 1e-12; 1 1e0 to "
                     "1e1; 3 10 or more, or not finite\""),
            std::string::npos)
      << svg;
  size_t bars = 0;
  for (size_t at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1))
    ++bars;
  EXPECT_EQ(bars, 4u);
}

TEST(ErrorHistogram, OfNothingSaysSo) {
  EXPECT_NE(error_histogram(nlohmann::json(std::vector<int>(16, 0))).find("absolute error: none"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::reports
