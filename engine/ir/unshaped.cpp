#include "engine/ir/unshaped.h"

namespace assay::ir {

using core::TypeKind;
using core::TypePtr;

TypePtr unshaped(const TypePtr& type) {
  if (type->is(TypeKind::tensor)) return core::tensor_type();
  std::vector<TypePtr> inner;
  for (const TypePtr& part : type->contained()) inner.push_back(unshaped(part));
  switch (type->kind()) {
    case TypeKind::list:
      return core::list_of(inner[0]);
    case TypeKind::dict:
      return core::dict_of(inner[0], inner[1]);
    case TypeKind::optional:
      return core::optional_of(inner[0]);
    case TypeKind::tuple:
      return core::as_tuple(type)->fields.empty() ? core::tuple_of(std::move(inner)) : type;
    default:
      return type;
  }
}

}  // namespace assay::ir
