#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/source_range.h"

namespace assay::script {

/// Kinds of tokens: the ones with many spellings, then a row of token.def each.
enum class TokenKind : uint8_t {
  end,
  newline,
  indent,
  dedent,
  name,
  number,
  string,
#define KEYWORD(name, text) name,
#define SIGN(name, text) name,
#include "engine/script/token.def"
#undef KEYWORD
#undef SIGN
};

/// What a message calls a token of this kind: its spelling, or "a name", "the end of the line".
std::string_view describe(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::end;
  size_t begin = 0;  ///< Offsets into the source's text.
  size_t end = 0;
};

/// A `# type: …` comment: the only comments that mean something.
struct TypeComment {
  size_t begin = 0;  ///< Where the text after `# type:` starts and ends.
  size_t end = 0;
  bool exact = true;  ///< False where blanks around `type` are not as in `# type:`.
};

/// A whole source as tokens. Blank lines, comments and line ends inside brackets are left out;
/// indentation is turned into `indent` and `dedent`.
struct Tokens {
  std::vector<Token> tokens;  ///< Ends with `end`.
  std::vector<TypeComment> type_comments;
};

/// Splits a source into tokens. Input error with a caret for a character that starts no token, a
/// string without an end, or indentation that fits no block.
Tokens tokenize(const std::shared_ptr<const base::Source>& source);

/// The value of a string literal (with prefix and quotes). Input error, at `range`, for a broken
/// escape.
std::string string_value(std::string_view literal, const base::SourceRange& range);

/// What a string literal's prefix and quotes say: `rf'''` is raw, formatted, and three quotes wide.
struct LiteralForm {
  bool raw = false;
  bool formatted = false;
  size_t open = 0;   ///< Bytes before the text: prefix and quotes.
  size_t close = 0;  ///< Bytes after the text.
};
LiteralForm literal_form(std::string_view literal);

}  // namespace assay::script
