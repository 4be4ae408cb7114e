#include "engine/ir/native_type.h"

#include <fmt/core.h>

#include "engine/base/text.h"
#include "engine/ir/unit.h"
#include "engine/ops/native_class.h"
#include "engine/ops/schema_parser.h"

namespace assay::ir {
namespace {

ops::Schema schema_of(const ops::NativeMethod& method, const core::TypePtr& self) {
  ops::Schema schema = ops::parse_schema(fmt::format("assay::{}", method.schema));
  ops::Argument object;
  object.name = "self";
  object.type = self;
  schema.arguments.insert(schema.arguments.begin(), std::move(object));
  if (schema.returns.empty()) schema.returns.push_back({"", core::none_type(), {}, false, {}, {}});
  return schema;
}

std::shared_ptr<Graph> graph_of(const ops::Schema& schema, const std::string& qualified_name) {
  auto graph = std::make_shared<Graph>();
  std::vector<Value*> inputs;
  for (const ops::Argument& argument : schema.arguments) {
    inputs.push_back(graph->add_input(argument.name, argument.type));
  }
  Node* call = graph->create(base::Symbol(call_native), inputs, {schema.returns[0].type});
  call->set(base::Symbol("name"), qualified_name);
  graph->add_output(graph->block()->append(call)->output());
  return graph;
}

}  // namespace

void define_native_type(Unit& unit, const std::string& class_name) {
  auto type = std::make_shared<core::ClassType>(class_name);
  unit.define_class(type);
  const ops::NativeClass* native = ops::find_native_class(class_name);
  if (!native) return;
  for (const ops::NativeMethod& method : native->methods) {
    ops::Schema schema = schema_of(method, type);
    std::string name = schema.name.substr(schema.name.find("::") + 2);
    std::string qualified_name = type->qualified_method(name);
    Function& function = unit.define_function(qualified_name, graph_of(schema, qualified_name));
    function.set_schema(std::move(schema));
    type->add_method(name);
  }
}

}  // namespace assay::ir
