#include "engine/script/detail/schema_match.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "engine/ir/copy.h"
#include "engine/ir/interface.h"
#include "engine/ir/kinds.h"
#include "engine/ops/bind.h"
#include "engine/ops/schema_parser.h"
#include "engine/script/library.h"
#include "engine/script/type_parser.h"

namespace assay::script::detail {
namespace {

const TypePtr& without_optional(const TypePtr& type) {
  return type->is(TypeKind::optional) ? type->element() : type;
}

bool has_variables(const TypePtr& type) {
  return type->is(TypeKind::var) ||
         std::any_of(type->contained().begin(), type->contained().end(), has_variables);
}

// aten::view.dtype is never chosen by PyTorch's compiler: an int there means a size.
bool is_blocked(const ops::Schema& schema) {
  return schema.name == "aten::view" && schema.overload == "dtype";
}

/// Values of a graph as the binder sees them (ops/bind.h). Each is converted as it is taken.
class GraphView {
 public:
  GraphView(Emission& emission, const SourceRange& range, const ops::Schema& schema,
            const Actuals& args, const Actuals& kwargs, std::optional<Actual> self, bool implicit)
      : emission_(emission),
        range_(range),
        schema_(schema),
        args_(args),
        kwargs_(kwargs),
        self_(std::move(self)),
        implicit_(implicit) {}

  size_t positional() const { return args_.size(); }
  size_t keywords() const { return kwargs_.size(); }
  std::string_view keyword(size_t i) const { return kwargs_[i].name; }

  bool has_self(size_t parameter) const {
    return self_ && schema_.arguments[parameter].name == "self";
  }
  bool take_self(size_t parameter) {
    return take_value(parameter, std::exchange(self_, std::nullopt)->get(emission_));
  }

  bool may_gather(size_t parameter, size_t argument) {
    if (!implicit_) return false;
    const TypePtr& type = args_[argument].get(emission_)->type();
    return !type->is(TypeKind::list) &&
           !convertible_to_list(type, schema_.arguments[parameter].type);
  }
  bool gather(size_t parameter, size_t first, size_t count) {
    ops::Argument element;
    element.name = schema_.arguments[parameter].name;
    element.type = schema_.arguments[parameter].type->element();
    std::vector<ir::Value*> items;
    for (size_t k = 0; k < count; ++k) {
      ir::Value* item = convert(element, args_[first + k].get(emission_));
      if (!item) return false;
      items.push_back(item);
    }
    call_.inputs.push_back(emission_.list(element.type, items));
    return true;
  }

  bool take(size_t parameter, size_t argument) {
    const Actual& given =
        argument < args_.size() ? args_[argument] : kwargs_[argument - args_.size()];
    return take_value(parameter, given.get(emission_));
  }
  bool take_default(size_t parameter) {
    const ops::Argument& formal = schema_.arguments[parameter];
    core::Value given = ops::default_of(formal);
    // A function's default for a list of a fixed length is one number, which is repeated like one
    // that a call gives.
    bool function = schema_.name.find("::") == std::string::npos;
    if (function && formal.list_size && given.is_list() && !given.list().items.empty()) {
      given = core::Value(given.list().items[0]);
    }
    return take_value(parameter, emission_.constant(given));
  }
  void take_vararg(size_t argument) { call_.inputs.push_back(args_[argument].get(emission_)); }

  /// What was taken, once all fits; nothing where the types of the results cannot be told.
  std::optional<MatchedCall> taken() {
    if (self_) {
      why_ = "it has no argument 'self' for the object of the method";
      return std::nullopt;
    }
    for (const auto& result : schema_.returns) {
      TypePtr type = ops::substitute(result.type, variables_);
      if (has_variables(type)) {
        why_ = "the type of its result cannot be told";
        return std::nullopt;
      }
      call_.returns.push_back(std::move(type));
    }
    call_.schema = &schema_;
    return std::move(call_);
  }
  /// Why the last argument was refused.
  const std::string& why() const { return why_; }

