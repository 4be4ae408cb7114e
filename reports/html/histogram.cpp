#include "reports/html/histogram.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace assay::reports {

using nlohmann::json;

namespace {

/// What counts of a decade mean: [0] equal, [1] below 1e-12, ... [15] at least 10 or not finite.
std::string decade_name(size_t index) {
  if (index == 0) return "equal";
  if (index == 1) return "below 1e-12";
  if (index == 15) return "10 or more, or not finite";
  auto power = static_cast<int>(index) - 14;
  return base::cat("1e", power, " to 1e", power + 1);
}

}  // namespace

std::string error_histogram(const json& histogram) {
  constexpr int bar = 20, tall = 72, top = 16, left = 4, label = 20;
  double most = 1;
  for (const auto& n : histogram) most = std::max(most, std::log1p(n.get<double>()));
  int width = left + bar * static_cast<int>(histogram.size()), base = top + tall;
  std::string bars, told;
  for (size_t i = 0; i < histogram.size(); ++i) {
    auto n = histogram[i].get<int64_t>();
    int x = left + bar * static_cast<int>(i);
    bool named = i == 0 || i == 2 || i == 5 || i == 8 || i == 11 || i == 14;
    if (named) {
      bars += base::cat("<text x=\"", x + bar / 2 - 1, "\" y=\"", base + label - 5,
                        "\" text-anchor=\"middle\">",
                        i == 0 ? "0" : base::cat("1e", static_cast<int>(i) - 14), "</text>");
    }
    if (n == 0) continue;
    told += base::cat(told.empty() ? "" : "; ", n, " ", decade_name(i));
    double height = std::max(3.0, tall * std::log1p(static_cast<double>(n)) / most);
    bars += base::cat("<rect class=\"bar\" x=\"", x, "\" y=\"", base - height, "\" width=\"",
                      bar - 3, "\" height=\"", height, "\"><title>", n,
                      " elements: ", decade_name(i), "</title></rect>");
    bars += base::cat("<text x=\"", x + bar / 2 - 1, "\" y=\"", base - height - 4,
                      "\" text-anchor=\"middle\">", n, "</text>");
  }
  std::string name = "Elements by absolute error: " + (told.empty() ? "none" : told);
  return base::cat("<svg class=\"histogram\" viewBox=\"0 0 ", width, " ", base + label,
                   "\" width=\"", width, "\" role=\"img\" aria-label=\"", name, "\">",
                   "<path class=\"axis\" d=\"M", left, " ", base, "H", width, "\"/>", bars,
                   "</svg>");
}

}  // namespace assay::reports
