#include <algorithm>

#include "engine/ir/kinds.h"
#include "engine/script/detail/emitter.h"

// Lists, dicts and comprehensions: literals whose element type has to be found.

namespace assay::script::detail {
namespace {

/// The container type that the context expects of a literal.
struct Expected {
  TypePtr type;                  ///< Null where any will do.
  TypePtr cast;                  ///< A union that the literal is to be seen as, or null.
  std::vector<TypePtr> choices;  ///< Of a union with several containers of the kind.
};

Expected expect_container(const TypePtr& hint, TypeKind kind, const SourceRange& range) {
  Expected expected;
  if (!hint || hint->is(TypeKind::any)) return expected;
  expected.type = hint;
  if (hint->is(TypeKind::optional)) {
    expected.type = hint->element();
    expected.cast = hint;
  } else if (hint->is(TypeKind::union_)) {
    expected.cast = hint;
    for (const auto& member : hint->contained()) {
      if (member->is(kind)) expected.choices.push_back(member);
    }
    if (expected.choices.size() > 1) return expected.type = nullptr, expected;
    expected.type = expected.choices.empty() ? nullptr : expected.choices[0];
    expected.choices.clear();
  }
  if (!expected.type || !expected.type->is(kind)) {
    base::fail_at(range, "Expected an annotation of type ",
                  kind == TypeKind::list ? "List" : "Dict", " for this, but it is ",
                  hint->annotation());
  }
  return expected;
}

TypePtr unify_all(const std::vector<ir::Value*>& values) {
  TypePtr common = values[0]->type();
  for (const ir::Value* value : values) common = *core::unify(common, value->type(), true);
  return common;
}

ir::Value* as_union(Emission& emission, ir::Value* value, const Expected& expected) {
  return expected.cast ? emission.unchecked_cast(value, expected.cast) : value;
}

}  // namespace

ir::Value* Emitter::list_literal(const Expr& expr, const TypePtr& hint) {
  std::vector<ir::Value*> values = values_of(expr.items);
  if (values.empty() && !hint) {
    // Becomes a list of whatever it is used as, or of tensors.
    return emission_.insert_one(ir::kinds().empty_list, {}, core::list_of(core::tensor_type()));
  }
  Expected expected = expect_container(hint, TypeKind::list, expr.range);
  TypePtr element = expected.type ? expected.type->element() : core::tensor_type();
  if (!values.empty()) {
    TypePtr common = unify_all(values);
    for (const auto& choice : expected.choices) {
      if (core::is_subtype(common, choice->element())) expected.type = choice;
    }
    if (!expected.choices.empty() && !expected.type) {
      base::fail_at(expr.range, "no list in ", hint->annotation(), " can hold elements of type ",
                    common->annotation());
    }
    element = expected.type ? expected.type->element() : common;
    if (!core::is_subtype(common, element)) {
      base::fail_at(expr.range, "a list of ", element->annotation(),
                    " cannot hold elements of type ", common->annotation());
    }
  } else if (!expected.choices.empty()) {
    base::fail_at(expr.range, "an empty list could be any of the lists in ", hint->annotation());
  }
  return as_union(emission_, emission_.list(element, values), expected);
}

ir::Value* Emitter::dict_literal(const Expr& expr, const TypePtr& hint) {
  std::vector<ir::Value*> keys, values, inputs;
  for (size_t i = 0; i + 1 < expr.items.size(); i += 2) {
    keys.push_back(value_of(*expr.items[i]));
    values.push_back(value_of(*expr.items[i + 1]));
    inputs.push_back(keys.back());
    inputs.push_back(values.back());
    if (keys[0]->type()->kind() != keys.back()->type()->kind()) {
      base::fail_at(expr.items[i]->range, "the keys of a dict must be of one type");
    }
  }
  Expected expected = expect_container(hint, TypeKind::dict, expr.range);
  TypePtr own = core::dict_of(core::string_type(), core::tensor_type());
  if (!values.empty()) own = core::dict_of(keys[0]->type(), unify_all(values));
  auto holds = [&](const TypePtr& dict) {
    return values.empty() || (core::same_type(own->contained()[0], dict->contained()[0]) &&
                              core::is_subtype(own->contained()[1], dict->contained()[1]));
  };
  for (const auto& choice : expected.choices) {
    if (holds(choice)) expected.type = choice;
  }
  TypePtr type = expected.type ? expected.type : own;
  if (!holds(type)) {
    base::fail_at(expr.range, "a ", type->annotation(), " cannot hold these keys and values of ",
                  own->annotation());
  }
  return as_union(emission_, emission_.insert_one(ir::kinds().dict, inputs, type), expected);
}

// The variables of a comprehension are its own, so it is compiled in a block of its own.
void Emitter::comprehension(const SourceRange& range, const Expr& target, const Expr& over,
                            const Expr* filter, const std::function<void()>& body) {
  ir::Node* node = emission_.insert(ir::kinds().comprehension, {}, {}, range);
  ir::Block* block = node->add_block();
  push_scope(block);
  {
    ir::PointGuard guard(emission_.builder, block);
    for_loop(range, target, over, [&] {
      if (!filter) return body();
      branch(range, condition(*filter), body, [] {});
    });
  }
  pop_scope();
}

ir::Value* Emitter::list_comprehension(const Expr& element, const Expr& target, const Expr& over,
                                       const Expr* filter, const SourceRange& range,
                                       const TypePtr& hint) {
  ir::Value* list = emission_.insert_one(ir::kinds().list, {}, core::list_of(core::tensor_type()));
  Expected expected = expect_container(hint, TypeKind::list, range);
  if (expected.type) list->set_type(expected.type);
  bool first = true;
  comprehension(range, target, over, filter, [&] {
    ir::Value* item = value_of(element);
    TypePtr common =
        first ? item->type() : *core::unify(list->type()->element(), item->type(), true);
    first = false;
    if (expected.type) {
      if (!core::is_subtype(common, expected.type->element())) {
        base::fail_at(range, "a list of ", expected.type->element()->annotation(),
                      " cannot hold elements of type ", common->annotation());
      }
      common = expected.type->element();
    }
    list->set_type(core::list_of(common));
    item->set_type(common);
    call_operator(emission_, range, "aten::append", {{item}}, {}, Actual{list, "self"});
  });
  return list;
}

ir::Value* Emitter::dict_comprehension(const Expr& expr, const TypePtr& hint) {
  ir::Value* dict = emission_.insert_one(ir::kinds().dict, {},
                                         core::dict_of(core::string_type(), core::tensor_type()));
  Expected expected = expect_container(hint, TypeKind::dict, expr.range);
  if (expected.type) dict->set_type(expected.type);
  comprehension(expr.range, *expr.items[2], *expr.items[3], expr.items[4].get(), [&] {
    ir::Value* key = value_of(*expr.items[0]);
    ir::Value* value = value_of(*expr.items[1]);
    if (expected.type) {
      bool fits = core::is_subtype(key->type(), expected.type->contained()[0]) &&
                  core::is_subtype(value->type(), expected.type->contained()[1]);
      if (!fits) {
        base::fail_at(expr.range, "a ", expected.type->annotation(), " cannot hold a key of type ",
                      key->type()->annotation(), " and a value of type ",
                      value->type()->annotation());
      }
      key->set_type(expected.type->contained()[0]);
      value->set_type(expected.type->contained()[1]);
    } else {
      dict->set_type(core::dict_of(key->type(), value->type()));
    }
    call_operator(emission_, expr.range, "aten::_set_item", {{dict, "self"}, {key}, {value}});
  });
  return as_union(emission_, dict, expected);
}

}  // namespace assay::script::detail
