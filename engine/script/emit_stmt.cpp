#include "engine/ir/kinds.h"
#include "engine/script/detail/emitter.h"

// Statements other than assignments, branches and loops.

namespace assay::script::detail {

void Emitter::statements(const Block& block) {
  for (const auto& stmt : block) {
    try {
      statement(*stmt);
    } catch (base::Error& e) {
      e.at(stmt->range);
      throw;
    }
    // What follows a return or raise is never reached, and need not even compile.
    if (exited_.count(scope_->block)) return;
  }
}

void Emitter::statement(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::expression:
      expression(*stmt.value);
      break;
    case StmtKind::assign:
      assign(stmt);
      break;
    case StmtKind::augmented:
      augment(stmt);
      break;
    case StmtKind::return_:
      return_statement(stmt.value.get(), stmt.range);
      break;
    case StmtKind::if_:
      branch(
          stmt.range, condition(*stmt.value), [&] { statements(stmt.body); },
          [&] { statements(stmt.orelse); });
      break;
    case StmtKind::while_:
      loop(stmt.range, nullptr, nullptr, stmt.value.get(), [&] { statements(stmt.body); });
      break;
    case StmtKind::for_:
      for_loop(stmt.range, *stmt.targets[0], *stmt.value, [&] { statements(stmt.body); });
      break;
    case StmtKind::with_:
      with_statement(stmt);
      break;
    case StmtKind::assert_:
      assert_statement(stmt);
      break;
    case StmtKind::raise_:
      if (!stmt.value) base::fail_at(stmt.range, "there is no exception here to raise again");
      raise_statement(*stmt.value, stmt.range);
      break;
    case StmtKind::del:
      del_statement(stmt);
      break;
    case StmtKind::pass_:
      break;
    case StmtKind::break_:
      break_or_continue(stmt, ir::kinds().break_);
      break;
    case StmtKind::continue_:
      break_or_continue(stmt, ir::kinds().continue_);
      break;
    case StmtKind::def:
      nested_function(*stmt.function);
      break;
    case StmtKind::class_:
      base::fail_at(stmt.range, "a class cannot be defined inside a function");
  }
}

void Emitter::return_statement(const Expr* value, const SourceRange& range) {
  TypePtr declared = returns_.back().declared;
  ir::Value* result = value ? value_of(*value, declared) : emission_.constant({}, range);
  if (declared) {
    result = convert_to(emission_, range, declared, result, true);
    if (!core::is_subtype(result->type(), declared)) {
      base::fail_at(range, "the value is declared to be returned as ", declared->annotation(),
                    " but is actually of type ", result->type()->annotation());
    }
  } else {
    TypePtr before = returns_.back().merged ? returns_.back().merged : result->type();
    auto both = core::unify(before, result->type());
    if (!both) {
      base::fail_at(range, "an earlier return statement returned a value of type ",
                    before->annotation(), " but this one returns ", result->type()->annotation());
    }
    declared = *both;
  }
  returns_.back().merged = declared;
  if (declared->is(TypeKind::any) && !result->type()->is(TypeKind::any)) {
    result = emission_.unchecked_cast(result, declared);
  }
  emission_.insert(ir::kinds().return_, {result}, {});
  exited_.insert(scope_->block);
}

void Emitter::raise_statement(const Expr& exception, const SourceRange& range) {
  StaticValuePtr raised = expression(exception);
  ir::Value* message = nullptr;
  ir::Value* class_name = nullptr;
  if (auto instance = std::dynamic_pointer_cast<ExceptionInstance>(raised)) {
    message = instance->message;
    class_name = instance->class_name;
  } else if (std::dynamic_pointer_cast<ExceptionClass>(raised)) {
    message = emission_.constant("", range);
  } else {
    base::fail_at(range, "only an exception can be raised");
  }
  if (!message->type()->is(TypeKind::string)) {
    message = call_operator(emission_, {}, "aten::str", {{message}});
  }
  call_operator(emission_, range, "prim::RaiseException", {{message}, {class_name}});
  exited_.insert(scope_->block);
}

