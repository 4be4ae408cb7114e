#include "verify/diagnosis/block_header.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "verify/diagnosis/asked_line.h"
#include "verify/diagnosis/state_line.h"

namespace assay::verify::diagnosis {

using namespace python;

namespace {

/// The line that opens the block around this one; 0 if it leaves the function.
int enclosing(const SourceLines& lines, int line) {
  auto [around, text] = line_around(lines, line);
  return starts_with_word(text, {"def", "class"}) ? 0 : around;
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
  int at = header(lines, line, {"if", "elif", "else", "except"});
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

namespace {

/// What an `if` (`elif`, `else`) line governs: the rest of that line, and the lines below it.
std::vector<std::string> body_of(const SourceLines& lines, int header, int end) {
  std::string head = lines(header);
  size_t colon = head.rfind(": ");
  std::vector<std::string> body;
  if (colon != std::string::npos) body.push_back(head.substr(colon + 2));
  for (int at = header + 1; at < end; ++at) {
    std::string text = lines(at);
    if (is_blank(text)) continue;
    if (indent_of(text) <= indent_of(head)) break;
    body.push_back(std::move(text));
  }
  return body;
}

/// Whether the body decides what a line behind it does: it gives one of these variables a value, or
/// leaves so that the line is not reached.
bool decides(const std::vector<std::string>& body, const Names& read, bool may_leave) {
  bool leaves = !body.empty() && starts_with_word(body.back(), {"return", "continue", "break"});
  return (leaves && may_leave) || std::ranges::any_of(body, [&](const std::string& text) {
           return read.count(assigned(text).first) > 0;
         });
}

/// The nearest line above in the same function that gives a variable of this line the mode
/// (`fresh = self.training`); the line itself where none does.
int mode_given(const SourceLines& lines, int line) {
  Names read = names_in(lines(line));
  if (mentions_any(lines(line), {"training"})) return line;
  for (int at = line - 1; at > 0 && !starts_with_word(lines(at), {"def", "class"}); --at) {
    std::string text = lines(at);
    if (mentions_any(text, {"training"}) && read.count(assigned(text).first) > 0) return at;
  }
  return line;
}

/// Whether the line reads the mode: itself, or by a variable (`noisy = self.training and ...`).
bool reads_mode(const SourceLines& lines, int line) {
  return mentions_any(lines(line), {"training"}) || mode_given(lines, line) != line;
}

/// Whether the line asks for the mode: reads it, or by a property or method of the file
/// (`if self.noisy:`).
bool asks_for_mode(const SourceLines& lines, int line) {
  if (reads_mode(lines, line)) return true;
  auto mentions_it = [&](int at) { return mentions_any(lines(at), {"training"}); };
  Names read = names_in(lines(line));
  for (const std::string& name : read) {
    int head = head_of(lines, line, name);
    if (head != 0 && std::ranges::any_of(lines_of_function(lines, head), mentions_it)) return true;
  }
  return false;
}

}  // namespace

int only_branch_on_mode(const SourceLines& lines, int line) {
  int found = 0;
  for (int at : lines_of_file(lines, line)) {
    std::string text = lines(at);
    bool decides = starts_with_word(text, {"if", "elif", "while"}) || mentions_any(text, {" if "});
    if (!decides || !mentions_any(text, {"training"})) continue;
    std::string function = function_around(lines, at).first;
    if (function.empty() || function == "train" || function == "__init__") continue;
    if (found != 0) return 0;
    found = at;
  }
  return found;
}

int decided_above(const SourceLines& lines, int line) {
  std::string own = lines(line);
  size_t indent = indent_of(own);
  Names read = names_in(own);
  for (int at = line - 1; at > 0; --at) {
    std::string text = lines(at);
    if (is_blank(text) || indent_of(text) > indent) continue;
    if (starts_with_word(text, {"def", "class"})) return 0;
    // A line that encloses what was looked at: further up its own neighbours count.
    indent = indent_of(text);
    if (starts_with_word(text, {"if", "elif", "else"})) {
      int header = branch_header(lines, at);
      // Conditions on tensors leave a trace of their own.
      bool untraced = asks_for_mode(lines, header) ||
                      mentions_any(lines(header), {"dtype", "device", "None", "dim()", ".ndim",
                                                   "isinstance", "contiguous", "stride", "grad",
                                                   " in ", "hasattr", "len(", "scripting"});
      if (decides(body_of(lines, at, line), read, untraced)) return header;
      continue;
    }
    auto [name, rest] = assigned(text);
    if (read.count(name) == 0) continue;
    // A choice by a condition, or by an element type: `{torch.float32: 1e-5}[x.dtype]`.
    if (mentions_any(rest, {" if ", ".dtype]"})) return at;
    read.merge(names_in(rest));
  }
  return 0;
}

namespace {

/// Whether the text changes what the variable holds, rather than giving the name to something else.
bool changes(std::string_view text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    std::string_view after = text.substr(at + name.size());
    if ((at > 0 && is_name_part(text[at - 1])) || after.empty() || is_name_part(after[0])) continue;
    if (at >= 4 && text.substr(at - 4, 4) == "out=") return true;
    bool same_object = after[0] == '[' || after[0] == '.' || !after.starts_with(" = ");
    if (same_object &&
        (writes(after) || mentions_any(after.substr(0, 6), {".fill(", ".sort(", ".put("}))) {
      return true;
    }
  }
  return false;
}

}  // namespace

int write_below(const SourceLines& lines, int line) {
  std::string name = assigned(lines(line)).first;
  if (name.empty() || changes(lines(line), name)) return line;
  for (int at : lines_below(lines, line)) {
    std::string text = lines(at);
    if (changes(text, name)) return at;
  }
  return line;
}

namespace {

bool is_loop(const std::string& text) {
  return starts_with_word(text, {"for", "while"}) || mentions_any(text, {" for "});
}

/// Of a line that goes through what a function of the file yields, the loop there that yields; 0 of
/// others.
int loop_of_a_generator(const SourceLines& lines, int line) {
  std::string text = lines(line);
  size_t in = text.find(" in "), end = text.find('(', in == std::string::npos ? in : in + 4);
  if (!is_loop(text) || in == std::string::npos || end == std::string::npos) return 0;
  int head = head_of(lines, line, text.substr(in + 4, end - in - 4));
  if (head == 0) return 0;
  for (int at : lines_of_function(lines, head)) {
    if (!starts_with_word(lines(at), {"yield"})) continue;
    int header = loop_header(lines, at);
    return starts_with_word(lines(header), {"for", "while"}) ? header : 0;
  }
  return 0;
}

}  // namespace

namespace {

/// What `header_at` finds for a line that calls the function in which this line lies, or for one
/// that calls such a caller in turn; 0 where it finds nothing.
int header_of_a_call(const SourceLines& lines, int line, const std::function<int(int)>& header_at,
                     int depth = 3) {
  if (depth == 0) return 0;
  std::vector<int> calls = calls_of_function(lines, line);
  for (int at : calls) {
    if (int header = header_at(at); header != 0) return header;
  }
  for (int at : calls) {
    if (int header = header_of_a_call(lines, at, header_at, depth - 1); header != 0) return header;
  }
  return 0;
}

/// The loop that calls the function in which the line lies; 0 where none does.
int loop_that_calls(const SourceLines& lines, int line) {
  return header_of_a_call(lines, line, [&](int at) {
    int header = loop_header(lines, at);
    return is_loop(lines(header)) ? header : 0;
  });
}

/// The line at which the function that the line lies in calls itself; 0 where it does not.
int recursive_call(const SourceLines& lines, int line) {
  auto [function, head] = function_around(lines, line);
  for (int at : lines_of_function(lines, head)) {
    std::string text = lines(at);
    bool itself = mentions_any(text, {"self("}) && calls_function(text, "self");
    if (function == "forward" && itself) return at;
  }
  std::vector<int> calls = calls_of_function(lines, line);
  auto own = std::ranges::find_if(
      calls, [&, head = head](int at) { return function_around(lines, at).second == head; });
  return own == calls.end() ? 0 : *own;
}

/// The `rest` of `first, *rest = parts`; empty for a line that collects nothing.
std::string collected(std::string_view text) {
  size_t star = text.find('*'), end = text.find(" = ");
  if (end == std::string_view::npos || star > end) return {};
  std::string_view before = text.substr(0, star), behind = text.substr(star + 1, end - star - 1);
  size_t last = before.find_last_not_of(' ');
  bool target = last == std::string_view::npos || before[last] == ',' || before[last] == '[' ||
                before[last] == '(';
  return target ? std::string(behind.begin(), std::ranges::find_if_not(behind, is_name_part)) : "";
}

/// The same of an `if`.
int branch_that_calls(const SourceLines& lines, int line) {
  return header_of_a_call(lines, line, [&](int at) {
    int header = branch_header(lines, at);
    bool in_branch = starts_with_word(lines(header), {"if", "elif", "except"});
    return in_branch || mentions_any(lines(at), {" if "}) ? header : 0;
  });
}

}  // namespace

int loop_at(const SourceLines& lines, int line) {
  int header = loop_header(lines, line);
  if (int generator = loop_of_a_generator(lines, header); generator != 0) return generator;
  if (starts_with_word(lines(header), {"for", "while"})) return header;
  std::string own = lines(line), name = assigned(own).first;
  if (name.empty()) name = collected(own);
  for (int at : name.empty() ? std::vector<int>() : lines_below(lines, line)) {
    std::string text = lines(at);
    bool counts = starts_with_word(text, {"for", "while"}) && names_in(text).count(name) > 0;
    if (counts) return at;
  }
  if (is_loop(lines(line))) return line;
  int caller = loop_that_calls(lines, line);
  if (caller == 0) caller = recursive_call(lines, line);
  return caller != 0 ? caller : line;
}

int decided_below(const SourceLines& lines, int line) {
  return reader_below(lines, line, [](const std::string& text) {
    return starts_with_word(text, {"if", "elif"}) || mentions_any(text, {" if "});
  });
}

namespace {

bool goes_through_entries(const std::string& text) {
  return mentions_any(text, {".values()", ".items()", ".keys()"});
}

bool goes_through_something(const std::string& text) {
  return goes_through_entries(text) || mentions_any(text, {" list(", "iter("}) ||
         (starts_with_word(text, {"for"}) && mentions_any(text, {" in "}));
}

/// The nearest line from this one up, in the same function, that does so; 0 where none does.
int walk_above(const SourceLines& lines, int line, bool (*walks)(const std::string&)) {
  for (int at = line; at > 0; --at) {
    std::string text = lines(at);
    if (starts_with_word(text, {"def", "class"})) break;
    if (walks(text)) return at;
  }
  return 0;
}

}  // namespace

bool walks_unconditionally(const SourceLines& lines, int line) {
  bool asks = mentions_any(lines(line), {" if "}) ||
              starts_with_word(lines(branch_header(lines, line)), {"if", "elif", "else"});
  std::string walk = lines(walk_over_keys(lines, line));
  return !asks && (starts_with_word(walk, {"for"}) || mentions_any(walk, {" for "}));
}

int walk_over_keys(const SourceLines& lines, int line) {
  if (int at = walk_above(lines, line, goes_through_something); at != 0) return at;
  int caller = header_of_a_call(
      lines, line, [&](int call) { return walk_above(lines, call, goes_through_entries); });
  return caller != 0 ? caller : line;
}

namespace {

/// The nearest line of the function around `line` with one of these texts, above before below; 0 if
/// there is none.
int mention_near(const SourceLines& lines, int line,
                 std::initializer_list<std::string_view> words) {
  auto has = [&](int at) {
    std::string text = lines(at);
    return !is_blank(text) && mentions_any(text, words);
  };
  for (int at = line; at > 0; --at) {
    if (has(at)) return at;
    if (starts_with_word(lines(at), {"def", "class"})) break;
  }
  std::vector<int> below = lines_below(lines, line);
  auto found = std::ranges::find_if(below, has);
  return found == below.end() ? 0 : *found;
}

}  // namespace

namespace {

/// Whether the text begins with the number, without a sign and however it is written; what comes
/// behind it.
std::optional<std::string_view> behind_number(std::string_view text, double number) {
  std::string own(text);
  char* end = nullptr;
  bool begins = !own.empty() && (std::isdigit(static_cast<unsigned char>(own[0])) || own[0] == '.');
  if (!begins || std::strtod(own.c_str(), &end) != number) return std::nullopt;
  return text.substr(static_cast<size_t>(end - own.c_str()));
}

/// Whether the number is one of those between which a conditional expression picks: it stands
/// before an `if`, or behind an `else`.
bool picks_number(std::string_view text, double number) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && (is_name_part(text[at - 1]) || text[at - 1] == '.')) continue;
    auto behind = behind_number(text.substr(at), number);
    if (!behind) continue;
    std::string_view before = text.substr(0, at);
    before = before.substr(0, before.find_last_not_of(" (-+") + 1);
    behind->remove_prefix(std::min(behind->find_first_not_of(" "), behind->size()));
    if (before.ends_with(" else") || behind->starts_with("if ")) return true;
  }
  return false;
}

