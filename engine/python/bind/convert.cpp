#include "engine/python/bind/convert.h"

#include <vector>

#include "engine/base/error.h"
#include "engine/interp/arguments.h"
#include "engine/ops/dispatch.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/generator.h"
#include "engine/python/bind/tags.h"
#include "engine/python/bind/tensor_object.h"
#include "engine/python/bind/trace_hooks.h"

namespace assay::python {

using core::TypeKind;
using core::TypePtr;
using core::Value;

namespace {

constexpr int max_nesting = 200;

std::vector<ValueBridge>& bridges() {
  static std::vector<ValueBridge> all;
  return all;
}

PyObject* size_class = nullptr;  // torch.Size; tuple until it is registered.

/// An int within 64 bits.
Value whole(PyObject* number) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (value == -1 && PyErr_Occurred()) throw Raised();
  if (overflow != 0) raise(PyExc_OverflowError, "Overflow when unpacking long");
  return static_cast<int64_t>(value);
}

/// The number in a 0-dimensional tensor that may stand for one.
std::optional<Value> number_in(PyObject* object, bool integral_only) {
  const core::Tensor& x = tensor_of(object);
  bool fits =
      x.dim() == 0 && !x.requires_grad() && (!integral_only || core::is_integral(x.dtype(), false));
  if (!fits || x.device().type == core::DeviceType::meta) return std::nullopt;
  if (trace_hooks) return trace_hooks->number(x, {});
  return ops::call(context(), "aten::item", {x});
}

Value known_to_tracer(PyObject* object, Value value, bool exact) {
  return exact || !trace_hooks ? value : trace_hooks->number(object, value);
}

std::optional<Value> container_from(PyObject* object, int depth);

std::optional<Value> any_from(PyObject* object, int depth) {
  base::check(depth < max_nesting, "a value nests too deeply");
  if (object == Py_None) return Value();
  if (is_tensor(object)) return Value(tensor_of(object));
  if (PyUnicode_Check(object)) return Value(text_of(object));
  if (is_dtype(object) || Py_TYPE(object) == &layout_type || Py_TYPE(object) == &memory_format_type)
    return Value(reinterpret_cast<TagObject*>(object)->number);
  if (is_device(object)) return Value(reinterpret_cast<DeviceObject*>(object)->device);
  if (is_generator(object)) return Value(generator_of(object));
  if (auto number = number_from(object)) return number;
  for (const ValueBridge& bridge : bridges())
    if (auto value = bridge.to(object, nullptr)) return value;
  return container_from(object, depth + 1);
}

Value any_or_fail(PyObject* object, int depth) {
  auto value = any_from(object, depth);
  if (!value) {
    raise(PyExc_TypeError, "an object of type '" + class_name(object) +
                               "' has no counterpart among the values of a program");
  }
  return *value;
}

std::optional<Value> container_from(PyObject* object, int depth) {
  if (PyList_Check(object) || PyTuple_Check(object)) {
    core::Values items;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(object);
    for (Py_ssize_t i = 0; i < count; ++i)
      items.push_back(any_or_fail(PySequence_Fast_GET_ITEM(object, i), depth));
    if (PyTuple_Check(object)) return Value(core::make_tuple(std::move(items)));
    return Value(core::make_list(core::any_type(), std::move(items)));
  }
  if (PyRange_Check(object)) {
    Owned items = checked(PySequence_List(object));
    return container_from(items.get(), depth);
  }
  if (PyDict_Check(object)) {
    auto made = core::make_dict(core::any_type(), core::any_type());
    PyObject *key, *item;
    Py_ssize_t at = 0;
    while (PyDict_Next(object, &at, &key, &item))
      made->set(any_or_fail(key, depth), any_or_fail(item, depth));
    return Value(std::move(made));
  }
  return std::nullopt;
}

PyObject* tuple_from(const core::TupleObject& tuple) {
  Owned made = checked(PyTuple_New(static_cast<Py_ssize_t>(tuple.items.size())));
  for (size_t i = 0; i < tuple.items.size(); ++i)
    PyTuple_SET_ITEM(made.get(), static_cast<Py_ssize_t>(i), from_value(tuple.items[i]));
  const core::TupleType* type = tuple.named ? core::as_tuple(tuple.named) : nullptr;
  // Several results of an operator have fields and no class: in compiled code x.max(0).values.
  if (!type || type->fields.empty() || type->name().empty()) return made.release();
  std::string name = type->name().substr(type->name().rfind('.') + 1);
  Owned fields = checked(PyList_New(0));
  for (const std::string& field : type->fields)
    checked(PyList_Append(fields.get(), text(field).get()));
  Owned collections = checked(PyImport_ImportModule("collections"));
  Owned kind = checked(
      PyObject_CallMethod(collections.get(), "namedtuple", "sO", name.c_str(), fields.get()));
  return checked(PyObject_Call(kind.get(), made.get(), nullptr)).release();
}

PyObject* dict_from(const core::DictObject& dict) {
  Owned made = checked(PyDict_New());
  for (const auto& entry : dict.entries()) {
    Owned key = checked(from_value(entry.key));
    Owned item = checked(from_value(entry.value));
    checked(PyDict_SetItem(made.get(), key.get(), item.get()));
  }
  return made.release();
}

PyObject* set_size_class(PyObject*, PyObject* type) {
  Py_INCREF(type);
  size_class = type;
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"set_size_class", set_size_class, METH_O, "Sizes of tensors are objects of this class."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

std::optional<Value> int_from(PyObject* object) {
  if (PyLong_CheckExact(object)) return whole(object);
  if (is_tensor(object)) return number_in(object, true);
  if (PyBool_Check(object)) return std::nullopt;
  if (PyLong_Check(object)) return known_to_tracer(object, whole(object), false);
  if (is_numpy_number(object) && PyIndex_Check(object)) {
    Owned number = checked(PyNumber_Index(object));
    return whole(number.get());
  }
  return std::nullopt;
}

std::optional<Value> number_from(PyObject* object) {
  if (PyFloat_Check(object))
    return known_to_tracer(object, PyFloat_AS_DOUBLE(object), PyFloat_CheckExact(object));
  if (PyBool_Check(object)) return Value(object == Py_True);
  if (PyLong_Check(object))
    return known_to_tracer(object, whole(object), PyLong_CheckExact(object));
  if (PyComplex_Check(object)) {
    Py_complex z = PyComplex_AsCComplex(object);
    return Value(core::Complex128(z.real, z.imag));
  }
  if (is_tensor(object)) return number_in(object, false);
  if (!is_numpy_number(object)) return std::nullopt;
  std::string name = class_name(object);
  if (name.starts_with("bool")) return Value(PyObject_IsTrue(object) == 1);
  if (PyIndex_Check(object)) return int_from(object);
  if (!name.starts_with("float")) return std::nullopt;
  Owned number = checked(PyNumber_Float(object));
  return Value(PyFloat_AS_DOUBLE(number.get()));
}

std::optional<Value> value_from(PyObject* object, const TypePtr& wanted) {
  if (wanted)
    for (const ValueBridge& bridge : bridges())
      if (auto value = bridge.to(object, wanted)) return value;
  auto value = any_from(object, 0);
  if (!value || !wanted || wanted->is(TypeKind::any)) return value;
  return interp::convert_argument(*value, wanted);
}

Value to_value(PyObject* object, const TypePtr& wanted) {
  auto value = value_from(object, wanted);
  if (!value) {
    raise(PyExc_TypeError, "a value of type " + (wanted ? wanted->annotation() : "Any") +
                               " is wanted, not " + class_name(object));
  }
  return std::move(*value);
}

PyObject* from_value(const Value& value) {
  for (const ValueBridge& bridge : bridges()) {
    PyObject* made = bridge.from(value);
    if (made) return made;
    if (PyErr_Occurred()) throw Raised();
  }
  switch (value.tag()) {
    case Value::Tag::none:
      Py_RETURN_NONE;
    case Value::Tag::boolean:
      return PyBool_FromLong(value.to_bool());
    case Value::Tag::integer:
      return checked(PyLong_FromLongLong(value.to_int())).release();
    case Value::Tag::floating:
      return checked(PyFloat_FromDouble(value.to_float())).release();
    case Value::Tag::complex: {
      core::Complex128 z = value.to_complex();
      return checked(PyComplex_FromDoubles(z.real(), z.imag())).release();
    }
    case Value::Tag::device:
      return wrap_device(value.to_device());
    case Value::Tag::tensor:
      return wrap(value.to_tensor());
    case Value::Tag::string:
      return text(value.to_string()).release();
    case Value::Tag::tuple:
      return tuple_from(value.tuple());
    case Value::Tag::dict:
      return dict_from(value.dict());
    case Value::Tag::list: {
      const core::Values& items = value.list().items;
      Owned made = checked(PyList_New(static_cast<Py_ssize_t>(items.size())));
      for (size_t i = 0; i < items.size(); ++i)
        PyList_SET_ITEM(made.get(), static_cast<Py_ssize_t>(i), from_value(items[i]));
      return made.release();
    }
    case Value::Tag::generator:
      return wrap_generator(value.ref<core::Generator>());
    case Value::Tag::future: {
      const core::FutureObject& future = value.future();
      if (future.error) throw *future.error;
      return from_value(future.value);
    }
    default:
      base::unsupported("a ", value.kind_name(), " has no counterpart in Python yet");
  }
}

void add_bridge(const ValueBridge& bridge) { bridges().push_back(bridge); }

PyObject* int_tuple(core::DimSpan numbers) {
  Owned made = checked(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
  for (size_t i = 0; i < numbers.size(); ++i)
    PyTuple_SET_ITEM(made.get(), static_cast<Py_ssize_t>(i),
                     checked(PyLong_FromLongLong(numbers[i])).release());
  return made.release();
}

PyObject* make_size(core::DimSpan sizes) {
  Owned tuple(int_tuple(sizes));
  if (!size_class) return tuple.release();
  // As tuple.__new__ does for a subclass, without the way through its constructor.
  auto* type = reinterpret_cast<PyTypeObject*>(size_class);
  Owned made = checked(type->tp_alloc(type, static_cast<Py_ssize_t>(sizes.size())));
  for (Py_ssize_t i = 0; i < static_cast<Py_ssize_t>(sizes.size()); ++i)
    PyTuple_SET_ITEM(made.get(), i, Py_NewRef(PyTuple_GET_ITEM(tuple.get(), i)));
  return made.release();
}

core::Dims dims_from(PyObject* object) {
  core::Dims out;
  if (!PyList_Check(object) && !PyTuple_Check(object)) {
    auto number = int_from(object);
    if (!number) raise(PyExc_TypeError, "ints are wanted, not " + class_name(object));
    out.push_back(number->to_int());
    return out;
  }
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(object, i);
    auto number = int_from(item);
    if (!number) raise(PyExc_TypeError, "ints are wanted, not " + class_name(item));
    out.push_back(number->to_int());
  }
  return out;
}

void add_convert(PyObject* module) { checked(PyModule_AddFunctions(module, functions)); }

}  // namespace assay::python
