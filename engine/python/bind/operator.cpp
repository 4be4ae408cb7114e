#include "engine/python/bind/operator.h"

#include <algorithm>
#include <memory>
#include <string>

#include "engine/base/error.h"
#include "engine/python/bind/arguments.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/tensor_object.h"
#include "engine/python/bind/torch_function.h"
#include "engine/trace/gradients.h"

namespace assay::python {
namespace {

extern PyTypeObject method_type;

enum class Kind : uint8_t {
  function,  ///< torch.add
  method,    ///< Tensor.add
  packet,    ///< torch.ops.aten.add
  overload,  ///< torch.ops.aten.add.Tensor
};

struct OperatorObject {
  PyObject_HEAD vectorcallfunc call;
  Kind kind;
  std::string* qualified_name;
  Overloads* overloads;  ///< Null until the first call.
};

OperatorObject* of(PyObject* self) { return reinterpret_cast<OperatorObject*>(self); }

std::string_view short_name(PyObject* self) {
  std::string_view name = *of(self)->qualified_name;
  return name.substr(name.find("::") + 2);
}

const Overloads& overloads_of(OperatorObject* self) {
  if (self->overloads) return *self->overloads;
  auto found = std::make_unique<Overloads>();
  const std::string& name = *self->qualified_name;
  if (self->kind == Kind::function || self->kind == Kind::method) {
    *found = overloads_for_python(name);
  } else if (self->kind == Kind::overload) {
    const ops::Operator& op = ops::get_operator(name);
    (op.is_out ? found->out : found->plain).emplace_back(op);
  } else {
    for (const ops::Operator* op : ops::overloads(base::Symbol(name)))
      (op->is_out ? found->out : found->plain).emplace_back(*op);
  }
  if (self->kind == Kind::method) {
    auto no_method = [](const Signature& s) { return s.self_at < 0; };
    std::erase_if(found->plain, no_method);
    found->out.clear();
  }
  if (found->plain.empty() && found->out.empty())
    base::unsupported("assay has no operator ", name, " yet");
  self->overloads = found.release();
  return *self->overloads;
}

/// Takes `out` and `requires_grad` away from the keywords; gives whether the result shall require
/// gradients.
bool sort_keywords(const Overloads& overloads, PyObject* keyword_names, GivenArguments& given) {
  bool requires_grad = false;
  bool factory = !overloads.plain.empty() && overloads.plain[0].makes_tensors;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keyword_names); ++i) {
    PyObject* name = PyTuple_GET_ITEM(keyword_names, i);
    size_t at = given.positional + static_cast<size_t>(i);
    PyObject* value = given.values[at];
    if (!overloads.out.empty() && PyUnicode_CompareWithASCIIString(name, "out") == 0) {
      if (value != Py_None) given.out = value;
    } else if (factory && PyUnicode_CompareWithASCIIString(name, "requires_grad") == 0) {
      requires_grad = checked(PyObject_IsTrue(value)) == 1;
    } else {
      given.keywords.push_back({name, at});
    }
  }
  return requires_grad;
}

/// Whether the number of arguments and their names fit: told in a fraction of the time that it
/// takes to look at the arguments.
bool may_fit(const Signature& signature, const GivenArguments& given) {
  if (!signature.takes_positional(given.positional, given.self != nullptr)) return false;
  for (const auto& [name, at] : given.keywords)
    if (!signature.takes_keyword(text_of(name))) return false;
  return true;
}

/// The call by the first overload that takes the arguments. Null without an error if none does.
PyObject* try_call(const Overloads& overloads, const GivenArguments& given, bool requires_grad,
                   bool& overridden) {
  for (const Signature& signature : given.out ? overloads.out : overloads.plain) {
    if (!may_fit(signature, given)) continue;
    ArgumentView view(signature, given, overloads.numbers_for_tensors);
    if (ops::bind(signature.op->schema, view)) continue;
    if (view.overridden()) {
      overridden = true;
      return nullptr;
    }
    ops::Results results = call_operator(*signature.op, view.bound());
    if (requires_grad && results[0].is_tensor()) results[0].tensor_impl()->requires_grad = true;
    return wrap_results(*signature.op, results);
  }
  return nullptr;
}

