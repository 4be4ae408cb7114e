#include "engine/python/bind/arguments.h"

#include <fmt/core.h>

#include "engine/ops/promotion.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/generator.h"
#include "engine/python/bind/tags.h"
#include "engine/python/bind/tensor_object.h"
#include "engine/python/bind/torch_function.h"
#include "engine/python/bind/trace_hooks.h"

namespace assay::python {

using core::Value;

namespace {

bool is_sequence(PyObject* object) { return PyTuple_Check(object) || PyList_Check(object); }

/// float, int, bool and complex name element types, too.
std::optional<Value> dtype_from(PyObject* object) {
  if (is_dtype(object)) return Value(reinterpret_cast<TagObject*>(object)->number);
  using core::DType;
  auto number = [](DType dtype) { return Value(static_cast<int64_t>(dtype)); };
  if (object == reinterpret_cast<PyObject*>(&PyFloat_Type)) return number(DType::float64);
  if (object == reinterpret_cast<PyObject*>(&PyLong_Type)) return number(DType::int64);
  if (object == reinterpret_cast<PyObject*>(&PyBool_Type)) return number(DType::boolean);
  return std::nullopt;
}

std::optional<Value> tag_from(PyObject* object, PyTypeObject& type) {
  if (Py_TYPE(object) != &type) return std::nullopt;
  return Value(reinterpret_cast<TagObject*>(object)->number);
}

std::optional<Value> real_from(PyObject* object) {
  auto number = number_from(object);
  if (!number || number->is_complex()) return std::nullopt;
  if (number->is_float()) return number;
  return Value(number->to_scalar().to_double()).with_identity(number->identity());
}

std::optional<Value> bool_from(PyObject* object) {
  if (PyBool_Check(object)) return Value(object == Py_True);
  if (!is_numpy_number(object) || !class_name(object).starts_with("bool")) return std::nullopt;
  return Value(PyObject_IsTrue(object) == 1);
}

std::optional<Value> floats_from(PyObject* object) {
  if (!is_sequence(object)) return std::nullopt;
  core::Values items;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i) {
    auto item = real_from(PySequence_Fast_GET_ITEM(object, i));
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
  }
  return Value(core::make_list(core::float_type(), std::move(items)));
}

std::optional<Value> device_value(PyObject* object) {
  auto device = device_from(object);
  return device ? std::optional(Value(*device)) : std::nullopt;
}

/// While a trace is recorded a tensor of floating point numbers stands for an int in a list, too:
/// sizes are computed that way.
std::optional<Value> int_item(PyObject* object) {
  auto item = int_from(object);
  if (item || !trace_hooks || !is_tensor(object)) return item;
  item = number_from(object);
  if (!item || !item->is_float()) return std::nullopt;
  return Value(static_cast<int64_t>(item->to_float())).with_identity(item->identity());
}

std::optional<core::Values> int_items(PyObject* const* objects, size_t count) {
  core::Values items;
  items.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    auto item = int_item(objects[i]);
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
  }
  return items;
}

}  // namespace

std::string_view ArgumentView::keyword(size_t i) const {
  return meant_keyword(signature_.op->schema, text_of(given_.keywords[i].first));
}

bool ArgumentView::take_self(size_t parameter) {
  if (!signature_.parameters[parameter].written) return take_tensor(given_.self);
  const auto& parameters = signature_.parameters;
  size_t first = parameters.size() - signature_.op->out_count;
  PyObject* out = given_.out;
  if (signature_.op->out_count > 1) {
    bool fits = is_sequence(out) &&
                static_cast<size_t>(PySequence_Fast_GET_SIZE(out)) == signature_.op->out_count;
    if (!fits) {
      refused_ = out;
      refused_at_ = parameter;
      return false;
    }
    out = PySequence_Fast_GET_ITEM(out, static_cast<Py_ssize_t>(parameter - first));
  }
  if (take_tensor(out)) return true;
  refused_ = out;
  refused_at_ = parameter;
  return false;
}

void ArgumentView::look_for_override(PyObject* tensor) {
  if (Py_TYPE(tensor) != tensor_class() && has_own_torch_function(Py_TYPE(tensor)))
    overridden_ = true;
}

bool ArgumentView::take_tensor(PyObject* object) {
  if (!is_tensor(object)) return false;
  look_for_override(object);
  bound_.push_back(tensor_of(object));
  return true;
}

bool ArgumentView::may_gather(size_t parameter, size_t argument) const {
  bool alone = signature_.positional == (given_.self ? 2 : 1);
  if (!alone || signature_.parameters[parameter].takes != Takes::ints) return false;
  PyObject* first = given_.values[argument];
  return !is_sequence(first) && int_from(first).has_value();
}

bool ArgumentView::gather(size_t parameter, size_t first, size_t count) {
  auto items = int_items(given_.values + first, count);
  if (!items) {
    refused_ = given_.values[first];
    refused_at_ = parameter;
    return false;
  }
  bound_.push_back(core::make_list(core::int_type(), std::move(*items)));
  return true;
}

bool ArgumentView::take(size_t parameter, size_t i) {
  PyObject* object = argument(i);
  const Parameter& wanted = signature_.parameters[parameter];
  if (wanted.takes == Takes::tensor && take_tensor(object)) return true;
  if (object == Py_None) {
    // Nothing is given: as if the argument were left out, where that may be.
    if (wanted.optional) {
      bound_.push_back(Value());
      return true;
    }
  } else if (auto value = convert(object, parameter)) {
    bound_.push_back(std::move(*value));
    return true;
  }
  refused_ = object;
  refused_at_ = parameter;
  return false;
}

