#include "engine/ir/text_cursor.h"

#include <fmt/core.h>

namespace assay::ir {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

TextCursor::TextCursor(std::shared_ptr<const base::Source> source)
    : source_(std::move(source)), text_(source_->text) {}

void TextCursor::skip_space() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

bool TextCursor::at_end() { return skip_space(), at_ == text_.size(); }

char TextCursor::peek() { return at_end() ? '\0' : text_[at_]; }

bool TextCursor::sees(std::string_view token) {
  skip_space();
  if (text_.substr(at_, token.size()) != token) return false;
  size_t after = at_ + token.size();
  return !is_word(token.back()) || after == text_.size() || !is_word(text_[after]);
}

bool TextCursor::accept(std::string_view token) {
  if (!sees(token)) return false;
  at_ += token.size();
  return true;
}

void TextCursor::expect(std::string_view token) {
  if (!accept(token)) fail(fmt::format("expected '{}'", token));
}

std::string TextCursor::word(std::string_view extra) {
  skip_space();
  size_t from = at_;
  while (at_ < text_.size() &&
         (is_word(text_[at_]) || extra.find(text_[at_]) != std::string_view::npos))
    ++at_;
  if (at_ == from) fail("expected a name");
  return std::string(text_.substr(from, at_ - from));
}

std::string TextCursor::number() {
  skip_space();
  size_t from = at_;
  for (std::string_view special : {"-inf", "inf", "nan", "-nan"})
    if (accept(special)) return std::string(special);
  while (at_ < text_.size()) {
    char c = text_[at_];
    bool sign = (c == '-' || c == '+') && (at_ == from || text_[at_ - 1] == 'e');
    if (!sign && c != '.' && c != 'e' && !(c >= '0' && c <= '9')) break;
    ++at_;
  }
  if (at_ == from) fail("expected a number");
  return std::string(text_.substr(from, at_ - from));
}

char TextCursor::escape() {
  if (at_ >= text_.size()) fail("a text in quotes does not end");
  char c = text_[at_++];
  constexpr std::string_view letters = "\\'\"abfnrtv";
  constexpr std::string_view special = "\\'\"\a\b\f\n\r\t\v";
  size_t known = letters.find(c);
  if (known != std::string_view::npos) return special[known];
  if (at_ + 2 > text_.size()) fail("a text in quotes does not end");
  int value = 0;  // Of a signed byte: see core::quoted_text.
  for (size_t i = at_ - 1; i < at_ + 2; ++i) value = value * 8 + (text_[i] - '0');
  at_ += 2;
  if (value < -128 || value > 127) fail("not an escape");
  return static_cast<char>(value);
}

std::string TextCursor::quoted() {
  if (peek() != '"') fail("expected a text in quotes");
  ++at_;
  std::string out;
  while (true) {
    if (at_ >= text_.size()) fail("a text in quotes does not end");
    char c = text_[at_++];
    if (c == '"') return out;
    out += c == '\\' ? escape() : c;
  }
}

std::string TextCursor::rest_of_line() {
  size_t end = std::min(text_.find('\n', at_), text_.size());
  std::string out(base::trim(text_.substr(at_, end - at_)));
  at_ = end;
  return out;
}

void TextCursor::skip_past(char stop) {
  int depth = 0;
  while (!at_end()) {
    char c = peek();
    if (c == '"') {
      quoted();
      continue;
    }
    ++at_;
    if (depth == 0 && c == stop) return;
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == ')' || c == '}') --depth;
  }
  fail(fmt::format("expected '{}'", stop));
}

void TextCursor::fail(std::string_view message) {
  skip_space();
  base::fail_at(base::SourceRange{source_, at_, std::min(at_ + 1, text_.size())}, message);
}

}  // namespace assay::ir