PyObject* call(PyObject* callable, PyObject* const* args, size_t flagged, PyObject* names) {
  return guarded([&]() -> PyObject* {
    OperatorObject* self = of(callable);
    auto count = static_cast<size_t>(PyVectorcall_NARGS(flagged));
    const Overloads& overloads = overloads_of(self);
    GivenArguments given;
    given.values = args;
    given.positional = count;
    if (self->kind == Kind::method) {
      if (count == 0 || !is_tensor(args[0])) {
        if (PyObject* made = call_torch_function(callable, args, count, names)) return made;
        if (PyErr_Occurred()) return nullptr;
        raise(PyExc_TypeError, std::string(short_name(callable)) + "() is a method of tensors");
      }
      given.self = args[0];
      given.values = args + 1;
      given.positional = count - 1;
    }
    bool requires_grad = names && sort_keywords(overloads, names, given);
    bool overridden = false;
    PyObject* result = try_call(overloads, given, requires_grad, overridden);
    if (result || PyErr_Occurred()) return result;
    result = call_torch_function(callable, args, count, names);
    if (result || PyErr_Occurred()) return result;
    if (overridden) raise(PyExc_TypeError, "no __torch_function__ took the call");
    refuse_arguments(short_name(callable), given.out ? overloads.out : overloads.plain, given,
                     overloads.numbers_for_tensors);
  });
}

PyObject* make(std::string_view qualified_name, Kind kind) {
  PyTypeObject* type = kind == Kind::method ? &method_type : &operator_type;
  PyObject* made = checked(type->tp_alloc(type, 0)).release();
  of(made)->call = call;
  of(made)->kind = kind;
  of(made)->qualified_name = new std::string(qualified_name);
  return made;
}

void dealloc(PyObject* self) {
  delete of(self)->qualified_name;
  delete of(self)->overloads;
  Py_TYPE(self)->tp_free(self);
}

PyObject* repr(PyObject* self) {
  bool method = of(self)->kind == Kind::method;
  std::string name(short_name(self));
  return PyUnicode_FromFormat(
      method ? "<method '%s' of 'torch._C._TensorBase' objects>" : "<built-in method %s of torch>",
      name.c_str());
}

PyObject* bind_to(PyObject* self, PyObject* object, PyObject*) {
  return object ? PyMethod_New(self, object) : Py_NewRef(self);
}

PyObject* name_getter(PyObject* self, void*) {
  return guarded([&] { return text(short_name(self)).release(); });
}

PyObject* qualified_name_getter(PyObject* self, void*) {
  return guarded([&] {
    std::string prefix = of(self)->kind == Kind::method ? "_TensorBase." : "";
    return text(prefix + std::string(short_name(self))).release();
  });
}

/// "aten::add": what the compiler calls.
PyObject* operator_getter(PyObject* self, void*) {
  return guarded([&] { return text(*of(self)->qualified_name).release(); });
}

PyObject* module_getter(PyObject* self, void*) {
  if (of(self)->kind == Kind::method) return PyUnicode_FromString("torch._C");
  // torch is a name of its own only where it was imported so.
  PyObject* modules = PyImport_GetModuleDict();
  return PyUnicode_FromString(PyDict_GetItemString(modules, "torch") ? "torch" : "assay.torch");
}

PyObject* doc_getter(PyObject* self, void*) {
  return guarded([&] {
    std::string doc;
    const Overloads& overloads = overloads_of(of(self));
    for (const Signature& signature : overloads.plain)
      doc += (doc.empty() ? "" : "\n") + signature.op->schema.str();
    return text(doc).release();
  });
}

/// The schemas of its overloads, in the order in which they are tried.
PyObject* schemas_getter(PyObject* self, void*) {
  return guarded([&] {
    Owned list = checked(PyList_New(0));
    const Overloads& overloads = overloads_of(of(self));
    for (const auto* group : {&overloads.plain, &overloads.out})
      for (const Signature& signature : *group)
        checked(PyList_Append(list.get(), text(signature.op->schema.str()).get()));
    return list.release();
  });
}

PyObject* same_object(PyObject* self, PyObject*) { return Py_NewRef(self); }
/// Pickled by name.
PyObject* pickled_name(PyObject* self, PyObject*) { return name_getter(self, nullptr); }

