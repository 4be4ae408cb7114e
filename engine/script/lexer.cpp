#include "engine/script/lexer.h"

#include <cctype>
#include <unordered_map>

#include "engine/base/error.h"

namespace assay::script {
namespace {

struct Row {
  TokenKind kind;
  std::string_view text;
};

constexpr Row keyword_rows[] = {
#define KEYWORD(name, text) {TokenKind::name, text},
#define SIGN(name, text)
#include "engine/script/token.def"
#undef KEYWORD
#undef SIGN
};

constexpr Row sign_rows[] = {
#define KEYWORD(name, text)
#define SIGN(name, text) {TokenKind::name, text},
#include "engine/script/token.def"
#undef KEYWORD
#undef SIGN
};

const std::unordered_map<std::string_view, TokenKind>& keywords() {
  static const auto map = [] {
    std::unordered_map<std::string_view, TokenKind> all;
    for (const auto& row : keyword_rows) all.emplace(row.text, row.kind);
    return all;
  }();
  return map;
}

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || static_cast<signed char>(c) < 0;
}
bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::shared_ptr<const base::Source> source)
      : source_(std::move(source)), text_(source_->text) {}

  Tokens run() {
    line_start();
    while (at_ < text_.size()) step();
    if (!out_.tokens.empty() && out_.tokens.back().kind != TokenKind::newline) {
      push(TokenKind::newline, at_);
    }
    while (indents_.size() > 1) {
      indents_.pop_back();
      push(TokenKind::dedent, at_);
    }
    push(TokenKind::end, at_);
    return std::move(out_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  base::SourceRange range(size_t begin, size_t end) const { return {source_, begin, end}; }
  void push(TokenKind kind, size_t begin) { out_.tokens.push_back({kind, begin, at_}); }

  void step() {
    char c = peek();
    if (c == '\n') {
      newline();
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      ++at_;
    } else if (c == '#') {
      comment();
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2 : 3;
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number();
    } else if (starts_name(c)) {
      name_or_string();
    } else if (c == '\'' || c == '"') {
      string(at_);
    } else {
      sign();
    }
  }

  void newline() {
    size_t begin = at_++;
    if (brackets_ > 0) return;
    if (!out_.tokens.empty() && out_.tokens.back().kind != TokenKind::newline &&
        out_.tokens.back().kind != TokenKind::indent &&
        out_.tokens.back().kind != TokenKind::dedent) {
      push(TokenKind::newline, begin);
    }
    line_start();
  }

  // Measures the indentation of the next line that holds a token.
  void line_start() {
    while (at_ < text_.size()) {
      size_t width = 0;
      size_t begin = at_;
      for (; peek() == ' ' || peek() == '\t' || peek() == '\f'; ++at_) {
        width = peek() == '\t' ? (width / 8 + 1) * 8 : width + 1;
      }
      if (peek() == '\r' && peek(1) == '\n') ++at_;
      if (peek() == '#') comment();
      if (at_ >= text_.size()) return;
      if (peek() == '\n') {
        ++at_;
        continue;
      }
      indentation(width, begin);
      return;
    }
  }

  void indentation(size_t width, size_t begin) {
    if (width > indents_.back()) {
      indents_.push_back(width);
      push(TokenKind::indent, begin);
      return;
    }
    while (width < indents_.back()) {
      indents_.pop_back();
      push(TokenKind::dedent, begin);
    }
    if (width != indents_.back()) {
      base::fail_at(range(begin, at_), "this line's indentation fits no block that is open here");
    }
  }

  void comment() {
    size_t begin = at_;
    while (at_ < text_.size() && peek() != '\n') ++at_;
    std::string_view body = std::string_view(text_).substr(begin + 1, at_ - begin - 1);
    size_t start = body.find_first_not_of(" \t");
    if (start == std::string_view::npos || body.substr(start, 4) != "type") return;
    size_t colon = body.find_first_not_of(" \t", start + 4);
    if (colon == std::string_view::npos || body[colon] != ':') return;
    if (body.substr(colon + 1).find("ignore") != std::string_view::npos) return;
    out_.type_comments.push_back({begin + 2 + colon, at_, body.starts_with(" type:")});
  }

  void number() {
    size_t begin = at_;
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X' || peek(1) == 'b' || peek(1) == 'B' ||
                          peek(1) == 'o' || peek(1) == 'O')) {
      at_ += 2;
      while (std::isxdigit(static_cast<unsigned char>(peek())) || peek() == '_') ++at_;
      push(TokenKind::number, begin);
      return;
    }
    while (is_digit(peek()) || peek() == '_') ++at_;
    if (peek() == '.') {
      ++at_;
      while (is_digit(peek()) || peek() == '_') ++at_;
    }
    if (peek() == 'e' || peek() == 'E') {
      size_t skip = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
      if (is_digit(peek(skip))) {
        at_ += skip;
        while (is_digit(peek())) ++at_;
      }
    }
    if (peek() == 'j' || peek() == 'J') ++at_;
    if (starts_name(peek())) {
      base::fail_at(range(begin, at_ + 1), "a number must not run into a name");
    }
    push(TokenKind::number, begin);
  }

  void name_or_string() {
    size_t begin = at_;
    while (continues_name(peek())) ++at_;
    std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
    bool quote = peek() == '\'' || peek() == '"';
    if (quote && word.size() <= 2 && word.find_first_not_of("rRbBuUfF") == std::string_view::npos) {
      string(begin);
      return;
    }
    auto found = keywords().find(word);
    push(found == keywords().end() ? TokenKind::name : found->second, begin);
  }

  void string(size_t begin) {
    char quote = peek();
    size_t width = peek(1) == quote && peek(2) == quote ? 3 : 1;
    at_ += width;
    while (true) {
      if (at_ >= text_.size() || (width == 1 && peek() == '\n')) {
        base::fail_at(range(begin, begin + 1),
                      "expected a valid token, but this string has no end");
      }
      if (peek() == '\\') {
        at_ += 2;
      } else if (peek() == quote && (width == 1 || (peek(1) == quote && peek(2) == quote))) {
        at_ += width;
        break;
      } else {
        ++at_;
      }
    }
    push(TokenKind::string, begin);
  }

  void sign() {
    std::string_view rest = std::string_view(text_).substr(at_, 3);
    char first = text_[at_];
    for (const auto& row : sign_rows) {
      if (row.text.front() != first || !rest.starts_with(row.text)) continue;
      if (row.kind == TokenKind::left_paren || row.kind == TokenKind::left_bracket ||
          row.kind == TokenKind::left_brace) {
        ++brackets_;
      }
      if ((row.kind == TokenKind::right_paren || row.kind == TokenKind::right_bracket ||
           row.kind == TokenKind::right_brace) &&
          brackets_ > 0) {
        --brackets_;
      }
      size_t begin = at_;
      at_ += row.text.size();
      push(row.kind, begin);
      return;
    }
    base::fail_at(range(at_, at_ + 1), "this character starts no token");
  }

  std::shared_ptr<const base::Source> source_;
  const std::string& text_;
  size_t at_ = 0;
  size_t brackets_ = 0;
  std::vector<size_t> indents_{0};
  Tokens out_;
};

