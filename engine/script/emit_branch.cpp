#include <fmt/core.h>

#include <algorithm>

#include "engine/ir/kinds.h"
#include "engine/script/detail/emitter.h"

// Branches, and loops with their bodies.

namespace assay::script::detail {

std::shared_ptr<Scope> Emitter::branch_block(ir::Block* block, const SourceRange& range,
                                             const std::function<void()>& body,
                                             const Refinements& known) {
  push_scope(block);
  ir::PointGuard guard(emission_.builder, block);
  refine(range, known);
  body();
  return pop_scope();
}

void Emitter::branch(const SourceRange& range, const Condition& test,
                     const std::function<void()>& when_true,
                     const std::function<void()>& when_false) {
  if (test.known) {
    refine(range, *test.known ? test.refinements : test.refinements.negated());
    return *test.known ? when_true() : when_false();
  }
  ir::Node* node = emission_.insert(ir::kinds().if_, {test.value}, {}, range);
  ir::Block* true_block = node->add_block();
  ir::Block* false_block = node->add_block();
  auto true_scope = branch_block(true_block, range, when_true, test.refinements);
  auto false_scope = branch_block(false_block, range, when_false, test.refinements.negated());
  if (exited_.count(true_block) && exited_.count(false_block)) exited_.insert(node->owner());
  join(range, *true_scope, *false_scope);
}

// After a branch, the variables that both sides define are defined, and those that one side defines
// where the other side returns or raises.
void Emitter::join(const SourceRange& range, Scope& when_true, Scope& when_false) {
  bool true_exits = exited_.count(when_true.block) > 0;
  bool false_exits = exited_.count(when_false.block) > 0;
  std::set<std::string> defined;
  auto collect = [&](Scope& from, Scope& other, bool other_exits, const char* side) {
    for (const auto& name : from.stored()) {
      ir::PointGuard guard(emission_.builder, other.block);
      if (other.find(emission_, name) || other_exits) {
        defined.insert(name);
      } else {
        scope_->explain_missing(name, fmt::format("{} is not defined in the {} branch ({})", name,
                                                  side, range.place()));
      }
    }
  };
  collect(when_true, when_false, false_exits, "false");
  collect(when_false, when_true, true_exits, "true");
  for (const auto& name : defined) {
    auto read = [&](Scope& scope) {
      ir::PointGuard guard(emission_.builder, scope.block);
      return scope.find(emission_, name)->value(emission_, range);
    };
    ir::Value* of_true = true_exits ? nullptr : read(when_true);
    ir::Value* of_false = false_exits ? nullptr : read(when_false);
    if (!of_true && !of_false) continue;
    auto fill_in = [&](Scope& scope, const TypePtr& type) {
      ir::PointGuard guard(emission_.builder, scope.block);
      ir::Value* value = emission_.uninitialized(type);
      emission_.place(emission_.graph.create(ir::kinds().store, {value}, size_t{0})
                          ->set(ir::name_attribute(), name),
                      {});
      return value;
    };
    if (!of_true) of_true = fill_in(when_true, of_false->type());
    if (!of_false) of_false = fill_in(when_false, of_true->type());

    ir::Value* before = as_simple(scope_->find(emission_, name));
    bool wide =
        before && (before->type()->is(TypeKind::union_) || before->type()->is(TypeKind::optional) ||
                   before->type()->is(TypeKind::number));
    auto both = core::unify(of_true->type(), of_false->type(), wide);
    if (both) {
      scope_->set_type(name, *both);
      continue;
    }
    std::string reason = fmt::format(
        "{} is set to type {} in the true branch and type {} in the false branch ({})", name,
        of_true->type()->annotation(), of_false->type()->annotation(), range.place());
    if (when_true.find_outside(emission_, name) || when_false.find_outside(emission_, name)) {
      base::fail_at(range, "'", name, "' has no common type after this: ", reason);
    }
    scope_->explain_missing(name, reason);
  }
}

ir::Value* Emitter::choose(const SourceRange& range, const Condition& test,
                           const std::function<ir::Value*()>& when_true,
                           const std::function<ir::Value*()>& when_false) {
  ir::Node* node = emission_.insert(ir::kinds().if_, {test.value}, {}, range);
  ir::Block* true_block = node->add_block();
  ir::Block* false_block = node->add_block();
  branch_block(
      true_block, range, [&] { true_block->add_result(when_true()); }, test.refinements);
  branch_block(
      false_block, range, [&] { false_block->add_result(when_false()); },
      test.refinements.negated());
  const TypePtr& of_true = true_block->results()[0]->type();
  const TypePtr& of_false = false_block->results()[0]->type();
  auto both = core::unify(of_true, of_false);
  if (!both) {
    base::fail_at(range, "the two alternatives have no common type: ", of_true->annotation(),
                  " and ", of_false->annotation());
  }
  return node->add_output(*both);
}

// A loop is emitted with its condition in a second block; to_ssa moves that to where it is tested.
void Emitter::loop(const SourceRange& range, const StaticValuePtr& iterable, const Expr* target,
                   const Expr* test, const std::function<void()>& body) {
  ir::Value* trips = nullptr;
  if (iterable) {
    trips = iterable->length(emission_, range);
  } else {
    constexpr int64_t forever = std::numeric_limits<int64_t>::max();
    auto [known, fresh] = int_constants_.try_emplace(forever);
    if (fresh) known->second = hoisted_constant(forever, range);
    trips = known->second;
  }
  ir::Node* node = emission_.insert(ir::kinds().loop, {}, {}, range);
  ir::Block* body_block = node->add_block();
  ir::Block* condition_block = node->add_block();
  push_scope(condition_block);
  if (test) {
    ir::PointGuard guard(emission_.builder, condition_block);
    condition_block->add_result(to_bool(test->range, value_of(*test)));
  } else {
    ir::PointGuard guard(emission_.builder, node);
    condition_block->add_result(emission_.constant(true, range));
  }
  pop_scope();
  node->add_input(trips);

  Loop before = std::exchange(loop_, Loop::rolled);
  ir::Value* trip = body_block->add_param(core::int_type());
  push_scope(body_block);
  {
    ir::PointGuard guard(emission_.builder, body_block);
    if (iterable && target) {
      ir::Value* element = iterable->item(emission_, range, trip, nullptr)->value(emission_, range);
      auto place = std::make_shared<const Expr>(*target);
      assign_each({place}, {simple(element)}, range, 1);
    }
    body();
  }
  pop_scope();
  loop_ = before;
}

// What is iterated over need not be of one type, so the body is compiled once for each element.
void Emitter::unrolled_loop(const SourceRange& range, const StaticValuePtr& iterable,
                            const Expr& target, const std::function<void()>& body) {
  Loop before = std::exchange(loop_, Loop::unrolled);
  auto place = std::make_shared<const Expr>(target);
  int64_t length = *iterable->static_length();
  for (int64_t i = 0; i < length; ++i) {
    auto [known, fresh] = int_constants_.try_emplace(i);
    if (fresh) known->second = hoisted_constant(i, range);
    StaticValuePtr element = iterable->item(emission_, range, known->second, nullptr);
    assign_each({place}, {element}, target.range, 1);
    body();
  }
  loop_ = before;
}

void Emitter::for_loop(const SourceRange& range, const Expr& target, const Expr& over,
                       const std::function<void()>& body) {
  if (target.kind == ExprKind::starred) {
    base::fail_at(target.range, "A Starred expression may only appear on the lhs within the ",
                  "presence of another non-starred expression");
  }
  StaticValuePtr iterable = expression(over)->iterable(emission_, range);
  if (iterable->static_length()) {
    unrolled_loop(range, iterable, target, body);
  } else {
    loop(range, iterable, &target, nullptr, body);
  }
}

}  // namespace assay::script::detail
