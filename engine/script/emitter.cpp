#include "engine/script/emitter.h"

#include <algorithm>
#include <unordered_map>

#include "engine/ir/kinds.h"
#include "engine/ir/passes/operator_aliases.h"
#include "engine/ir/passes/untie_loops.h"
#include "engine/script/cleanup.h"
#include "engine/script/detail/cleanup_steps.h"
#include "engine/script/detail/emitter.h"
#include "engine/script/to_ssa.h"

namespace assay::script {
namespace detail {
namespace {

using Globals = std::unordered_map<std::string, StaticValuePtr>;

Globals make_globals() {
  Globals all;
  auto with_method = [](const char* method, StaticValuePtr otherwise) -> StaticValuePtr {
    if (!*method) return otherwise;
    return std::make_shared<MagicMethod>(method, std::move(otherwise));
  };
#define BUILTIN(name, op, method) \
  all[#name] = with_method(method, std::make_shared<BuiltinFunction>(op));
#define CAST(name, type, op, method) \
  all[#name] = with_method(method, std::make_shared<CastFunction>(core::type(), base::Symbol(op)));
#define FORM(name, kind) all[#name] = std::make_shared<SpecialForm>(kind);
#include "engine/ops/python_names.def"
#undef FORM
#undef CAST
#undef BUILTIN
  all["print"] = std::make_shared<PrintFunction>();
  all["_to_tensor"] = std::make_shared<CastFunction>(core::tensor_type(), "prim::NumToTensor");
  all["AssertionError"] = std::make_shared<ExceptionClass>("AssertionError");
  return all;
}

}  // namespace

ops::Schema Emitter::function(const FunctionDef& def, const TypePtr& self) {
  return define(def, self, emission_.graph.block());
}

ir::Value* Emitter::only(const Expr& expr, const TypePtr& type) {
  push_scope(emission_.graph.block());
  ir::Value* value = value_of(expr, type);
  return type ? convert_to(emission_, expr.range, type, value, true) : value;
}

ops::Schema Emitter::define(const FunctionDef& def, const TypePtr& self, ir::Block* block) {
  push_scope(block);
  returns_.emplace_back();
  auto given = [&](const Param& param, const TypePtr& type) {
    return resolver_.default_value(def, param, type);
  };
  ops::Schema schema = types_.signature(def, self, given);
  if (!schema.returns.empty()) returns_.back().declared = schema.returns[0].type;
  parameters(def, schema, self, block);
  statements(def.body);
  finish_returns(def, block);
  // to_ssa puts the real result here; until then the block's result is of the right type.
  block->add_result(emission_.uninitialized(returns_.back().merged));
  schema.returns.assign(1, {"", returns_.back().merged, {}, false, {}, {}});
  returns_.pop_back();
  pop_scope();
  return schema;
}

void Emitter::parameters(const FunctionDef& def, ops::Schema& schema, const TypePtr& self,
                         ir::Block* block) {
  if (self && def.params.empty())
    base::fail_at(def.range, "methods must have a self argument, their first");
  bool annotated = std::any_of(def.params.begin(), def.params.end(),
                               [](const Param& p) { return p.annotation != nullptr; });
  if (def.name == "__setstate__" && self && def.params.size() == 2 && !annotated) {
    // Its argument is what __getstate__ gives, whatever that is.
    if (auto getter = emission_.unit.find_method(*core::as_class(self), "__getstate__")) {
      schema.arguments[1].type = getter->schema().returns.at(0).type;
    }
  }
  for (size_t i = 0; i < def.params.size(); ++i) {
    const Param& param = def.params[i];
    ir::Value* input = block->add_param(schema.arguments[i].type);
    if (is_telling_name(param.name)) input->set_name(param.name);
    StaticValuePtr meaning = self && i == 0 ? resolver_.self_value(input) : nullptr;
    scope_->set(emission_, param.range, param.name, meaning ? meaning : simple(input));
  }
}

void Emitter::finish_returns(const FunctionDef& def, ir::Block* block) {
  Returns& returns = returns_.back();
  if (exited_.count(block)) {
    // Every path raises, or returned already.
    if (!returns.merged) returns.merged = returns.declared ? returns.declared : core::none_type();
    return;
  }
  if (returns.declared && !returns.declared->is(TypeKind::none)) {
    base::fail_at(def.range, "the function is declared to return ", returns.declared->annotation(),
                  ", but it does not return along all paths");
  }
  return_statement(nullptr, def.range);
}

StaticValuePtr Emitter::variable(const std::string& name, const SourceRange& range) {
  if (auto found = scope_->find(emission_, name)) return found;
  if (auto found = global(name, range)) return found;
  std::string why = scope_->why_missing(name);
  if (!why.empty()) base::fail_at(range, "'", name, "' has no value here: ", why);
  base::fail_at(range, "undefined value ", name);
}

StaticValuePtr Emitter::global(const std::string& name, const SourceRange& range) {
  static const Globals globals = make_globals();
  auto known = globals.find(name);
  if (known != globals.end()) return known->second;
  TypePtr type = resolver_.resolve_type(name, range);
  if (auto found = resolver_.resolve_value(name, emission_, range)) return found;
  if (!type) return nullptr;
  if (type->is(TypeKind::tuple)) return std::make_shared<NamedTupleConstructor>(type);
  if (type->is(TypeKind::enumeration)) return std::make_shared<EnumClass>(type);
  auto found = emission_.unit.find_class(type->name());
  return found ? std::make_shared<ClassValue>(found) : nullptr;
}

ir::Value* Emitter::hoisted_constant(const core::Value& value, const SourceRange& range) {
  ir::PointGuard guard(emission_.builder, *emission_.graph.block()->begin());
  return emission_.constant(value, range);
}

namespace {

core::Value computed(const ir::Value* value, const SourceRange& range) {
  const ir::Node* node = value->node();
  if (auto constant = ir::constant_value(value)) return *constant;
  core::Values inputs;
  for (const ir::Value* input : node->inputs()) inputs.push_back(computed(input, range));
  const TypePtr& type = value->type();
  if (node->is(ir::kinds().list) || node->is(ir::kinds().empty_list)) {
    return core::make_list(type->element(), std::move(inputs));
  }
  if (node->is(ir::kinds().tuple)) return core::make_tuple(std::move(inputs));
  if (node->is(ir::kinds().unchecked_cast)) return inputs.at(0);
  if (node->is(ir::kinds().dict)) {
    auto dict = core::make_dict(type->contained()[0], type->contained()[1]);
    for (size_t i = 0; i + 1 < inputs.size(); i += 2) dict->set(inputs[i], inputs[i + 1]);
    return dict;
  }
  auto results = node->op() ? evaluate(*node->op(), inputs) : std::nullopt;
  if (!results || results->size() != 1) {
    base::fail_at(range, "this value cannot be computed while compiling");
  }
  return results->at(0);
}

}  // namespace
}  // namespace detail

core::Value compute_constant(const Expr& expr, const core::TypePtr& type, Resolver& resolver,
                             ir::Unit& unit) {
  auto graph = std::make_shared<ir::Graph>();
  ir::Function function("<constant>", graph);
  detail::Emission emission(*graph, unit, function);
  ir::Value* value = detail::Emitter(emission, resolver).only(expr, type);
  return detail::computed(value, expr.range);
}

void compile(const FunctionDef& def, Resolver& resolver, ir::Unit& unit, ir::Function& function,
             const core::TypePtr& self) {
  auto graph = std::make_shared<ir::Graph>();
  detail::Emission emission(*graph, unit, function);
  ops::Schema schema = detail::Emitter(emission, resolver).function(def, self);
  to_ssa(*graph);
  ir::untie_loops(*graph);
  ir::rename_aliases(graph->block());
  detail::settle_empty_lists(graph->block());
  clean_up(*graph);
  function.set_schema(std::move(schema));
  function.set_graph(std::move(graph));
}

}  // namespace assay::script
