#include "engine/script/ast.h"

namespace assay::script {

std::optional<std::string> dotted_name(const Expr& expr) {
  std::string text;
  const Expr* at = &expr;
  while (at->kind == ExprKind::attribute) {
    text = "." + at->text + text;
    at = at->items[0].get();
  }
  if (at->kind != ExprKind::name) return std::nullopt;
  return at->text + text;
}

}  // namespace assay::script
