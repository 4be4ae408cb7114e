#pragma once

#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::verify::diagnosis {

/// The text of a line of a source file, the first is 1, with its indentation; empty beyond the end.
using SourceLines = std::function<std::string(int line)>;

/// What Python's lines say by their words and their indentation, without parsing them: a file may
/// be in the language of another version.
namespace python {

using Names = std::set<std::string>;

size_t indent_of(std::string_view text);
/// Nothing, or a comment.
bool is_blank(std::string_view text);
/// Whether the line's first word is one of these.
bool starts_with_word(std::string_view text, std::initializer_list<std::string_view> words);
/// Whether a text stands anywhere in the line.
bool mentions_any(std::string_view text, std::initializer_list<std::string_view> words);
/// Of identifiers.
bool is_name_part(char c);
/// The identifiers of a text.
Names names_in(std::string_view text);
bool any_of_them(const Names& names, const Names& read);

/// Whether what follows a name writes to it or to a part: `= 1`, `+= 1`, `[0] = 1`, `.data = 1`,
/// `.append(1)`, `.mul_(2)`.
bool writes(std::string_view after);
/// The variable that a line gives a value to, changes, or changes a part of (`eps = 1`, `eps *= 2`,
/// `COUNT["calls"] += 1`, `last.append(x)`), and what follows the name; empty where it does
/// something else. `self` is none: its attributes are told apart.
std::pair<std::string, std::string_view> assigned(std::string_view text);
/// The `x` of every `self.x` in the text, with what follows it.
std::vector<std::pair<std::string, std::string_view>> attributes_in(std::string_view text);
/// Whether the line writes an attribute of one of these names, or of any where there are none.
bool writes_any(const std::string& text, const Names& names);

/// The nearest line above with less indentation, which opens the block that the line lies in, and
/// its text; 0 and "" for none.
std::pair<int, std::string> line_around(const SourceLines& lines, int line);
/// Whether the line calls a function or a method of this name, or an entry of what has the name
/// (`self.layers[i](x)`).
bool calls_function(std::string_view text, const std::string& function);
/// The name of the function that the line lies in, and the line of its head; "" and 0 where it lies
/// in none.
std::pair<std::string, int> function_around(const SourceLines& lines, int line);
/// The lines of the file that call the function which this line lies in; a module's `forward` by
/// the attribute that holds the module (`self.cell = Cell(8)`, `self.cell(x)`), or by what a loop
/// calls the elements of one that holds several.
std::vector<int> calls_of_function(const SourceLines& lines, int line);
/// The lines of the function with this head.
std::vector<int> lines_of_function(const SourceLines& lines, int head);
/// The lines below, up to the next function or class.
std::vector<int> lines_below(const SourceLines& lines, int line);
/// The first line below, in the same function, that is of a kind and reads what this line gives a
/// name to, or what is made of it; 0 where none does.
int reader_below(const SourceLines& lines, int line,
                 const std::function<bool(const std::string& text)>& is_meant);
/// The lines of the file that holds this one.
std::vector<int> lines_of_file(const SourceLines& lines, int line);
/// The line of the file at which a function of this name begins; 0 where none does.
int head_of(const SourceLines& lines, int line, const std::string& function);

}  // namespace python
}  // namespace assay::verify::diagnosis
