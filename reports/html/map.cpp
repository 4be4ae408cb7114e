#include "reports/html/map.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "engine/base/text.h"
#include "reports/escape.h"

namespace assay::reports {

using nlohmann::json;

namespace {

/// How one place of the map is drawn; the order is that of the legend.
struct Mark {
  const char* css;
  const char* sign;
  const char* meaning;
};
constexpr Mark marks[] = {
    {"right", "✓", "right"},
    {"wrong", "✗", "wrong without an error"},
    {"error", "!", "error where the model gives a result"},
    {"lenient", "?", "result where the model gives an error"},
    {"mixed", "±", "right in some cases, wrong in others"},
    {"none", "–", "both reject it, or not compared"},
};
enum MarkIndex : size_t { right_mark, wrong_mark, error_mark, lenient_mark, mixed_mark, none_mark };

/// What was judged at one place.
struct Tally {
  std::map<size_t, int64_t> by_mark;

  size_t mark() const {
    bool right = by_mark.count(right_mark) > 0;
    for (size_t worse : {wrong_mark, lenient_mark, error_mark}) {
      if (by_mark.count(worse)) return right ? mixed_mark : worse;
    }
    return right ? right_mark : none_mark;
  }
  std::string text() const {
    std::vector<std::string> parts;
    for (const auto& [mark, count] : by_mark) {
      parts.push_back(fmt::format("{} {}", count, marks[mark].meaning));
    }
    return base::join(parts, ", ");
  }
};

size_t mark_of(const json& point) {
  std::string verdict = point.at("verdict").get<std::string>();
  if (verdict == "holds") return right_mark;
  if (verdict != "violated") return none_mark;
  std::string seen = point.at("visibility").get<std::string>();
  return seen == "loud" ? error_mark : seen == "lenient" ? lenient_mark : wrong_mark;
}

using SourceLocation = std::pair<int64_t, int64_t>;

/// All points by their place on the map.
std::map<SourceLocation, Tally> tallies(const json& report, const std::string& across,
                                        const std::string& up) {
  const json& points = report.at("points");
  bool parity = std::any_of(points.begin(), points.end(),
                            [](const json& p) { return p.at("property") == "parity"; });
  std::map<SourceLocation, Tally> out;
  for (const auto& p : points) {
    // The map speaks of parity where it was judged: other laws can hold where it does not.
    if (parity && p.at("property") != "parity") continue;
    const json& sizes = p.at("sizes");
    if (!sizes.contains(across) || (!up.empty() && !sizes.contains(up))) continue;
    SourceLocation place{sizes.at(across).get<int64_t>(),
                         up.empty() ? 0 : sizes.at(up).get<int64_t>()};
    ++out[place].by_mark[mark_of(p)];
  }
  return out;
}

/// Letters that vary: those that decide a finding first, then by the number of different sizes.
std::vector<std::string> varying_letters(const json& report) {
  const json& points = report.at("points");
  std::set<std::string> deciding;
  for (const auto& f : report.at("findings")) {
    deciding.insert(f.at("axis").value("letter", std::string()));
  }
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
    return std::pair(deciding.count(a), sizes.at(a).size()) >
           std::pair(deciding.count(b), sizes.at(b).size());
  });
  return letters;
}

std::string legend(const std::map<SourceLocation, Tally>& all) {
  std::set<size_t> used;
  for (const auto& [place, tally] : all) used.insert(tally.mark());
  std::string out = "<ul class=\"legend\">";
  for (size_t m : used) {
    out += fmt::format("<li><span class=\"mark {}\" aria-hidden=\"true\">{}</span> {}</li>",
                       marks[m].css, marks[m].sign, marks[m].meaning);
  }
  return out + "</ul>\n";
}

std::string row_of_sizes(const std::string& letter, const std::map<SourceLocation, Tally>& all) {
  std::string out = "<ol class=\"sizes\" aria-label=\"" + escape_markup(letter) + "\">";
  for (const auto& [place, tally] : all) {
    const Mark& m = marks[tally.mark()];
    out += fmt::format(
        "<li title=\"{}\"><span class=\"mark {}\" aria-hidden=\"true\">{}</span><span "
        "class=\"unseen\">{} at </span>{}</li>",
        tally.text(), m.css, m.sign, m.meaning, place.first);
  }
  return out + "</ol>\n";
}

constexpr int step = 30, margin_left = 64, margin_top = 12, margin_bottom = 48;

