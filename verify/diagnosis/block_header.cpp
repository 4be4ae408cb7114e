#include "verify/diagnosis/block_header.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::verify::diagnosis {

namespace {

constexpr int blank_lines = 3;  // So many end the file for all that is known.
constexpr int furthest_caller = 400;

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

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The `x` of every `self.x` in the text, with what follows it.
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

/// Whether what follows `self.x` writes to it: `= 1`, `+= 1`, `[0] = 1`, `.append(1)`, `.mul_(2)`.
bool writes(std::string_view after) {
  if (after.starts_with('[')) {
    size_t close = after.find(']');
    after = close == std::string_view::npos ? "" : after.substr(close + 1);
  }
  if (after.starts_with('.')) {
    size_t end = 1;
    while (end < after.size() && is_name_part(after[end])) ++end;
    std::string_view method = after.substr(1, end - 1);
    constexpr std::string_view changing[] = {"append", "extend", "insert", "pop",  "remove",
                                             "clear",  "update", "add",    "copy_"};
    bool in_place = method.size() > 1 && method.ends_with('_') && !method.ends_with("__");
    bool called = end < after.size() && after[end] == '(';
    return called && (in_place || std::ranges::find(changing, method) != std::end(changing));
  }
  after.remove_prefix(std::min(after.find_first_not_of(' '), after.size()));
  size_t equals = after.find('=');
  if (equals == std::string_view::npos || after.substr(equals).starts_with("==")) return false;
  if (after.starts_with("<=") || after.starts_with(">=")) return false;
  return equals == 0 || after.find_first_not_of("+-*/%@&|^<>") == equals;
}

/// Whether the line makes an attribute by its name: `self.register_buffer("x", ...)`,
/// `setattr(self, "x", ...)`.
bool makes_any(std::string_view text, const std::set<std::string>& names) {
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

/// Whether the line writes an attribute of one of these names, or of any where there are none.
bool writes_any(const std::string& text, const std::set<std::string>& names) {
  if (makes_any(text, names)) return true;
  return std::ranges::any_of(attributes_in(text), [&](const auto& attribute) {
    bool meant = names.empty() || names.count(attribute.first) > 0;
    return meant && writes(attribute.second);
  });
}

}  // namespace

int write_near(const SourceLines& lines, int line, const std::set<std::string>& attributes) {
  auto starts_function = [](const std::string& text) { return starts_with_word(text, {"def"}); };
  for (int at = line - 1; at > 0 && !starts_function(lines(at)); --at) {
    if (writes_any(lines(at), attributes)) return at;
  }
  for (int at = line, blank = 0; blank < blank_lines; ++at) {
    std::string text = lines(at);
    if (starts_function(text) || starts_with_word(text, {"class"})) break;
    blank = is_blank(text) ? blank + 1 : 0;
    if (writes_any(text, attributes)) return at;
  }
  return 0;
}

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

using Names = std::set<std::string>;

/// The identifiers of a text.
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

/// The variable that a line gives a value to (`eps = 1`, `eps *= 2`), and what follows the name;
/// empty where it does something else.
std::pair<std::string, std::string_view> assigned(std::string_view text) {
  text.remove_prefix(indent_of(text));
  size_t end = 0;
  while (end < text.size() && is_name_part(text[end])) ++end;
  std::string_view rest = text.substr(end);
  return end > 0 && writes(rest) ? std::pair(std::string(text.substr(0, end)), rest)
                                 : std::pair(std::string(), std::string_view());
}

bool mentions_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

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

}  // namespace

