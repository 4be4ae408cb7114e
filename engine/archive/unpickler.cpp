#include "engine/archive/unpickler.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/archive/pickle_machine.h"
#include "engine/archive/typed_value.h"
#include "engine/base/error.h"
#include "engine/ops/native_class.h"

namespace assay::archive {
namespace {

using core::TypePtr;
using core::Value;
using Kind = PickleItem::Kind;
using Call = PickleConstructor;

core::Dims dims_of(const Value& value) {
  const core::Values& items = value.is_list() ? value.list().items : value.tuple().items;
  core::Dims dims;
  for (const Value& item : items) dims.push_back(item.to_int());
  return dims;
}

void check_count(size_t given, size_t least, size_t most, std::string_view function) {
  base::check(given >= least && given <= most, "broken pickle: ", function, " is called with ",
              given, " arguments");
}

PickleItem leaf(Value value) {
  PickleItem item;
  item.value = std::move(value);
  return item;
}

const core::EnumType::Member* member_with_value(const core::EnumType& type, const Value& value) {
  for (const core::EnumType::Member& member : type.members) {
    if (member.value->equals(value)) return &member;
  }
  return nullptr;
}

}  // namespace

void PickleMachine::find_global(std::string_view module, std::string_view name) {
  PickleItem item;
  PickleGlobal found = find_pickle_global(module, name);
  switch (found.kind) {
    case PickleGlobal::Kind::constructor:
      item.kind = Kind::constructor;
      item.index = static_cast<uint32_t>(found.constructor);
      break;
    case PickleGlobal::Kind::storage:
      // A storage class is a dtype that only a persistent id may use.
      item.kind = Kind::storage;
      item.index = static_cast<uint32_t>(found.dtype);
      break;
    case PickleGlobal::Kind::dtype:
      item.value = Value(static_cast<int64_t>(found.dtype));
      break;
    case PickleGlobal::Kind::unsupported:
      base::unsupported("the archive holds a value of a kind that assay does not have: ", module,
                        ".", name);
    case PickleGlobal::Kind::unknown: {
      std::string qualified = fmt::format("{}.{}", module, name);
      if (ops::is_native_name(qualified) && !ops::find_native_class(qualified)) {
        ops::refuse_native_class(qualified);
      }
      bool own_class = module == "__torch__" || module.starts_with("__torch__.");
      base::check(own_class && context_.resolve_type, "unsafe pickle: it names ", module, ".", name,
                  ", which is not among the constructors that an archive may use");
      item.kind = Kind::type;
      item.index = static_cast<uint32_t>(types_.size());
      types_.push_back(context_.resolve_type(qualified));
      break;
    }
  }
  stack_.push_back(std::move(item));
}

PickleMachine::Items PickleMachine::arguments(PickleItem tuple) {
  if (tuple.kind == Kind::raw_tuple) {
    visits_.visit(raw_tuples_[tuple.index].size());
    return raw_tuples_[tuple.index];
  }
  base::check(tuple.kind == Kind::value && tuple.value.is_tuple(),
              "broken pickle: a constructor is called without a tuple of arguments");
  visits_.visit(tuple.value.tuple().items.size());
  nodes_[tuple.node].held = true;
  Items items;
  for (const Value& value : tuple.value.tuple().items) {
    items.push_back(leaf(value));
    // The members' own nodes are gone; the tuple's depth bounds theirs.
    if (value.tag() >= Value::Tag::list) items.back().node = tuple.node;
  }
  return items;
}

void PickleMachine::reduce() {
  PickleItem given = pop();
  PickleItem callee = pop();
  // TorchScript calls an enum with its bare value.
  bool enumeration = callee.kind == Kind::type && core::as_enum(types_[callee.index]);
  Items args = enumeration ? Items{std::move(given)} : arguments(std::move(given));
  if (callee.kind == Kind::type) {
    TypePtr type = types_[callee.index];
    stack_.push_back(instance_of(type, std::move(args)));
    return;
  }
  base::check(callee.kind == Kind::constructor,
              "unsafe pickle: it calls something that is not a "
              "constructor");
  stack_.push_back(call(static_cast<Call>(callee.index), std::move(args)));
}

void PickleMachine::make_object() {
  Items args = arguments(pop());
  PickleItem callee = pop();
  base::check(callee.kind == Kind::type,
              "unsafe pickle: it makes an instance of something that is "
              "not a class of the archive");
  TypePtr type = types_[callee.index];
  stack_.push_back(instance_of(type, std::move(args)));
}

PickleItem PickleMachine::instance_of(const TypePtr& type, Items args) {
  PickleItem item;
  if (core::as_enum(type) != nullptr) {
    check_count(args.size(), 1, 1, type->name());
    const auto* member = member_with_value(*core::as_enum(type), args[0].value);
    base::check(member != nullptr, "the archive holds a value that enum ", type->name(),
                " does not have");
    item.value = Value(base::make_ref<core::EnumObject>(type, member->name, *member->value));
    return item;
  }
  item.node = new_node();
  if (core::as_tuple(type) != nullptr) {
    core::Values members;
    for (PickleItem& arg : args) {
      base::check(arg.kind == Kind::value,
                  "broken pickle: a tuple holds something that is no value");
      nest(item, arg);
      members.push_back(std::move(arg.value));
    }
    item.value = typed_value(Value(core::make_tuple(std::move(members))), type, visits_);
    return item;
  }
  base::check(core::as_class(type) != nullptr, "broken pickle: ", type->name(),
              " is not a class that has instances");
  check_count(args.size(), 0, 0, type->name());
  auto class_type = std::const_pointer_cast<core::ClassType>(
      std::static_pointer_cast<const core::ClassType>(type));
  item.value = Value(base::make_ref<core::Object>(std::move(class_type)));
  nodes_[item.node].unbuilt = true;
  ++unbuilt_;
  return item;
}

void PickleMachine::build() {
  PickleItem state = pop();
  PickleItem& target = top();
  base::check(state.kind == Kind::value && target.kind == Kind::value && target.value.is_object() &&
                  nodes_[target.node].unbuilt && context_.set_state,
              "broken pickle: state is given to something that does not take it");
  nest(target, state);
  nodes_[target.node].unbuilt = false;
  --unbuilt_;
  // The item stays on the stack; a copy, since the callback may run for long.
  auto object = target.value.ref<core::Object>();
  context_.set_state(object, state.value);
}

void PickleMachine::load_persistent() {
  Items id = arguments(pop());
  bool well_formed = id.size() >= 5 && id[0].value.is_string() &&
                     id[0].value.to_string() == "storage" && id[1].kind == Kind::storage &&
                     id[1].value.is_none() && context_.load_storage;
  base::check(well_formed, "broken pickle: a persistent id that does not name a storage");
  StorageId storage;
  storage.dtype = static_cast<core::DType>(id[1].index);
  storage.key = id[2].value.to_string();
  storage.location = id[3].value.to_string();
  storage.numel = id[4].value.to_int();
  PickleItem item = leaf(Value(context_.load_storage(storage)));
  item.kind = Kind::storage;
  stack_.push_back(std::move(item));
}

PickleItem PickleMachine::rebuild_tensor(const Items& args) {
  check_count(args.size(), 4, 7, "_rebuild_tensor");
  base::check(args[0].kind == Kind::storage && args[0].value.is_tensor(),
              "broken pickle: a tensor without a storage");
  core::Tensor whole = args[0].value.to_tensor();
  core::Dims sizes = dims_of(args[2].value), strides = dims_of(args[3].value);
  constexpr size_t max_dims = 64;  // As in PyTorch's own kernels.
  base::check(sizes.size() == strides.size() && sizes.size() <= max_dims,
              "broken pickle: a tensor with ", sizes.size(), " sizes and ", strides.size(),
              " strides");
  core::Tensor tensor =
      core::Tensor::view_of(whole.storage(), args[1].value.to_int(), sizes, strides, whole.dtype());
  tensor.impl()->requires_grad = args.size() > 4 && args[4].value.to_bool();
  return leaf(Value(tensor));
}

Value PickleMachine::ordered_dict(const Items& args) {
  check_count(args.size(), 0, 1, "OrderedDict");
  auto dict = core::make_dict(core::any_type(), core::any_type());
  if (!args.empty()) {
    visits_.visit(args[0].value.list().items.size());
    for (const Value& pair : args[0].value.list().items) {
      const core::Values& items = pair.is_list() ? pair.list().items : pair.tuple().items;
      base::check(items.size() == 2, "broken pickle: an OrderedDict entry is not a pair");
      base::check(items[0].tag() < Value::Tag::list, "a pickled dict has a key of type ",
                  items[0].kind_name(), ", which TorchScript does not have");
      dict->set(items[0], items[1]);
    }
  }
  return Value(dict);
}

PickleItem PickleMachine::tag_list(const Items& args, TypePtr type) {
  PickleItem item = args[0];
  item.value = typed_value(item.value, type, visits_);
  return item;
}

PickleItem PickleMachine::call(Call constructor, Items args) {
  auto list_of = [&](TypePtr element) {
    check_count(args.size(), 1, 1, "build_list");
    return tag_list(args, core::list_of(std::move(element)));
  };
  switch (constructor) {
    case Call::rebuild_tensor:
      return rebuild_tensor(args);
    case Call::rebuild_parameter: {
      check_count(args.size(), 1, 3, "_rebuild_parameter");
      core::Tensor tensor = args[0].value.to_tensor();
      if (args.size() > 1 && tensor.defined()) {
        tensor.impl()->requires_grad = args[1].value.to_bool();
      }
      return std::move(args[0]);
    }
    case Call::rebuild_from_type: {
      check_count(args.size(), 4, 4, "_rebuild_from_type_v2");
      base::check(args[0].kind == Kind::constructor,
                  "unsafe pickle: _rebuild_from_type_v2 of "
                  "something that is not a constructor");
      auto inner = static_cast<Call>(args[0].index);
      base::check(inner == Call::rebuild_tensor || inner == Call::rebuild_parameter,
                  "broken pickle: _rebuild_from_type_v2 of something that makes no tensor");
      return call(inner, arguments(std::move(args[2])));
    }
    case Call::ordered_dict: {
      PickleItem item;
      item.node = args.empty() ? 0 : args[0].node;
      if (item.node == 0) item.node = new_node();
      item.value = ordered_dict(args);
      return item;
    }
    case Call::build_intlist:
      return list_of(core::int_type());
    case Call::build_doublelist:
      return list_of(core::simple_type(core::TypeKind::floating));
    case Call::build_boollist:
      return list_of(core::bool_type());
    case Call::build_tensorlist:
      return list_of(core::tensor_type());
    case Call::build_tensor_from_id:
      check_count(args.size(), 1, 1, "build_tensor_from_id");
      base::check(static_cast<bool>(context_.tensor_from_id),
                  "broken pickle: it refers to a table of tensors that is not there");
      return leaf(Value(context_.tensor_from_id(args[0].value.to_int())));
    case Call::restore_type_tag: {
      check_count(args.size(), 2, 2, "restore_type_tag");
      base::check(static_cast<bool>(context_.parse_type),
                  "broken pickle: a type tag has no place here");
      return tag_list(args, context_.parse_type(args[1].value.to_string()));
    }
    case Call::device: {
      check_count(args.size(), 1, 2, "torch.device");
      std::string text = args[0].value.to_string();
      if (args.size() == 2) text += fmt::format(":{}", args[1].value.to_int());
      auto device = core::parse_device(text);
      base::check(device.has_value(),
                  "the archive names an unknown device: ", base::python_repr(text));
      return leaf(Value(*device));
    }
    case Call::complex:
      check_count(args.size(), 2, 2, "complex");
      return leaf(Value(core::Complex128(args[0].value.to_scalar().to_double(),
                                         args[1].value.to_scalar().to_double())));
  }
  base::unreachable("a pickle constructor without a meaning");
}

Value unpickle(std::string_view bytes, const PickleContext& context) {
  return PickleMachine(bytes, context).run();
}

}  // namespace assay::archive
