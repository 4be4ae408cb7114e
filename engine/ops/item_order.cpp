#include "engine/ops/item_order.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/stack.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {

using core::Type;
using core::TypeKind;
using core::Value;

namespace {

bool has_order(const Type& type, const ObjectOrder* objects) {
  switch (type.kind()) {
    case TypeKind::integer:
    case TypeKind::floating:
    case TypeKind::boolean:
    case TypeKind::string:
    case TypeKind::tensor:
      return true;
    case TypeKind::class_:
      return objects && objects->has_less(static_cast<const core::ClassType&>(type));
    case TypeKind::tuple:
      base::check_stack("a value");
      return std::ranges::all_of(type.contained(), [&](const core::TypePtr& member) {
        return has_order(*member, objects);
      });
    default:
      return false;
  }
}

bool tuple_comes_before(Context& context, const core::Values& a, const core::Values& b,
                        const ObjectOrder* objects) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (comes_before(context, a[i], b[i], objects)) return true;
    if (comes_before(context, b[i], a[i], objects)) return false;
  }
  return a.size() < b.size();
}

}  // namespace

void check_sortable(const core::Values& items, const ObjectOrder* objects) {
  if (items.empty()) return;
  const core::TypePtr first = items[0].type();
  for (const Value& item : items) {
    bool same = item.tag() == items[0].tag() &&
                (item.is_number() || item.is_string() || core::same_type(item.type(), first));
    base::check(same, "only items of one type can be sorted, but these are of ",
                first->annotation(), " and of ", item.type()->annotation());
  }
  base::check(
      has_order(*first, objects), "a list of ", first->annotation(),
      " cannot be sorted: items must be tensors, ints, floats, bools, strs, of a class with "
      "__lt__, or tuples of these");
}

bool comes_before(Context& context, const Value& a, const Value& b, const ObjectOrder* objects) {
  if (a.is_int() && b.is_int()) return a.to_int() < b.to_int();
  if (a.is_number() && b.is_number()) return a.to_scalar().to_double() < b.to_scalar().to_double();
  if (a.is_string() && b.is_string()) return a.to_string() < b.to_string();
  if (a.is_tensor() && b.is_tensor()) {
    Value smaller = call(context, "aten::lt.Tensor", {a, b});
    return call(context, "aten::is_nonzero", {smaller}).to_bool();
  }
  if (a.is_tuple() && b.is_tuple()) {
    return tuple_comes_before(context, a.tuple().items, b.tuple().items, objects);
  }
  base::check(objects && a.is_object() && b.is_object(), "'<' is not supported between a ",
              a.kind_name(), " and a ", b.kind_name());
  return objects->less(a, b);
}

}  // namespace assay::ops