namespace {

bool any_of_them(const Names& names, const Names& read) {
  return std::ranges::any_of(names, [&](const std::string& name) { return read.count(name); });
}

/// The line below, in the same function, at which an attribute keeps what this line gives a name to
/// or what is made of it; 0 where none does.
int kept_below(const SourceLines& lines, int line) {
  Names made{assigned(lines(line)).first};
  made.erase("");
  for (int at = line + 1, blank = 0; blank < blank_lines && !made.empty(); ++at) {
    std::string text = lines(at);
    if (starts_with_word(text, {"def", "class"})) break;
    blank = is_blank(text) ? blank + 1 : 0;
    if (writes_any(text, {}) && any_of_them(made, names_in(text))) return at;
    auto [name, rest] = assigned(text);
    if (!name.empty() && any_of_them(made, names_in(rest))) made.insert(name);
  }
  return 0;
}

/// The name of the function that the line lies in, and the line of its head; "" where it is none.
std::pair<std::string, int> function_around(const SourceLines& lines, int line) {
  while (line > 0 && !starts_with_word(lines(line), {"def"})) --line;
  std::string text = line > 0 ? lines(line) : std::string();
  size_t end = text.find('('), name = text.find("def ") + 4;
  bool whole = line > 0 && end != std::string::npos && name < end;
  return {whole ? text.substr(name, end - name) : std::string(), line};
}

}  // namespace

int kept_at(const SourceLines& lines, int line) {
  if (int below = kept_below(lines, line); below != 0) return below;
  auto [function, head] = function_around(lines, line);
  if (function.empty()) return 0;
  std::string calling = function + "(";
  auto kept = [&](int at) {
    std::string call = lines(at);
    if (call.find(calling) == std::string::npos) return 0;
    return writes_any(call, {}) ? at : kept_below(lines, at);
  };
  for (int distance = 1, blank = 0; distance < furthest_caller; ++distance) {
    blank = blank < blank_lines && !is_blank(lines(head + distance)) ? 0 : blank + 1;
    bool ends = blank >= blank_lines;
    if (int at = ends ? 0 : kept(head + distance); at != 0) return at;
    if (int at = head > distance ? kept(head - distance) : 0; at != 0) return at;
    if (ends && head <= distance) break;
  }
  return 0;
}

namespace {

/// The lines of the function with this head.
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

/// Whether a function's head gives a parameter a list, dict or set by default, which all calls
/// share.
bool has_shared_default(const std::string& head, const std::string& name) {
  return std::ranges::any_of(std::array{"=[", "={", "=list(", "=dict(", "=set("}, [&](auto value) {
    size_t at = head.find(name + value);
    return at != std::string::npos && (at == 0 || !is_name_part(head[at - 1]));
  });
}

/// The names that a function gives to things of its own, parameters included that nothing keeps.
Names local_names(const SourceLines& lines, int head) {
  Names own = names_in(lines(head)), outside;
  std::erase_if(own, [&](auto& name) { return has_shared_default(lines(head), name); });
  for (int at : lines_of_function(lines, head)) {
    std::string text = lines(at);
    if (starts_with_word(text, {"global", "nonlocal"})) outside.merge(names_in(text));
    auto [name, rest] = assigned(text);
    if (!name.empty() && rest.starts_with(" =")) own.insert(name);
    if (starts_with_word(text, {"for"})) own.merge(names_in(text.substr(0, text.find(" in "))));
  }
  for (const std::string& name : outside) own.erase(name);
  return own;
}

/// The variable that a line changes or sets, itself or a part of it: `COUNT["calls"] += 1`,
/// `Net.steps = 1`, `last.append(x)`.
std::string changed_in(std::string_view text) {
  std::string name = assigned(text).first;
  if (!name.empty()) return name;
  text.remove_prefix(indent_of(text));
  size_t dot = text.find_first_of(".[( =");
  if (dot == std::string_view::npos || text[dot] != '.') return "";
  bool changes = writes(text.substr(dot)) || !assigned(text.substr(dot + 1)).first.empty();
  return changes ? std::string(text.substr(0, dot)) : "";
}

/// The line of the same function that changes something outside of it (`COUNT["calls"] += 1`, or
/// `steps += 1` below `global steps`) from which values of this line are made: the nearest one
/// above before those below. 0 where none does.
int outside_write(const SourceLines& lines, int line) {
  int head = function_around(lines, line).second, found = 0;
  if (head == 0) return 0;
  Names own = local_names(lines, head), read = names_in(lines(line));
  for (int at = line - 1; at > head; --at) {
    std::string text = lines(at);
    auto [name, rest] = assigned(text);
    if (read.count(name) > 0) read.merge(names_in(rest));
  }
  for (int at : lines_of_function(lines, head)) {
    std::string name = changed_in(lines(at));
    if (read.count(name) == 0 || own.count(name) > 0) continue;
    if (at > line && found != 0) break;
    found = at;
  }
  return found;
}

}  // namespace