/// Sizes along an axis: evenly by rank, so that 1, 2 and 1024 all show.
std::map<int64_t, int> ranks(const std::set<int64_t>& sizes) {
  std::map<int64_t, int> out;
  int rank = 0;
  for (int64_t size : sizes) out[size] = rank++;
  return out;
}

std::string picture(const std::string& across, const std::string& up,
                    const std::map<SourceLocation, Tally>& all) {
  std::set<int64_t> xs, ys;
  for (const auto& [place, tally] : all) xs.insert(place.first), ys.insert(place.second);
  auto x_rank = ranks(xs), y_rank = ranks(ys);
  int columns = static_cast<int>(xs.size()), rows = static_cast<int>(ys.size());
  int width = margin_left + step * columns + 8, bottom = margin_top + step * rows;
  auto x_of = [&](int64_t x) { return margin_left + step * x_rank.at(x) + step / 2; };
  auto y_of = [&](int64_t y) { return bottom - step * y_rank.at(y) - step / 2; };
  std::string name = escape_markup(fmt::format("Judged cases by {} and {}", across, up));
  std::string svg = fmt::format(
      "<svg class=\"map\" viewBox=\"0 0 {} {}\" width=\"{}\" role=\"img\" aria-label=\"{}\">",
      width, bottom + margin_bottom, width, name);
  svg += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>", margin_left, margin_top, bottom,
                     width);
  for (int64_t x : xs) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x_of(x),
                       bottom + 18, x);
  }
  for (int64_t y : ys) {
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", margin_left - 8,
                       y_of(y) + 5, y);
  }
  svg += fmt::format("<text class=\"letter\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                     margin_left + step * columns / 2, bottom + 40, escape_markup(across));
  svg += fmt::format("<text class=\"letter\" x=\"4\" y=\"{}\">{}</text>", margin_top + 14,
                     escape_markup(up));
  for (const auto& [place, tally] : all) {
    const Mark& m = marks[tally.mark()];
    int x = x_of(place.first), y = y_of(place.second);
    svg += fmt::format(
        "<g class=\"{}\"><title>{} = {}, {} = {}: {}</title><rect x=\"{}\" y=\"{}\" width=\"22\" "
        "height=\"22\" rx=\"4\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text></g>",
        m.css, escape_markup(across), place.first, escape_markup(up), place.second, tally.text(),
        x - 11, y - 11, x, y + 5, m.sign);
  }
  return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + name + "\">" + svg +
         "</svg></div>\n";
}

size_t mark_of_region(const std::string& verdict) {
  if (verdict == "right") return right_mark;
  if (verdict == "wrong") return wrong_mark;
  if (verdict == "error") return error_mark;
  if (verdict == "lenient") return lenient_mark;
  return none_mark;
}

}  // namespace

std::string shape_map(const json& report) {
  auto letters = varying_letters(report);
  if (letters.empty()) return {};
  std::string up = letters.size() > 1 ? letters[1] : "";
  auto all = tallies(report, letters[0], up);
  return legend(all) + (up.empty() ? row_of_sizes(letters[0], all) : picture(letters[0], up, all));
}

std::string boundary_strip(const json& boundary) {
  std::map<SourceLocation, std::pair<size_t, std::string>> intervals;
  for (const auto& r : boundary.at("regions")) {
    if (!r.contains("sizes")) continue;
    for (const auto& ends : r.at("sizes")) {
      SourceLocation interval{ends[0].get<int64_t>(), ends[1].get<int64_t>()};
      intervals[interval] = {mark_of_region(r.at("verdict").get<std::string>()),
                             r.value("how", std::string())};
    }
  }
  if (intervals.empty()) return {};
  std::string out = "<ol class=\"sizes\" aria-label=\"measured along " +
                    escape_markup(boundary.at("axis").at("text").get<std::string>()) + "\">";
  for (const auto& [ends, what] : intervals) {
    const Mark& m = marks[what.first];
    std::string how = what.second.empty() ? m.meaning : escape_markup(what.second);
    std::string size = ends.first == ends.second ? std::to_string(ends.first)
                                                 : fmt::format("{}–{}", ends.first, ends.second);
    out += fmt::format(
        "<li title=\"{}\"><span class=\"mark {}\" aria-hidden=\"true\">{}</span><span "
        "class=\"unseen\">{} at </span>{}</li>",
        how, m.css, m.sign, how, size);
  }
  return out + "</ol>\n";
}

}  // namespace assay::reports
