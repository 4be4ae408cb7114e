#include "engine/script/parser.h"

#include <unordered_map>

#include "engine/script/detail/expression_parser.h"

namespace assay::script {
namespace {

using detail::ExpressionParser;
using detail::TokenStream;

TokenKind augmented_operator(TokenKind token) {
  static const std::unordered_map<TokenKind, TokenKind> operators{
      {TokenKind::plus_equal, TokenKind::plus},
      {TokenKind::minus_equal, TokenKind::minus},
      {TokenKind::times_equal, TokenKind::star},
      {TokenKind::divide_equal, TokenKind::slash},
      {TokenKind::floor_div_equal, TokenKind::floor_div},
      {TokenKind::modulo_equal, TokenKind::percent},
      {TokenKind::matmul_equal, TokenKind::at},
      {TokenKind::power_equal, TokenKind::power},
      {TokenKind::and_equal, TokenKind::ampersand},
      {TokenKind::or_equal, TokenKind::bar},
      {TokenKind::xor_equal, TokenKind::caret},
      {TokenKind::shift_left_equal, TokenKind::shift_left},
      {TokenKind::shift_right_equal, TokenKind::shift_right},
  };
  auto found = operators.find(token);
  return found == operators.end() ? TokenKind::end : found->second;
}

bool can_be_assigned(const Expr& target) {
  switch (target.kind) {
    case ExprKind::name:
    case ExprKind::attribute:
    case ExprKind::subscript:
      return true;
    case ExprKind::starred:
      return can_be_assigned(*target.items[0]);
    case ExprKind::tuple:
    case ExprKind::list:
      for (const auto& item : target.items) {
        if (!can_be_assigned(*item)) return false;
      }
      return true;
    default:
      return false;
  }
}

class Parser {
 public:
  Parser(const std::shared_ptr<const base::Source>& source, Reader reader)
      : in_(source), expressions_(in_, reader), reader_(reader) {}

  Block module() {
    Block statements;
    bool indented = in_.accept(TokenKind::indent);
    while (!in_.at(TokenKind::end)) {
      if (in_.accept(TokenKind::newline)) continue;
      if (indented && in_.accept(TokenKind::dedent)) continue;
      statement(statements);
    }
    return statements;
  }

 private:
  std::shared_ptr<Stmt> begin_statement(StmtKind kind) {
    auto out = std::make_shared<Stmt>();
    out->kind = kind;
    return out;
  }

  void statement(Block& out) {
    size_t begin = in_.peek().begin;
    switch (in_.peek().kind) {
      case TokenKind::kw_if:
        in_.next();
        return finish(out, if_statement(), begin);
      case TokenKind::kw_while:
        return finish(out, while_statement(), begin);
      case TokenKind::kw_for:
        return finish(out, for_statement(), begin);
      case TokenKind::kw_with:
        return finish(out, with_statement(), begin);
      case TokenKind::kw_def:
      case TokenKind::kw_class:
      case TokenKind::at:
        return finish(out, definition(), begin);
      default:
        return simple_line(out);
    }
  }

  void finish(Block& out, std::shared_ptr<Stmt> made, size_t begin) {
    made->range = in_.since(begin);
    out.push_back(std::move(made));
  }

  void simple_line(Block& out) {
    do {
      if (in_.at(TokenKind::newline)) break;
      simple(out);
    } while (in_.accept(TokenKind::semicolon));
    if (!in_.at(TokenKind::end)) in_.expect(TokenKind::newline);
  }

  void simple(Block& out) {
    size_t begin = in_.peek().begin;
    switch (in_.peek().kind) {
      case TokenKind::kw_pass:
        return word(out, StmtKind::pass_);
      case TokenKind::kw_break:
        return word(out, StmtKind::break_);
      case TokenKind::kw_continue:
        return word(out, StmtKind::continue_);
      case TokenKind::kw_return:
        return finish(out, return_statement(), begin);
      case TokenKind::kw_raise:
        return finish(out, raise_statement(), begin);
      case TokenKind::kw_assert:
        return finish(out, assert_statement(), begin);
      case TokenKind::kw_del:
        return finish(out, del_statement(), begin);
      default:
        break;
    }
    bool import = in_.at(TokenKind::name) && in_.peek(1).kind == TokenKind::name &&
                  (in_.text(in_.peek()) == "import" || in_.text(in_.peek()) == "from");
    if (!import) return finish(out, assignment(), begin);
    while (!in_.at(TokenKind::newline) && !in_.at(TokenKind::end)) in_.next();
  }

