// What the instructions with a site do.

#include <algorithm>
#include <memory>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/core/print.h"
#include "engine/interp/detail/machine.h"
#include "engine/ops/dispatch.h"
#include "engine/ops/item_order.h"
#include "engine/ops/native_class.h"

namespace assay::interp {

using core::Value;

void Machine::call(std::shared_ptr<const Code> code, const std::vector<uint32_t>& inputs,
                   uint32_t out) {
  base::check(code->parameters == inputs.size(), "'", code->name, "' takes ", code->parameters,
              " arguments, but ", inputs.size(), " were given");
  args_.clear();
  for (uint32_t input : inputs) args_.push_back(take(input));
  push(std::move(code), out);
  std::move(args_.begin(), args_.end(), registers());
  args_.clear();
}

void Machine::call_operator(const Site& site, uint32_t out) {
  size_t count = site.inputs.size();
  if (args_.size() < count) args_.resize(count);
  // They hold nothing between calls.
  for (size_t i = 0; i < count; ++i) std::construct_at(&args_[i], take(site.inputs[i]));
  context_.location = &frames_.back().code->locations[site.location];
  ops::Results results = ops::call_spending(context_, *site.op, std::span(args_.data(), count));
  for (size_t i = 0; i < count; ++i) args_[i].reset();
  // Large results took long, compared with looking at the clock.
  if (!results.empty() && results[0].is_tensor() && results[0].tensor_impl()->numel > 4096) {
    base::check_deadline();
  }
  base::invariant(results.size() >= site.outputs, site.op->qualified_name, " gave ", results.size(),
                  " results, not ", site.outputs);
  std::move(results.begin(), results.begin() + site.outputs, registers() + out);
}

void Machine::call_native(const Site& site, uint32_t out) {
  args_.clear();
  for (uint32_t input : site.inputs) args_.push_back(take(input));
  context_.location = &frames_.back().code->locations[site.location];
  registers()[out] = site.native->run(context_, args_);
  args_.clear();
}

const std::shared_ptr<const Code>& Machine::method_code(const Site& site, const Value& object,
                                                        std::string_view name) {
  base::check(object.is_object(), "a ", object.kind_name(), " has no method '", name, "'");
  const core::ClassTypePtr& type = object.object().type;
  Site::Cache& cache = site.cache;
  bool known = cache.seen == type && cache.function->version() == cache.code->version;
  if (!known) {
    ir::Function& method = unit_.method(*type, name);
    auto code = code_of(method);
    cache = {type, 0, &method, std::move(code)};
  }
  return cache.code;
}

const std::shared_ptr<const Code>& Machine::function_code(const Site& site) {
  Site::Cache& cache = site.cache;
  bool known = cache.function && cache.function->version() == cache.code->version;
  if (!known) {
    ir::Function& function = unit_.function(site.name);
    cache.code = code_of(function);
    cache.function = &function;
  }
  return cache.code;
}

void Machine::call_value(const Site& site, uint32_t out) {
  Value held = take(site.inputs[0]);
  const core::FunctionObject& function = held.function();
  core::Values args;
  if (!function.self.is_none()) args.push_back(function.self);
  for (size_t i = 1; i < site.inputs.size(); ++i) args.push_back(take(site.inputs[i]));
  args.insert(args.end(), function.captured.begin(), function.captured.end());
  auto code = code_of(unit_.function(function.qualified_name));
  base::check(code->parameters == args.size(), "'", code->name, "' takes ", code->parameters,
              " arguments, but ", args.size(), " were given");
  push(std::move(code), out);
  std::move(args.begin(), args.end(), registers());
}

void Machine::call_outside(const Site& site, uint32_t out) {
  base::check(outside != nullptr, "there is no Python here to call ", site.name, " with");
  core::Values args;
  for (uint32_t input : site.inputs) args.push_back(take(input));
  // The program outside may run this interpreter again, which moves the registers.
  Value result = outside(site.name, args, site.type);
  registers()[out] = std::move(result);
}

void Machine::enter(const Site& site, uint32_t out) {
  Value object = registers()[site.inputs[0] & ~last_bit];
  auto code = method_code(site, object, "__enter__");
  call(std::move(code), site.inputs, out);
  frames_.back().entered = std::move(object);
}

void Machine::leave(const Site& site, uint32_t out) {
  Value object = take(site.inputs[0]);
  auto code = method_code(site, object, "__exit__");
  if (!contexts_.empty() && contexts_.back().depth == frames_.size()) contexts_.pop_back();
  uint32_t parameters = code->parameters;
  push(std::move(code), out);
  // After self: exception class, exception and traceback, which TorchScript never passes.
  base::check(parameters >= 1, "__exit__ has no self");
  registers()[0] = std::move(object);
}

Value Machine::fork(const Site& site) {
  auto future = base::make_ref<core::FutureObject>();
  future->element = site.type;
  size_t floor = frames_.size();
  call(site.code, site.inputs, 0);
  try {
    future->value = execute(floor);
  } catch (const base::Error& error) {
    if (exhausted_) throw;  // A limit ends the whole run.
    future->error = std::make_shared<const base::Error>(error);
  }
  return future;
}

Value Machine::call_now(const std::shared_ptr<const Code>& code, core::Values args) {
  base::check(code->parameters == args.size(), "'", code->name, "' takes ", code->parameters,
              " arguments, but ", args.size(), " were given");
  size_t floor = frames_.size();
  push(code, 0);
  std::move(args.begin(), args.end(), registers());
  return execute(floor);
}

core::Values Machine::sorted(core::Values items, bool reverse, const Site& site) {
  ops::ObjectOrder objects{
      [&](const core::ClassType& type) { return unit_.find_method(type, "__lt__") != nullptr; },
      [&](const Value& a, const Value& b) {
        return call_now(method_code(site, a, "__lt__"), {a, b}).to_bool();
      }};
  ops::check_sortable(items, &objects);
  auto before = [&](const Value& a, const Value& b) {
    tick();
    return ops::comes_before(context_, a, b, &objects);
  };
  core::Values merged(items.size());
  for (size_t width = 1; width < items.size(); width *= 2) {
    for (size_t from = 0; from < items.size(); from += 2 * width) {
      size_t middle = std::min(from + width, items.size());
      size_t end = std::min(from + 2 * width, items.size());
      size_t left = from;
      size_t right = middle;
      for (size_t to = from; to < end; ++to) {
        bool take_right = right < end;
        if (take_right && left < middle)
          take_right =
              reverse ? before(items[left], items[right]) : before(items[right], items[left]);
        merged[to] = items[take_right ? right++ : left++];
      }
    }
    std::swap(items, merged);
  }
  return items;
}

Value Machine::sort(Opcode opcode, const Site& site) {
  Value held = take(site.inputs[0]);
  core::ListObject& list = held.list();
  bool reverse = site.inputs.size() > 1 && take(site.inputs[1]).to_bool();
  core::Values items = sorted(list.items, reverse, site);
  if (opcode == Opcode::sorted_objects) return core::make_list(list.element, std::move(items));
  list.items = std::move(items);
  return {};
}

void Machine::make(Opcode opcode, const Site& site, Value& out) {
  core::Values items;
  items.reserve(site.inputs.size());
  if (opcode == Opcode::make_object) {
    out = base::make_ref<core::Object>(site.made);
    return;
  }
  for (uint32_t input : site.inputs) items.push_back(take(input));
  if (opcode == Opcode::make_list) {
    out = core::make_list(site.type, std::move(items));
  } else if (opcode == Opcode::make_tuple) {
    out = base::make_ref<core::TupleObject>(std::move(items), site.type);
  } else {
    auto dict = core::make_dict(site.type->contained()[0], site.type->contained()[1]);
    for (size_t i = 0; i + 1 < items.size(); i += 2) dict->set(items[i], std::move(items[i + 1]));
    out = std::move(dict);
  }
}

void Machine::unpack(Opcode opcode, const Site& site, Value* out) {
  Value whole = take(site.inputs[0]);
  bool list = opcode == Opcode::unpack_list;
  const core::Values& items = list ? whole.list().items : whole.tuple().items;
  base::check(items.size() == site.outputs, "Expected ", site.outputs, " elements in a ",
              list ? "list" : "tuple", " but found ", items.size());
  std::copy(items.begin(), items.end(), out);
}

Value Machine::get_attribute(const Site& site) {
  Value holder = take(site.inputs[0]);
  const core::Object& object = holder.object();
  Site::Cache& cache = site.cache;
  bool known = cache.seen == object.type && cache.slot < object.slots.size();
  if (!known) {
    auto slot = object.type->find_attribute(site.name);
    bool found = slot && *slot < object.slots.size();
    base::check(found, "'", object.type->name(), "' object has no attribute '", site.name, "'");
    cache.seen = object.type;
    cache.slot = *slot;
  }
  return object.slots[cache.slot];
}

void Machine::set_attribute(const Site& site) {
  Value holder = take(site.inputs[0]);
  holder.object().set_attribute(site.name, take(site.inputs[1]));
}

Value Machine::tuple_slice(const Site& site) {
  Value whole = take(site.inputs[0]);
  const core::Values& items = whole.tuple().items;
  bool inside =
      0 <= site.begin && site.begin <= site.end && static_cast<size_t>(site.end) <= items.size();
  base::check(inside, "tuple slice ", site.begin, ":", site.end, " of ", items.size(), " items");
  return core::make_tuple(core::Values(items.begin() + site.begin, items.begin() + site.end));
}

// A ModuleList's submodules are named by their places, a ModuleDict's by their keys. As in PyTorch,
// places do not count from the end.
Value Machine::container_item(const Site& site) {
  Value container = take(site.inputs[0]);
  Value index = take(site.inputs[1]);
  base::check(container.is_object(), "only a container of modules is indexed for one");
  return container.object().attribute(index.is_string() ? index.to_string()
                                                        : std::to_string(index.to_int()));
}

bool Machine::is_instance(const Site& site) {
  Value value = take(site.inputs[0]);
  return std::any_of(site.types.begin(), site.types.end(),
                     [&](const core::TypePtr& type) { return core::is_instance(value, type); });
}

// What stands where no value is read, in a program that a compiler made. In one that somebody else
// made it may be read all the same.
Value Machine::blank(const core::TypePtr& type) {
  switch (type->kind()) {
    case core::TypeKind::integer:
    case core::TypeKind::number:
      return int64_t{0};
    case core::TypeKind::floating:
      return 0.0;
    case core::TypeKind::complex:
      return core::Complex128();
    case core::TypeKind::boolean:
      return false;
    case core::TypeKind::string:
      return std::string();
    case core::TypeKind::device:
      return core::Device();
    case core::TypeKind::list:
      return core::make_list(type->element(), {});
    case core::TypeKind::dict:
      return core::make_dict(type->contained()[0], type->contained()[1]);
    case core::TypeKind::tuple: {
      core::Values items;
      for (const core::TypePtr& member : type->contained()) items.push_back(blank(member));
      bool named = !core::as_tuple(type)->fields.empty();
      return base::make_ref<core::TupleObject>(std::move(items), named ? type : nullptr);
    }
    default:
      return {};
  }
}

// Everything after a cast relies on the type that it names; an archive may name any.
void Machine::check_type(const Value& value, const core::TypePtr& type) {
  bool tensor = type->is(core::TypeKind::tensor);
  if (tensor && (value.is_tensor() || value.is_none())) return;
  if (core::is_instance(value, type)) return;
  base::fail("a value of type ", value.type()->annotation(), " is said to be of type ",
             type->annotation());
}

void Machine::print_line(const Site& site) {
  std::string line;
  for (size_t i = 0; i < site.inputs.size(); ++i)
    line += (i ? " " : "") + core::display(take(site.inputs[i]));
  if (print) print(line + "\n");
}

void Machine::show_warning(const Site& site) {
  Value message = take(site.inputs[0]);
  if (!warned_.insert(&site).second || !warn) return;
  warn(message.to_string(), frames_.back().code->locations[site.location].original());
}

void Machine::raise(const Site& site) {
  Value message = take(site.inputs[0]);
  base::Error error(base::ErrorKind::input, core::display(message));
  std::string class_name;
  if (site.inputs.size() > 1) {
    Value named = take(site.inputs[1]);
    if (named.is_string()) class_name = named.to_string();
  }
  if (class_name.empty()) {
    // Older programs put the class in front of the message.
    bool assertion = error.message().starts_with("AssertionError");
    class_name = assertion ? "builtins.AssertionError" : "builtins.Exception";
  }
  throw error.raised_as(std::move(class_name));
}

}  // namespace assay::interp
