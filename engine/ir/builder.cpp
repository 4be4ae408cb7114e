#include "engine/ir/builder.h"

#include "engine/ops/bind.h"
#include "engine/ops/catalog.h"
#include "engine/ops/match.h"

namespace assay::ir {

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
  for (const Value* argument : arguments) actuals.push_back({argument->type()});
  for (const auto& [name, value] : keywords) {
    actuals.push_back({value->type(), name});
    values.push_back(value);
  }
  auto [op, match] = ops::resolve(kind, actuals, range_);
  std::vector<Value*> inputs;
  for (size_t i = 0; i < match.arguments.size(); ++i) {
    inputs.push_back(match.arguments[i] ? values[*match.arguments[i]]
                                        : constant(ops::default_of(op->schema.arguments[i])));
  }
  return add(op->symbol, inputs, match.returns)->set_op(op);
}

}  // namespace assay::ir
