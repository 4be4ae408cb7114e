#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/value.h"
#include "verify/spec/spec.h"

namespace assay::verify {

/// One piece of a spec as the command line gives it: flag "input", text "x: f32[b, 3, h, w]".
struct SpecPiece {
  std::string flag;
  std::string text;
  std::string where = {};  ///< How errors name the piece; empty: "--flag".
};

/// The flags that belong to a spec ("input", "dim", "devices", "modes", ...), each with its help
/// text; the same names are the keys of a spec file.
struct SpecFlag {
  std::string flag;
  std::string help;
};
const std::vector<SpecFlag>& spec_flags();

/// Teaches the notation by examples, then lists the flags. Each line that begins with two blanks
/// and `--` is an example: the flags of a whole spec, as a shell takes them. So is the one JSON
/// object, a spec file.
std::string spec_help();

/// Reads the pieces in any order. The notation:
///
///   input    name ':' tree      a positional argument      name '=' tree   one by keyword
///   tree     dtype '[' dims ']' | 'int' | 'float' | 'bool' | 'str'     each: ['?'] ['in' range]
///            '{' key['?'] ':' tree, ... '}' | '[' tree, ... ']' ['*' size] | '(' tree, ... ')'
///            class '(' field ':' tree, ... ')'                     containers: ['?']
///            number | "text" | 'True' | 'False'                    given: the same in every case
///   key      name | "text"
///   dims     size | '?' | '*' name, ...
///   size     numbers and letters with + - * // and parentheses
///   range    value '..' value;   'str' in "a" | "b"
///   dim      letter '=' (size | size '..' size [':' step]), ...
///   ranks    pack '=' low '..' high
///   words    word, ...        per input: path ':' word, ...   (without a path: every input)
///   aliases  path '=' path ...
///
/// Errors are input errors whose range lies in the piece, so that `describe()` puts a caret under
/// the wrong character.
Spec parse_spec(const std::vector<SpecPiece>& pieces);

/// As parse_spec, on top of what `base` says: dims, axes and tolerances given again replace those
/// in `base`; inputs of the same name too. This is how flags refine a spec file.
Spec parse_spec(const std::vector<SpecPiece>& pieces, Spec base);

/// Reads a spec file (verify/spec/spec.schema.json). `file` names it in errors.
Spec parse_spec_json(std::string_view text, const std::string& file);

/// The canonical pieces of a spec, such that parse_spec(spec_pieces(s)) == s.
std::vector<SpecPiece> spec_pieces(const Spec& spec);
/// The pieces as shell words, one per line.
std::string spec_text(const Spec& spec);
/// The spec as a spec file.
std::string spec_json(const Spec& spec);
std::string print(const InputTree& tree);
std::string print(const std::vector<Interval>& domain);

/// A spec around example inputs: every size above 1 that several tensors have becomes one letter,
/// every other leading size its own letter, with a range around the example's size; integer
/// tensors get the range of values they hold, numbers and texts are given. None is left out: what
/// follows it is given by keyword.
Spec propose_spec(const std::vector<std::pair<std::string, core::Value>>& inputs);

}  // namespace assay::verify
