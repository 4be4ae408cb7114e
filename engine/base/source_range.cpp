#include "engine/base/source_range.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace assay::base {
namespace {

size_t line_begin(const std::string& text, size_t at) {
  if (at == 0) return 0;
  size_t newline = text.rfind('\n', at - 1);
  return newline == std::string::npos ? 0 : newline + 1;
}

size_t line_end(const std::string& text, size_t at) {
  size_t newline = text.find('\n', at);
  return newline == std::string::npos ? text.size() : newline;
}

/// Where the lines of a text begin.
using Lines = std::vector<size_t>;

/// Found once for each source, since a graph asks for the place of each of its nodes. Of the
/// sources that a thread asked about lately.
const Lines& lines_of(const std::shared_ptr<const Source>& source) {
  struct Known {
    std::weak_ptr<const Source> source;
    Lines lines;
  };
  constexpr size_t most_known = 64;
  thread_local std::unordered_map<const Source*, Known> cache;
  auto found = cache.find(source.get());
  if (found != cache.end() && found->second.source.lock() == source) return found->second.lines;
  if (cache.size() >= most_known) cache.clear();
  Known& known = cache[source.get()];
  known.source = source;
  known.lines = {0};
  for (size_t at = source->text.find('\n'); at != std::string::npos;
       at = source->text.find('\n', at + 1)) {
    known.lines.push_back(at + 1);
  }
  return known.lines;
}

/// Which line, counted from 0, the byte lies in.
size_t line_index(const Lines& lines, size_t at) {
  return static_cast<size_t>(std::upper_bound(lines.begin(), lines.end(), at) - lines.begin()) - 1;
}

/// Longer lines are shown in part: generated code can have lines of any length.
constexpr size_t max_shown = 400;

std::string shown(std::string_view line) {
  if (line.size() <= max_shown) return std::string(line);
  std::string cut;
  cut.reserve(max_shown + 3);
  return cut.append(line, 0, max_shown).append("...");
}

/// The line with the range, and underneath the range marked.
std::string marked_line(std::string_view line, size_t from, size_t to) {
  size_t skipped = line.size() > max_shown && from > max_shown / 2 ? from - max_shown / 2 : 0;
  std::string_view rest = line.substr(skipped);
  std::string lead = skipped > 0 ? "..." : "";
  size_t stop = std::min({to - skipped, rest.size(), max_shown});
  size_t start = from - skipped;
  return lead + shown(rest) + "\n" + std::string(lead.size() + start, ' ') +
         std::string(std::max<size_t>(1, std::max(stop, start) - start), '~') + " <--- HERE";
}

}  // namespace

int SourceRange::line() const {
  if (!source) return 0;
  size_t stop = std::min(begin, source->text.size());
  return source->first_line + static_cast<int>(line_index(lines_of(source), stop));
}

int SourceRange::column() const {
  if (!source) return 0;
  size_t at = std::min(begin, source->text.size());
  const Lines& lines = lines_of(source);
  return static_cast<int>(at - lines[line_index(lines, at)]);
}

std::string SourceRange::place() const {
  if (!source) return "<unknown>";
  return source->name + ":" + std::to_string(line());
}

std::string SourceRange::picture() const {
  if (!source) return "";
  constexpr int context = 2;
  const std::string& text = source->text;
  size_t from = std::min(begin, text.size());
  size_t to = std::clamp(end, from, text.size());
  size_t first = line_begin(text, from);
  for (int i = 0; i < context && first > 0; ++i) first = line_begin(text, first - 1);
  size_t own_end = line_end(text, from);
  size_t last = own_end;
  for (int i = 0; i < context && last < text.size(); ++i) last = line_end(text, last + 1);

  size_t own_begin = line_begin(text, from);
  std::string out = "  File \"" + source->name + "\", line " + std::to_string(line()) + "\n";
  for (size_t at = first; at < own_begin;) {
    size_t stop = line_end(text, at);
    out += shown(std::string_view(text).substr(at, stop - at)) + "\n";
    at = stop + 1;
  }
  std::string_view own = std::string_view(text).substr(own_begin, own_end - own_begin);
  out += marked_line(own, from - own_begin, to - own_begin);
  for (size_t at = own_end; at < last;) {
    size_t next = std::min(line_end(text, at + 1), last);
    out += "\n" + shown(std::string_view(text).substr(at + 1, next - at - 1));
    at = next;
  }
  return out;
}

SourceRange SourceRange::original() const {
  if (!source || !source->origin_at) return *this;
  SourceRange found = source->origin_at(begin);
  return found ? found : *this;
}

}  // namespace assay::base
