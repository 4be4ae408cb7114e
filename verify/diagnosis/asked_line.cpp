#include "verify/diagnosis/asked_line.h"

#include <algorithm>

namespace assay::verify::diagnosis {

using namespace python;

namespace {

using Asks = bool (*)(std::string_view text);

/// The line that asks in a function of the file which this line calls; 0 where none does.
int asked_in_a_call(const SourceLines& lines, int line, Asks asks) {
  std::string own = lines(line);
  for (const std::string& name : names_in(own)) {
    int head = calls_function(own, name) ? head_of(lines, line, name) : 0;
    if (head == 0) continue;
    for (int at : lines_of_function(lines, head)) {
      if (asks(lines(at))) return at;
    }
  }
  return 0;
}

bool asks_for_limits(std::string_view text) { return mentions_any(text, {"finfo(", "iinfo("}); }

bool gives_element_type(std::string_view text) {
  return mentions_any(text, {".dtype", "result_type("});
}

bool gives_device(std::string_view text) { return mentions_any(text, {".device"}); }

bool asks_for_element_type(std::string_view text) {
  return gives_element_type(text) || asks_for_limits(text) ||
         mentions_any(text, {".element_size(", ".is_floating_point("});
}

/// What a tensor is asked for and lines hand on by variables: by which keyword they take it (or by
/// `.to(`), and how it is asked.
struct Handed {
  std::string_view keyword;
  Asks asks;
};
constexpr Handed device = {"device=", gives_device};
constexpr Handed element_type = {"dtype=", gives_element_type};

/// The variable that a line takes it from (`device=where`, `.to(where)`); empty where none.
std::string variable_of(std::string_view text, const Handed& what) {
  for (std::string_view before : {what.keyword, std::string_view(".to(")}) {
    size_t at = text.find(before);
    if (at == std::string_view::npos) continue;
    std::string_view rest = text.substr(at + before.size());
    auto end = std::ranges::find_if_not(rest, is_name_part);
    bool whole = end == rest.end() || *end == ',' || *end == ')';
    if (whole && end != rest.begin()) return {rest.begin(), end};
  }
  return {};
}

/// The nearest line above in the same function that gives it to one of the names; 0 where none
/// does.
int given_above(const SourceLines& lines, int line, const Names& names, const Handed& what) {
  for (int at = line - 1; at > 0 && !starts_with_word(lines(at), {"def", "class"}); --at) {
    std::string text = lines(at);
    auto [name, rest] = assigned(text);
    bool asks = what.asks(rest) && !mentions_any(rest, {what.keyword, ".to("});
    if (names.count(name) > 0 && asks) return at;
  }
  return 0;
}

/// Whether a function gives back what this line of it asks.
bool is_given_back(const SourceLines& lines, int line) {
  std::string text = lines(line);
  if (starts_with_word(text, {"return"})) return true;
  std::string name = assigned(text).first;
  std::vector<int> below = lines_below(lines, line);
  return std::ranges::any_of(below, [&](int at) {
    return starts_with_word(lines(at), {"return"}) && names_in(lines(at)).count(name) > 0;
  });
}

/// The same in the function of the file that gives it to the name.
int given_by_a_call(const SourceLines& lines, int line, const std::string& name,
                    const Handed& what) {
  for (int at = line - 1; at > 0 && !starts_with_word(lines(at), {"def", "class"}); --at) {
    if (assigned(lines(at)).first != name) continue;
    int asked = asked_in_a_call(lines, at, what.asks);
    return asked != 0 && is_given_back(lines, asked) ? asked : 0;
  }
  return 0;
}

/// The line that asks a tensor for what this line takes from a variable: in the same function, in
/// one that it calls for that, or where it is called; the line itself where none does.
int asked_at(const SourceLines& lines, int line, const Handed& what) {
  std::string variable = variable_of(lines(line), what);
  if (variable.empty()) return line;
  if (int given = given_above(lines, line, {variable}, what); given != 0) return given;
  if (int given = given_by_a_call(lines, line, variable, what); given != 0) return given;
  auto [function, head] = function_around(lines, line);
  if (head == 0 || names_in(lines(head)).count(variable) == 0) return line;
  for (int call : calls_of_function(lines, line)) {
    std::string text = lines(call);
    if (what.asks(text)) return call;
    if (int given = given_above(lines, call, names_in(text), what); given != 0) return given;
  }
  return line;
}

}  // namespace

int element_type_asked(const SourceLines& lines, int line) {
  std::string own = lines(line);
  // A type that the line hands on says less than what is asked of it there.
  if (int limit = asked_in_a_call(lines, line, asks_for_limits); limit != 0) return limit;
  if (mentions_any(own, {"dtype", "info(", ".float(", ".double(", ".half(", ".bfloat16(", ".long(",
                         ".int(", ".bool(", ".to(", ".type(", "type_as(", "Tensor("})) {
    return asked_at(lines, line, element_type);
  }
  if (int called = asked_in_a_call(lines, line, asks_for_element_type); called != 0) return called;
  Names read = names_in(own);
  for (int at = line - 1; at > 0 && !starts_with_word(lines(at), {"def", "class"}); --at) {
    std::string text = lines(at);
    auto [name, rest] = assigned(text);
    if (read.count(name) == 0) continue;
    if (int limit = asked_in_a_call(lines, at, asks_for_limits); limit != 0) return limit;
    if (asks_for_element_type(rest)) return at;
    if (int asked = asked_at(lines, at, element_type); asked != at) return asked;
    if (int called = asked_in_a_call(lines, at, asks_for_element_type); called != 0) return called;
    read.merge(names_in(rest));
  }
  return line;
}

int device_asked(const SourceLines& lines, int line) { return asked_at(lines, line, device); }

}  // namespace assay::verify::diagnosis