void Emitter::assert_statement(const Stmt& stmt) {
  Condition test = condition(*stmt.value);
  branch(
      stmt.range, test, [] {},
      [&] {
        ExceptionClass error("AssertionError");
        ir::Value* text =
            stmt.message ? value_of(*stmt.message) : emission_.constant("", stmt.range);
        auto raised = error.call(emission_, stmt.range, {{text}}, {});
        ir::Value* message = static_cast<ExceptionInstance&>(*raised).message;
        call_operator(emission_, stmt.range, "prim::RaiseException", {{message}, {}});
        exited_.insert(scope_->block);
      });
}

void Emitter::del_statement(const Stmt& stmt) {
  for (const auto& target : stmt.targets) {
    if (target->kind == ExprKind::name) {
      if (scope_->remove(target->text)) continue;
      base::fail_at(target->range, "undefined value ", target->text);
    }
    bool item = target->kind == ExprKind::subscript && target->items.size() == 2 &&
                target->items[1]->kind != ExprKind::slice;
    if (!item) {
      base::fail_at(target->range, "only a variable or a single item of a list or dict can be ",
                    "deleted");
    }
    StaticValuePtr owner = expression(*target->items[0]);
    ir::Value* index = value_of(*target->items[1]);
    ir::Value* container = owner->value(emission_, target->items[0]->range);
    if (container->type()->is(TypeKind::class_)) {
      owner->attribute(emission_, target->range, "__delitem__")
          ->call(emission_, stmt.range, {{index}}, {});
      continue;
    }
    std::vector<ops::Actual> types{{container->type()}, {index->type()}};
    const ops::Operator* op = ops::resolve("aten::Delete", types, target->range).op;
    emission_.insert("aten::Delete", {container, index}, {}, target->range)->set_op(op);
  }
}

void Emitter::with_statement(const Stmt& stmt) {
  std::vector<ir::Value*> entered;
  for (size_t i = 0; i < stmt.targets.size(); ++i) {
    const Expr& expr = *stmt.targets[i];
    ir::Value* object = value_of(expr);
    ir::Node* enter = emission_.insert(ir::kinds().enter, {object}, {core::tensor_type()});
    entered.push_back(object);
    const core::ClassType* owner = core::as_class(object->type());
    bool usable = owner && owner->has_method("__enter__") && owner->has_method("__exit__");
    if (!usable) base::fail_at(expr.range, "this object has no __enter__ and __exit__");
    const ops::Schema& schema = emission_.unit.method(*owner, "__enter__").schema();
    if (schema.arguments.size() != 1) base::fail_at(expr.range, "__enter__ takes arguments");
    if (emission_.unit.method(*owner, "__exit__").schema().arguments.size() != 4) {
      base::fail_at(expr.range, "__exit__ must take four arguments");
    }
    enter->output()->set_type(schema.returns.at(0).type);
    if (!stmt.with_names[i]) continue;
    if (stmt.with_names[i]->kind != ExprKind::name) {
      base::fail_at(stmt.with_names[i]->range, "only a plain name can stand after `as`");
    }
    set_variable(stmt.with_names[i]->range, stmt.with_names[i]->text, enter->output());
  }
  statements(stmt.body);
  for (; !entered.empty(); entered.pop_back()) {
    emission_.insert(ir::kinds().exit, {}, {core::tensor_type()})->add_input(entered.back());
  }
}

void Emitter::break_or_continue(const Stmt& stmt, base::Symbol kind) {
  if (loop_ == Loop::none)
    base::fail_at(stmt.range, "SyntaxError: this stands outside of any loop");
  if (loop_ == Loop::unrolled) {
    base::fail_at(stmt.range, "loops over modules or a tuple are unrolled while compiling and ",
                  "do not support break or continue inside");
  }
  emission_.insert(kind, {}, {}, stmt.range);
}

void Emitter::nested_function(const FunctionDef& def) {
  ir::Node* closure = emission_.insert(ir::kinds().closure, {}, {core::none_type()});
  ir::Block* block = closure->add_block();
  Loop before = std::exchange(loop_, Loop::none);
  {
    ir::PointGuard guard(emission_.builder, block);
    define(def, nullptr, block);
  }
  loop_ = before;
  scope_->set(emission_, def.name_range, def.name,
              std::make_shared<ClosureValue>(closure->output()));
}

}  // namespace assay::script::detail
