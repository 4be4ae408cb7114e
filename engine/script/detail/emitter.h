#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/script/ast.h"
#include "engine/script/detail/refinement.h"
#include "engine/script/detail/scope.h"
#include "engine/script/emitter.h"
#include "engine/script/type_parser.h"

namespace assay::script::detail {

/// Turns the tree of one function into nodes. Variables become `prim::Load` and `prim::Store`,
/// loops keep their condition in a second block, and `return`, `break` and `continue` become nodes:
/// to_ssa brings all of that into the IR's form. Its methods are spread over emit_*.cpp by the kind
/// of construct.
class Emitter {
 public:
  Emitter(Emission& emission, Resolver& resolver)
      : emission_(emission),
        resolver_(resolver),
        types_([this](const std::string& name,
                      const SourceRange& range) { return resolver_.resolve_type(name, range); },
               [this](const Expr& expr, const TypePtr& type) {
                 return compute_constant(expr, type, resolver_, emission_.unit);
               }) {}

  /// Fills the graph from the definition; gives back the signature, with the return type found.
  ops::Schema function(const FunctionDef& def, const TypePtr& self);
  /// Emits just an expression, converted to the type unless that is null.
  ir::Value* only(const Expr& expr, const TypePtr& type);

 private:
  enum class Loop { none, rolled, unrolled };

  // Functions and scopes (emitter.cpp).
  ops::Schema define(const FunctionDef& def, const TypePtr& self, ir::Block* block);
  void parameters(const FunctionDef& def, ops::Schema& schema, const TypePtr& self,
                  ir::Block* block);
  void finish_returns(const FunctionDef& def, ir::Block* block);
  void push_scope(ir::Block* block) { scope_ = std::make_shared<Scope>(block, scope_); }
  std::shared_ptr<Scope> pop_scope() {
    auto popped = scope_;
    scope_ = scope_->outer;
    return popped;
  }
  StaticValuePtr variable(const std::string& name, const SourceRange& range);
  StaticValuePtr global(const std::string& name, const SourceRange& range);
  void set_variable(const SourceRange& range, const std::string& name, ir::Value* value) {
    scope_->set(emission_, range, name, simple(value));
  }
  ir::Value* hoisted_constant(const core::Value& value, const SourceRange& range);
  std::string temporary(const std::string& prefix) {
    return prefix + std::to_string(temporaries_++);
  }

  // Statements (emit_stmt.cpp).
  void statements(const Block& block);
  void statement(const Stmt& stmt);
  void return_statement(const Expr* value, const SourceRange& range);
  void raise_statement(const Expr& exception, const SourceRange& range);
  void assert_statement(const Stmt& stmt);
  void del_statement(const Stmt& stmt);
  void with_statement(const Stmt& stmt);
  void break_or_continue(const Stmt& stmt, base::Symbol kind);
  void nested_function(const FunctionDef& def);

  // Assignments (emit_assign.cpp).
  void assign(const Stmt& stmt);
  void assign_one(const Stmt& stmt, const Expr& target, const ExprPtr& value);
  void assign_parts(const Expr& tuple, const StaticValuePtr& value, const SourceRange& range);
  void assign_each(const std::vector<ExprPtr>& targets, const std::vector<StaticValuePtr>& values,
                   const SourceRange& range, size_t plain);
  void assign_subscript(const SourceRange& range, const Expr& target, ir::Value* value);
  void assign_attribute(const SourceRange& range, const Expr& target, const StaticValuePtr& value,
                        const SourceRange& value_range);
  ir::Value* as_tensor_like(ir::Value* value, ir::Value* like);
  void augment(const Stmt& stmt);
  void augment_subscript(const Stmt& stmt);
  void augment_item(const Stmt& stmt, ir::Value* container);
  ir::Value* augmented(const Stmt& stmt, ir::Value* left);

  // Conditions, branches and loops (emit_condition.cpp, emit_branch.cpp).
  Condition condition(const Expr& expr);
  Condition none_test(const Expr& expr, bool is);
  Condition short_circuit(const Expr& expr, bool is_or);
  Condition isinstance_test(const Expr& object, const Expr& types);
  Condition hasattr_test(const Expr& object, const Expr& name);
  ir::Value* to_bool(const SourceRange& range, ir::Value* value);
  void refine(const SourceRange& range, const Refinements& refinements);
  void branch(const SourceRange& range, const Condition& test,
              const std::function<void()>& when_true, const std::function<void()>& when_false);
  std::shared_ptr<Scope> branch_block(ir::Block* block, const SourceRange& range,
                                      const std::function<void()>& body, const Refinements& known);
  void join(const SourceRange& range, Scope& when_true, Scope& when_false);
  ir::Value* choose(const SourceRange& range, const Condition& test,
                    const std::function<ir::Value*()>& when_true,
                    const std::function<ir::Value*()>& when_false);
  void loop(const SourceRange& range, const StaticValuePtr& iterable, const Expr* target,
            const Expr* test, const std::function<void()>& body);
  void unrolled_loop(const SourceRange& range, const StaticValuePtr& iterable, const Expr& target,
                     const std::function<void()>& body);
  void for_loop(const SourceRange& range, const Expr& target, const Expr& over,
                const std::function<void()>& body);

