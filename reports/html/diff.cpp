#include "reports/html/diff.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "engine/base/text.h"
#include "reports/escape.h"

namespace assay::reports {

namespace {

/// UTF-8 continuation bytes belong to what is before them.
bool inside_character(const std::string& line, size_t at) {
  return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80;
}

/// The line with what lies between what both have at their start and at their end marked.
std::string marked(const std::string& line, const std::string& other) {
  size_t shorter = std::min(line.size(), other.size()), start = 0, end = 0;
  while (start < shorter && line[start] == other[start]) ++start;
  while (start > 0 && inside_character(line, start)) --start;
  while (end < shorter - start && line[line.size() - 1 - end] == other[other.size() - 1 - end]) {
    ++end;
  }
  while (end > 0 && inside_character(line, line.size() - end)) --end;
  std::string middle = line.substr(start, line.size() - end - start);
  if (middle.empty()) return escape_markup(line);
  return escape_markup(line.substr(0, start)) + "<mark>" + escape_markup(middle) + "</mark>" +
         escape_markup(line.substr(line.size() - end));
}

class Columns {
 public:
  std::string run(const std::string& diff) {
    for (const std::string& line : base::split(diff, '\n')) {
      if (line.starts_with("-")) {
        if (!added_.empty()) flush();
        removed_.push_back(content(line));
      } else if (line.starts_with("+")) {
        added_.push_back(content(line));
      } else {
        flush();
        common(line);
      }
    }
    flush();
    return std::move(rows_);
  }

 private:
  static std::string content(const std::string& line) {
    return line.substr(std::min<size_t>(2, line.size()));
  }

  void row(const char* left_class, const std::string& left, const char* right_class,
           const std::string& right) {
    auto side = [](const char* css, const std::string& inner) {
      return fmt::format("<td class=\"{}\">{}</td>", css,
                         inner.empty() ? "" : "<code>" + inner + "</code>");
    };
    rows_ += "<tr>" + side(left_class, left) + side(right_class, right) + "</tr>\n";
  }

  void common(const std::string& line) {
    if (line.starts_with("  ")) {
      row("same", escape_markup(content(line)), "same again", escape_markup(content(line)));
    } else {
      rows_ += "<tr><td class=\"gap\" colspan=\"2\">" + (line == "@@" ? "⋯" : escape_markup(line)) +
               "</td></tr>\n";
    }
  }

  void flush() {
    for (size_t i = 0; i < std::max(removed_.size(), added_.size()); ++i) {
      const std::string* left = i < removed_.size() ? &removed_[i] : nullptr;
      const std::string* right = i < added_.size() ? &added_[i] : nullptr;
      row(left ? "del" : "none", left ? right ? marked(*left, *right) : escape_markup(*left) : "",
          right ? "add" : "none",
          right ? left ? marked(*right, *left) : escape_markup(*right) : "");
    }
    removed_.clear();
    added_.clear();
  }

  std::string rows_;
  std::vector<std::string> removed_, added_;
};

}  // namespace

std::string side_by_side(const std::string& diff) {
  if (diff.empty()) return {};
  return "<table class=\"diff\"><thead><tr><th scope=\"col\">This export</th>"
         "<th scope=\"col\">Export at the failing case</th></tr></thead><tbody>\n" +
         Columns().run(diff) + "</tbody></table>\n";
}

}  // namespace assay::reports
