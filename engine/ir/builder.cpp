#include "engine/ir/builder.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/bind.h"
#include "engine/ops/catalog.h"

namespace assay::ir {

using core::TypeKind;
using core::TypePtr;

Builder::Builder(Graph& graph) : graph_(&graph), point_(graph.block()->return_node()) {}

Node* Builder::insert(Node* node) {
  if (!node->range()) node->set_range(range_);
  if (node->scope().empty()) node->set_scope(scope_);
  return node->insert_before(point_);
}

Node* Builder::add(base::Symbol kind, const std::vector<Value*>& inputs,
                   const std::vector<TypePtr>& types) {
  return insert(graph_->create(kind, inputs, types));
}

Value* Builder::add_one(base::Symbol kind, const std::vector<Value*>& inputs, TypePtr type) {
  return add(kind, inputs, {std::move(type)})->output();
}

Value* Builder::constant(const core::Value& value) {
  return insert(graph_->create_constant(value))->output();
}

Node* Builder::call(base::Symbol kind, const std::vector<Value*>& arguments,
                    const std::vector<std::pair<std::string, Value*>>& keywords) {
  std::vector<ops::Actual> actuals;
  std::vector<Value*> values = arguments;
  for (const Value* argument : arguments) actuals.push_back({argument->type(), {}, range_});
  for (const auto& [name, value] : keywords) {
    actuals.push_back({value->type(), name, range_});
    values.push_back(value);
  }
  ops::Resolved resolved = ops::resolve(kind, actuals, range_);
  auto inputs = bind_arguments(resolved.op->schema, resolved.match, values);
  Node* node = add(resolved.op->symbol, inputs, resolved.match.returns);
  return node->set_op(resolved.op);
}

std::vector<Value*> Builder::bind_arguments(const ops::Schema& schema, const ops::Match& match,
                                            const std::vector<Value*>& actuals) {
  std::vector<Value*> inputs;
  for (size_t i = 0; i < match.bindings.size(); ++i) {
    const ops::Binding& binding = match.bindings[i];
    if (binding.actuals.empty() && binding.conversion != ops::Conversion::gather_to_list) {
      base::invariant(schema.arguments[i].default_value.has_value(), "an argument is missing");
      inputs.push_back(constant(ops::default_of(schema.arguments[i])));
      continue;
    }
    std::vector<Value*> given;
    for (size_t at : binding.actuals) given.push_back(actuals[at]);
    size_t repeat = 0;
    if (i < schema.arguments.size() && schema.arguments[i].list_size)
      repeat = static_cast<size_t>(std::max(*schema.arguments[i].list_size, 0));
    inputs.push_back(convert(given, binding, repeat));
  }
  return inputs;
}

Value* Builder::convert(const std::vector<Value*>& given, const ops::Binding& binding,
                        size_t repeat) {
  Value* first = given.empty() ? nullptr : given[0];
  auto implicit = [&](const char* kind, TypePtr type) {
    Node* node = add(kind, {first}, {std::move(type)});
    return node->set_op(ops::find_operator(kind))->output();
  };
  switch (binding.conversion) {
    case ops::Conversion::none:
      return first;
    case ops::Conversion::tensor_to_int:
      return implicit("aten::IntImplicit", core::int_type());
    case ops::Conversion::tensor_to_float:
      return implicit("aten::FloatImplicit", core::float_type());
    case ops::Conversion::tensor_to_complex:
      return implicit("aten::ComplexImplicit", core::complex_type());
    case ops::Conversion::tensor_to_number:
      return implicit("aten::ScalarImplicit", core::number_type());
    case ops::Conversion::string_to_device:
      return implicit("aten::device", core::device_type());
    case ops::Conversion::tuple_to_list: {
      Node* unpacked = add("prim::TupleUnpack", {first}, first->type()->contained());
      return add_one("prim::ListConstruct", unpacked->outputs(), list_type(binding.type));
    }
    case ops::Conversion::repeat_to_list:
      return add_one("prim::ListConstruct", std::vector<Value*>(repeat, first),
                     list_type(binding.type));
    case ops::Conversion::gather_to_list:
      return add_one("prim::ListConstruct", given, list_type(binding.type));
    case ops::Conversion::none_to_optional:
      return first;
  }
  base::unreachable("unknown conversion");
}

TypePtr Builder::list_type(const TypePtr& formal) {
  return formal->is(TypeKind::optional) ? formal->element() : formal;
}

}  // namespace assay::ir