  void word(Block& out, StmtKind kind) {
    size_t begin = in_.next().begin;
    finish(out, begin_statement(kind), begin);
  }

  bool ends_statement() const {
    return in_.at(TokenKind::newline) || in_.at(TokenKind::semicolon) || in_.at(TokenKind::end);
  }

  std::shared_ptr<Stmt> return_statement() {
    in_.next();
    auto out = begin_statement(StmtKind::return_);
    if (!ends_statement()) out->value = expressions_.targets();
    return out;
  }

  std::shared_ptr<Stmt> raise_statement() {
    in_.next();
    auto out = begin_statement(StmtKind::raise_);
    if (!ends_statement()) out->value = expressions_.expression();
    if (in_.at(TokenKind::name) && in_.text(in_.peek()) == "from") {
      in_.next();
      expressions_.expression();
    }
    return out;
  }

  std::shared_ptr<Stmt> assert_statement() {
    in_.next();
    auto out = begin_statement(StmtKind::assert_);
    out->value = expressions_.expression();
    if (in_.accept(TokenKind::comma)) out->message = expressions_.expression();
    return out;
  }

  std::shared_ptr<Stmt> del_statement() {
    in_.next();
    auto out = begin_statement(StmtKind::del);
    do {
      out->targets.push_back(expressions_.expression());
    } while (in_.accept(TokenKind::comma) && !ends_statement());
    return out;
  }

  std::shared_ptr<Stmt> assignment() {
    auto out = begin_statement(StmtKind::expression);
    ExprPtr first = expressions_.targets();
    TokenKind op = augmented_operator(in_.peek().kind);
    if (in_.accept(TokenKind::colon)) {
      out->kind = StmtKind::assign;
      out->annotation = expressions_.expression();
      out->targets.push_back(target(std::move(first)));
      if (in_.accept(TokenKind::equal)) out->value = expressions_.targets();
    } else if (op != TokenKind::end) {
      in_.next();
      out->kind = StmtKind::augmented;
      out->op = op;
      out->targets.push_back(target(std::move(first)));
      out->value = expressions_.targets();
    } else if (in_.at(TokenKind::equal)) {
      out->kind = StmtKind::assign;
      out->value = std::move(first);
      while (in_.accept(TokenKind::equal)) {
        out->targets.push_back(target(std::move(out->value)));
        out->value = expressions_.targets();
      }
    } else {
      out->value = std::move(first);
    }
    return out;
  }

  ExprPtr target(ExprPtr expr) {
    if (!can_be_assigned(*expr)) {
      base::fail_at(expr->range,
                    "unexpected expression on the left of an assignment: only a name, ",
                    "an attribute, a subscript, or a tuple or list of these can stand there");
    }
    return expr;
  }

  std::shared_ptr<Stmt> if_statement() {
    auto out = begin_statement(StmtKind::if_);
    out->value = expressions_.expression();
    out->body = block();
    if (in_.at(TokenKind::kw_elif)) {
      TokenStream::Nested nested(in_);
      size_t begin = in_.next().begin;
      if (reader_ == Reader::text) begin = in_.peek().begin;
      finish(out->orelse, if_statement(), begin);
    } else if (in_.accept(TokenKind::kw_else)) {
      out->orelse = block();
    }
    return out;
  }

  std::shared_ptr<Stmt> while_statement() {
    in_.next();
    auto out = begin_statement(StmtKind::while_);
    out->value = expressions_.expression();
    out->body = block();
    no_else_after_loop();
    return out;
  }

