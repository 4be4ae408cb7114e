#include "verify/diagnosis/state_line.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace assay::verify::diagnosis {

using namespace python;

namespace {

/// The first of these lines that writes one of these attributes; 0 where none does.
int first_write(const SourceLines& lines, const std::vector<int>& among, const Names& attributes) {
  auto found =
      std::ranges::find_if(among, [&](int at) { return writes_any(lines(at), attributes); });
  return found == among.end() ? 0 : *found;
}

/// What the values of a line are made of, by way of the variables that lines above it, in the same
/// function, give values to.
struct Ingredients {
  Names names;
  Names attributes;  ///< `n` of `self.n`.
  Names methods;     ///< `rate` of `self.rate()`.
};

void add(Ingredients& found, std::string_view text) {
  found.names.merge(names_in(text));
  for (auto& [name, after] : attributes_in(text))
    (after.starts_with('(') ? found.methods : found.attributes).insert(name);
}

Ingredients made_of(const SourceLines& lines, int line) {
  Ingredients found;
  add(found, lines(line));
  for (int at = line - 1; at > 0 && !starts_with_word(lines(at), {"def", "class"}); --at) {
    std::string text = lines(at);
    auto [name, rest] = assigned(text);
    if (found.names.count(name) > 0) add(found, rest);
  }
  return found;
}

/// Whether a call of the model runs this method, or the file calls it or hands it out
/// (`register_forward_hook(self.count)`): one that only others call makes no state of a call.
bool is_used(const SourceLines& lines, const std::vector<int>& file, const std::string& method) {
  if (method == "forward" || method == "__call__") return true;
  return std::ranges::any_of(file, [&](int at) {
    std::string text = lines(at);
    return std::ranges::any_of(attributes_in(text),
                               [&](const auto& attribute) { return attribute.first == method; });
  });
}

/// The write of an attribute by a method that the line's values come from, or of one that the line
/// or such a method reads: there, near the line, or in another method that the file uses. 0 where
/// none does.
int write_in_a_method(const SourceLines& lines, int line, Ingredients read) {
  for (const std::string& method : Names(read.methods)) {
    int head = head_of(lines, line, method);
    if (head == 0) continue;
    std::vector<int> body = lines_of_function(lines, head);
    if (int at = first_write(lines, body, {}); at != 0) return at;
    for (int at : body) add(read, lines(at));
  }
  if (read.attributes.empty()) return 0;
  if (int at = write_near(lines, line, read.attributes); at != 0) return at;
  std::vector<int> file = lines_of_file(lines, line);
  for (int at : file) {
    if (!writes_any(lines(at), read.attributes)) continue;
    if (is_used(lines, file, function_around(lines, at).first)) return at;
  }
  return 0;
}

/// The line below, in the same function, at which an attribute keeps what this line gives a name to
/// or what is made of it; 0 where none does.
int kept_below(const SourceLines& lines, int line) {
  return reader_below(lines, line, [](const std::string& text) { return writes_any(text, {}); });
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

/// The line of the same function that changes something outside of it (`COUNT["calls"] += 1`, or
/// `steps += 1` below `global steps`) from which values of this line are made: the nearest one
/// above before those below. 0 where none does.
int outside_write(const SourceLines& lines, int line) {
  int head = function_around(lines, line).second, found = 0;
  if (head == 0) return 0;
  Names own = local_names(lines, head), read = made_of(lines, line).names;
  for (int at : lines_of_function(lines, head)) {
    std::string name = assigned(lines(at)).first;
    if (read.count(name) == 0 || own.count(name) > 0) continue;
    if (at > line && found != 0) break;
    found = at;
  }
  return found;
}

/// The line of another function of the file that changes what this line's values are made of and
/// its own function does not hold (`CONFIG["scale"] *= 0.5`); 0 where none does.
int write_in_another_function(const SourceLines& lines, int line) {
  int head = function_around(lines, line).second;
  if (head == 0) return 0;
  Names own = local_names(lines, head), read = made_of(lines, line).names;
  for (int at : lines_of_file(lines, line)) {
    std::string name = assigned(lines(at)).first;
    if (read.count(name) == 0 || own.count(name) > 0) continue;
    int other = function_around(lines, at).second;
    bool within = other != 0 && indent_of(lines(at)) > indent_of(lines(other));
    if (within && local_names(lines, other).count(name) == 0) return at;
  }
  return 0;
}

/// The first line of the file that sets a variable of the function around its own: what nobody near
/// the line keeps, a function that it calls may.
int write_around_a_function(const SourceLines& lines, int line) {
  for (int at : lines_of_file(lines, line)) {
    std::string text = lines(at);
    if (!starts_with_word(text, {"nonlocal"})) continue;
    Names kept = names_in(text);
    for (int below : lines_of_function(lines, function_around(lines, at).second)) {
      if (kept.count(assigned(lines(below)).first) > 0) return below;
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

int write_near(const SourceLines& lines, int line, const Names& attributes) {
  for (int at = line - 1; at > 0 && !starts_with_word(lines(at), {"def"}); --at) {
    if (writes_any(lines(at), attributes)) return at;
  }
  if (writes_any(lines(line), attributes)) return line;
  return first_write(lines, lines_below(lines, line), attributes);
}

int kept_at(const SourceLines& lines, int line) {
  if (int below = kept_below(lines, line); below != 0) return below;
  int head = function_around(lines, line).second;
  std::vector<int> calls = calls_of_function(lines, line);
  std::ranges::stable_sort(calls, {}, [head](int at) { return std::abs(at - head); });
  for (int at : calls) {
    if (writes_any(lines(at), {})) return at;
    if (int below = kept_below(lines, at); below != 0) return below;
  }
  return 0;
}

int state_write(const SourceLines& lines, int line) {
  std::string own = lines(line);
  if (writes_any(own, {})) return line;
  Names read;
  for (const auto& [name, after] : attributes_in(own)) read.insert(name);
  Ingredients made = made_of(lines, line);
  int found = read.empty() ? 0 : write_near(lines, line, read);
  if (found == 0 && !made.attributes.empty()) found = write_near(lines, line, made.attributes);
  if (found == 0) found = kept_at(lines, line);
  if (found == 0) found = outside_write(lines, line);
  if (found == 0) found = write_behind_a_decision(lines, line);
  if (found == 0) found = write_in_a_method(lines, line, std::move(made));
  if (found == 0) found = write_in_another_function(lines, line);
  if (found == 0) found = write_around_a_function(lines, line);
  return found != 0 ? found : line;
}

std::vector<int> other_state_writes(const SourceLines& lines, int line, int known) {
  std::vector<int> others;
  for (const auto& [name, after] : attributes_in(lines(line))) {
    int at = write_near(lines, line, {name});
    bool is_new = at != 0 && at != known && std::ranges::find(others, at) == others.end();
    if (is_new && !writes_any(lines(known), {name})) others.push_back(at);
  }
  return others;
}

namespace {

/// Whether what stands before a name takes the next item of it: `next(self.`.
bool is_turned_on(std::string_view before) {
  while (!before.empty() && (is_name_part(before.back()) || before.back() == '.'))
    before.remove_suffix(1);
  return before.ends_with("next(");
}

/// Whether the text writes what is called by this name, or by it as a key or in a `setattr`.
bool writes_name(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    char before = at > 0 ? text[at - 1] : ' ';
    std::string_view after = std::string_view(text).substr(at + name.size());
    if (is_name_part(before) || (!after.empty() && is_name_part(after[0]))) continue;
    bool quoted = before == '"' || before == '\'';
    if (quoted && mentions_any(text, {"setattr"})) return true;
    if (is_turned_on(std::string_view(text).substr(0, at))) return true;
    if (quoted && after.size() > 1 && after[1] == ']') after = after.substr(2);
    bool named_argument = (before == '(' || before == ' ') && after.starts_with('=') &&
                          text.find('(') < at && !mentions_any(text, {".update("});
    if (!named_argument && writes(after)) return true;
  }
  return false;
}

}  // namespace

bool writes_state(const std::string& text, const Names& names) {
  return !is_blank(text) && std::ranges::any_of(names, [&](const std::string& name) {
    return writes_name(text, name);
  });
}

namespace {

/// Whether the line gives something a value to begin with: `Net.calls = 0`.
bool begins_anew(std::string text) {
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return std::ranges::any_of(
      std::array{" = 0", " = 1", " = 0.0", " = None", " = False", " = []", " = {}", " = ()"},
      [&](const char* end) { return text.ends_with(end); });
}

}  // namespace

int only_write_of(const SourceLines& lines, int line, const Names& names) {
  int found = 0;
  for (int at : lines_of_file(lines, line)) {
    std::string text = lines(at);
    if (indent_of(text) == 0 || begins_anew(text) || !writes_state(text, names)) continue;
    std::string function = function_around(lines, at).first;
    if (function.empty() || function == "__init__") continue;
    if (starts_with_word(line_around(lines, at).second, {"class"})) continue;
    if (found != 0) return 0;
    found = at;
  }
  return found;
}

int mode_write(const SourceLines& lines, int line) {
  int head = head_of(lines, line, "train");
  if (head == 0) return 0;
  for (int at : lines_of_function(lines, head)) {
    if (writes_any(lines(at), {})) return at;
  }
  return 0;
}

}  // namespace assay::verify::diagnosis
