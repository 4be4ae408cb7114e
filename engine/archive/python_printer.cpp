#include "engine/archive/python_printer.h"

#include <fmt/core.h>

#include <set>

#include "engine/archive/detail/python_body.h"
#include "engine/archive/detail/python_text.h"
#include "engine/archive/modified_loops.h"
#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/ops/native_class.h"

namespace assay::archive {

void Dependencies::add_function(const std::string& qualified_name) {
  if (seen_.insert(qualified_name).second) functions_.push_back(qualified_name);
}

void Dependencies::add_type(const core::TypePtr& type) {
  // What an operator gives with several results has fields but no name: it is a plain tuple here.
  const core::TupleType* tuple = core::as_tuple(type);
  bool named = core::as_class(type) || core::as_interface(type) || core::as_enum(type) ||
               (tuple && !tuple->fields.empty() && !tuple->name().empty());
  if (named) {
    if (seen_.insert(type->name()).second) types_.push_back(type);
    return;
  }
  for (const core::TypePtr& part : type->contained()) add_type(part);
}

namespace {

/// Tensors of the same kind, sizes and bytes: one constant serves for both, as in PyTorch.
bool same_constant(const core::Value& a, const core::Value& b) {
  if (a.tag() != b.tag()) return false;
  if (!a.is_tensor() || a.same(b)) return a.same(b);
  return core::same_constant(a.to_tensor(), b.to_tensor());
}

}  // namespace

size_t PythonContext::constant_index(const core::Value& value) {
  for (size_t i = 0; i < constants.size(); ++i) {
    if (same_constant(constants[i], value)) return i;
  }
  constants.push_back(value);
  return constants.size() - 1;
}

std::string PythonPrinter::annotation(const core::TypePtr& type) {
  context_.dependencies.add_type(type);
  return type->annotation();
}

std::string PythonPrinter::constant(const core::Value& value) {
  auto special = [&](std::string& out, const core::Value& part) {
    if (part.is_enum()) context_.dependencies.add_type(part.enumeration().type);
    if (part.is_function()) {
      context_.dependencies.add_function(part.function().qualified_name);
      out = part.function().qualified_name;
      return true;
    }
    if (!part.is_tensor()) return false;
    out = fmt::format("CONSTANTS.c{}", context_.constant_index(part));
    return true;
  };
  return detail::constant_text(value, special);
}

void PythonPrinter::line(const std::string& text) {
  out_ += std::string(level_ * 2, ' ');
  out_ += text;
  out_ += "\n";
}

void PythonPrinter::print_function(const ir::Function& function, bool first_argument_type) {
  const ops::Schema& schema = function.schema();
  std::shared_ptr<ir::Graph> graph = without_modified_loops(function.shared_graph());
  base::check(schema.returns.size() == 1, function.qualified_name(),
              " does not return exactly one value and cannot be written as source");
  base::invariant(schema.arguments.size() == graph->inputs().size(), "schema and graph of ",
                  function.qualified_name(), " differ");
  detail::PythonBody body(context_, out_, level_);
  out_.tag(graph->block()->param_node()->range().original());
  std::string indent(level_ * 2, ' ');
  out_ += fmt::format("{}def {}(", indent, function.name());
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const ops::Argument& argument = schema.arguments[i];
    std::string name = body.unique_name(argument.name);
    if (i > 0) out_ += ",\n    ";
    out_ += name;
    if (i > 0 || first_argument_type) out_ += ": " + annotation(argument.type);
    if (argument.default_value) out_ += "=" + constant(*argument.default_value);
    body.assign(graph->inputs()[i], name);
  }
  out_ += fmt::format(") -> {}:\n", annotation(schema.returns[0].type));
  body.print_body(*graph->block());
}

void PythonPrinter::print_type(const core::TypePtr& type) {
  if (ops::is_native_name(type->name())) return;  // Its library brings it along.
  if (const auto* as_class = core::as_class(type)) return print_class(*as_class);
  if (const auto* interface = core::as_interface(type)) return print_interface(*interface);
  if (const auto* enumeration = core::as_enum(type)) return print_enum(*enumeration);
  if (const auto* tuple = core::as_tuple(type)) return print_named_tuple(*tuple);
  base::unreachable("a type without a name is printed: ", type->str());
}