  std::shared_ptr<Stmt> for_statement() {
    in_.next();
    auto out = begin_statement(StmtKind::for_);
    out->targets.push_back(target(expressions_.loop_targets()));
    in_.expect(TokenKind::kw_in);
    bool text = reader_ == Reader::text;
    out->value = text ? expressions_.expression() : expressions_.targets();
    if (text && in_.at(TokenKind::comma)) {  // Python's own reader takes it for a tuple.
      base::fail_at(out->value->range,
                    "List of iterables is not supported currently: a loop is over one");
    }
    out->body = block();
    no_else_after_loop();
    return out;
  }

  void no_else_after_loop() {
    if (!in_.at(TokenKind::kw_else)) return;
    base::fail_at(in_.range(in_.peek()), "a loop may not have an `else` branch");
  }

  std::shared_ptr<Stmt> with_statement() {
    in_.next();
    auto out = begin_statement(StmtKind::with_);
    do {
      out->targets.push_back(expressions_.expression());
      bool named = in_.accept(TokenKind::kw_as);
      out->with_names.push_back(named ? target(expressions_.expression()) : nullptr);
    } while (in_.accept(TokenKind::comma));
    out->body = block();
    return out;
  }

  Block block() {
    TokenStream::Nested nested(in_);
    Block out;
    in_.expect(TokenKind::colon);
    if (!in_.accept(TokenKind::newline)) {
      simple_line(out);
      return out;
    }
    in_.expect(TokenKind::indent);
    while (!in_.at(TokenKind::dedent) && !in_.at(TokenKind::end)) statement(out);
    in_.expect(TokenKind::dedent);
    return out;
  }

  std::shared_ptr<Stmt> definition() {
    std::vector<ExprPtr> decorators;
    while (in_.accept(TokenKind::at)) {
      decorators.push_back(expressions_.expression());
      in_.expect(TokenKind::newline);
    }
    TokenStream::Nested nested(in_);
    if (in_.at(TokenKind::kw_class)) {
      auto out = begin_statement(StmtKind::class_);
      out->class_def = class_definition(std::move(decorators));
      return out;
    }
    auto out = begin_statement(StmtKind::def);
    out->function = function_definition(std::move(decorators));
    return out;
  }

  std::shared_ptr<const ClassDef> class_definition(std::vector<ExprPtr> decorators) {
    size_t begin = in_.expect(TokenKind::kw_class).begin;
    auto out = std::make_shared<ClassDef>();
    out->decorators = std::move(decorators);
    out->name = in_.text(in_.expect(TokenKind::name));
    out->range = in_.since(begin);
    if (in_.accept(TokenKind::left_paren)) {
      while (!in_.at(TokenKind::right_paren)) {
        out->bases.push_back(expressions_.expression());
        if (!in_.accept(TokenKind::comma)) break;
      }
      in_.expect(TokenKind::right_paren);
    }
    out->body = block();
    return out;
  }

  std::shared_ptr<const FunctionDef> function_definition(std::vector<ExprPtr> decorators) {
    size_t begin = in_.expect(TokenKind::kw_def).begin;
    auto out = std::make_shared<FunctionDef>();
    out->decorators = std::move(decorators);
    Token name = in_.expect(TokenKind::name);
    out->name = in_.text(name);
    out->name_range = in_.range(name);
    size_t params_begin = in_.expect(TokenKind::left_paren).begin;
    parameters(*out);
    size_t params_end = in_.expect(TokenKind::right_paren).begin;
    if (in_.accept(TokenKind::arrow)) out->return_annotation = expressions_.expression();
    // The range of a function is its header: what a message about it should show.
    out->range = in_.since(begin);
    out->body = block();
    size_t body_begin = out->body.empty() ? params_end : out->body[0]->range.begin;
    type_comments(*out, params_begin, params_end, body_begin);
    return out;
  }