  // Expressions (emit_expr.cpp, emit_literal.cpp, emit_subscript.cpp).
  StaticValuePtr expression(const Expr& expr, const TypePtr& hint = nullptr);
  ir::Value* value_of(const Expr& expr, const TypePtr& hint = nullptr);
  ir::Value* plain(const Expr& expr, const TypePtr& hint);
  ir::Value* number(const Expr& expr);
  ir::Value* unary(const Expr& expr);
  ir::Value* binary(const Expr& expr);
  ir::Value* conditional(const Expr& expr, const TypePtr& hint);
  ir::Value* list_literal(const Expr& expr, const TypePtr& hint);
  ir::Value* dict_literal(const Expr& expr, const TypePtr& hint);
  ir::Value* list_comprehension(const Expr& element, const Expr& target, const Expr& over,
                                const Expr* filter, const SourceRange& range, const TypePtr& hint);
  ir::Value* dict_comprehension(const Expr& expr, const TypePtr& hint);
  void comprehension(const SourceRange& range, const Expr& target, const Expr& over,
                     const Expr* filter, const std::function<void()>& body);
  std::vector<ir::Value*> values_of(const std::vector<ExprPtr>& exprs, size_t first = 0);

  StaticValuePtr subscript(const Expr& expr, const TypePtr& hint);
  StaticValuePtr static_slice(const StaticValuePtr& owner, const Expr& index,
                              const SourceRange& range);
  ir::Value* slice(const SourceRange& range, ir::Value* value, ir::Value* dim, const Expr& slice);
  ir::Value* tuple_item(const SourceRange& range, ir::Value* tuple, ir::Value* index);
  ir::Value* tuple_slice(const SourceRange& range, ir::Value* tuple, ir::Value* start,
                         ir::Value* stop, ir::Value* step);
  /// A tensor indexed by ints, slices, None and `...`, and the tensor indices that remain.
  struct Indexed {
    ir::Value* value;
    std::vector<ir::Value*> rest;
  };
  Indexed index_dims(const SourceRange& range, ir::Value* value, const Expr& subscript);
  ir::Value* index_list(const std::vector<ir::Value*>& indices);
  ir::Value* index_tensor(const SourceRange& range, ir::Value* value, const Expr& subscript);

  // Calls (emit_call.cpp).
  StaticValuePtr call(const Expr& expr, const TypePtr& hint);
  Actuals arguments(const Expr& call, size_t first = 1);
  Actuals keyword_arguments(const Expr& call);
  StaticValuePtr special(const SpecialForm& form, const Expr& call, const TypePtr& hint);
  StaticValuePtr annotate(const Expr& call);
  StaticValuePtr get_attribute(const Expr& call);
  ir::Value* collected(const StaticValuePtr& over, const SourceRange& range, const TypePtr& hint);
  ir::Value* collected_pairs(const StaticValuePtr& over, const SourceRange& range,
                             const TypePtr& hint);
  StaticValuePtr fork(const Expr& call);
  StaticValuePtr make_enumerate(const Expr& call);
  StaticValuePtr make_zip(const Expr& call);
  StaticValuePtr make_list(const Expr& call, const TypePtr& hint);
  StaticValuePtr make_dict(const Expr& call, const TypePtr& hint);
  StaticValuePtr make_tuple(const Expr& call);
  StaticValuePtr make_object(const Expr& call);
  StaticValuePtr to_list(const Expr& call, ir::Value* tensor, const TypePtr& hint);
  void expect_arguments(const Expr& call, size_t count);

  Emission& emission_;
  Resolver& resolver_;
  TypeParser types_;
  std::shared_ptr<Scope> scope_;
  std::set<const ir::Block*> exited_;  // Blocks that return or raise whatever happens.
  Loop loop_ = Loop::none;
  // Number literals are emitted once, at the top of the graph.
  std::map<int64_t, ir::Value*> int_constants_;
  std::map<std::string, ir::Value*> float_constants_;
  size_t temporaries_ = 0;

  struct Returns {
    TypePtr declared;  // Null if not annotated.
    TypePtr merged;    // Null before the first return.
  };
  std::vector<Returns> returns_;  // Of nested functions, innermost last.
};

}  // namespace assay::script::detail