namespace {

std::string last_part(const std::string& qualified) {
  return qualified.substr(qualified.rfind('.') + 1);
}

std::string list_of_names(const std::string& attribute, const std::vector<std::string>& names) {
  std::string out = attribute + " = [";
  for (const std::string& name : names) out += detail::quoted(name) + ", ";
  return out + "]";
}

}  // namespace

void PythonPrinter::print_attributes(const core::ClassType& type) {
  const auto& attributes = type.attributes();
  for (size_t i = 0; i < attributes.size(); ++i) {
    const auto& [name, attribute_type, role] = attributes[i];
    if (detail::is_identifier(name)) {
      line(fmt::format("{} : {}", name, annotation(attribute_type)));
      continue;
    }
    // Names such as "0" of a ModuleList need another form.
    if (i == 0) line("__annotations__ = []");
    line(fmt::format("__annotations__[{}] = {}", detail::quoted(name), annotation(attribute_type)));
  }
}

void PythonPrinter::print_class(const core::ClassType& type) {
  using Role = core::ClassType::Role;
  line(fmt::format("class {}{}", last_part(type.name()), type.is_module() ? "(Module):" : ":"));
  ++level_;
  if (type.is_module()) {
    std::vector<std::string> parameters, buffers;
    for (const auto& attribute : type.attributes()) {
      if (attribute.role == Role::parameter) parameters.push_back(attribute.name);
      if (attribute.role == Role::buffer) buffers.push_back(attribute.name);
    }
    line(list_of_names("__parameters__", parameters));
    line(list_of_names("__buffers__", buffers));
    if (!type.pre_hooks.empty()) line(list_of_names("__forward_pre_hooks__", type.pre_hooks));
    if (!type.hooks.empty()) line(list_of_names("__forward_hooks__", type.hooks));
  }
  print_attributes(type);
  for (const auto& constant_of : type.constants()) {
    core::TypePtr constant_type = constant_of.value->type();
    line(fmt::format("{} : Final[{}] = {}", constant_of.name, annotation(constant_type),
                     constant(*constant_of.value)));
  }
  std::set<std::string> printed;  // A hook may run twice.
  for (const auto* group : {&type.methods(), &type.hooks, &type.pre_hooks}) {
    for (const std::string& method : *group) {
      if (printed.insert(method).second) print_function(unit_.method(type, method));
    }
  }
  --level_;
}

void PythonPrinter::print_interface(const core::InterfaceType& type) {
  line(fmt::format("class {}{}", last_part(type.name()),
                   type.is_module() ? "(ModuleInterface):" : "(Interface):"));
  ++level_;
  for (const std::string& method : type.methods) {
    const ops::Schema* schema = unit_.find_interface_method(type.name(), method);
    base::invariant(schema != nullptr, "interface method without a schema: ", method);
    std::string arguments = "self";
    for (size_t i = 1; i < schema->arguments.size(); ++i) {
      arguments +=
          fmt::format(", {}: {}", schema->arguments[i].name, annotation(schema->arguments[i].type));
    }
    line(fmt::format("def {}({}) -> {}:", method, arguments, annotation(schema->returns[0].type)));
    ++level_;
    line("pass");
    --level_;
  }
  --level_;
}

void PythonPrinter::print_named_tuple(const core::TupleType& type) {
  line(fmt::format("class {}(NamedTuple):", last_part(type.name())));
  ++level_;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    line(fmt::format("{} : {}", type.fields[i], annotation(type.contained()[i])));
  }
  --level_;
}

void PythonPrinter::print_enum(const core::EnumType& type) {
  line(fmt::format("class {}(Enum):", last_part(type.name())));
  ++level_;
  for (const auto& member : type.members) {
    line(fmt::format("{} = {}", member.name, constant(*member.value)));
  }
  --level_;
}

}  // namespace assay::archive
