#include <algorithm>

#include "engine/ir/constant.h"
#include "engine/ir/kinds.h"
#include "engine/ops/composite/traced_parts.h"
#include "engine/trace/gradients.h"
#include "engine/trace/tracer.h"

namespace assay::trace {

using core::Tensor;
using core::TypeKind;
using core::TypePtr;
using core::Value;
using ops::Operator;
using ops::Results;

namespace {

bool is_tensor_list(const TypePtr& type) {
  return type->is(TypeKind::list) && type->element()->is(TypeKind::tensor);
}

/// Whether a trace shows calls of the operator. One that gives no tensor (`item`, `equal`) takes
/// its result out of the graph.
bool is_recorded(const Operator& op) {
  const auto& returns = op.schema.returns;
  return op.symbol.space() != "prim" &&
         std::any_of(returns.begin(), returns.end(), [](const ops::Argument& r) {
           return r.type->is(TypeKind::tensor) || is_tensor_list(r.type);
         });
}

/// What an argument is where it is not None.
const TypePtr& given_type(const ops::Argument& parameter) {
  bool optional = parameter.type->is(TypeKind::optional);
  return optional ? parameter.type->element() : parameter.type;
}

/// What PyTorch's Python functions give for an option of a factory that the program left out: those
/// that make a tensor like another one say all that they take from it.
Value option(const Operator& op, std::span<const Value> args, size_t i) {
  const auto& parameters = op.schema.arguments;
  if (!is_factory(op)) return {};
  std::string_view name = parameters[i].name;
  if (name == "pin_memory") return false;
  const Value* like = !args.empty() && args[0].is_tensor() ? args.data() : nullptr;
  if (name == "device") return like ? like->to_tensor().device() : core::Device();
  if (like && name == "dtype") return static_cast<int64_t>(like->to_tensor().dtype());
  return like && name == "layout" ? Value(0) : Value();
}

}  // namespace

Results Tracer::call(const Operator& op, std::span<const Value> args, const ops::Next& next) {
  if (paused_ || !is_recorded(op)) return next(op, args);
  here_.reset();
  check_room();
  if (ops::composite::has_traced_parts(op)) return record_parts(op, args, next);
  static const base::Symbol copy("aten::copy_"), resize("aten::resize_"),
      resize_as("aten::resize_as_");
  if (op.symbol == copy) return record_copy(op, args, next);
  if (op.symbol == resize || op.symbol == resize_as) {
    warn(
        "resize_ changes a tensor's size behind the trace's back: the trace may be wrong. Use "
        "view or reshape.");
    forget(args[0].to_tensor());
    return next(op, args);
  }
  return record(op, args, next, records_gradients(op, args, next.context()));
}

Results Tracer::record_parts(const Operator& op, std::span<const Value> args,
                             const ops::Next& next) {
  bool grad = records_gradients(op, args, next.context());
  // They are by the time that PyTorch records what an operator consists of.
  base::Restore<bool> constants(numbers_are_constants_, true);
  core::Values results = ops::composite::call_traced_parts(
      op, args, [&](std::string_view name, core::Values given) -> core::Values {
        const Operator& inner = ops::get_operator(name);
        // PyTorch's gradients know the whole convolution, not the operator that it is recorded as.
        bool inner_grad =
            name != "aten::_convolution" && records_gradients(inner, given, next.context());
        Results inner_results = record(inner, given, next, inner_grad);
        if (grad) std::for_each(inner_results.begin(), inner_results.end(), mark_computed);
        return core::Values(inner_results.begin(), inner_results.end());
      });
  Results all;
  for (Value& result : results) all.push_back(std::move(result));
  return all;
}

Results Tracer::record(const Operator& op, std::span<const Value> args, const ops::Next& next,
                       bool grad) {
  // Operators of other libraries are called by another way, on which numbers become constants.
  if (op.symbol.space() == "aten" && !numbers_are_constants_) convert_numbers(op, args);
  ir::Node* node = graph_->create(op.symbol, {}, size_t{0});
  node->set_op(&op)->set_range(here());
  const auto& parameters = op.schema.arguments;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Value& arg = args[i];
    node->add_input(argument(arg.is_none() ? option(op, args, i) : arg, parameters[i], op));
  }
  insert(node);
  Results results;
  try {
    results = next(op, args);
  } catch (...) {
    node->erase();  // The program may go on without it.
    throw;
  }
  carry_gradients(op, args, results, grad);
  set_results(node, op, results);
  return results;
}

/// As PyTorch records it: without the argument `non_blocking`, and typed by what was written to.
Results Tracer::record_copy(const Operator& op, std::span<const Value> args,
                            const ops::Next& next) {
  ir::Value* self = value_of(args[0].to_tensor());
  ir::Value* source = value_of(args[1].to_tensor());
  ir::Value* blocking = constant(false, {});
  ir::Node* node = insert(graph_->create(op.symbol, {self, source, blocking}));
  node->set_op(&op)->set_range(here());
  bool grad = records_gradients(op, args, next.context());
  Results results = next(op, args);
  carry_gradients(op, args, results, grad);
  Tensor written = args[0].to_tensor();
  set_result(written, node->output());
  return results;
}

