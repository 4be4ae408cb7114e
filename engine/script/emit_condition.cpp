#include "engine/ir/kinds.h"
#include "engine/script/detail/emitter.h"

// Conditions: what decides a branch, and what it says about types.

namespace assay::script::detail {
namespace {

enum class Noneness { always, maybe, never };

// The members of a type, for a type that can be one of several.
std::vector<TypePtr> alternatives(const TypePtr& type) {
  if (type->is(TypeKind::union_)) return type->contained();
  if (type->is(TypeKind::optional)) return {type->element(), core::none_type()};
  return {type};
}

Noneness noneness(const ir::Value* value) {
  const TypePtr& type = value->type();
  bool empty_constant =
      value->node()->is(ir::kinds().constant) && value->node()->attributes().empty();
  if (type->is(TypeKind::none) || (empty_constant && type->is(TypeKind::optional))) {
    return Noneness::always;
  }
  if (type->is(TypeKind::optional)) return Noneness::maybe;
  for (const auto& member : alternatives(type)) {
    if (member->is(TypeKind::none)) return Noneness::maybe;
  }
  return Noneness::never;
}

// What is left of a type when None is ruled out; null if nothing was ruled out.
TypePtr without_none(const TypePtr& type) {
  if (type->is(TypeKind::optional)) return type->element();
  if (!type->is(TypeKind::union_)) return nullptr;
  std::vector<TypePtr> rest;
  for (const auto& member : type->contained()) {
    if (!member->is(TypeKind::none)) rest.push_back(member);
  }
  return core::union_of(std::move(rest));
}

TypePtr unify_all(const std::vector<TypePtr>& types) {
  TypePtr common = types[0];
  for (const auto& type : types) common = *core::unify(common, type, true);
  return common;
}

}  // namespace

Condition Emitter::condition(const Expr& expr) {
  if (expr.kind == ExprKind::binary && expr.op == TokenKind::kw_and) {
    return short_circuit(expr, false);
  }
  if (expr.kind == ExprKind::binary && expr.op == TokenKind::kw_or) {
    return short_circuit(expr, true);
  }
  if (expr.kind == ExprKind::binary && expr.op == TokenKind::kw_is) return none_test(expr, true);
  if (expr.kind == ExprKind::is_not) return none_test(expr, false);
  if (expr.kind == ExprKind::unary && expr.op == TokenKind::kw_not) {
    Condition inner = condition(*expr.items[0]);
    ir::Value* value = call_operator(emission_, expr.range, "aten::__not__", {{inner.value}});
    if (inner.known) inner.known = !*inner.known;
    return {value, inner.refinements.negated(), inner.known};
  }
  if (expr.kind == ExprKind::not_in) {
    ir::Value* item = value_of(*expr.items[0]);
    ir::Value* container = value_of(*expr.items[1]);
    MagicMethod contains("__contains__", std::make_shared<BuiltinFunction>("aten::__contains__"));
    ir::Value* found = as_simple(contains.call(emission_, expr.range, {{container}, {item}}, {}));
    found = to_bool(expr.range, found);
    return {call_operator(emission_, expr.range, "aten::__not__", {{found}})};
  }
  if (expr.kind == ExprKind::call) {
    const Expr& callee = *expr.items[0];
    if (callee.is_name("isinstance")) {
      expect_arguments(expr, 2);
      return isinstance_test(*expr.items[1], *expr.items[2]);
    }
    if (callee.is_name("hasattr")) {
      expect_arguments(expr, 2);
      return hasattr_test(*expr.items[1], *expr.items[2]);
    }
    // Evaluated a second time with the call below; dead unless it is a special form.
    StaticValuePtr meaning = expression(callee);
    auto form = std::dynamic_pointer_cast<SpecialForm>(meaning);
    if (form && form->form == ir::kinds().isinstance) {
      expect_arguments(expr, 2);
      return isinstance_test(*expr.items[1], *expr.items[2]);
    }
  }
  ir::Value* value = to_bool(expr.range, value_of(expr));
  Condition result{value};
  if (value->node()->is("aten::is_scripting")) result.known = true;
  if (value->node()->is("aten::has_torch_function")) result.known = false;
  if (auto constant = ir::constant_value(value)) result.known = constant->to_bool();
  return result;
}

Condition Emitter::none_test(const Expr& expr, bool is) {
  ir::Value* left = value_of(*expr.items[0]);
  ir::Value* right = value_of(*expr.items[1]);
  Noneness of_left = noneness(left), of_right = noneness(right);
  bool both_known = of_left != Noneness::maybe && of_right != Noneness::maybe;
  if (both_known && (of_left == Noneness::always || of_right == Noneness::always)) {
    bool known = (of_left == of_right) == is;
    return {emission_.constant(known, expr.range), {}, known};
  }
  ir::Value* value = call_operator(emission_, expr.range, is ? "aten::__is__" : "aten::__isnot__",
                                   {{left}, {right}});
  const Expr* tested = expr.items[0].get();
  const Expr* none = expr.items[1].get();
  if (none->kind != ExprKind::none && tested->kind == ExprKind::none) {
    std::swap(tested, none);
    std::swap(left, right);
  }
  Condition result{value};
  if (none->kind != ExprKind::none || tested->kind != ExprKind::name) return result;
  if (TypePtr present = without_none(left->type())) {
    Refinements::List refined{{tested->text, present}};
    result.refinements = is ? Refinements({}, refined) : Refinements(refined, {});
  }
  return result;
}

Condition Emitter::short_circuit(const Expr& expr, bool is_or) {
  Condition first = condition(*expr.items[0]);
  Condition second;
  auto rest = [&] {
    second = condition(*expr.items[1]);
    return second.value;
  };
  // Where the second operand is not evaluated, the result is a constant.
  auto skipped = [&] { return emission_.constant(is_or, expr.range); };
  Condition result;
  if (is_or) {
    result.value = choose(expr.range, first, skipped, rest);
    result.refinements = first.refinements.or_else(second.refinements);
  } else {
    result.value = choose(expr.range, first, rest, skipped);
    result.refinements = first.refinements.and_also(second.refinements);
  }
  bool decided = (first.known && *first.known == is_or) || (second.known && *second.known == is_or);
  if (decided) {
    result.known = is_or;
  } else if (first.known && second.known) {
    result.known = !is_or;
  }
  return result;
}

Condition Emitter::isinstance_test(const Expr& object, const Expr& types) {
  ir::Value* value = value_of(object);
  std::vector<TypePtr> wanted;
  std::function<void(const Expr&)> gather = [&](const Expr& expr) {
    if (expr.kind != ExprKind::tuple) return wanted.push_back(types_.parse(expr));
    for (const auto& item : expr.items) gather(*item);
  };
  gather(types);
  if (!wanted.empty()) wanted = alternatives(core::union_of(wanted));
  std::vector<TypePtr> fits, fits_not;
  bool all_fit = true;
  for (const auto& actual : alternatives(value->type())) {
    if (actual->is(TypeKind::any)) {
      fits.insert(fits.end(), wanted.begin(), wanted.end());
      fits_not.push_back(actual);
      all_fit = fits.size() == 1 && fits[0]->is(TypeKind::any);
      break;
    }
    TypePtr found;
    for (const auto& type : wanted) {
      if (core::is_subtype(actual, type)) {
        found = actual;
      } else if (core::is_subtype(type, actual)) {
        // The narrowest type that is certain.
        found = found ? core::unify(found, type).value_or(found) : type;
      }
    }
    if (found) {
      fits.push_back(found);
    } else {
      fits_not.push_back(actual);
      all_fit = false;
    }
  }
  Condition result;
  if (object.kind == ExprKind::name) {
    Refinements::List if_true, if_false;
    if (!fits.empty()) if_true.push_back({object.text, unify_all(fits)});
    if (!fits_not.empty()) if_false.push_back({object.text, unify_all(fits_not)});
    result.refinements = Refinements(std::move(if_true), std::move(if_false));
  }
  if (all_fit || fits.empty()) {
    result.value = emission_.constant(all_fit, object.range);
    result.known = all_fit;
    return result;
  }
  ir::Node* node = emission_.graph.create(ir::kinds().isinstance, {value}, {core::bool_type()});
  node->set("types", wanted);
  result.value = emission_.place(node, {})->output();
  return result;
}

Condition Emitter::hasattr_test(const Expr& object, const Expr& name) {
  StaticValuePtr owner = expression(object);
  if (name.kind != ExprKind::string) {
    base::fail_at(name.range, "the attribute's name must be a string literal");
  }
  bool known = owner->has_attribute(emission_, object.range, name.text);
  return {emission_.constant(known, object.range), {}, known};
}

ir::Value* Emitter::to_bool(const SourceRange& range, ir::Value* value) {
  ir::Value* result = nullptr;
  try {
    result = as_simple(variable("bool", range)->call(emission_, range, {{value}}, {}));
  } catch (base::Error& error) {
    if (error.kind() != base::ErrorKind::input) throw;
    base::fail_at(range, "Could not cast value of type ", value->type()->annotation(),
                  " to bool, as a condition must be");
  }
  if (!result->type()->is(TypeKind::boolean)) {
    base::fail_at(range, "a condition must be a bool, but this is of type ",
                  result->type()->annotation());
  }
  return result;
}

void Emitter::refine(const SourceRange& range, const Refinements& refinements) {
  for (const auto& r : refinements.when_true()) {
    StaticValuePtr found = variable(r.variable, range);
    // A module stays the module that it is: a value of its type could not be called.
    if (r.type->is(TypeKind::class_) && !as_simple(found)) continue;
    set_variable(range, r.variable,
                 emission_.unchecked_cast(found->value(emission_, range), r.type));
  }
}

}  // namespace assay::script::detail