/// `gain = 0.8`
bool gives_number(std::string_view text, double number) {
  std::string_view value = assigned(text).second;
  if (!value.starts_with(" = ")) return false;
  value.remove_prefix(value.starts_with(" = -") ? 4 : 3);
  auto behind = behind_number(value, number);
  return behind && is_blank(*behind);
}

/// The variables that the branches of an `if` give values to.
Names given_in(const SourceLines& lines, int header) {
  Names names;
  size_t indent = indent_of(lines(header));
  for (int at : lines_below(lines, header)) {
    std::string text = lines(at);
    if (is_blank(text)) continue;
    bool goes_on = starts_with_word(text, {"elif", "else"}) && indent_of(text) == indent;
    if (indent_of(text) <= indent && !goes_on) break;
    names.insert(assigned(text).first);
  }
  return names;
}

}  // namespace

int choice_of(const SourceLines& lines, int line, const std::string& number) {
  char* end = nullptr;
  double value = std::abs(std::strtod(number.c_str(), &end));
  if (number.empty() || *end != 0) return 0;
  auto asks = [&](int at) {
    return starts_with_word(lines(at), {"if", "elif"}) || mentions_any(lines(at), {" if "});
  };
  int header = asks(line) ? line : decided_below(lines, line);
  if (header == 0) return 0;
  if (picks_number(lines(header), value)) return header;
  Names given = given_in(lines, header);
  std::vector<int> own = lines_of_function(lines, function_around(lines, line).second);
  bool written = std::ranges::any_of(own, [&](int at) {
    std::string text = lines(at);
    return given.count(assigned(text).first) > 0 && gives_number(text, value);
  });
  return written ? header : 0;
}

