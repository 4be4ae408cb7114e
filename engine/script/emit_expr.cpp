#include "engine/script/detail/cleanup_steps.h"
#include "engine/script/detail/emitter.h"

// Expressions: operators, literals of one token, calls of what they name.

namespace assay::script::detail {
namespace {

struct BinaryRow {
  TokenKind token;
  std::string_view op;
  std::string_view magic;
};

constexpr BinaryRow binary_rows[] = {
#define BINARY(token, sign, op, magic) {TokenKind::token, op, magic},
#include "engine/ops/python_names.def"
#undef BINARY
};

}  // namespace

ir::Value* Emitter::value_of(const Expr& expr, const TypePtr& hint) {
  ir::Value* value = expression(expr, hint)->value(emission_, expr.range);
  // Any is the one type that does not come about by unification.
  if (hint && hint->is(TypeKind::any) && !value->type()->is(TypeKind::any)) {
    value = emission_.unchecked_cast(value, hint);
  }
  return value;
}

std::vector<ir::Value*> Emitter::values_of(const std::vector<ExprPtr>& exprs, size_t first) {
  std::vector<ir::Value*> values;
  for (size_t i = first; i < exprs.size(); ++i) {
    const Expr& expr = *exprs[i];
    if (expr.kind != ExprKind::starred) {
      values.push_back(value_of(expr));
      continue;
    }
    StaticValuePtr spread = expression(*expr.items[0]);
    for (const auto& part : spread->parts(emission_, expr.range, std::nullopt)) {
      values.push_back(part->value(emission_, expr.range));
    }
  }
  return values;
}

StaticValuePtr Emitter::expression(const Expr& expr, const TypePtr& hint) {
  switch (expr.kind) {
    case ExprKind::name:
      return variable(expr.text, expr.range);
    case ExprKind::attribute:
      return expression(*expr.items[0])->attribute(emission_, expr.range, expr.text);
    case ExprKind::call:
      return call(expr, hint);
    case ExprKind::subscript:
      return subscript(expr, hint);
    default:
      return simple(plain(expr, hint));
  }
}

ir::Value* Emitter::plain(const Expr& expr, const TypePtr& hint) {
  switch (expr.kind) {
    case ExprKind::number:
      return number(expr);
    case ExprKind::string:
      return emission_.constant(expr.text, expr.range);
    case ExprKind::none:
      return emission_.constant({}, expr.range);
    case ExprKind::true_:
      return emission_.constant(true, expr.range);
    case ExprKind::false_:
      return emission_.constant(false, expr.range);
    case ExprKind::unary:
      return unary(expr);
    case ExprKind::binary:
      return binary(expr);
    case ExprKind::is_not:
    case ExprKind::not_in:
      return condition(expr).value;
    case ExprKind::conditional:
      return conditional(expr, hint);
    case ExprKind::list:
      return list_literal(expr, hint);
    case ExprKind::tuple:
      return emission_.tuple(values_of(expr.items));
    case ExprKind::dict:
      return dict_literal(expr, hint);
    case ExprKind::list_comp:
      return list_comprehension(*expr.items[0], *expr.items[1], *expr.items[2], expr.items[3].get(),
                                expr.range, hint);
    case ExprKind::dict_comp:
      return dict_comprehension(expr, hint);
    case ExprKind::starred:
      base::fail_at(expr.range, "a starred expression can stand in a call or literal only");
    case ExprKind::ellipsis:
      base::fail_at(expr.range, "`...` can stand in an index only");
    default:
      base::fail_at(expr.range, "this cannot stand here");
  }
}

ir::Value* Emitter::number(const Expr& expr) {
  if (!is_complex_literal(expr.text) && !is_float_literal(expr.text)) {
    int64_t value = parse_integer(expr.text, expr.range);
    auto [known, fresh] = int_constants_.try_emplace(value);
    if (fresh) known->second = hoisted_constant(value, expr.range);
    return known->second;
  }
  double real = parse_float(expr.text, expr.range);
  bool complex = is_complex_literal(expr.text);
  auto [known, fresh] = float_constants_.try_emplace(base::number(real) + (complex ? "j" : ""));
  if (fresh) {
    core::Value value = complex ? core::Value(core::Complex128(0, real)) : core::Value(real);
    known->second = hoisted_constant(value, expr.range);
  }
  return known->second;
}

ir::Value* Emitter::unary(const Expr& expr) {
  if (expr.op == TokenKind::kw_not) return condition(expr).value;
  bool minus = expr.op == TokenKind::minus;
  base::Symbol op = minus ? "aten::neg" : "aten::bitwise_not";
  ir::Value* operand = value_of(*expr.items[0]);
  MagicMethod magic(minus ? "__neg__" : "__invert__", std::make_shared<BuiltinFunction>(op));
  ir::Value* result = as_simple(magic.call(emission_, expr.range, {{operand}}, {}));
  // A negated literal is a literal.
  auto constant = ir::constant_value(operand);
  if (!constant || !result->node()->is(op)) return result;
  const ops::Operator* called = result->node()->op();
  auto folded = called ? evaluate(*called, {*constant}) : std::nullopt;
  return folded ? emission_.constant(folded->at(0), expr.range) : result;
}

ir::Value* Emitter::binary(const Expr& expr) {
  if (expr.op == TokenKind::kw_and || expr.op == TokenKind::kw_or || expr.op == TokenKind::kw_is) {
    return condition(expr).value;
  }
  const BinaryRow* row = nullptr;
  for (const auto& candidate : binary_rows) {
    if (candidate.token == expr.op) row = &candidate;
  }
  if (expr.op == TokenKind::percent) {
    // The left operand is evaluated twice, as in PyTorch; the first value only tells the type.
    ir::Value* left = value_of(*expr.items[0]);
    if (left->type()->is(TypeKind::string)) {
      std::vector<ir::Value*> operands = values_of(expr.items);
      std::vector<ops::Actual> types;
      for (ir::Value* operand : operands) types.push_back({operand->type()});
      ir::Node* node =
          emission_.insert("aten::percentFormat", operands, {core::string_type()}, expr.range);
      node->set_op(ops::resolve("aten::percentFormat", types, expr.range).op);
      return node->output();
    }
  }
  Actuals operands{{value_of(*expr.items[0])}, {value_of(*expr.items[1])}};
  if (expr.op == TokenKind::kw_in) std::swap(operands[0], operands[1]);
  if (expr.op == TokenKind::plus) {
    ir::Value *left = operands[0].get(emission_), *right = operands[1].get(emission_);
    if (left->type()->is(TypeKind::tuple) && right->type()->is(TypeKind::tuple)) {
      std::vector<ir::Value*> members = emission_.members(left);
      for (ir::Value* member : emission_.members(right)) members.push_back(member);
      return emission_.tuple(members);
    }
  }
  if (row->magic.empty()) return call_operator(emission_, expr.range, row->op, operands);
  MagicMethod magic(std::string(row->magic), std::make_shared<BuiltinFunction>(row->op));
  return magic.call(emission_, expr.range, operands, {})->value(emission_, expr.range);
}

ir::Value* Emitter::conditional(const Expr& expr, const TypePtr& hint) {
  Condition test = condition(*expr.items[0]);
  if (test.known) return value_of(*expr.items[*test.known ? 1 : 2], hint);
  return choose(
      expr.range, test, [&] { return value_of(*expr.items[1], hint); },
      [&] { return value_of(*expr.items[2], hint); });
}

}  // namespace assay::script::detail
