#include "engine/base/source_range.h"

#include <algorithm>

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

}  // namespace

int SourceRange::line() const {
  if (!source) return 0;
  size_t stop = std::min(begin, source->text.size());
  auto count =
      std::count(source->text.begin(), source->text.begin() + static_cast<long>(stop), '\n');
  return source->first_line + static_cast<int>(count);
}

int SourceRange::column() const {
  if (!source) return 0;
  size_t at = std::min(begin, source->text.size());
  return static_cast<int>(at - line_begin(source->text, at));
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

  std::string out = "  File \"" + source->name + "\", line " + std::to_string(line()) + "\n";
  out += text.substr(first, own_end - first) + "\n";
  size_t own_begin = line_begin(text, from);
  out += std::string(from - own_begin, ' ');
  out += std::string(std::max<size_t>(1, std::min(to, own_end) - from), '~') + " <--- HERE";
  if (last > own_end) out += text.substr(own_end, last - own_end);
  return out;
}

SourceRange SourceRange::original() const {
  if (!source || !source->origin_at) return *this;
  SourceRange found = source->origin_at(begin);
  return found ? found : *this;
}

}  // namespace assay::base