bool is_while(const SourceLines& lines, int line) {
  return starts_with_word(lines(line), {"while"});
}

int asks_how_it_runs(const SourceLines& lines, int line) {
  return mention_near(lines, line, {"is_scripting()", "is_tracing()"});
}

int switches_gradients(const SourceLines& lines, int line) {
  int at = line;
  while (at > 0 && !starts_with_word(lines(at), {"def", "class"})) --at;
  // A decorator stands above its function.
  for (int above = at - 1; above > 0 && mentions_any(lines(above), {"@"}); --above) {
    if (mentions_any(lines(above), {"no_grad", "inference_mode", "enable_grad"})) return above;
  }
  return mention_near(lines, line,
                      {"no_grad", "inference_mode", "set_grad_enabled", "enable_grad"});
}

namespace {

/// The condition above a write, in its function, whether two names are one tensor
/// (`if out is x:`), which no graph asks; the line itself where there is none.
int identity_asked(const SourceLines& lines, int line) {
  for (int at = line; at > 0; --at) {
    std::string text = lines(at);
    bool asks = starts_with_word(text, {"if", "elif"}) && mentions_any(text, {" is "});
    if (asks && !mentions_any(text, {"None"})) return at;
    if (starts_with_word(text, {"def", "class"})) break;
  }
  return line;
}

}  // namespace

