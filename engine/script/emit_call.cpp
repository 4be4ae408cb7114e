#include "engine/ir/kinds.h"
#include "engine/script/detail/emitter.h"

// Calls, and the special forms that look like calls.

namespace assay::script::detail {

Actuals Emitter::arguments(const Expr& call, size_t first) {
  Actuals args;
  for (ir::Value* value : values_of(call.items, first)) args.push_back({value});
  return args;
}

Actuals Emitter::keyword_arguments(const Expr& call) {
  Actuals args;
  for (const auto& keyword : call.keywords) {
    args.push_back({value_of(*keyword.value), keyword.name});
  }
  return args;
}

void Emitter::expect_arguments(const Expr& call, size_t count) {
  if (call.items.size() == count + 1 && call.keywords.empty()) return;
  base::fail_at(call.range, "this takes exactly ", count, " positional argument(s)");
}

StaticValuePtr Emitter::call(const Expr& expr, const TypePtr& hint) {
  StaticValuePtr callee = expression(*expr.items[0]);
  if (auto form = std::dynamic_pointer_cast<SpecialForm>(callee)) return special(*form, expr, hint);
  Actuals args = arguments(expr);
  Actuals kwargs = keyword_arguments(expr);
  return callee->call(emission_, expr.items[0]->range, args, kwargs);
}

StaticValuePtr Emitter::special(const SpecialForm& form, const Expr& call, const TypePtr& hint) {
  std::string_view name = form.form.name();
  if (name == "annotate") return annotate(call);
  if (name == "fork") return fork(call);
  if (name == "enumerate") return make_enumerate(call);
  if (name == "zip") return make_zip(call);
  if (name == "list") return make_list(call, hint);
  if (name == "dict") return make_dict(call, hint);
  if (name == "TupleConstruct") return make_tuple(call);
  if (name == "CreateObject") return make_object(call);
  if (name == "tolist") return to_list(call, form.self, hint);
  if (name == "range") {
    return std::make_shared<RangeValue>(emission_, call.range, values_of(call.items, 1));
  }
  if (name == "Uninitialized") {
    expect_arguments(call, 1);
    TypePtr type = types_.parse(*call.items[1]);
    return simple(emission_.insert_one(ir::kinds().uninitialized, {}, type, call.range));
  }
  if (name == "GetAttr") return get_attribute(call);
  expect_arguments(call, 2);
  if (name == "isinstance") return simple(isinstance_test(*call.items[1], *call.items[2]).value);
  if (name == "HasAttr") return simple(hasattr_test(*call.items[1], *call.items[2]).value);
  if (name == "unchecked_cast") {
    TypePtr type = types_.parse(*call.items[1]);
    ir::Value* value = value_of(*call.items[2]);
    // A refinement inserts the same cast when an archive's code is read back.
    bool done =
        value->node()->is(ir::kinds().unchecked_cast) && core::same_type(value->type(), type);
    return simple(done ? value : emission_.unchecked_cast(value, type));
  }
  base::unreachable("a special form without meaning: ", name);
}

StaticValuePtr Emitter::get_attribute(const Expr& call) {
  bool with_default = call.items.size() == 4;
  if (!with_default) expect_arguments(call, 2);
  StaticValuePtr owner = expression(*call.items[1]);
  if (call.items[2]->kind != ExprKind::string) {
    base::fail_at(call.range, "the attribute's name must be a string literal");
  }
  const std::string& name = call.items[2]->text;
  if (with_default && !owner->has_attribute(emission_, call.range, name)) {
    return expression(*call.items[3]);
  }
  return owner->attribute(emission_, call.range, name);
}

StaticValuePtr Emitter::annotate(const Expr& call) {
  expect_arguments(call, 2);
  TypePtr type = types_.parse(*call.items[1]);
  ir::Value* value = value_of(*call.items[2], type);
  value = convert_to(emission_, call.range, type, value, true);
  if (!core::is_subtype(value->type(), type)) {
    base::fail_at(call.range, "a value of type ", value->type()->annotation(),
                  " cannot be taken for ", type->annotation());
  }
  // None that could have been a T keeps that knowledge.
  if (type->is(TypeKind::optional) && value->type()->is(TypeKind::none)) {
    value = emission_.none_of(type);
  }
  return simple(value);
}

// The forked call becomes the body of a closure; clean_up makes a graph of it.
StaticValuePtr Emitter::fork(const Expr& call) {
  if (call.items.size() < 2) base::fail_at(call.range, "fork needs a function to call");
  StaticValuePtr callee = expression(*call.items[1]);
  Actuals args = arguments(call, 2);
  Actuals kwargs = keyword_arguments(call);
  ir::Node* node =
      emission_.insert(ir::kinds().fork_closure, {}, {core::tensor_type()}, call.range);
  ir::PointGuard at_fork(emission_.builder, node);
  TypePtr result;
  ir::Value* closure = nullptr;
  if (std::dynamic_pointer_cast<ClosureValue>(callee)) {
    closure = callee->value(emission_, call.range);
    result = closure->node()->block()->results().at(0)->type();
  } else {
    ir::Node* made = emission_.insert(ir::kinds().closure, {}, {core::none_type()});
    ir::Block* block = made->add_block();
    closure = made->output();
    Loop before = std::exchange(loop_, Loop::none);
    push_scope(block);
    {
      ir::PointGuard in_closure(emission_.builder, block);
      ir::Value* value =
          callee->call(emission_, call.range, args, kwargs)->value(emission_, call.range);
      block->add_result(value);
      result = value->type();
    }
    pop_scope();
    loop_ = before;
  }
  node->add_input(closure);
  return simple(node->output()->set_type(core::future_of(result)));
}

StaticValuePtr Emitter::make_enumerate(const Expr& call) {
  if (call.items.size() < 2 || call.items.size() > 3) {
    base::fail_at(call.range, "enumerate expected at ",
                  call.items.size() < 2 ? "least 1" : "most 2", " arguments, got ",
                  call.items.size() - 1);
  }
  std::vector<ir::Value*> bounds;
  if (call.items.size() == 3) bounds.push_back(value_of(*call.items[2]));
  for (const auto& keyword : call.keywords) bounds.push_back(value_of(*keyword.value));
  constexpr int64_t forever = std::numeric_limits<int64_t>::max();
  auto [known, fresh] = int_constants_.try_emplace(forever);
  if (fresh) known->second = hoisted_constant(forever, call.range);
  bounds.push_back(known->second);
  StaticValuePtr over = expression(*call.items[1])->iterable(emission_, call.range);
  auto tree = std::make_shared<IterableTree>();
  tree->add(call.range,
            std::make_shared<RangeValue>(emission_, call.range, bounds, over->static_length()));
  tree->add(call.range, over);
  return tree;
}

StaticValuePtr Emitter::make_zip(const Expr& call) {
  if (call.items.size() < 2) {
    base::fail_at(call.range, "zip expected at least 1 arguments, got 0");
  };
  auto tree = std::make_shared<IterableTree>();
  for (size_t i = 1; i < call.items.size(); ++i) {
    tree->add(call.range, expression(*call.items[i])->iterable(emission_, call.range));
  }
  return tree;
}

StaticValuePtr Emitter::make_tuple(const Expr& call) {
  expect_arguments(call, 1);
  std::vector<ir::Value*> members;
  StaticValuePtr from = expression(*call.items[1]);
  for (const auto& part : from->parts(emission_, call.range, std::nullopt)) {
    members.push_back(part->value(emission_, call.range));
  }
  return simple(emission_.tuple(members));
}

// Class.__new__(Class)
StaticValuePtr Emitter::make_object(const Expr& call) {
  expect_arguments(call, 1);
  auto owner = std::dynamic_pointer_cast<ClassValue>(expression(*call.items[1]));
  if (!owner) base::fail_at(call.range, "__new__ makes an object of a class");
  return simple(emission_.insert_one(ir::kinds().create_object, {}, owner->type, call.range));
}

StaticValuePtr Emitter::to_list(const Expr& call, ir::Value*, const TypePtr& hint) {
  if (!hint) {
    base::fail_at(call.range, "the type of a tensor's tolist() must be annotated where it is used");
  }
  const Expr& owner = *call.items[0]->items[0];
  ir::Value* tensor = expression(owner)->value(emission_, owner.range);
  int64_t depth = 0;
  TypePtr element = hint;
  for (; element->is(TypeKind::list); element = element->element()) ++depth;
  int64_t code = 0;
  switch (element->kind()) {
    case TypeKind::integer:
      code = 0;
      break;
    case TypeKind::floating:
      code = 1;
      break;
    case TypeKind::boolean:
      code = 2;
      break;
    case TypeKind::complex:
      code = 3;
      break;
    default:
      base::fail_at(call.range, "tolist() gives lists of int, float, bool or complex, not of ",
                    element->annotation());
  }
  ir::Value* dims = emission_.constant(depth);
  ir::Value* kind = emission_.constant(code);
  return simple(emission_.insert_one("prim::tolist", {tensor, dims, kind}, hint));
}

StaticValuePtr Emitter::make_list(const Expr& call, const TypePtr& hint) {
  if (call.items.size() == 1) {
    TypePtr type = hint ? hint : core::list_of(core::tensor_type());
    if (type->is(TypeKind::optional)) type = type->element();
    if (!type->is(TypeKind::list)) {
      base::fail_at(call.range, "a value of type ", type->annotation(), " is expected here");
    }
    return simple(emission_.list(type->element(), {}));
  }
  expect_arguments(call, 1);
  StaticValuePtr over = expression(*call.items[1]);
  ir::Value* plain = as_simple(over);
  if (plain && (plain->type()->is(TypeKind::list) || plain->type()->is(TypeKind::string))) {
    return simple(call_operator(emission_, call.range, "aten::list", {{plain}}));
  }
  return simple(collected(over, call.range, hint));
}

namespace {

std::unique_ptr<Expr> name_expression(const SourceRange& range, const std::string& text) {
  auto expr = std::make_unique<Expr>();
  expr->kind = ExprKind::name;
  expr->range = range;
  expr->text = text;
  return expr;
}

}  // namespace

// [e for e in x]
ir::Value* Emitter::collected(const StaticValuePtr& over, const SourceRange& range,
                              const TypePtr& hint) {
  auto iterated = name_expression(range, temporary("$_iter"));
  scope_->set(emission_, range, iterated->text, over);
  auto element = name_expression(range, temporary("$_elem"));
  return list_comprehension(*element, *element, *iterated, nullptr, range, hint);
}

// {k: v for k, v in x}
ir::Value* Emitter::collected_pairs(const StaticValuePtr& over, const SourceRange& range,
                                    const TypePtr& hint) {
  std::string iterated = temporary("$_iter"), key = temporary("$_key"),
              value = temporary("$_value");
  scope_->set(emission_, range, iterated, over);
  auto target = std::make_unique<Expr>();
  target->kind = ExprKind::tuple;
  target->range = range;
  target->items.push_back(name_expression(range, key));
  target->items.push_back(name_expression(range, value));
  Expr pairs;
  pairs.kind = ExprKind::dict_comp;
  pairs.range = range;
  pairs.items.push_back(name_expression(range, key));
  pairs.items.push_back(name_expression(range, value));
  pairs.items.push_back(std::move(target));
  pairs.items.push_back(name_expression(range, iterated));
  pairs.items.push_back(nullptr);
  return dict_comprehension(pairs, hint);
}

StaticValuePtr Emitter::make_dict(const Expr& call, const TypePtr& hint) {
  TypePtr type = hint && hint->is(TypeKind::dict) ? hint : nullptr;
  if (call.items.size() > 2) base::fail_at(call.range, "dict takes one positional argument");
  ir::Value* dict = nullptr;
  if (call.items.size() == 2) {
    const Expr& from = *call.items[1];
    bool literal = from.kind == ExprKind::dict || from.kind == ExprKind::dict_comp;
    StaticValuePtr given = literal ? nullptr : expression(from);
    ir::Value* value = literal ? value_of(from, type) : as_simple(given);
    if (!value) {
      dict = collected_pairs(given, call.range, type);
    } else if (value->type()->is(TypeKind::dict)) {
      dict = literal ? value : call_operator(emission_, call.range, "aten::dict", {{value}});
    } else if (from.kind == ExprKind::list && from.items.empty()) {
      dict = nullptr;
    } else {
      dict = call_operator(emission_, call.range, "aten::dict", {{value}});
    }
  }
  std::vector<ir::Value*> keys, values;
  for (const auto& keyword : call.keywords) {
    keys.push_back(emission_.constant(keyword.name, keyword.range));
    values.push_back(value_of(*keyword.value));
  }
  if (!dict) {
    if (!type) {
      type = core::dict_of(core::string_type(),
                           values.empty() ? core::tensor_type() : values[0]->type());
    }
    dict = emission_.insert_one(ir::kinds().dict, {}, type);
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    call_operator(emission_, call.range, "aten::_set_item", {{dict}, {keys[i]}, {values[i]}});
  }
  return simple(dict);
}

}  // namespace assay::script::detail
