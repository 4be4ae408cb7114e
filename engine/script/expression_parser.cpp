#include "engine/script/detail/expression_parser.h"

#include <algorithm>

#include "engine/script/parser.h"

namespace assay::script {
namespace detail {
namespace {

// Precedences of binary operators, loosest first; the gap at `not_level` is for `not`.
constexpr int or_level = 1, and_level = 2, not_level = 3, compare_level = 4, bar_level = 5,
              unary_level = 10, power_level = 11;

struct Rule {
  TokenKind token;
  int level;
};

constexpr Rule rules[] = {
    {TokenKind::kw_or, or_level},
    {TokenKind::kw_and, and_level},
    {TokenKind::kw_in, compare_level},
    {TokenKind::kw_not, compare_level},  // not in
    {TokenKind::kw_is, compare_level},
    {TokenKind::less, compare_level},
    {TokenKind::less_equal, compare_level},
    {TokenKind::greater, compare_level},
    {TokenKind::greater_equal, compare_level},
    {TokenKind::equal_equal, compare_level},
    {TokenKind::not_equal, compare_level},
    {TokenKind::bar, bar_level},
    {TokenKind::caret, 6},
    {TokenKind::ampersand, 7},
    {TokenKind::shift_left, 8},
    {TokenKind::shift_right, 8},
    {TokenKind::plus, 9},
    {TokenKind::minus, 9},
    {TokenKind::star, unary_level},
    {TokenKind::slash, unary_level},
    {TokenKind::floor_div, unary_level},
    {TokenKind::percent, unary_level},
    {TokenKind::at, unary_level},
    {TokenKind::power, power_level},
};

int level_of(TokenKind token) {
  for (const auto& rule : rules) {
    if (rule.token == token) return rule.level;
  }
  return 0;
}

// Where the expression ends whose { stands at `open` in an f-string: its }. Brackets and strings
// inside of it may hold other ones. `:` and `!` would say how to write the value.
size_t end_of_field(std::string_view literal, size_t open, size_t end,
                    const base::SourceRange& range) {
  size_t depth = 0;
  char quote = 0;
  for (size_t at = open + 1; at < end; ++at) {
    char c = literal[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (depth > 0 && (c == ')' || c == ']' || c == '}')) {
      --depth;
    } else if (depth == 0 && c == '}') {
      return at;
    } else if (depth == 0 && (c == ':' || (c == '!' && literal[at + 1] != '='))) {
      base::fail_at(range, "an f-string cannot say how to write a value ('", c,
                    "'): only {value} works here");
    }
  }
  base::fail_at(range, "this f-string's { has no }");
}

}  // namespace

ExprPtr ExpressionParser::finish(Expr node) {
  for (const auto& item : node.items) {
    if (item) node.depth = std::max(node.depth, item->depth + 1);
  }
  for (const auto& keyword : node.keywords) {
    node.depth = std::max(node.depth, keyword.value->depth + 1);
  }
  if (node.depth > max_tree_depth) {
    base::fail_at(node.range, "this expression nests deeper than ", max_tree_depth, " levels");
  }
  return std::make_shared<const Expr>(std::move(node));
}

ExprPtr ExpressionParser::make(ExprKind kind, size_t begin, std::vector<ExprPtr> items,
                               std::string text, TokenKind op) {
  Expr node;
  node.kind = kind;
  node.op = op;
  node.range = in_.since(begin);
  node.text = std::move(text);
  node.items = std::move(items);
  return finish(std::move(node));
}

bool ExpressionParser::ends_list() const {
  switch (in_.peek().kind) {
    case TokenKind::right_paren:
    case TokenKind::right_bracket:
    case TokenKind::right_brace:
    case TokenKind::equal:
    case TokenKind::colon:
    case TokenKind::semicolon:
    case TokenKind::newline:
    case TokenKind::end:
    case TokenKind::kw_in:
      return true;
    default:
      return false;
  }
}

ExprPtr ExpressionParser::tuple_of(ExprPtr first, ExprPtr (ExpressionParser::*item)(),
                                   size_t begin) {
  if (!in_.at(TokenKind::comma)) return first;
  std::vector<ExprPtr> items{std::move(first)};
  while (in_.accept(TokenKind::comma)) {
    if (ends_list()) break;
    items.push_back((this->*item)());
  }
  return make(ExprKind::tuple, begin, std::move(items));
}

ExprPtr ExpressionParser::targets() {
  size_t begin = in_.peek().begin;
  ExprPtr first = expression();
  return tuple_of(std::move(first), &ExpressionParser::expression, begin);
}

ExprPtr ExpressionParser::starred_or_operand() {
  size_t begin = in_.peek().begin;
  if (!in_.accept(TokenKind::star)) return binary(bar_level);
  ExprPtr operand = binary(bar_level);
  return make(ExprKind::starred, begin, {std::move(operand)});
}

ExprPtr ExpressionParser::loop_targets() {
  size_t begin = in_.peek().begin;
  ExprPtr first = starred_or_operand();
  return tuple_of(std::move(first), &ExpressionParser::starred_or_operand, begin);
}

ExprPtr ExpressionParser::expression() {
  TokenStream::Nested nested(in_);
  size_t begin = in_.peek().begin;
  if (in_.at(TokenKind::star)) return starred_or_operand();
  ExprPtr value = binary(or_level);
  if (!in_.accept(TokenKind::kw_if)) return value;
  ExprPtr condition = binary(or_level);
  in_.expect(TokenKind::kw_else);
  ExprPtr otherwise = expression();
  begin = value->range.begin;
  return make(ExprKind::conditional, begin,
              {std::move(condition), std::move(value), std::move(otherwise)});
}

ExprPtr ExpressionParser::binary(int least) {
  ExprPtr left = unary();
  size_t begin = left->range.begin;
  ExprPtr compared;  // The right side of the comparison before, in a chain of them.
  while (true) {
    TokenKind op = in_.peek().kind;
    int level = level_of(op);
    if (level == 0 || level < least) return left;
    if (op == TokenKind::kw_not && in_.peek(1).kind != TokenKind::kw_in) return left;
    in_.next();
    ExprKind kind = ExprKind::binary;
    if (op == TokenKind::kw_not) {
      in_.expect(TokenKind::kw_in);
      kind = ExprKind::not_in;
    } else if (op == TokenKind::kw_is && in_.accept(TokenKind::kw_not)) {
      kind = ExprKind::is_not;
    }
    TokenStream::Nested nested(in_);
    ExprPtr right = binary(level == power_level ? level : level + 1);
    if (level == compare_level && compared) {
      ExprPtr second = make(kind, compared->range.begin, {compared, right}, "", op);
      left = make(ExprKind::binary, begin, {left, second}, "", TokenKind::kw_and);
    } else {
      left = make(kind, begin, {left, right}, "", op);
    }
    compared = level == compare_level ? right : nullptr;
  }
}

ExprPtr ExpressionParser::unary() {
  TokenStream::Nested nested(in_);
  size_t begin = in_.peek().begin;
  TokenKind op = in_.peek().kind;
  if (op == TokenKind::kw_not) {
    in_.next();
    ExprPtr operand = binary(not_level);
    return make(ExprKind::unary, begin, {std::move(operand)}, "", op);
  }
  if (op == TokenKind::plus) {
    in_.next();
    return binary(unary_level + 1);
  }
  if (op != TokenKind::minus && op != TokenKind::tilde) return postfix();
  in_.next();
  ExprPtr operand = binary(unary_level + 1);
  if (!python_ && op == TokenKind::minus && operand->kind == ExprKind::number &&
      operand->text[0] != '-') {
    return make(ExprKind::number, operand->range.begin, {}, "-" + operand->text);
  }
  return make(ExprKind::unary, begin, {std::move(operand)}, "", op);
}

ExprPtr ExpressionParser::postfix() {
  ExprPtr value = primary();
  while (true) {
    if (in_.accept(TokenKind::dot)) {
      std::string name = in_.text(in_.peek());
      // A keyword may be an attribute's name in archives (`x.is`, `_0.pass`).
      if (in_.peek().begin == in_.peek().end || !(std::isalpha(name[0]) || name[0] == '_')) {
        in_.unexpected("a name");
      }
      in_.next();
      // Ranges start at what parentheses enclose, as PyTorch has them.
      size_t begin = value->range.begin;
      value = make(ExprKind::attribute, begin, {std::move(value)}, std::move(name));
    } else if (in_.at(TokenKind::left_paren)) {
      value = call(std::move(value));
    } else if (in_.at(TokenKind::left_bracket)) {
      value = subscript(std::move(value));
    } else {
      return value;
    }
  }
}

ExprPtr ExpressionParser::primary() {
  size_t begin = in_.peek().begin;
  switch (in_.peek().kind) {
    case TokenKind::name: {
      std::string name = in_.text(in_.next());
      if (name == "Ellipsis") return make(ExprKind::ellipsis, begin);
      return make(ExprKind::name, begin, {}, std::move(name));
    }
    case TokenKind::number:
    case TokenKind::string:
      return number_or_string();
    case TokenKind::kw_none:
      in_.next();
      return make(ExprKind::none, begin);
    case TokenKind::kw_true:
      in_.next();
      return make(ExprKind::true_, begin);
    case TokenKind::kw_false:
      in_.next();
      return make(ExprKind::false_, begin);
    case TokenKind::ellipsis:
      in_.next();
      return make(ExprKind::ellipsis, begin);
    case TokenKind::left_paren:
      return parenthesized();
    case TokenKind::left_bracket:
      return bracketed();
    case TokenKind::left_brace:
      return braced();
    default:
      in_.unexpected("an expression");
  }
}

ExprPtr ExpressionParser::number_or_string() {
  size_t begin = in_.peek().begin;
  if (in_.at(TokenKind::number)) {
    std::string text = in_.text(in_.next());
    text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
    return make(ExprKind::number, begin, {}, std::move(text));
  }
  // f"a{x}" "b" means "a{}b".format(x).
  std::string value, pattern;
  std::vector<ExprPtr> items{nullptr};
  bool formatted = false;
  while (in_.at(TokenKind::string)) {
    Token token = in_.next();
    std::string literal = in_.text(token);
    if (literal_form(literal).formatted) {
      formatted = true;
      pattern += format_pattern(token, items);
      continue;
    }
    std::string plain = string_value(literal, in_.range(token));
    value += plain;
    pattern += plain;  // format() replaces {} alone.
  }
  if (!formatted) return make(ExprKind::string, begin, {}, std::move(value));
  ExprPtr text = make(ExprKind::string, begin, {}, std::move(pattern));
  items[0] = make(ExprKind::attribute, begin, {std::move(text)}, "format");
  return make(ExprKind::call, begin, std::move(items));
}

// The text of an f-string with {} for what it holds, which is added to `items`.
std::string ExpressionParser::format_pattern(const Token& token, std::vector<ExprPtr>& items) {
  std::string literal = in_.text(token);
  LiteralForm form = literal_form(literal);
  size_t end = literal.size() - form.close;
  std::string pattern;
  for (size_t at = form.open; at < end; ++at) {
    bool doubled = at + 1 < end && literal[at + 1] == literal[at];
    if ((literal[at] == '{' || literal[at] == '}') && doubled) {
      pattern += literal[at++];
      pattern += literal[at];
    } else if (literal[at] == '{') {
      size_t close = end_of_field(literal, at, end, in_.range(token));
      TokenStream part(in_.source(), token.begin + at, token.begin + close + 1);
      part.accept(TokenKind::indent);
      items.push_back(ExpressionParser(part, python_ ? Reader::python : Reader::text).targets());
      if (!part.at(TokenKind::newline)) part.expect(TokenKind::end);
      pattern += "{}";
      at = close;
    } else {
      pattern += literal[at];
    }
  }
  std::string quoted =
      literal.substr(form.open - form.close, form.close) + pattern + literal.substr(end);
  if (form.raw) quoted = "r" + quoted;
  return string_value(quoted, in_.range(token));
}

ExprPtr ExpressionParser::parenthesized() {
  size_t begin = in_.expect(TokenKind::left_paren).begin;
  if (in_.accept(TokenKind::right_paren)) return make(ExprKind::tuple, begin);
  ExprPtr inner = targets();
  in_.expect(TokenKind::right_paren);
  return inner;
}

// `begin` is the opening bracket.
ExprPtr ExpressionParser::comprehension(ExprKind kind, size_t begin, std::vector<ExprPtr> parts) {
  if (!python_) begin = parts[0]->range.begin;
  in_.expect(TokenKind::kw_for);
  parts.push_back(loop_targets());
  in_.expect(TokenKind::kw_in);
  parts.push_back(binary(or_level));
  if (python_ && in_.at(TokenKind::kw_if)) {
    base::fail_at(in_.range(in_.peek()), "a comprehension may not have an `if`");
  }
  parts.push_back(in_.accept(TokenKind::kw_if) ? binary(or_level) : nullptr);
  if (in_.at(TokenKind::kw_for)) {
    base::fail_at(in_.range(in_.peek()), "a comprehension may have one `for` only");
  }
  return make(kind, begin, std::move(parts));
}

ExprPtr ExpressionParser::bracketed() {
  size_t begin = in_.expect(TokenKind::left_bracket).begin;
  std::vector<ExprPtr> items;
  while (!in_.at(TokenKind::right_bracket)) {
    items.push_back(expression());
    if (items.size() == 1 && in_.at(TokenKind::kw_for)) {
      ExprPtr result = comprehension(ExprKind::list_comp, begin, std::move(items));
      in_.expect(TokenKind::right_bracket);
      return result;
    }
    if (!in_.accept(TokenKind::comma)) break;
  }
  in_.expect(TokenKind::right_bracket);
  return make(ExprKind::list, begin, std::move(items));
}

ExprPtr ExpressionParser::braced() {
  size_t begin = in_.expect(TokenKind::left_brace).begin;
  std::vector<ExprPtr> items;
  while (!in_.at(TokenKind::right_brace)) {
    items.push_back(expression());
    in_.expect(TokenKind::colon);
    items.push_back(expression());
    if (items.size() == 2 && in_.at(TokenKind::kw_for)) {
      ExprPtr result = comprehension(ExprKind::dict_comp, begin, std::move(items));
      in_.expect(TokenKind::right_brace);
      return result;
    }
    if (!in_.accept(TokenKind::comma)) break;
  }
  in_.expect(TokenKind::right_brace);
  return make(ExprKind::dict, begin, std::move(items));
}

ExprPtr ExpressionParser::call(ExprPtr callee) {
  Expr node;
  node.kind = ExprKind::call;
  size_t begin = callee->range.begin;
  node.items.push_back(std::move(callee));
  size_t open = in_.expect(TokenKind::left_paren).begin;
  while (!in_.at(TokenKind::right_paren)) {
    if (in_.at(TokenKind::name) && in_.peek(1).kind == TokenKind::equal) {
      Token name = in_.next();
      in_.next();
      node.keywords.push_back({in_.text(name), expression(), in_.range(name)});
    } else {
      if (!node.keywords.empty()) {
        in_.unexpected("a keyword argument (positional ones come first)");
      }
      ExprPtr argument = expression();
      if (in_.at(TokenKind::kw_for)) {
        argument = comprehension(ExprKind::list_comp, open, {std::move(argument)});
      }
      node.items.push_back(std::move(argument));
    }
    if (!in_.accept(TokenKind::comma)) break;
  }
  in_.expect(TokenKind::right_paren);
  node.range = in_.since(begin);
  return finish(std::move(node));
}

namespace {

/// `x[slice(1, 5)]` is `x[1:5]`: the bounds of a call of `slice`; null for any other expression.
ExprPtr slice_of_call(const ExprPtr& call) {
  if (call->kind != ExprKind::call || call->items[0]->kind != ExprKind::name) return nullptr;
  size_t count = call->items.size() - 1;
  if (call->items[0]->text != "slice" || count < 1 || count > 3) return nullptr;
  if (!call->keywords.empty()) {
    base::fail_at(call->range,
                  "Slice does not accept any keyword arguments: give its bounds by position");
  }
  auto made = std::make_shared<Expr>();
  made->kind = ExprKind::slice;
  made->range = call->range;
  made->items.resize(3);
  for (size_t i = 0; i < count; ++i) {
    const ExprPtr& bound = call->items[i + 1];
    if (bound->kind != ExprKind::none) made->items[count == 1 ? 1 : i] = bound;
  }
  return made;
}

}  // namespace

ExprPtr ExpressionParser::subscript(ExprPtr value) {
  size_t begin = value->range.begin;
  std::vector<ExprPtr> items{std::move(value)};
  in_.expect(TokenKind::left_bracket);
  while (!in_.at(TokenKind::right_bracket)) {
    items.push_back(index());
    if (!in_.accept(TokenKind::comma)) break;
  }
  if (items.size() == 1) in_.unexpected("an index");
  in_.expect(TokenKind::right_bracket);
  if (items.size() == 2 && items[1]->kind == ExprKind::tuple && !items[1]->items.empty()) {
    // x[(1, 2)] is x[1, 2].
    std::vector<ExprPtr> indices = items[1]->items;
    items.pop_back();
    for (const ExprPtr& index : indices) {
      ExprPtr slice = slice_of_call(index);
      items.push_back(slice ? slice : index);
    }
  }
  return make(ExprKind::subscript, begin, std::move(items));
}

ExprPtr ExpressionParser::index() {
  size_t begin = in_.peek().begin;
  auto ends = [&] {
    return in_.at(TokenKind::colon) || in_.at(TokenKind::comma) || in_.at(TokenKind::right_bracket);
  };
  ExprPtr start = in_.at(TokenKind::colon) ? nullptr : expression();
  if (!in_.accept(TokenKind::colon)) {
    ExprPtr slice = slice_of_call(start);
    return slice ? slice : start;
  }
  ExprPtr stop = ends() ? nullptr : expression();
  ExprPtr step;
  if (in_.accept(TokenKind::colon) && !ends()) step = expression();
  return make(ExprKind::slice, begin, {std::move(start), std::move(stop), std::move(step)});
}

}  // namespace detail

ExprPtr parse_expression(const std::shared_ptr<const base::Source>& source) {
  detail::TokenStream stream(source);
  stream.accept(TokenKind::indent);
  ExprPtr expr = detail::ExpressionParser(stream).targets();
  stream.accept(TokenKind::newline);
  stream.accept(TokenKind::dedent);
  if (!stream.at(TokenKind::end)) stream.unexpected("the end of the expression");
  return expr;
}

}  // namespace assay::script
