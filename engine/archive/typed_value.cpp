#include "engine/archive/typed_value.h"

#include <map>
#include <set>
#include <utility>

#include "engine/base/error.h"

namespace assay::archive {
namespace {

using core::TypeKind;
using core::TypePtr;
using core::Value;

/// One conversion. Values can be shared many times over, so containers already done are skipped:
/// the work stays proportional to the value's real size.
class Conversion {
 public:
  explicit Conversion(VisitBudget& visits) : visits_(visits) {}

  Value convert(const Value& value, const TypePtr& type) {
    switch (type->kind()) {
      case TypeKind::list:
        return list(value, type);
      case TypeKind::dict:
        return dict(value, type);
      case TypeKind::tuple:
        return tuple(value, type);
      case TypeKind::optional:
        return value.is_none() ? value : convert(value, type->element());
      case TypeKind::union_:
        return member_of_union(value, type);
      case TypeKind::floating:
        // Python programs may leave an int where a float is declared.
        if (value.is_int()) return Value(static_cast<double>(value.to_int()));
        break;
      case TypeKind::tensor:
        if (value.is_none()) return value;
        if (value.is_tensor()) return value;
        break;
      case TypeKind::any:
        return value;
      default:
        break;
    }
    // A shared tuple's full type can be exponentially larger than the tuple: it is never computed.
    if (value.is_tuple()) {
      if (type->is(TypeKind::any_tuple)) return value;
      refuse(value, type);
    }
    if (!core::is_instance(value, type)) refuse(value, type);
    return value;
  }

 private:
  [[noreturn]] static void refuse(const Value& value, const TypePtr& type) {
    base::fail("expected a value of type ", type->annotation(), ", got ", value.kind_name());
  }

  bool first_visit(const void* container, const TypePtr& type) {
    return done_.emplace(container, type.get()).second;
  }

  Value list(const Value& value, const TypePtr& type) {
    if (!value.is_list()) refuse(value, type);
    core::ListObject& object = value.list();
    if (!first_visit(&object, type)) return value;
    visits_.visit(object.items.size());
    object.element = type->element();
    for (Value& item : object.items) item = convert(item, type->element());
    return value;
  }

  Value dict(const Value& value, const TypePtr& type) {
    if (!value.is_dict()) refuse(value, type);
    core::DictObject& object = value.dict();
    if (!first_visit(&object, type)) return value;
    const TypePtr &key = type->contained()[0], &item = type->contained()[1];
    visits_.visit(object.size());
    object.key = key;
    object.value = item;
    for (size_t i = 0; i < object.size(); ++i) {
      Value entry_key = object.entries()[i].key;
      convert(entry_key, key);
      object.set(entry_key, convert(object.entries()[i].value, item));
    }
    return value;
  }

  Value tuple(const Value& value, const TypePtr& type) {
    const core::TupleType* wanted = core::as_tuple(type);
    if (!value.is_tuple() || value.tuple().items.size() != wanted->contained().size()) {
      refuse(value, type);
    }
    auto known = tuples_.find({&value.tuple(), type.get()});
    if (known != tuples_.end()) return known->second;
    visits_.visit(wanted->contained().size());
    core::Values items;
    items.reserve(wanted->contained().size());
    for (size_t i = 0; i < wanted->contained().size(); ++i) {
      items.push_back(convert(value.tuple().items[i], wanted->contained()[i]));
    }
    TypePtr named = wanted->fields.empty() ? nullptr : type;
    Value made(base::make_ref<core::TupleObject>(std::move(items), named));
    tuples_.emplace(std::pair(&value.tuple(), type.get()), made);
    return made;
  }

  /// A list or dict without types fits several members; the first that accepts it is taken.
  Value member_of_union(const Value& value, const TypePtr& type) {
    for (const TypePtr& member : type->contained()) {
      try {
        return convert(value, member);
      } catch (const base::Error&) {
        continue;
      }
    }
    refuse(value, type);
  }

  VisitBudget& visits_;
  std::set<std::pair<const void*, const void*>> done_;
  std::map<std::pair<const void*, const void*>, Value> tuples_;
};

}  // namespace

Value typed_value(const Value& value, const TypePtr& type, VisitBudget& visits) {
  return Conversion(visits).convert(value, type);
}

}  // namespace assay::archive