int origin_of(std::string_view class_id, const SourceLines& lines, int line) {
  if (class_id == "AS104") return loop_at(lines, line);
  if (class_id == "AS106") return device_asked(lines, line);
  if (class_id == "AS107") return element_type_asked(lines, line);
  if (class_id == "AS109") return state_write(lines, line);
  if (class_id == "AS110") return write_below(lines, line);
  if (class_id == "AS111") return identity_asked(lines, line);
  if (class_id == "AS115") return walk_over_keys(lines, line);
  if (class_id == "AS119") {
    int switched = switches_gradients(lines, line);
    return switched > 0 ? switched : line;
  }
  if (class_id != "AS103" && class_id != "AS108" && class_id != "AS112") return line;
  int header = branch_header(lines, line);
  bool in_branch = starts_with_word(lines(header), {"if", "elif", "except"});
  // What the line itself is given decides there, not what a branch above made of its inputs.
  if (class_id == "AS108" && !in_branch && reads_mode(lines, line)) return mode_given(lines, line);
  if (!in_branch && !mentions_any(lines(line), {" if ", "bool(", "assert "})) {
    int decided = decided_above(lines, line);
    if (decided == 0) decided = decided_below(lines, line);
    if (decided == 0 && class_id == "AS103") decided = branch_that_calls(lines, line);
    if (decided > 0) header = decided;
  }
  bool meant = class_id == "AS103" || (class_id == "AS108" && asks_for_mode(lines, header)) ||
               (class_id == "AS112" && mentions_any(lines(header), {"contiguous", "stride"}));
  if (class_id == "AS108" && (!meant || header == line)) return mode_given(lines, line);
  return meant ? header : line;
}

}  // namespace assay::verify::diagnosis
