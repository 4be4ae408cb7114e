// What operators give back to Python.
#include <algorithm>
#include <deque>
#include <map>

#include "engine/python/bind/convert.h"
#include "engine/python/bind/operator.h"
#include "engine/python/bind/tags.h"
#include "engine/python/bind/tensor_object.h"

namespace assay::python {
namespace {

/// Lists of tensors and of numbers are tuples, as PyTorch gives them.
PyObject* wrap_list(const core::ListObject& list) {
  Owned made = checked(PyTuple_New(static_cast<Py_ssize_t>(list.items.size())));
  for (size_t i = 0; i < list.items.size(); ++i)
    PyTuple_SET_ITEM(made.get(), static_cast<Py_ssize_t>(i), from_value(list.items[i]));
  return made.release();
}

PyObject* wrap_result(const ops::Argument& declared, const core::Value& value) {
  if (value.is_tensor()) return wrap(value.to_tensor());
  if (value.is_list()) return wrap_list(value.list());
  if (declared.int_kind == "ScalarType") return Py_NewRef(tag_of(TagKind::dtype, value.to_int()));
  return from_value(value);
}

/// As PyTorch prints it: each field on a line.
PyObject* repr_of_results(PyObject* self) {
  return guarded([&] {
    Owned fields = checked(
        PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(self)), "__match_args__"));
    std::string out = std::string(Py_TYPE(self)->tp_name) + "(\n";
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) {
      Owned item = checked(PyObject_Repr(PyTuple_GET_ITEM(self, i)));
      out += text_of(PyTuple_GET_ITEM(fields.get(), i));
      out += "=";
      out += text_of(item.get());
      if (i + 1 < PyTuple_GET_SIZE(self)) out += ",\n";
    }
    return text(out + ")").release();
  });
}

/// Whether an operator gives several results, each with a name.
bool names_its_results(const ops::Operator& op) {
  const auto& returns = op.schema.returns;
  return returns.size() > 1 &&
         std::none_of(returns.begin(), returns.end(),
                      [](const ops::Argument& result) { return result.name.empty(); });
}

/// torch.return_types.NAME: a tuple whose members have names.
PyTypeObject* type_of_results(const ops::Operator& op) {
  static std::map<std::string, PyTypeObject*> known;
  static std::deque<std::string> names;  // The types refer to them.
  std::string name(op.functional->symbol.name());
  PyTypeObject*& type = known[name];
  if (type) return type;
  std::vector<PyStructSequence_Field> fields;
  for (const ops::Argument& result : op.functional->schema.returns)
    fields.push_back({names.emplace_back(result.name).c_str(), nullptr});
  fields.push_back({nullptr, nullptr});
  PyStructSequence_Desc description{names.emplace_back("torch.return_types." + name).c_str(),
                                    nullptr, fields.data(), static_cast<int>(fields.size()) - 1};
  type = PyStructSequence_NewType(&description);
  if (!type) throw Raised();
  type->tp_repr = repr_of_results;
  return type;
}

}  // namespace

PyObject* find_return_type(std::string_view name) {
  for (const ops::Operator* op : ops::overloads(base::Symbol("aten::" + std::string(name)))) {
    if (op->functional == op && names_its_results(*op))
      return Py_NewRef(reinterpret_cast<PyObject*>(type_of_results(*op)));
  }
  Py_RETURN_NONE;
}

PyObject* wrap_results(const ops::Operator& op, const ops::Results& results) {
  const auto& declared = op.schema.returns;
  if (results.size() == 0) Py_RETURN_NONE;
  if (results.size() == 1) return wrap_result(declared[0], results[0]);
  if (!names_its_results(*op.functional)) {
    Owned made = checked(PyTuple_New(static_cast<Py_ssize_t>(results.size())));
    for (size_t i = 0; i < results.size(); ++i)
      PyTuple_SET_ITEM(made.get(), static_cast<Py_ssize_t>(i),
                       wrap_result(declared[i], results[i]));
    return made.release();
  }
  Owned made = checked(PyStructSequence_New(type_of_results(op)));
  for (size_t i = 0; i < results.size(); ++i)
    PyStructSequence_SET_ITEM(made.get(), static_cast<Py_ssize_t>(i),
                              wrap_result(declared[i], results[i]));
  return made.release();
}

}  // namespace assay::python
