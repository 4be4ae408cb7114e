#include "engine/ir/type_text.h"

namespace assay::ir {

using core::TypeKind;
using core::TypePtr;

namespace {

std::string joined(const std::vector<TypePtr>& types) {
  std::string out;
  for (size_t i = 0; i < types.size(); ++i) out += (i ? ", " : "") + type_text(types[i]);
  return out;
}

}  // namespace

std::string type_text(const TypePtr& type) {
  switch (type->kind()) {
    case TypeKind::list:
      return type_text(type->element()) + "[]";
    case TypeKind::optional:
      return type_text(type->element()) + "?";
    case TypeKind::future:
      return "Future[" + type_text(type->element()) + "]";
    case TypeKind::rref:
      return "RRef[" + type_text(type->element()) + "]";
    case TypeKind::await:
      return "Await[" + type_text(type->element()) + "]";
    case TypeKind::interface:
      return "InterfaceType<" + type->name().substr(type->name().rfind('.') + 1) + ">";
    case TypeKind::tuple:
      if (core::as_tuple(type)->fields.empty()) return "(" + joined(type->contained()) + ")";
      return type->str();
    default:
      return type->str();
  }
}

}  // namespace assay::ir