int digit_of(char c, int base) {
  int value = -1;
  if (is_digit(c)) value = c - '0';
  if (c >= 'a' && c <= 'f') value = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') value = c - 'A' + 10;
  return value < base ? value : -1;
}

// Reads up to `most` digits at `at`; returns -1 where there is none.
int64_t read_code(std::string_view text, size_t& at, int base, int most) {
  int64_t code = -1;
  for (int i = 0; i < most && at < text.size(); ++i, ++at) {
    int digit = digit_of(text[at], base);
    if (digit < 0) break;
    code = (code < 0 ? 0 : code) * base + digit;
  }
  return code;
}

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    if (code < 0x10000) {
      out += static_cast<char>(0xe0 | (code >> 12));
    } else {
      out += static_cast<char>(0xf0 | (code >> 18));
      out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
    }
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

// The escape whose character after the backslash is at `at`; leaves `at` behind it.
void append_escape(std::string& out, std::string_view text, size_t& at,
                   const base::SourceRange& range) {
  static constexpr std::string_view letters = "abfnrtv\\'\"";
  static constexpr std::string_view values = "\a\b\f\n\r\t\v\\'\"";
  char c = text[at];
  size_t found = letters.find(c);
  if (found != std::string_view::npos) {
    out += values[found];
    ++at;
  } else if (c == '\n') {
    ++at;
  } else if (digit_of(c, 8) >= 0) {
    int64_t code = read_code(text, at, 8, 3);
    if (code > 255) base::fail_at(range, "an octal escape in this string is above \\377");
    out += static_cast<char>(code);
  } else if (c == 'x') {
    int64_t code = read_code(text, ++at, 16, 2);
    if (code < 0) base::fail_at(range, "\\x in this string is followed by no hexadecimal digit");
    out += static_cast<char>(code);
  } else if (c == 'u' || c == 'U') {
    int64_t code = read_code(text, ++at, 16, c == 'u' ? 4 : 8);
    if (code < 0 || code > 0x10ffff) base::fail_at(range, "a \\u escape in this string is broken");
    append_utf8(out, static_cast<uint32_t>(code));
  } else {
    out += '\\';
    out += c;
    ++at;
  }
}

}  // namespace

std::string_view describe(TokenKind kind) {
  switch (kind) {
    case TokenKind::end:
      return "the end of the text";
    case TokenKind::newline:
      return "the end of the line";
    case TokenKind::indent:
      return "a deeper indentation";
    case TokenKind::dedent:
      return "the end of the block";
    case TokenKind::name:
      return "a name";
    case TokenKind::number:
      return "a number";
    case TokenKind::string:
      return "a string";
    default:
      break;
  }
  for (const auto& row : keyword_rows) {
    if (row.kind == kind) return row.text;
  }
  for (const auto& row : sign_rows) {
    if (row.kind == kind) return row.text;
  }
  return "?";
}

Tokens tokenize(const std::shared_ptr<const base::Source>& source) { return Lexer(source).run(); }

LiteralForm literal_form(std::string_view literal) {
  LiteralForm form;
  size_t at = 0;
  for (; at < literal.size() && literal[at] != '\'' && literal[at] != '"'; ++at) {
    char c = static_cast<char>(std::tolower(static_cast<unsigned char>(literal[at])));
    form.raw |= c == 'r';
    form.formatted |= c == 'f';
  }
  bool triple =
      literal.size() >= at + 6 && literal[at + 1] == literal[at] && literal[at + 2] == literal[at];
  form.close = triple ? 3 : 1;
  form.open = at + form.close;
  return form;
}

std::string string_value(std::string_view literal, const base::SourceRange& range) {
  LiteralForm form = literal_form(literal);
  std::string_view body = literal.substr(form.open, literal.size() - form.open - form.close);
  if (form.raw) return std::string(body);
  std::string out;
  for (size_t at = 0; at < body.size();) {
    if (body[at] != '\\' || at + 1 >= body.size()) {
      out += body[at++];
    } else {
      append_escape(out, body, ++at, range);
    }
  }
  return out;
}

}  // namespace assay::script
