#include "reports/html/histogram.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace assay::reports {

using nlohmann::json;

namespace {

/// What counts of a decade mean: [0] equal, [1] below 1e-12, ... [15] at least 10 or not finite.
std::string decade_name(size_t index) {
  if (index == 0) return "equal";
  if (index == 1) return "below 1e-12";
  if (index == 15) return "10 or more, or not finite";
  auto power = static_cast<int>(index) - 14;
  return fmt::format("1e{} to 1e{}", power, power + 1);
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
      bars += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                          x + bar / 2 - 1, base + label - 5,
                          i == 0 ? "0" : fmt::format("1e{}", static_cast<int>(i) - 14));
    }
    if (n == 0) continue;
    told += fmt::format("{}{} {}", told.empty() ? "" : "; ", n, decade_name(i));
    double height = std::max(3.0, tall * std::log1p(static_cast<double>(n)) / most);
    bars += fmt::format(
        "<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{} elements: "
        "{}</title></rect>",
        x, base - height, bar - 3, height, n, decade_name(i));
    bars += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x + bar / 2 - 1,
                        base - height - 4, n);
  }
  std::string name = "Elements by absolute error: " + (told.empty() ? "none" : told);
  return fmt::format(
      "<svg class=\"histogram\" viewBox=\"0 0 {} {}\" width=\"{}\" role=\"img\" "
      "aria-label=\"{}\"><path class=\"axis\" d=\"M{} {}H{}\"/>{}</svg>",
      width, base + label, width, name, left, base, width, bars);
}

}  // namespace assay::reports
