#pragma once

#include "engine/script/detail/token_stream.h"
#include "engine/script/parser.h"

namespace assay::script::detail {

/// Reads expressions from a token stream.
class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& stream, Reader reader = Reader::text)
      : in_(stream), python_(reader == Reader::python) {}

  /// One expression, possibly starred.
  ExprPtr expression();
  /// One expression, or several with commas, which make a tuple.
  ExprPtr targets();
  /// As `targets`, but `in` ends it: what stands between `for` and `in`.
  ExprPtr loop_targets();

 private:
  ExprPtr binary(int least);
  ExprPtr unary();
  ExprPtr postfix();
  ExprPtr primary();
  ExprPtr number_or_string();
  std::string format_pattern(const Token& token, std::vector<ExprPtr>& items);
  ExprPtr parenthesized();
  ExprPtr bracketed();
  ExprPtr braced();
  ExprPtr call(ExprPtr callee);
  ExprPtr subscript(ExprPtr value);
  ExprPtr index();
  ExprPtr comprehension(ExprKind kind, size_t begin, std::vector<ExprPtr> parts);
  ExprPtr tuple_of(ExprPtr first, ExprPtr (ExpressionParser::*item)(), size_t begin);
  ExprPtr starred_or_operand();
  bool ends_list() const;

  ExprPtr make(ExprKind kind, size_t begin, std::vector<ExprPtr> items = {}, std::string text = {},
               TokenKind op = TokenKind::end);
  ExprPtr finish(Expr node);

  TokenStream& in_;
  const bool python_;  ///< Follows PyTorch's reader of Python source.
};

}  // namespace assay::script::detail