namespace {

/// The first line of the file that sets a variable of the function around its own: what nobody near
/// the line keeps, a function that it calls may.
int write_around_a_function(const SourceLines& lines, int line) {
  for (int at = 1, blank = 0; at < line || blank < blank_lines; ++at) {
    std::string text = lines(at);
    blank = is_blank(text) ? blank + 1 : 0;
    if (!starts_with_word(text, {"nonlocal"})) continue;
    Names kept = names_in(text);
    for (int below : lines_of_function(lines, function_around(lines, at).second)) {
      if (kept.count(changed_in(lines(below))) > 0) return below;
    }
  }
  return 0;
}

/// The write of the state that the nearest condition above the line, or around it, asks for: where
/// it held, the line did not run, or it alone did. 0 where none asks for any.
int write_behind_a_decision(const SourceLines& lines, int line) {
  size_t indent = indent_of(lines(line));
  for (int at = line - 1; at > 0; --at) {
    std::string text = lines(at);
    if (is_blank(text) || indent_of(text) > indent) continue;
    if (starts_with_word(text, {"def", "class"})) return 0;
    indent = indent_of(text);
    if (!starts_with_word(text, {"if", "elif", "while"})) continue;
    Names asked;
    for (const auto& [name, after] : attributes_in(text)) asked.insert(name);
    int found = asked.empty() ? 0 : write_near(lines, at, asked);
    if (found == 0) found = outside_write(lines, at);
    if (found != 0) return found;
  }
  return 0;
}

}  // namespace