PyGetSetDef attributes[] = {{"__name__", name_getter, nullptr, nullptr, nullptr},
                            {"__qualname__", qualified_name_getter, nullptr, nullptr, nullptr},
                            {"__module__", module_getter, nullptr, nullptr, nullptr},
                            {"__doc__", doc_getter, nullptr, nullptr, nullptr},
                            {"_operator", operator_getter, nullptr, nullptr, nullptr},
                            {"_schemas", schemas_getter, nullptr, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {{"__copy__", same_object, METH_NOARGS, nullptr},
                         {"__deepcopy__", same_object, METH_O, nullptr},
                         {"__reduce__", pickled_name, METH_NOARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};

PyTypeObject make_type(const char* name) {
  PyTypeObject type = blank_type(name, sizeof(OperatorObject));
  type.tp_dealloc = dealloc;
  type.tp_vectorcall_offset = offsetof(OperatorObject, call);
  type.tp_call = PyVectorcall_Call;
  type.tp_repr = repr;
  type.tp_getset = attributes;
  type.tp_methods = methods;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
  return type;
}

PyTypeObject method_type = [] {
  PyTypeObject type = make_type("torch._C.operator_method");
  type.tp_descr_get = bind_to;
  type.tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR;
  return type;
}();

/// operator(name): "add" as torch.add, "aten::add" and "aten::add.Tensor" as torch.ops has them.
PyObject* find(PyObject*, PyObject* name) {
  return guarded([&]() -> PyObject* {
    std::string_view qualified = text_of(name);
    size_t colons = qualified.find("::");
    if (colons == qualified.npos) {
      std::string full = "aten::" + std::string(qualified);
      if (ops::overloads(base::Symbol(full)).empty()) Py_RETURN_NONE;
      return make(full, Kind::function);
    }
    // "aten::relu." is the overload without a name.
    bool overload = qualified.find('.', colons) != qualified.npos;
    if (qualified.ends_with(".")) qualified.remove_suffix(1);
    bool known = overload ? ops::find_operator(qualified) != nullptr
                          : !ops::overloads(base::Symbol(qualified)).empty();
    if (!known) Py_RETURN_NONE;
    return make(qualified, overload ? Kind::overload : Kind::packet);
  });
}

PyObject* return_type(PyObject*, PyObject* name) {
  return guarded([&] { return find_return_type(text_of(name)); });
}

PyMethodDef functions[] = {
    {"return_type", return_type, METH_O, "The class of an operator's named results, or None."},
    {"operator", find, METH_O, "An operator by its qualified name, or None."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject operator_type = make_type("torch._C.operator_function");

PyObject* make_operator(std::string_view name, bool method) {
  return make("aten::" + std::string(name), method ? Kind::method : Kind::function);
}

ops::Results call_operator(const ops::Operator& op, std::span<const core::Value> args) {
  ops::Context& calls = context();
  bool watched =
      std::ranges::any_of(args, [](const core::Value& arg) { return trace::needs_gradients(arg); });
  if (watched && calls.grad_enabled) trace::refuse_writes(op, args);
  bool recorded = watched && trace::records_gradients(op, args, calls);
  ops::Results results = ops::call(calls, op, args);
  if (watched || calls.grad_enabled) trace::carry_gradients(op, args, results, recorded);
  return results;
}

core::Tensor call_operator(std::string_view qualified_name, const core::Values& args) {
  return call_operator(ops::get_operator(qualified_name), args)[0].to_tensor();
}

PyObject* call_or_decline(PyObject* callable, std::span<PyObject* const> arguments) {
  return guarded([&]() -> PyObject* {
    OperatorObject* self = of(callable);
    const Overloads& overloads = overloads_of(self);
    GivenArguments given;
    bool method = self->kind == Kind::method;
    given.self = method ? arguments[0] : nullptr;
    given.values = arguments.data() + (method ? 1 : 0);
    given.positional = arguments.size() - (method ? 1 : 0);
    bool overridden = false;
    PyObject* result = try_call(overloads, given, false, overridden);
    if (result || PyErr_Occurred()) return result;
    result = call_torch_function(callable, arguments.data(), arguments.size(), nullptr);
    if (result || PyErr_Occurred()) return result;
    Py_RETURN_NOTIMPLEMENTED;
  });
}

void add_operators(PyObject* module) {
  add_type(module, &operator_type);
  checked(PyType_Ready(&method_type));
  checked(PyModule_AddFunctions(module, functions));
  Owned all = checked(PyDict_New());
  PyObject* of_tensors = tensor_base_type.tp_dict;
  for (const ReachableName& found : reachable_names()) {
    std::string qualified = "aten::" + std::string(found.name);
    Owned name = text(found.name);
    if (!found.name.starts_with("__")) {
      Owned function = checked(make(qualified, Kind::function));
      checked(PyDict_SetItem(all.get(), name.get(), function.get()));
    }
    if (!found.method || PyDict_Contains(of_tensors, name.get())) continue;
    Owned method = checked(make(qualified, Kind::method));
    checked(PyDict_SetItem(of_tensors, name.get(), method.get()));
  }
  PyType_Modified(&tensor_base_type);
  add(module, "functions", all.release());
}

}  // namespace assay::python