 private:
  bool take_value(size_t parameter, ir::Value* value) {
    ir::Value* converted = convert(schema_.arguments[parameter], value);
    if (converted) call_.inputs.push_back(converted);
    return converted != nullptr;
  }

  ir::Value* convert(const ops::Argument& formal, ir::Value* value) {
    value = repeated(formal, value);
    std::string reason;
    if (has_variables(formal.type) &&
        !ops::bind_type(formal.type, list_like(formal.type, value->type()), variables_, &reason)) {
      why_ = fmt::format("argument '{}': {}", formal.name, reason);
      return nullptr;
    }
    TypePtr wanted = ops::substitute(formal.type, variables_);
    if (has_variables(wanted)) {
      why_ = fmt::format("the type of argument '{}' cannot be told", formal.name);
      return nullptr;
    }
    value = convert_to(emission_, range_, wanted, value, implicit_);
    if (core::is_subtype(value->type(), wanted)) return as_interface(value, wanted);
    why_ = wrong_type(formal, wanted, value->type());
    return nullptr;
  }

  static std::string wrong_type(const ops::Argument& formal, const TypePtr& wanted,
                                const TypePtr& given) {
    bool declared = formal.type != unannotated_type();
    std::string why = fmt::format(
        "Expected a value of type '{}{}' for argument '{}' but instead found type '{}'",
        wanted->annotation(), declared ? "" : " (inferred)", formal.name, given->annotation());
    const char* silent = "because it was not annotated with an explicit type";
    if (!declared)
      why += fmt::format(".\nInferred '{}' to be of type 'Tensor' {}", formal.name, silent);
    if (given == unannotated_type()) {
      why += fmt::format(".\nInferred the value for argument '{}' to be of type 'Tensor' {}",
                         formal.name, silent);
    }
    return why;
  }

  // The value, if what it is implements the interface that is wanted, should one be.
  ir::Value* as_interface(ir::Value* value, const TypePtr& wanted) {
    const core::InterfaceType* interface = core::as_interface(wanted);
    const core::ClassType* type = core::as_class(value->type());
    if (!interface || !type) return value;
    auto why_not = ir::why_not_implemented(emission_.unit, *type, *interface);
    if (!why_not) return value;
    why_ = *why_not;
    return nullptr;
  }

  // A tuple stands for a list of its members' common type.
  static TypePtr list_like(const TypePtr& formal, const TypePtr& actual) {
    bool tuple = formal->is(TypeKind::list) && actual->is(TypeKind::tuple);
    if (!tuple || actual->contained().empty()) return actual;
    TypePtr common = actual->contained()[0];
    for (const auto& member : actual->contained()) {
      auto both = core::unify(common, member);
      if (!both) return actual;
      common = *both;
    }
    return core::list_of(common);
  }

  // int[2] takes a single int, which is repeated.
  ir::Value* repeated(const ops::Argument& formal, ir::Value* value) {
    bool number = value->type()->is(TypeKind::floating) || value->type()->is(TypeKind::integer);
    const TypePtr& type = without_optional(formal.type);
    bool repeats = number && formal.list_size && type->is(TypeKind::list) &&
                   core::same_type(type->element(), value->type());
    if (!repeats) return value;
    return emission_.list(value->type(),
                          std::vector<ir::Value*>(static_cast<size_t>(*formal.list_size), value));
  }

