#include "engine/api/module.h"

#include <unordered_set>

#include "engine/archive/python_printer.h"
#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"

namespace assay::api {
namespace {

using core::Value;
using optimize::SpecializedMethod;

/// Each form of a method packs weights of its own.
constexpr size_t max_optimized_forms = 4;

/// Calls `visit(path, object)` for a module and its submodules, each once, parents first.
template <typename Visit>
void visit_modules(const core::ObjectRef& object, const std::string& path,
                   std::unordered_set<const core::Object*>& seen, const Visit& visit) {
  if (!seen.insert(object.get()).second) return;
  visit(path, object);
  const auto& attributes = object->type->attributes();
  for (size_t i = 0; i < attributes.size(); ++i) {
    const Value& slot = object->slots[i];
    if (!slot.is_object() || !slot.object().type->is_module()) continue;
    std::string inner = path.empty() ? attributes[i].name : path + "." + attributes[i].name;
    visit_modules(slot.ref<core::Object>(), inner, seen, visit);
  }
}

template <typename Visit>
void for_each_module(const core::ObjectRef& root, const Visit& visit) {
  std::unordered_set<const core::Object*> seen;
  visit_modules(root, "", seen, visit);
}

Module::Named of_role(std::vector<Module::Slot> slots, core::ClassType::Role role) {
  Module::Named found;
  for (Module::Slot& slot : slots) {
    if (slot.role == role && !slot.value().is_none())
      found.emplace_back(std::move(slot.path), slot.value());
  }
  return found;
}

}  // namespace

Module::Module(Engine engine, std::shared_ptr<Program> program, core::ObjectRef object)
    : engine_(std::move(engine)), program_(std::move(program)), object_(std::move(object)) {}

std::vector<std::string> Module::methods() const { return object_->type->methods(); }

bool Module::has_method(const std::string& method) const {
  return object_->type->has_method(method);
}

ir::Function& Module::function(const std::string& method) const {
  return unit().method(*object_->type, method);
}

const ops::Schema& Module::schema(const std::string& method) const {
  return function(method).schema();
}

ir::Graph& Module::graph(const std::string& method) const { return function(method).graph(); }

std::string Module::code(const std::string& method) const {
  archive::PythonContext context;
  archive::PythonPrinter printer(context, unit());
  printer.print_function(function(method), false);
  return printer.text().text;
}

SpecializedMethod* Module::prepare(const ir::Function& method,
                                   const SpecializedMethod::Ranks& ranks) {
  Program::Prepared& prepared = program_->prepared[{object_.get(), &method}];
  if (prepared.version != method.version()) prepared.by_ranks.clear();
  bool known = prepared.by_ranks.count(ranks) != 0;
  if (!known && prepared.by_ranks.size() >= max_optimized_forms) return nullptr;
  std::unique_ptr<SpecializedMethod>& form = prepared.by_ranks[ranks];
  if (!form || !form->is_current()) {
    form = nullptr;  // Its weights first, then new ones.
    form = std::make_unique<SpecializedMethod>(object_, method, unit(), engine_.context(), ranks,
                                               engine_.options().check_passes);
    prepared.version = method.version();
  }
  return form->function() ? form.get() : nullptr;
}

SpecializedMethod* Module::optimized_form(const std::string& method,
                                          const core::Values& arguments) {
  const ops::Context& context = engine_.context();
  bool possible = context.handlers.empty() && !context.reference_only && has_method(method) &&
                  SpecializedMethod::accepts(arguments);
  if (!possible || is_hooked()) return nullptr;
  return prepare(function(method), SpecializedMethod::ranks_of(arguments));
}

Value Module::run_optimized(SpecializedMethod& form, const core::Values& arguments) {
  auto run = [&](const core::Values& given) {
    core::Values complete{Value(object_)};
    complete.insert(complete.end(), given.begin(), given.end());
    return interpreter().call(*form.function(), std::move(complete));
  };
  ops::Context& context = engine_.context();
  if (!optimize::RecordedForm::accepts(context, arguments)) return run(arguments);
  return form.recorded().call(context, arguments, run);
}

std::optional<Value> Module::call_optimized(const std::string& method,
                                            const core::Values& arguments) {
  SpecializedMethod* form = optimized_form(method, arguments);
  return form ? std::optional(run_optimized(*form, arguments)) : std::nullopt;
}

Value Module::call_hooked(core::Values arguments, const Keywords& keywords) {
  interp::Interpreter& runs = program_->interpreter;
  for (const std::string& hook : object_->type->pre_hooks) {
    Value changed = runs.call_method(object_, hook, {Value(core::make_tuple(arguments))});
    if (changed.is_none()) continue;
    arguments = changed.is_tuple() ? changed.tuple().items : core::Values{changed};
  }
  Value result = runs.call_method(object_, "forward", arguments, keywords);
  for (const std::string& hook : object_->type->hooks) {
    Value changed = runs.call_method(object_, hook, {Value(core::make_tuple(arguments)), result});
    if (!changed.is_none()) result = changed;
  }
  return result;
}

Value Module::call(const std::string& method, const core::Values& arguments,
                   const Keywords& keywords) {
  // Weights that lie in the file are right as long as it is.
  if (program_->importer) program_->importer->check_unchanged();
  // One limit for both forms.
  base::DeadlineScope deadline(engine_.options().limits.time);
  if (method == "forward" && is_hooked()) return call_hooked(arguments, keywords);
  bool optimize = keywords.empty() && engine_.options().optimize;
  SpecializedMethod* form = optimize ? optimized_form(method, arguments) : nullptr;
  std::optional<base::Error> failed;
  if (form) {
    try {
      return run_optimized(*form, arguments);
    } catch (const base::Error& error) {
      failed = error;
    }
  }
  // Where the optimized form raises, the method itself raises in the right words.
  Value result = program_->interpreter.call_method(object_, method, arguments, keywords);
  base::invariant(!failed, "the optimized form of ", method,
                  " fails where the method does not: ", failed ? failed->message() : "");
  return result;
}

std::vector<Module::Slot> Module::slots() const {
  std::vector<Slot> found;
  for_each_module(object_, [&](const std::string& path, const core::ObjectRef& object) {
    const auto& attributes = object->type->attributes();
    for (size_t i = 0; i < attributes.size(); ++i) {
      const Value& value = object->slots[i];
      if (value.is_object() && value.object().type->is_module()) continue;
      std::string own = path.empty() ? attributes[i].name : path + "." + attributes[i].name;
      found.push_back({std::move(own), attributes[i].role, object, i});
    }
  });
  return found;
}

Module::Named Module::parameters() const {
  return of_role(slots(), core::ClassType::Role::parameter);
}
Module::Named Module::buffers() const { return of_role(slots(), core::ClassType::Role::buffer); }
Module::Named Module::attributes() const {
  return of_role(slots(), core::ClassType::Role::attribute);
}

std::vector<std::pair<std::string, core::ObjectRef>> Module::modules() const {
  std::vector<std::pair<std::string, core::ObjectRef>> found;
  for_each_module(object_, [&](const std::string& path, const core::ObjectRef& object) {
    found.emplace_back(path, object);
  });
  return found;
}

void Module::to(core::Device device) {
  convert([&](const core::Tensor& t) { return t.device() != device; }, device, std::nullopt);
}

void Module::to(core::DType dtype) {
  convert([&](const core::Tensor& t) { return core::is_floating(t.dtype()) && t.dtype() != dtype; },
          std::nullopt, dtype);
}

void Module::convert(const std::function<bool(const core::Tensor&)>& wanted,
                     std::optional<core::Device> device, std::optional<core::DType> dtype) {
  for_each_module(object_, [&](const std::string&, const core::ObjectRef& object) {
    for (Value& slot : object->slots) {
      if (!slot.is_tensor()) continue;
      core::Tensor old = slot.to_tensor();
      if (!wanted(old)) continue;
      // In place, so that tensors that are shared stay shared.
      old.assign(ops::relocate(engine_.context(), old, device.value_or(old.device()),
                               dtype.value_or(old.dtype())));
    }
  });
}

void Module::train(bool on) {
  for_each_module(object_, [&](const std::string&, const core::ObjectRef& object) {
    if (auto slot = object->type->find_attribute("training")) object->slots[*slot] = Value(on);
  });
}

}  // namespace assay::api