/// Numbers that are tensors in the graph become numbers there, each right behind its tensor, before
/// the call itself is recorded. The last argument comes first, as in PyTorch's builds with GCC,
/// which evaluate a call's arguments in this order; but the bounds of a slice go as they stand.
void Tracer::convert_numbers(const Operator& op, std::span<const Value> args) {
  static const base::Symbol slice("aten::slice");
  const auto& parameters = op.schema.arguments;
  size_t count = parameters.size();
  for (size_t turn = 0; turn < count; ++turn) {
    size_t i = op.symbol == slice ? turn : count - 1 - turn;
    const TypePtr& type = given_type(parameters[i]);
    if (!args[i].is_list()) {
      convert_number(args[i], type);
    } else if (type->is(TypeKind::list)) {
      for (const Value& item : args[i].list().items) convert_number(item, type->element());
    }
  }
}

void Tracer::convert_number(const Value& number, const TypePtr& type) {
  if (number.identity() == 0 || number.identity() > identities_.size()) return;
  Identity& identity = identities_[number.identity() - 1];
  if (identity.origin || identity.value) return;
  ir::Value* tensor = value_of(identity.tensor);
  const char* to = "aten::ScalarImplicit";
  if (type->is(TypeKind::integer)) to = "aten::Int";
  if (type->is(TypeKind::floating)) to = "aten::Float";
  ir::Node* node = graph_->create(to, {tensor}, std::vector<TypePtr>{type});
  const ops::Operator* conversion = ops::find_operator(
      type->is(TypeKind::number) ? std::string(to) : std::string(to) + ".Tensor");
  node->set_op(conversion)->set_scope(scopes_.back())->insert_before(tensor->node()->next());
  identity.value = node->output();
}

ir::Value* Tracer::argument(const Value& value, const ops::Argument& parameter,
                            const Operator& op) {
  const TypePtr& type = given_type(parameter);
  if (value.is_none() || value.is_generator() || type->is(TypeKind::generator)) return none();
  if (type->is(TypeKind::tensor)) {
    Tensor tensor = value.to_tensor();
    auto number = wrapped_.find(tensor.impl());
    if (number != wrapped_.end() && !knows(tensor)) bake(number->second.second, parameter.name, op);
    return value_of(tensor);
  }
  if (type->is(TypeKind::list)) return items(value, type->element(), parameter, op);
  return number_value(value, type, parameter.name, op);
}

ir::Value* Tracer::number_value(const Value& value, const TypePtr& type,
                                const std::string& argument, const Operator& op) {
  if (value.identity() != 0 && value.identity() <= identities_.size()) {
    const Identity& identity = identities_[value.identity() - 1];
    if (identity.value && !numbers_are_constants_) return identity.value;
    bake(value, argument, op);
  }
  bool widened = type->is(TypeKind::floating) && !value.is_float() && value.is_number();
  return constant(widened ? Value(value.to_scalar().to_double()) : value.with_identity(0), here());
}

std::string Tracer::user_place() {
  return surroundings_.user_place ? surroundings_.user_place() : here().place();
}

/// Notes that a number becomes a constant, if it had left the graph.
void Tracer::bake(const Value& number, const std::string& argument, const Operator& op) {
  if (number.identity() == 0 || number.identity() > identities_.size()) return;
  Identity& identity = identities_[number.identity() - 1];
  if (!identity.origin) {
    std::string text = expression(identity.tensor);
    size_t at = origins_.leave({text, number.with_identity(0), "int", user_place()});
    identity.origin = Computed{text, {at}};
  }
  origins_.bake({identity.origin->expression, number, op.symbol.text(), argument, user_place(),
                 identity.origin->from});
}

ir::Value* Tracer::items(const Value& value, const TypePtr& element, const ops::Argument& parameter,
                         const Operator& op) {
  std::vector<ir::Value*> all;
  auto name = [&] { return parameter.name + "[" + std::to_string(all.size()) + "]"; };
  if (!value.is_list()) {  // One number for each dimension.
    int count = parameter.list_size.value_or(1);
    for (int i = 0; i < count; ++i) all.push_back(number_value(value, element, name(), op));
    return list(element, all);
  }
  bool tensors = element->is(TypeKind::tensor) || element->is(TypeKind::optional);
  for (const Value& item : value.list().items) {
    all.push_back(tensors ? value_of(item.to_tensor()) : number_value(item, element, name(), op));
  }
  return list(element, all);
}

void Tracer::set_results(ir::Node* node, const Operator& op, const Results& results) {
  for (size_t i = 0; i < results.size(); ++i) {
    const Value& result = results[i];
    const TypePtr& type = op.schema.returns[i].type;
    ir::Value* output = node->add_output(type);
    if (is_tensor_list(type)) {
      const auto& items = result.list().items;
      ir::Node* parts = insert(graph_->create(ir::kinds().list_unpack, {output}, items.size()));
      for (size_t k = 0; k < items.size(); ++k) {
        set_result(items[k].to_tensor(), parts->output(k));
      }
    } else if (result.is_tensor()) {
      set_result(result.to_tensor(), output);
    }
  }
}

}  // namespace assay::trace