  Emission& emission_;
  const SourceRange& range_;
  const ops::Schema& schema_;
  const Actuals& args_;
  const Actuals& kwargs_;
  std::optional<Actual> self_;
  bool implicit_;
  std::string why_;
  ops::TypeVariables variables_;
  MatchedCall call_;
};

/// Tries one schema; on failure gives the reason.
std::optional<MatchedCall> try_schema(Emission& emission, const SourceRange& range,
                                      const ops::Schema& schema, const Actuals& args,
                                      const Actuals& kwargs, const std::optional<Actual>& self,
                                      bool implicit, std::string* why) {
  if (is_blocked(schema)) return std::nullopt;
  GraphView view(emission, range, schema, args, kwargs, self, implicit);
  auto mismatch = ops::bind(schema, view);
  auto call = mismatch ? std::nullopt : view.taken();
  if (call || !why) return call;
  bool in_words = mismatch && mismatch->kind != ops::Mismatch::Kind::wrong_type;
  *why = in_words ? ops::describe(*mismatch, schema) : view.why();
  return call;
}

ir::Value* tuple_to_list(Emission& emission, const TypePtr& list, ir::Value* value) {
  return emission.list(list->element(), emission.members(value));
}

ir::Value* convert_members(Emission& emission, const SourceRange& range, const TypePtr& wanted,
                           ir::Value* value, bool implicit) {
  std::vector<ir::Value*> converted;
  std::vector<ir::Value*> members = emission.members(value);
  for (size_t i = 0; i < members.size(); ++i) {
    converted.push_back(convert_to(emission, range, wanted->contained()[i], members[i], implicit));
  }
  return emission.tuple(converted);
}

// The operator that turns a tensor into a plain value where one is wanted; none otherwise.
std::string_view implicit_conversion(const TypePtr& wanted, const TypePtr& actual) {
  bool tensor = actual->is(TypeKind::tensor), number = actual->is(TypeKind::number);
  if (!tensor && !number) return {};
  switch (wanted->kind()) {
    case TypeKind::floating:
      return tensor ? "aten::FloatImplicit" : "aten::Float";
    case TypeKind::complex:
      return tensor ? "aten::ComplexImplicit" : "aten::Complex";
    case TypeKind::integer:
      return tensor ? "aten::IntImplicit" : "aten::Int";
    case TypeKind::number:
      return tensor ? "aten::ScalarImplicit" : "";
    default:
      return {};
  }
}

ir::Value* insert_call(Emission& emission, const SourceRange& range, base::Symbol name,
                       const MatchedCall& call, const ops::Operator* op) {
  ir::Node* node = emission.insert(name, call.inputs, call.returns, range);
  node->set_op(op);
  if (node->outputs().size() == 1) return node->output();
  const auto& results = call.schema->returns;
  bool named = std::all_of(results.begin(), results.end(),
                           [](const ops::Argument& r) { return !r.name.empty(); });
  if (!named) return emission.tuple(node->outputs());
  std::vector<std::string> fields;
  for (const auto& result : results) fields.push_back(result.name);
  return emission.tuple(node->outputs(), core::named_tuple("", call.returns, fields));
}

/// An overload that names dimensions, which PyTorch tries before the others. No call fits it, as
/// there are no such names here; but the attempt takes numbers of values.
const ops::Schema* with_names(base::Symbol name) {
  static const std::unordered_map<base::Symbol, ops::Schema> all{
      {"aten::zeros", ops::parse_schema("aten::zeros.names(int[] size, *, str names) -> Tensor")},
      {"aten::ones", ops::parse_schema("aten::ones.names(int[] size, *, str names) -> Tensor")},
      {"aten::full", ops::parse_schema("aten::full.names(int[] size, Scalar fill_value, *, "
                                       "str names) -> Tensor")}};
  auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

std::string list_variants(Emission& emission, const SourceRange& range, base::Symbol name,
                          const std::vector<const ops::Schema*>& schemas, const Actuals& args,
                          const Actuals& kwargs, const std::optional<Actual>& self) {
  std::string message =
      fmt::format("Arguments for call are not valid: no variant of {} takes them:", name.text());
  for (const ops::Schema* schema : schemas) {
    std::string why;
    try_schema(emission, range, *schema, args, kwargs, self, true, &why);
    message += fmt::format("\n  {}\n    {}", schema->str(), why);
  }
  return message;
}

}  // namespace

bool convertible_to_list(const TypePtr& type, const TypePtr& list) {
  if (!list->is(TypeKind::list)) return false;
  if (core::is_subtype(type, list)) return true;
  return type->is(TypeKind::tuple) &&
         std::all_of(type->contained().begin(), type->contained().end(),
                     [&](const TypePtr& t) { return core::is_subtype(t, list->element()); });
}

ir::Value* convert_to(Emission& emission, const SourceRange& range, const TypePtr& wanted,
                      ir::Value* value, bool implicit) {
  const TypePtr& type = value->type();
  if (wanted->is(TypeKind::optional) && !type->is(TypeKind::optional) &&
      !type->is(TypeKind::none)) {
    return convert_to(emission, range, wanted->element(), value, implicit);
  }
  // `[]` is a list of whatever is wanted.
  if (value->node()->is(ir::kinds().empty_list) && wanted->is(TypeKind::list)) {
    value = emission.list(wanted->element(), {});
  }
  if (value->type()->is(TypeKind::tuple)) {
    const TypePtr& inner = without_optional(wanted);
    if (convertible_to_list(value->type(), inner)) {
      value = tuple_to_list(emission, inner, value);
    } else if (wanted->is(TypeKind::tuple) && !core::is_subtype(value->type(), wanted) &&
               wanted->contained().size() == value->type()->contained().size()) {
      value = convert_members(emission, range, wanted, value, implicit);
    }
  }
  if (!implicit) return value;
  std::string_view conversion = implicit_conversion(wanted, value->type());
  if (!conversion.empty()) value = call_operator(emission, range, conversion, {{value}});
  if (value->type()->is(TypeKind::string) && wanted->is(TypeKind::device)) {
    return call_operator(emission, range, "aten::device", {{value}});
  }
  return value;
}

MatchedCall match_schema(Emission& emission, const SourceRange& range, const ops::Schema& schema,
                         const Actuals& args, const Actuals& kwargs, std::optional<Actual> self) {
  std::string why;
  auto call = try_schema(emission, range, schema, args, kwargs, self, true, &why);
  if (!call) base::fail_at(range, "the call does not fit ", schema.str(), ": ", why);
  return std::move(*call);
}

std::optional<MatchedCall> try_match(Emission& emission, const SourceRange& range,
                                     const ops::Schema& schema, const Actuals& args,
                                     const Actuals& kwargs, bool implicit) {
  return try_schema(emission, range, schema, args, kwargs, std::nullopt, implicit, nullptr);
}

ir::Value* call_operator(Emission& emission, const SourceRange& range, base::Symbol name,
                         const Actuals& args, const Actuals& kwargs, std::optional<Actual> self) {
  const auto& operators = ops::overloads(name);
  const auto& functions = library_functions(name);
  std::vector<const ops::Schema*> schemas;
  for (const ops::Operator* op : operators) schemas.push_back(&op->schema);
  for (const ir::Function* function : functions) schemas.push_back(&function->schema());
  if (schemas.empty()) {
    throw base::Error(base::ErrorKind::unsupported, fmt::format("unknown operator {}", name.text()),
                      range);
  }
  // A single candidate is tried with conversions at once.
  std::vector<bool> rounds{false, true};
  if (schemas.size() == 1) rounds = {true};
  const ops::Schema* named = with_names(name);
  for (bool implicit : rounds) {
    if (named) try_schema(emission, range, *named, args, kwargs, self, implicit, nullptr);
    for (size_t i = 0; i < schemas.size(); ++i) {
      auto call = try_schema(emission, range, *schemas[i], args, kwargs, self, implicit, nullptr);
      if (!call) continue;
      if (i < operators.size()) return insert_call(emission, range, name, *call, operators[i]);
      const ir::Graph& body = functions[i - operators.size()]->graph();
      return ir::inline_graph(body, emission.builder.point(), call->inputs).at(0);
    }
  }
  base::fail_at(range, list_variants(emission, range, name, schemas, args, kwargs, self));
}

}  // namespace assay::script::detail