int state_write(const SourceLines& lines, int line) {
  std::string own = lines(line);
  if (writes_any(own, {})) return line;
  Names read;
  for (const auto& [name, after] : attributes_in(own)) read.insert(name);
  int found = read.empty() ? 0 : write_near(lines, line, read);
  if (found == 0) found = kept_at(lines, line);
  if (found == 0) found = outside_write(lines, line);
  if (found == 0) found = write_behind_a_decision(lines, line);
  if (found == 0) found = write_around_a_function(lines, line);
  return found != 0 ? found : line;
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
      bool untraced = mentions_any(
          lines(header), {"training", "dtype", "device", "None", "dim()", ".ndim", "isinstance",
                          "contiguous", "stride", "grad", " in ", "hasattr", "len(", "scripting"});
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

int element_type_asked(const SourceLines& lines, int line) {
  std::string own = lines(line);
  if (mentions_any(own, {"dtype", "info(", ".float(", ".double(", ".half(", ".bfloat16(", ".long(",
                         ".int(", ".bool(", ".to(", ".type(", "type_as(", "Tensor("})) {
    return line;
  }
  Names read = names_in(own);
  for (int at = line - 1; at > 0 && !starts_with_word(lines(at), {"def", "class"}); --at) {
    std::string text = lines(at);
    auto [name, rest] = assigned(text);
    if (read.count(name) == 0) continue;
    if (mentions_any(rest, {".dtype", "finfo(", "iinfo(", ".element_size(", ".is_floating_point("}))
      return at;
    read.merge(names_in(rest));
  }
  return line;
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
  if (name.empty()) return line;
  for (int at = line + 1, blank = 0; blank < blank_lines; ++at) {
    std::string text = lines(at);
    if (starts_with_word(text, {"def", "class"})) break;
    blank = is_blank(text) ? blank + 1 : 0;
    if (changes(text, name)) return at;
  }
  return line;
}

namespace {

/// Of a line that goes through what a function of the file yields, the loop there that yields; 0 of
/// others.
int loop_of_a_generator(const SourceLines& lines, int line) {
  std::string text = lines(line);
  size_t in = text.find(" in "), end = text.find('(', in == std::string::npos ? in : in + 4);
  bool loops = starts_with_word(text, {"for"}) || mentions_any(text, {" for "});
  if (!loops || in == std::string::npos || end == std::string::npos) return 0;
  std::string head = "def " + text.substr(in + 4, end - in - 4) + "(";
  for (int at = 1, blank = 0; at < line || blank < blank_lines; ++at) {
    blank = is_blank(lines(at)) ? blank + 1 : 0;
    if (lines(at).find(head) == std::string::npos) continue;
    for (int below : lines_of_function(lines, at)) {
      if (!starts_with_word(lines(below), {"yield"})) continue;
      int header = loop_header(lines, below);
      return starts_with_word(lines(header), {"for", "while"}) ? header : 0;
    }
  }
  return 0;
}

}  // namespace

int loop_at(const SourceLines& lines, int line) {
  int header = loop_header(lines, line);
  if (int generator = loop_of_a_generator(lines, header); generator != 0) return generator;
  std::string name = assigned(lines(line)).first;
  bool in_loop = starts_with_word(lines(header), {"for", "while"});
  if (in_loop || name.empty()) return header;
  for (int at = line + 1, blank = 0; blank < blank_lines; ++at) {
    std::string text = lines(at);
    if (starts_with_word(text, {"def", "class"})) break;
    blank = is_blank(text) ? blank + 1 : 0;
    bool counts = starts_with_word(text, {"for", "while"}) && names_in(text).count(name) > 0;
    if (counts) return at;
  }
  return line;
}

int decided_below(const SourceLines& lines, int line) {
  Names made{assigned(lines(line)).first};
  made.erase("");
  for (int at = line + 1, blank = 0; blank < blank_lines && !made.empty(); ++at) {
    std::string text = lines(at);
    if (starts_with_word(text, {"def", "class"})) break;
    blank = is_blank(text) ? blank + 1 : 0;
    bool asks = starts_with_word(text, {"if", "elif"}) || mentions_any(text, {" if "});
    if (asks && any_of_them(made, names_in(text))) return at;
    auto [name, rest] = assigned(text);
    if (!name.empty() && any_of_them(made, names_in(rest))) made.insert(name);
  }
  return 0;
}

int walk_over_keys(const SourceLines& lines, int line) {
  for (int at = line; at > 0; --at) {
    std::string text = lines(at);
    if (starts_with_word(text, {"def", "class"})) break;
    bool walks = mentions_any(text, {".values()", ".items()", ".keys()", " list(", "iter("}) ||
                 (starts_with_word(text, {"for"}) && mentions_any(text, {" in "}));
    if (walks) return at;
  }
  return line;
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
  for (int at = line + 1, blank = 0; blank < blank_lines; ++at) {
    std::string text = lines(at);
    if (starts_with_word(text, {"def", "class"})) break;
    blank = is_blank(text) ? blank + 1 : 0;
    if (has(at)) return at;
  }
  return 0;
}

}  // namespace

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

int origin_of(std::string_view class_id, const SourceLines& lines, int line) {
  if (class_id == "AS104") return loop_at(lines, line);
  if (class_id == "AS107") return element_type_asked(lines, line);
  if (class_id == "AS109") return state_write(lines, line);
  if (class_id == "AS110") return write_below(lines, line);
  if (class_id == "AS115") return walk_over_keys(lines, line);
  if (class_id == "AS119") {
    int switched = switches_gradients(lines, line);
    return switched > 0 ? switched : line;
  }
  if (class_id != "AS103" && class_id != "AS108" && class_id != "AS112") return line;
  int header = branch_header(lines, line);
  bool in_branch = starts_with_word(lines(header), {"if", "elif", "except"});
  if (!in_branch && !mentions_any(lines(line), {" if ", "bool(", "assert "})) {
    int decided = decided_above(lines, line);
    if (decided == 0) decided = decided_below(lines, line);
    if (decided > 0) header = decided;
  }
  std::string text = lines(header);
  bool meant = class_id == "AS103" || (class_id == "AS108" && mentions_any(text, {"training"})) ||
               (class_id == "AS112" && mentions_any(text, {"contiguous", "stride"}));
  return meant ? header : line;
}

}  // namespace assay::verify::diagnosis
