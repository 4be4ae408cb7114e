#include "verify/diagnosis/block_header.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace assay::verify::diagnosis {

namespace {

size_t indent_of(std::string_view text) {
  return std::min(text.find_first_not_of(" \t"), text.size());
}

/// Whether the line's first word is one of these.
bool starts_with_word(std::string_view text, std::initializer_list<std::string_view> words) {
  text.remove_prefix(indent_of(text));
  return std::ranges::any_of(words, [&](std::string_view word) {
    if (!text.starts_with(word)) return false;
    char next = text.size() > word.size() ? text[word.size()] : ' ';
    return next == ' ' || next == ':' || next == '(' || next == '\t';
  });
}

bool is_blank(std::string_view text) {
  size_t first = indent_of(text);
  return first == text.size() || text[first] == '#';
}

/// The nearest line above with less indentation that opens a block; 0 if it leaves the function.
int enclosing(const SourceLines& lines, int line) {
  size_t indent = indent_of(lines(line));
  while (--line > 0) {
    std::string text = lines(line);
    if (is_blank(text) || indent_of(text) >= indent) continue;
    return starts_with_word(text, {"def", "class"}) ? 0 : line;
  }
  return 0;
}

int header(const SourceLines& lines, int line, std::initializer_list<std::string_view> words) {
  for (int at = line; at > 0; at = enclosing(lines, at)) {
    if (starts_with_word(lines(at), words)) return at;
  }
  return line;
}

}  // namespace

int loop_header(const SourceLines& lines, int line) {
  return header(lines, line, {"for", "while"});
}

int branch_header(const SourceLines& lines, int line) {
  int at = header(lines, line, {"if", "elif", "else"});
  size_t indent = indent_of(lines(at));
  // An `elif` decides itself; what `else` decides stands at its `if`, or the `elif` before.
  if (!starts_with_word(lines(at), {"else"})) return at;
  for (int above = at - 1; above > 0; --above) {
    std::string text = lines(above);
    if (is_blank(text) || indent_of(text) > indent) continue;
    return starts_with_word(text, {"if", "elif"}) ? above : line;
  }
  return line;
}

}  // namespace assay::verify::diagnosis