std::optional<Value> ArgumentView::convert_tensors(PyObject* object, const Parameter& parameter) {
  if (!is_sequence(object)) return std::nullopt;
  core::Values items;
  auto count = static_cast<size_t>(PySequence_Fast_GET_SIZE(object));
  items.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(object, static_cast<Py_ssize_t>(i));
    if (is_tensor(item)) {
      look_for_override(item);
      items.emplace_back(tensor_of(item));
    } else if (item == Py_None && parameter.items_optional) {
      items.emplace_back();
    } else {
      return std::nullopt;
    }
  }
  core::TypePtr element =
      parameter.items_optional ? core::optional_of(core::tensor_type()) : core::tensor_type();
  return Value(core::make_list(std::move(element), std::move(items)));
}

std::optional<Value> ArgumentView::convert_ints(PyObject* object, const Parameter& parameter) {
  if (is_sequence(object)) {
    auto items = int_items(PySequence_Fast_ITEMS(object),
                           static_cast<size_t>(PySequence_Fast_GET_SIZE(object)));
    if (!items) return std::nullopt;
    return Value(core::make_list(core::int_type(), std::move(*items)));
  }
  if (parameter.fixed_size == 0) return std::nullopt;
  auto item = int_from(object);
  if (!item) return std::nullopt;
  core::Values items(static_cast<size_t>(parameter.fixed_size), *item);
  return Value(core::make_list(core::int_type(), std::move(items)));
}

std::optional<Value> ArgumentView::convert(PyObject* object, size_t parameter) {
  const Parameter& wanted = signature_.parameters[parameter];
  switch (wanted.takes) {
    case Takes::tensor: {
      if (!numbers_for_tensors_) return std::nullopt;
      auto number = number_from(object);
      if (!number) return std::nullopt;
      core::Tensor made = ops::wrapped_number(number->to_scalar(), context().default_dtype);
      if (trace_hooks) trace_hooks->wrapped(made, *number);
      return Value(made);
    }
    case Takes::scalar:
    case Takes::complex:
      return number_from(object);
    case Takes::integer:
      return int_from(object);
    case Takes::floating:
      return real_from(object);
    case Takes::boolean:
      return bool_from(object);
    case Takes::string:
      return PyUnicode_Check(object) ? std::optional(Value(text_of(object))) : std::nullopt;
    case Takes::dtype:
      return dtype_from(object);
    case Takes::layout:
      return tag_from(object, layout_type);
    case Takes::memory_format:
      return tag_from(object, memory_format_type);
    case Takes::device:
      return device_value(object);
    case Takes::generator:
      return is_generator(object) ? std::optional(Value(generator_of(object))) : std::nullopt;
    case Takes::tensors:
      return convert_tensors(object, wanted);
    case Takes::ints:
      return convert_ints(object, wanted);
    case Takes::floats:
      return floats_from(object);
    case Takes::other:
      break;
  }
  return value_from(object, signature_.op->schema.arguments[parameter].type);
}

namespace {

/// "(Tensor, int, dim=str)"
std::string given_types(const GivenArguments& given) {
  std::string out;
  auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  for (size_t i = 0; i < given.positional; ++i) add(class_name(given.values[i]));
  for (auto [name, at] : given.keywords)
    add(std::string(text_of(name)) + "=" + class_name(given.values[at]));
  if (given.out) add("out=" + class_name(given.out));
  return "(" + out + ")";
}

/// Why the only overload does not take the arguments, in PyTorch's words.
std::string reason(std::string_view name, const Signature& signature, const GivenArguments& given,
                   const ops::Mismatch& mismatch, const ArgumentView& view) {
  using Kind = ops::Mismatch::Kind;
  size_t most = signature.positional - (given.self ? 1 : 0);
  switch (mismatch.kind) {
    case Kind::too_many:
      return fmt::format("{}() takes {} positional argument{} but {} {} given", name, most,
                         most == 1 ? "" : "s", given.positional,
                         given.positional == 1 ? "was" : "were");
    case Kind::missing: {
      bool self = mismatch.name == "self";
      return fmt::format("{}() missing 1 required positional arguments: \"{}\"", name,
                         self ? "input" : mismatch.name);
    }
    case Kind::unknown_keyword:
      return fmt::format("{}() got an unexpected keyword argument '{}'", name, mismatch.name);
    case Kind::given_twice:
      return fmt::format("{}() got multiple values for argument '{}'", name, mismatch.name);
    case Kind::wrong_type:
      break;
  }
  const ops::Argument& argument = signature.op->schema.arguments[view.refused_at()];
  std::string place;
  if (!argument.kwarg_only) {
    size_t position = view.refused_at() + (given.self ? 0 : 1);
    place = fmt::format(" (position {})", position);
  }
  return fmt::format("{}(): argument '{}'{} must be {}, not {}", name,
                     argument.other_name.empty() ? argument.name : argument.other_name, place,
                     wanted_type(signature, view.refused_at()),
                     view.refused() ? class_name(view.refused()) : "None");
}

}  // namespace

void refuse_arguments(std::string_view name, const std::vector<Signature>& signatures,
                      const GivenArguments& given, bool numbers_for_tensors) {
  if (signatures.size() == 1) {
    ArgumentView view(signatures[0], given, numbers_for_tensors);
    if (auto mismatch = ops::bind(signatures[0].op->schema, view))
      raise(PyExc_TypeError, reason(name, signatures[0], given, *mismatch, view));
  }
  std::string message = fmt::format(
      "{}() received an invalid combination of arguments - got {}, but expected one of:", name,
      given_types(given));
  for (const Signature& signature : signatures) message += "\n * " + text_of(signature);
  raise(PyExc_TypeError, message);
}

}  // namespace assay::python