  void parameters(FunctionDef& out) {
    bool keyword_only = false;
    while (!in_.at(TokenKind::right_paren)) {
      size_t begin = in_.peek().begin;
      if (in_.accept(TokenKind::star)) {
        if (!in_.at(TokenKind::comma)) {
          base::fail_at(in_.since(begin), "a compiled function cannot take *args");
        }
        keyword_only = true;
      } else {
        if (in_.at(TokenKind::power)) {
          base::fail_at(in_.range(in_.peek()), "a compiled function cannot take **kwargs");
        }
        Param param;
        param.name = in_.text(in_.expect(TokenKind::name));
        if (in_.accept(TokenKind::colon)) param.annotation = expressions_.expression();
        if (in_.accept(TokenKind::equal)) param.default_value = expressions_.expression();
        param.keyword_only = keyword_only;
        param.range = in_.since(begin);
        out.params.push_back(std::move(param));
      }
      if (!in_.accept(TokenKind::comma)) break;
    }
  }

  ExprPtr comment_type(size_t begin, size_t end) {
    auto part = std::make_shared<base::Source>();
    part->text = in_.source()->text.substr(begin, end - begin);
    part->name = in_.source()->name;
    part->first_line = base::SourceRange{in_.source(), begin, end}.line();
    return parse_expression(part);
  }

  // `# type:` comments inside the parameter list belong to one parameter each; the first one
  // between the header and the body gives the signature: (T, U) -> V, or (...) -> V after such a
  // list.
  void type_comments(FunctionDef& out, size_t params_begin, size_t params_end, size_t body_begin) {
    const TypeComment* signature = nullptr;
    const TypeComment* misspelled = nullptr;
    size_t typed = 0;
    for (const auto& comment : in_.type_comments()) {
      if (comment.begin < params_begin || comment.begin >= body_begin) continue;
      if (!comment.exact) {
        misspelled = &comment;
      } else if (comment.begin > params_end) {
        if (!signature) signature = &comment;
      } else {
        Param* owner = nullptr;
        for (auto& param : out.params) {
          if (param.range.begin < comment.begin) owner = &param;
        }
        if (owner) owner->annotation = comment_type(comment.begin, comment.end);
        typed += 1;
      }
    }
    if (signature) return signature_comment(out, *signature, typed);
    if (misspelled && typed == 0 && reader_ == Reader::python) {
      base::SourceRange range{in_.source(), misspelled->begin, misspelled->end};
      base::fail_at(range, "the annotation prefix in line ", range.line(),
                    " of the file is misspelled: write it exactly as `# type:`");
    }
  }

  void signature_comment(FunctionDef& out, const TypeComment& comment, size_t typed_alone) {
    base::SourceRange range{in_.source(), comment.begin, comment.end};
    std::string text = in_.source()->text.substr(comment.begin, comment.end - comment.begin);
    size_t arrow = text.rfind("->");
    size_t params_end = arrow == std::string::npos ? comment.end : comment.begin + arrow;
    ExprPtr params = comment_type(comment.begin, params_end);
    if (arrow != std::string::npos) {
      out.return_annotation = comment_type(params_end + 2, comment.end);
    }
    std::vector<ExprPtr> types{params};
    if (params->kind == ExprKind::tuple) types = params->items;
    bool alone = types.size() == 1 && types[0]->kind == ExprKind::ellipsis;
    if (alone && typed_alone == 0) return;
    if (!alone && typed_alone > 0) {
      base::fail_at(range, "parameters have comments with types of their own. Return type line ",
                    "`# type: (...) -> T` is expected after them");
    }
    size_t found = alone ? typed_alone : types.size();
    size_t skipped = out.params.size() == found + 1 && out.params[0].name == "self" ? 1 : 0;
    if (skipped + found != out.params.size()) {
      base::fail_at(range, "Number of type annotations (", found, ") did not match the number of ",
                    "function parameters (", out.params.size(), "):", text);
    }
    if (alone) return;
    for (size_t i = 0; i < types.size(); ++i) out.params[i + skipped].annotation = types[i];
  }

  TokenStream in_;
  ExpressionParser expressions_;
  const Reader reader_;
};

}  // namespace

Block parse_module(const std::shared_ptr<const base::Source>& source, Reader reader) {
  return Parser(source, reader).module();
}

}  // namespace assay::script
