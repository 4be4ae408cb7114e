#pragma once

#include <string>

#include "engine/base/error.h"
#include "engine/script/ast.h"

namespace assay::script::detail {

/// The tokens of a source with a reading position, and the bookkeeping that both parsers (of
/// expressions and of statements) need.
class TokenStream {
 public:
  explicit TokenStream(std::shared_ptr<const base::Source> source)
      : source_(std::move(source)), tokens_(tokenize(source_)) {}

  /// The part [begin, end) of a source, which brackets enclose, at its place in it.
  TokenStream(std::shared_ptr<const base::Source> source, size_t begin, size_t end)
      : source_(std::move(source)), tokens_(tokenize(enclosed(*source_, begin, end))) {}

  const Token& peek(size_t ahead = 0) const {
    size_t last = tokens_.tokens.size() - 1;
    return tokens_.tokens[std::min(at_ + ahead, last)];
  }
  bool at(TokenKind kind) const { return peek().kind == kind; }
  Token next() {
    Token token = peek();
    if (token.kind != TokenKind::end) ++at_;
    end_ = token.end;
    return token;
  }
  bool accept(TokenKind kind) {
    if (!at(kind)) return false;
    next();
    return true;
  }
  Token expect(TokenKind kind) {
    if (!at(kind)) unexpected(describe(kind));
    return next();
  }
  [[noreturn]] void unexpected(std::string_view wanted) const {
    base::fail_at(range(peek()), "expected ", wanted, " but found ", found());
  }

  std::string text(const Token& token) const {
    return source_->text.substr(token.begin, token.end - token.begin);
  }
  base::SourceRange range(const Token& token) const { return {source_, token.begin, token.end}; }
  /// From `begin` to the end of the token read last.
  base::SourceRange since(size_t begin) const { return {source_, begin, std::max(begin, end_)}; }
  const std::shared_ptr<const base::Source>& source() const { return source_; }
  const std::vector<TypeComment>& type_comments() const { return tokens_.type_comments; }

  /// Counts nesting while it lives; an error where it exceeds what a tree may have.
  class Nested {
   public:
    explicit Nested(TokenStream& stream) : stream_(stream) {
      if (++stream_.nesting_ > max_tree_depth) {
        base::fail_at(stream_.range(stream_.peek()), "the program nests deeper than ",
                      max_tree_depth, " levels here");
      }
    }
    ~Nested() { --stream_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    TokenStream& stream_;
  };

 private:
  // A source of the part alone, in parentheses: blanks keep what is in it where it was.
  static std::shared_ptr<const base::Source> enclosed(const base::Source& whole, size_t begin,
                                                      size_t end) {
    auto part = std::make_shared<base::Source>(whole);
    part->text.resize(end);
    for (size_t at = 0; at < begin; ++at) {
      if (part->text[at] != '\n') part->text[at] = ' ';
    }
    part->text[begin] = '(';
    part->text[end - 1] = ')';
    return part;
  }

  std::string found() const {
    bool spelled = at(TokenKind::name) || at(TokenKind::number) || at(TokenKind::string);
    return spelled ? "'" + text(peek()) + "'" : std::string(describe(peek().kind));
  }

  std::shared_ptr<const base::Source> source_;
  Tokens tokens_;
  size_t at_ = 0;
  size_t end_ = 0;
  int nesting_ = 0;
};

}  // namespace assay::script::detail
