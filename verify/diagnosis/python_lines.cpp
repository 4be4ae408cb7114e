#include "verify/diagnosis/python_lines.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>

namespace assay::verify::diagnosis::python {
namespace {

constexpr int blank_lines = 3;  // So many end the file for all that is known.

/// Whether a method changes what it is called of.
bool changes(std::string_view method) {
  constexpr std::string_view changing[] = {"append", "extend", "insert", "pop",  "remove",
                                           "clear",  "update", "add",    "copy_"};
  bool in_place = method.size() > 1 && method.ends_with('_') && !method.ends_with("__");
  return in_place || std::ranges::find(changing, method) != std::end(changing);
}

/// Whether the line makes an attribute by its name: `self.register_buffer("x", ...)`,
/// `setattr(self, "x", ...)`.
bool makes_any(std::string_view text, const Names& names) {
  for (std::string_view call : {"self.register_buffer(", "setattr(self, "}) {
    size_t at = text.find(call);
    if (at == std::string_view::npos) continue;
    std::string_view name = text.substr(at + call.size());
    if (name.empty() || (name[0] != '"' && name[0] != '\'')) continue;
    name = name.substr(1, name.find(name[0], 1) - 1);
    if (names.empty() || names.count(std::string(name)) > 0) return true;
  }
  return false;
}

/// The name of the class whose method has this head; empty where it is no method.
std::string class_around(const SourceLines& lines, int head) {
  std::string text = line_around(lines, head).second;
  if (!starts_with_word(text, {"class"})) return {};
  size_t name = indent_of(text) + 6, end = name;
  while (end < text.size() && is_name_part(text[end])) ++end;
  return text.substr(name, end - name);
}

/// What loops call the elements of these attributes: `for layer in self.layers`.
Names names_of_elements(const SourceLines& lines, int head, const Names& attributes) {
  Names names;
  for (int at : lines_of_file(lines, head)) {
    std::string text = lines(at);
    size_t in = text.find(" in ");
    if (!starts_with_word(text, {"for"}) || in == std::string::npos) continue;
    bool of_them = std::ranges::any_of(attributes_in(text.substr(in)), [&](const auto& attribute) {
      return attributes.count(attribute.first) > 0;
    });
    if (of_them) names.merge(names_in(std::string_view(text).substr(0, in)));
  }
  names.erase("for");
  return names;
}

/// By which names the function with this head is called.
Names names_of_function(const SourceLines& lines, const std::string& function, int head) {
  Names names{function};
  std::string made = function == "forward" ? class_around(lines, head) : std::string();
  if (made.empty()) return names;
  for (int at : lines_of_file(lines, head)) {
    std::string text = lines(at);
    if (!calls_function(text, made)) continue;
    for (const auto& [name, after] : attributes_in(text)) {
      if (writes(after)) names.insert(name);
    }
  }
  names.merge(names_of_elements(lines, head, names));
  return names;
}

}  // namespace

size_t indent_of(std::string_view text) {
  return std::min(text.find_first_not_of(" \t"), text.size());
}

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

bool mentions_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

Names names_in(std::string_view text) {
  Names out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_name_part(text[end])) ++end;
    if (end > at) out.emplace(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return out;
}

std::pair<std::string, std::string_view> assigned(std::string_view text) {
  text.remove_prefix(indent_of(text));
  size_t end = 0;
  while (end < text.size() && is_name_part(text[end])) ++end;
  std::string_view rest = text.substr(end);
  bool variable = end > 0 && text.substr(0, end) != "self";
  return variable && writes(rest) ? std::pair(std::string(text.substr(0, end)), rest)
                                  : std::pair(std::string(), std::string_view());
}

bool any_of_them(const Names& names, const Names& read) {
  return std::ranges::any_of(names, [&](const std::string& name) { return read.count(name); });
}

std::vector<std::pair<std::string, std::string_view>> attributes_in(std::string_view text) {
  constexpr std::string_view self = "self.";
  std::vector<std::pair<std::string, std::string_view>> out;
  for (size_t at = text.find(self); at != std::string_view::npos; at = text.find(self, at + 1)) {
    if (at > 0 && is_name_part(text[at - 1])) continue;
    std::string_view rest = text.substr(at + self.size());
    size_t end = 0;
    while (end < rest.size() && is_name_part(rest[end])) ++end;
    if (end > 0) out.emplace_back(rest.substr(0, end), rest.substr(end));
  }
  return out;
}

bool writes(std::string_view after) {
  while (after.starts_with('[') || after.starts_with('.')) {  // A part of it.
    if (after[0] == '[') {
      size_t close = after.find(']');
      after = close == std::string_view::npos ? "" : after.substr(close + 1);
      continue;
    }
    size_t end = 1;
    while (end < after.size() && is_name_part(after[end])) ++end;
    if (end < after.size() && after[end] == '(') return changes(after.substr(1, end - 1));
    after = after.substr(end);
  }
  after.remove_prefix(std::min(after.find_first_not_of(' '), after.size()));
  size_t equals = after.find('=');
  if (equals == std::string_view::npos || after.substr(equals).starts_with("==")) return false;
  if (after.starts_with("<=") || after.starts_with(">=")) return false;
  return equals == 0 || after.find_first_not_of("+-*/%@&|^<>") == equals;
}

bool writes_any(const std::string& text, const Names& names) {
  if (makes_any(text, names)) return true;
  return std::ranges::any_of(attributes_in(text), [&](const auto& attribute) {
    bool meant = names.empty() || names.count(attribute.first) > 0;
    return meant && writes(attribute.second);
  });
}

std::pair<int, std::string> line_around(const SourceLines& lines, int line) {
  size_t indent = indent_of(lines(line));
  for (int at = line - 1; at > 0; --at) {
    std::string text = lines(at);
    if (!is_blank(text) && indent_of(text) < indent) return {at, text};
  }
  return {0, ""};
}

bool calls_function(std::string_view text, const std::string& function) {
  if (is_blank(text)) return false;
  for (size_t at = text.find(function); at != std::string_view::npos;
       at = text.find(function, at + 1)) {
    if (at > 0 && is_name_part(text[at - 1])) continue;
    std::string_view after = text.substr(at + function.size());
    size_t chosen = after.starts_with("[") ? after.find("](") : std::string_view::npos;
    if (after.starts_with("(") || chosen != std::string_view::npos) return true;
  }
  return false;
}

std::pair<std::string, int> function_around(const SourceLines& lines, int line) {
  while (line > 0 && !starts_with_word(lines(line), {"def"})) --line;
  std::string text = line > 0 ? lines(line) : std::string();
  size_t end = text.find('('), name = text.find("def ") + 4;
  bool whole = line > 0 && end != std::string::npos && name < end;
  return {whole ? text.substr(name, end - name) : std::string(), line};
}

std::vector<int> lines_of_function(const SourceLines& lines, int head) {
  std::vector<int> all;
  size_t indent = indent_of(lines(head));
  for (int at = head + 1, blank = 0; blank < blank_lines; ++at) {
    std::string text = lines(at);
    blank = is_blank(text) ? blank + 1 : 0;
    if (blank == 0 && indent_of(text) <= indent) break;
    all.push_back(at);
  }
  return all;
}

std::vector<int> lines_below(const SourceLines& lines, int line) {
  std::vector<int> below;
  for (int at = line + 1, blank = 0; blank < blank_lines; ++at) {
    std::string text = lines(at);
    if (starts_with_word(text, {"def", "class"})) break;
    blank = is_blank(text) ? blank + 1 : 0;
    below.push_back(at);
  }
  return below;
}

int reader_below(const SourceLines& lines, int line,
                 const std::function<bool(const std::string& text)>& is_meant) {
  Names made{assigned(lines(line)).first};
  made.erase("");
  if (made.empty()) return 0;
  for (int at : lines_below(lines, line)) {
    std::string text = lines(at);
    if (is_meant(text) && any_of_them(made, names_in(text))) return at;
    auto [name, rest] = assigned(text);
    if (!name.empty() && any_of_them(made, names_in(rest))) made.insert(name);
  }
  return 0;
}

std::vector<int> lines_of_file(const SourceLines& lines, int line) {
  int last = line;
  for (int blank = 0; blank < blank_lines; ++last) blank = is_blank(lines(last)) ? blank + 1 : 0;
  std::vector<int> all(static_cast<size_t>(last - 1));
  std::iota(all.begin(), all.end(), 1);
  return all;
}

std::vector<int> calls_of_function(const SourceLines& lines, int line) {
  auto [function, head] = function_around(lines, line);
  std::vector<int> calls;
  if (function.empty()) return calls;
  Names names = names_of_function(lines, function, head);
  for (int at : lines_of_file(lines, line)) {
    std::string text = lines(at);
    bool called = !starts_with_word(text, {"def"}) &&
                  std::ranges::any_of(
                      names, [&](const std::string& name) { return calls_function(text, name); });
    if (called) calls.push_back(at);
  }
  return calls;
}

int head_of(const SourceLines& lines, int line, const std::string& function) {
  std::string head = "def " + function + "(";
  for (int at : lines_of_file(lines, line))
    if (lines(at).find(head) != std::string::npos) return at;
  return 0;
}

}  // namespace assay::verify::diagnosis::python
