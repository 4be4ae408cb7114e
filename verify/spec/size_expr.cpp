#include "verify/spec/size_expr.h"

#include <fmt/core.h>

#include "engine/base/error.h"

namespace assay::verify {

struct SizeExpr::Node {
  char op = '#';  // '#': a number, 'a': a letter, else + - * /
  int64_t value = 0;
  std::string name;
  std::shared_ptr<const Node> left, right;
};

namespace {

int precedence(char op) { return op == '+' || op == '-' ? 1 : op == '*' || op == '/' ? 2 : 3; }

int64_t floor_divide(int64_t a, int64_t b) {
  base::check(b != 0, "a size divides by zero");
  int64_t quotient = b == -1 ? 0 - a : a / b;
  bool inexact = b != -1 && a % b != 0;
  return inexact && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t apply(char op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case '+':
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case '-':
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case '*':
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    default:
      overflow = a == INT64_MIN && b == -1;
      if (!overflow) result = floor_divide(a, b);
  }
  base::check(!overflow, "a size does not fit 64 bits");
  return result;
}

}  // namespace

SizeExpr::SizeExpr(int64_t value) {
  auto node = std::make_shared<Node>();
  node->value = value;
  node_ = std::move(node);
}

SizeExpr SizeExpr::letter(std::string name) {
  auto node = std::make_shared<Node>();
  node->op = 'a';
  node->name = std::move(name);
  return SizeExpr(std::move(node));
}

SizeExpr SizeExpr::binary(char op, SizeExpr left, SizeExpr right) {
  auto node = std::make_shared<Node>();
  node->op = op;
  node->left = std::move(left.node_);
  node->right = std::move(right.node_);
  return SizeExpr(std::move(node));
}

bool SizeExpr::is_number() const { return node_->op == '#'; }
bool SizeExpr::is_letter() const { return node_->op == 'a'; }

int64_t SizeExpr::evaluate(const Bindings& bindings) const { return evaluate(*node_, bindings); }

int64_t SizeExpr::evaluate(const Node& node, const Bindings& bindings) {
  if (node.op == '#') return node.value;
  if (node.op == 'a') {
    auto found = bindings.find(node.name);
    base::check(found != bindings.end(), "letter '", node.name, "' has no value");
    return found->second;
  }
  return apply(node.op, evaluate(*node.left, bindings), evaluate(*node.right, bindings));
}

std::optional<int64_t> SizeExpr::solve(const std::string& letter, Bindings others,
                                       int64_t met) const {
  constexpr int64_t most = 4096;
  int64_t& tried = others[letter];
  for (tried = 0; tried <= most; ++tried) {
    try {
      if (evaluate(others) == met) return tried;
    } catch (const base::Error&) {  // A division by zero, say: no such size.
    }
  }
  return std::nullopt;
}

void SizeExpr::collect_letters(std::set<std::string>& into) const { collect(*node_, into); }

void SizeExpr::collect(const Node& node, std::set<std::string>& into) {
  if (node.op == 'a') into.insert(node.name);
  if (node.left) collect(*node.left, into);
  if (node.right) collect(*node.right, into);
}

std::string SizeExpr::text() const {
  std::string out;
  print(*node_, 0, false, out);
  return out;
}

void SizeExpr::print(const Node& node, int outer, bool right_side, std::string& out) {
  if (node.op == 'a') {
    out += node.name;
    return;
  }
  if (node.op == '#') {
    bool parenthesize = node.value < 0 && outer > 0;
    out += parenthesize ? fmt::format("({})", node.value) : std::to_string(node.value);
    return;
  }
  int own = precedence(node.op);
  // Operators are left-associative: a right operand of the same precedence needs parentheses.
  bool parenthesize = own < outer || (right_side && own == outer);
  if (parenthesize) out += '(';
  print(*node.left, own, false, out);
  if (node.op == '/') {
    out += "//";
  } else {
    out += node.op;
  }
  print(*node.right, own, true, out);
  if (parenthesize) out += ')';
}

}  // namespace assay::verify
