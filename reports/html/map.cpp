#include "reports/html/map.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "engine/base/text.h"
#include "reports/html/escape.h"

namespace assay::reports {

using nlohmann::json;

namespace {

constexpr int width = 640, height = 320, margin = 44;

/// Letters by the number of different sizes, most first.
std::vector<std::string> varying_letters(const json& points) {
  std::map<std::string, std::set<int64_t>> sizes;
  for (const auto& p : points) {
    for (const auto& [letter, size] : p.at("sizes").items())
      sizes[letter].insert(size.get<int64_t>());
  }
  std::vector<std::string> letters;
  for (const auto& [letter, all] : sizes) {
    if (all.size() > 1) letters.push_back(letter);
  }
  std::stable_sort(letters.begin(), letters.end(), [&](const auto& a, const auto& b) {
    return sizes.at(a).size() > sizes.at(b).size();
  });
  return letters;
}

/// Positions of a letter's sizes along an axis: evenly by rank, so that 1, 2 and 1024 all show.
class Scale {
 public:
  Scale(const json& points, const std::string& letter, int from, int to)
      : letter_(letter), from_(from), to_(to) {
    for (const auto& p : points) {
      if (p.at("sizes").contains(letter)) sizes_.insert(p.at("sizes").at(letter).get<int64_t>());
    }
  }
  double at(const json& point) const {
    if (letter_.empty() || !point.at("sizes").contains(letter_)) return (from_ + to_) / 2.0;
    return place(point.at("sizes").at(letter_).get<int64_t>());
  }
  double place(int64_t size) const {
    auto rank = static_cast<double>(std::distance(sizes_.begin(), sizes_.find(size)));
    double steps = std::max<double>(1, static_cast<double>(sizes_.size()) - 1);
    return from_ + (to_ - from_) * rank / steps;
  }
  const std::set<int64_t>& sizes() const { return sizes_; }

 private:
  std::string letter_;
  std::set<int64_t> sizes_;
  int from_, to_;
};

std::string ticks(const Scale& scale, bool horizontal) {
  std::string out;
  size_t every = scale.sizes().size() / 12 + 1, index = 0;
  for (int64_t size : scale.sizes()) {
    if (index++ % every) continue;
    double at = scale.place(size);
    out += horizontal ? base::cat("<text x=\"", at, "\" y=\"", height - margin + 18,
                                  "\" text-anchor=\"middle\">", size, "</text>")
                      : base::cat("<text x=\"", margin - 8, "\" y=\"", at + 4,
                                  "\" text-anchor=\"end\">", size, "</text>");
  }
  return out;
}

std::string description(const json& points) {
  std::map<std::string, int> counts;
  for (const auto& p : points) ++counts[p.at("verdict").get<std::string>()];
  std::vector<std::string> parts;
  for (const auto& [verdict, n] : counts) parts.push_back(base::cat(n, " ", verdict));
  return "Judged cases by size: " + base::join(parts, ", ");
}

}  // namespace

std::string shape_map(const json& points) {
  auto letters = varying_letters(points);
  if (letters.empty()) return {};
  std::string across = letters[0], up = letters.size() > 1 ? letters[1] : "";
  Scale x(points, across, margin, width - margin), y(points, up, height - margin, margin);
  std::string label = escape_html(description(points));
  std::string svg =
      base::cat("<svg viewBox=\"0 0 ", width, " ", height, "\" role=\"img\" aria-label=\"", label,
                "\"><title>", label, "</title>");
  svg += base::cat("<path class=\"axis\" fill=\"none\" d=\"M", margin, " ", margin / 2, "V",
                   height - margin, "H", width - margin / 2, "\"/>");
  svg += ticks(x, true);
  if (!up.empty()) svg += ticks(y, false);
  svg += base::cat("<text x=\"", width - margin / 2, "\" y=\"", height - 8,
                   "\" text-anchor=\"end\">", escape_html(across), "</text>");
  if (!up.empty()) svg += base::cat("<text x=\"8\" y=\"16\">", escape_html(up), "</text>");
  // Failures last, so that they lie on top.
  for (bool failing : {false, true}) {
    for (const auto& p : points) {
      std::string verdict = p.at("verdict").get<std::string>();
      if ((verdict == "violated") != failing) continue;
      double px = x.at(p), py = y.at(p);
      // Failing points differ in form too, not by colour alone.
      svg += failing ? base::cat("<rect class=\"violated\" x=\"", px - 4, "\" y=\"", py - 4,
                                 "\" width=\"8\" height=\"8\"/>")
                     : base::cat("<circle class=\"", escape_html(verdict), "\" cx=\"", px,
                                 "\" cy=\"", py, "\" r=\"4\"/>");
    }
  }
  return svg + "</svg>";
}

std::string error_histogram(const json& histogram) {
  int64_t most = 1;
  for (const auto& n : histogram) most = std::max(most, n.get<int64_t>());
  constexpr int bar = 16, tall = 60;
  std::string svg =
      base::cat("<svg viewBox=\"0 0 ", bar * static_cast<int>(histogram.size()), " ", tall + 4,
                "\" width=\"256\" role=\"img\" aria-label=\"Elements by size of "
                "error, from equal on the left to 10 and more on the right\">");
  for (size_t i = 0; i < histogram.size(); ++i) {
    auto n = histogram[i].get<int64_t>();
    double h =
        n == 0 ? 0 : std::max(2.0, tall * static_cast<double>(n) / static_cast<double>(most));
    svg += base::cat("<rect class=\"", i < 8 ? "right" : "violated", "\" x=\"",
                     bar * static_cast<int>(i), "\" y=\"", tall - h, "\" width=\"", bar - 2,
                     "\" height=\"", h, "\"><title>", n, "</title></rect>");
  }
  return svg + "</svg>";
}

}  // namespace assay::reports
