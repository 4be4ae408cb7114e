#include <fmt/core.h>

#include <algorithm>

#include "engine/script/detail/emitter.h"

// Assignments, plain and augmented.

namespace assay::script::detail {
namespace {

// How many targets are not starred; input error where stars are misplaced.
size_t count_plain(const std::vector<ExprPtr>& targets, const SourceRange& range) {
  auto starred = [](const ExprPtr& t) { return t->kind == ExprKind::starred; };
  auto stars = static_cast<size_t>(std::count_if(targets.begin(), targets.end(), starred));
  if (stars > 1)
    base::fail_at(range, "Only one starred expression is allowed on the lhs of an assignment");
  if (stars == 1 && targets.size() == 1) {
    base::fail_at(range, "A Starred expression may only appear on the lhs within the presence of ",
                  "another non-starred expression");
  }
  return targets.size() - stars;
}

// Writing an item, of a tensor and of a container.
constexpr const char* put_items = "aten::index_put_";
constexpr const char* set_item = "aten::_set_item";

struct AugmentedRow {
  TokenKind token;
  std::string_view in_place;  ///< For tensors and lists.
  std::string_view plain;
  std::string_view magic;  ///< Of classes, without underscores.
};

constexpr AugmentedRow augmented_rows[] = {
#define AUGMENTED(token, in_place, plain, magic) {TokenKind::token, in_place, plain, magic},
#include "engine/ops/python_names.def"
#undef AUGMENTED
};

const AugmentedRow& augmented_row(const Stmt& stmt) {
  for (const auto& row : augmented_rows) {
    if (row.token == stmt.op) return row;
  }
  base::fail_at(stmt.range, "'", describe(stmt.op), "=' is not supported");
}

base::Symbol augmented_operator(const Stmt& stmt, const TypePtr& type) {
  const AugmentedRow& row = augmented_row(stmt);
  return type->is(TypeKind::tensor) || type->is(TypeKind::list) ? row.in_place : row.plain;
}

}  // namespace

void Emitter::assign(const Stmt& stmt) {
  if (!stmt.value) {
    base::fail_at(stmt.range, "a variable is declared here but not given a value");
  }
  if (stmt.targets.size() == 1) return assign_one(stmt, *stmt.targets[0], stmt.value);
  // a = b = value: the value is computed once, then assigned from left to right.
  Expr shared;
  shared.kind = ExprKind::name;
  shared.range = stmt.value->range;
  shared.text = temporary("$tmp_assign_");
  scope_->set(emission_, shared.range, shared.text, expression(*stmt.value));
  auto name = std::make_shared<const Expr>(std::move(shared));
  for (const auto& target : stmt.targets) assign_one(stmt, *target, name);
}

void Emitter::assign_one(const Stmt& stmt, const Expr& target, const ExprPtr& value) {
  TypePtr declared = stmt.annotation ? types_.parse(*stmt.annotation) : nullptr;
  switch (target.kind) {
    case ExprKind::name:
      scope_->set(emission_, target.range, target.text, expression(*value, declared), declared);
      break;
    case ExprKind::tuple:
    case ExprKind::list: {
      count_plain(target.items, target.range);
      StaticValuePtr parts = expression(*value);
      assign_parts(target, parts, value->range);
      break;
    }
    case ExprKind::attribute: {
      StaticValuePtr owner = expression(*target.items[0]);
      ir::Value* to = expression(*value, declared)->value(emission_, value->range);
      owner->set_attribute(emission_, stmt.range, target.text, to);
      break;
    }
    case ExprKind::subscript:
      assign_subscript(stmt.range, target, value_of(*value));
      break;
    default:
      base::fail_at(target.range, "this cannot be assigned to");
  }
}

void Emitter::assign_parts(const Expr& tuple, const StaticValuePtr& value,
                           const SourceRange& range) {
  size_t plain = count_plain(tuple.items, tuple.range);
  bool starred = plain < tuple.items.size();
  std::vector<StaticValuePtr> parts =
      value->parts(emission_, range, starred ? std::nullopt : std::optional<size_t>(plain));
  if (parts.size() < plain || (parts.size() > plain && !starred)) {
    bool few = parts.size() < plain;
    base::fail_at(tuple.range, few ? "the targets need " : "too many values to unpack: need ",
                  plain, few ? " values to unpack but there were found only " : " but found ",
                  parts.size());
  }
  assign_each(tuple.items, parts, range, plain);
}

void Emitter::assign_each(const std::vector<ExprPtr>& targets,
                          const std::vector<StaticValuePtr>& values, const SourceRange& range,
                          size_t plain) {
  size_t next = 0;
  for (const auto& target : targets) {
    switch (target->kind) {
      case ExprKind::name:
        scope_->set(emission_, target->range, target->text, values.at(next++));
        break;
      case ExprKind::subscript:
        assign_subscript(range, *target, values.at(next++)->value(emission_, range));
        break;
      case ExprKind::attribute:
        assign_attribute(range, *target, values.at(next++), range);
        break;
      case ExprKind::tuple:
      case ExprKind::list:
        assign_parts(*target, values.at(next++), range);
        break;
      case ExprKind::starred: {
        const Expr& name = *target->items[0];
        if (name.kind != ExprKind::name) base::fail_at(name.range, "only a name can be starred");
        std::vector<ir::Value*> rest;
        for (size_t count = values.size() - plain; count > 0; --count) {
          rest.push_back(values.at(next++)->value(emission_, target->range));
        }
        set_variable(name.range, name.text, emission_.tuple(rest));
        break;
      }
      default:
        base::fail_at(target->range, "this cannot be assigned to");
    }
  }
}

void Emitter::assign_attribute(const SourceRange& range, const Expr& target,
                               const StaticValuePtr& value, const SourceRange& value_range) {
  StaticValuePtr owner = expression(*target.items[0]);
  ir::Value* to = value->value(emission_, value_range);
  owner->set_attribute(emission_, range, target.text, to);
}

// tensor[i] = 3 stores a tensor of the tensor's own type.
ir::Value* Emitter::as_tensor_like(ir::Value* value, ir::Value* like) {
  switch (value->type()->kind()) {
    case TypeKind::number:
    case TypeKind::integer:
    case TypeKind::boolean:
    case TypeKind::floating:
    case TypeKind::complex:
      break;
    default:
      return value;
  }
  ir::Value* dtype = call_operator(emission_, {}, "prim::dtype", {{like}});
  ir::Value* device = call_operator(emission_, {}, "prim::device", {{like}});
  return call_operator(emission_, {}, "aten::tensor", {{value}},
                       {{dtype, "dtype"}, {device, "device"}});
}

void Emitter::assign_subscript(const SourceRange& range, const Expr& target, ir::Value* value) {
  ir::Value* container = value_of(*target.items[0]);
  if (is_tensor(container)) {
    Indexed place = index_dims(target.range, container, target);
    ir::Value* tensor = as_tensor_like(value, place.value);
    if (place.rest.empty()) {
      call_operator(emission_, range, "aten::copy_", {{place.value}, {tensor}});
    } else {
      ir::Value* indices = index_list(place.rest);
      call_operator(emission_, range, put_items, {{place.value}, {indices}, {tensor}});
    }
    return;
  }
  if (target.items.size() != 2 || target.items[1]->kind == ExprKind::slice) {
    base::fail_at(target.range, "only tensors can have slices of them assigned");
  }
  if (container->type()->is(TypeKind::tuple)) {
    base::fail_at(target.range, "a tuple's members cannot be assigned to");
  }
  ir::Value* index = value_of(*target.items[1]);
  MagicMethod("__setitem__", std::make_shared<BuiltinFunction>(set_item))
      .call(emission_, range, {{container, "self"}, {index, "idx"}, {value}}, {});
}

void Emitter::augment(const Stmt& stmt) {
  const Expr& target = *stmt.targets[0];
  switch (target.kind) {
    case ExprKind::name:
      set_variable(target.range, target.text, augmented(stmt, value_of(target)));
      break;
    case ExprKind::attribute: {
      StaticValuePtr owner = expression(*target.items[0]);
      ir::Value* before =
          owner->attribute(emission_, target.range, target.text)->value(emission_, target.range);
      owner->set_attribute(emission_, stmt.range, target.text, augmented(stmt, before));
      break;
    }
    case ExprKind::subscript:
      augment_subscript(stmt);
      break;
    default:
      base::fail_at(target.range, "augmented assignment can only have one LHS expression");
  }
}

ir::Value* Emitter::augmented(const Stmt& stmt, ir::Value* left) {
  const core::ClassType* owner = core::as_class(left->type());
  ir::Value* right = value_of(*stmt.value);
  if (!owner) {
    base::Symbol op = augmented_operator(stmt, left->type());
    return call_operator(emission_, stmt.range, op, {{left}, {right}});
  }
  std::string_view magic = augmented_row(stmt).magic;
  for (const char* prefix : {"__i", "__"}) {
    std::string method = fmt::format("{}{}__", prefix, magic);
    if (magic.empty() || !owner->has_method(method)) continue;
    return MethodValue(left, method)
        .call(emission_, stmt.range, {{right}}, {})
        ->value(emission_, stmt.range);
  }
  base::fail_at(stmt.range, "Cannot emit inplace op: ", owner->name(), " does not define it");
}

void Emitter::augment_subscript(const Stmt& stmt) {
  const Expr& target = *stmt.targets[0];
  ir::Value* container = value_of(*target.items[0]);
  if (!is_tensor(container)) return augment_item(stmt, container);
  Indexed place = index_dims(target.range, container, target);
  ir::Value* right = value_of(*stmt.value);
  base::Symbol op = augmented_operator(stmt, container->type());
  if (place.rest.empty()) {
    call_operator(emission_, stmt.range, op, {{right}}, {}, Actual{place.value, "self"});
    return;
  }
  ir::Value* indices = index_list(place.rest);
  ir::Value* before =
      call_operator(emission_, stmt.range, "aten::index", {{place.value}, {indices}});
  ir::Value* after =
      call_operator(emission_, stmt.range, op, {{right}}, {}, Actual{before, "self"});
  call_operator(emission_, stmt.range, put_items, {{place.value}, {indices}, {after}});
}

void Emitter::augment_item(const Stmt& stmt, ir::Value* container) {
  const Expr& target = *stmt.targets[0];
  const TypePtr& type = container->type();
  bool list = type->is(TypeKind::list), dict = type->is(TypeKind::dict);
  if (target.items.size() != 2 || !(list || dict)) {
    base::fail_at(target.range, type->annotation(),
                  " does not support augmented assignment to its items");
  }
  ir::Value* index = value_of(*target.items[1]);
  ir::Value* right = value_of(*stmt.value);
  ir::Value* before =
      call_operator(emission_, stmt.range, "aten::__getitem__", {{container}, {index}});
  // For a dict PyTorch goes by the type of the key, so values are never updated in place.
  base::Symbol op = augmented_operator(stmt, type->contained()[0]);
  ir::Value* after = call_operator(emission_, stmt.range, op, {{before}, {right}});
  call_operator(emission_, stmt.range, set_item, {{container}, {index}, {after}});
}

}  // namespace assay::script::detail
