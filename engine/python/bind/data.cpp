#include "engine/python/bind/data.h"

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/core/elements.h"
#include "engine/ops/constraint.h"
#include "engine/ops/dispatch.h"
#include "engine/python/bind/buffer.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/convert.h"
#include "engine/python/bind/tags.h"
#include "engine/python/bind/tensor_object.h"

namespace assay::python {
namespace {

bool is_sequence(PyObject* object) {
  return PyList_Check(object) || PyTuple_Check(object) ||
         (PySequence_Check(object) && !PyUnicode_Check(object) && !PyBytes_Check(object));
}

/// Elements of nested data, with the sizes that its first items tell.
class Nested {
 public:
  explicit Nested(PyObject* data) {
    find_sizes(data);
    fill(data, 0);
  }

  core::Tensor tensor(std::optional<core::DType> dtype) const {
    core::DType type = dtype.value_or(found_ ? *found_ : context().default_dtype);
    if (core::is_integral(type, false)) check_range(type);
    return core::tensor_from(items_, sizes_, type);
  }

 private:
  /// Floating types take what is too large for them as infinity.
  void check_range(core::DType integers) const {
    for (const core::Scalar& item : items_) {
      if (ops::fits(item, integers)) continue;
      raise(PyExc_RuntimeError, "value cannot be converted to type " +
                                    std::string(core::python_name(integers)) + " without overflow");
    }
  }

  void find_sizes(PyObject* data) {
    Owned here = Owned::share(data);
    while (true) {
      if (is_tensor(here.get())) {
        for (int64_t size : tensor_of(here.get()).sizes()) sizes_.push_back(size);
        return;
      }
      if (number_from(here.get()) || !is_sequence(here.get())) return;
      base::check(sizes_.size() < 64, "too many dimensions '", class_name(data), "'");
      Py_ssize_t count = PySequence_Size(here.get());
      if (count < 0) throw Raised();
      sizes_.push_back(count);
      if (count == 0) return;
      here = checked(PySequence_GetItem(here.get(), 0));
    }
  }

  void fill(PyObject* data, size_t depth) {
    if (is_tensor(data)) return add_tensor(data, depth);
    if (depth == sizes_.size()) return add_number(data);
    if (number_from(data) || !is_sequence(data)) {
      raise(PyExc_TypeError,
            "not a sequence at dimension " + std::to_string(depth) + ": " + class_name(data));
    }
    Owned items = checked(PySequence_Fast(data, "not a sequence"));
    Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
    if (count != sizes_[depth]) {
      raise(PyExc_ValueError, "expected sequence of length " + std::to_string(sizes_[depth]) +
                                  " at dim " + std::to_string(depth) + " (got " +
                                  std::to_string(count) + ")");
    }
    for (Py_ssize_t i = 0; i < count; ++i)
      fill(PySequence_Fast_GET_ITEM(items.get(), i), depth + 1);
  }

  void add_tensor(PyObject* object, size_t depth) {
    const core::Tensor& x = tensor_of(object);
    if (x.dim() == 0 && depth < sizes_.size()) raise(PyExc_TypeError, "len() of a 0-d tensor");
    if (x.dim() != 0 && x.numel() != 1 && depth == sizes_.size())
      raise(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
    for (const core::Scalar& item : core::elements(x)) items_.push_back(item);
    widen(x.dtype());
  }

  void add_number(PyObject* object) {
    auto number = number_from(object);
    if (!number) {
      if (is_sequence(object))
        raise(PyExc_TypeError,
              "'" + class_name(object) + "' object cannot be interpreted as a number");
      raise(PyUnicode_Check(object) ? PyExc_TypeError : PyExc_RuntimeError,
            PyUnicode_Check(object) ? "new(): invalid data type 'str'"
                                    : "Could not infer dtype of " + class_name(object));
    }
    core::Scalar scalar = number->to_scalar();
    items_.push_back(scalar);
    // numpy's numbers have types of their own.
    bool own = is_numpy_number(object);
    widen(own ? dtype_of_numpy(object) : scalar.natural_dtype(context().default_dtype));
  }

  void widen(core::DType dtype) { found_ = found_ ? core::promote(*found_, dtype) : dtype; }

  core::Dims sizes_;
  std::vector<core::Scalar> items_;
  std::optional<core::DType> found_;
};

/// tensor_from_data(data, dtype, device): the tensor as a new object.
PyObject* from_data(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *data = nullptr, *type = Py_None, *where = Py_None;
    if (!PyArg_ParseTuple(args, "O|OO", &data, &type, &where)) throw Raised();
    std::optional<core::DType> dtype;
    if (type != Py_None) {
      if (!is_dtype(type))
        raise(PyExc_TypeError,
              "tensor(): argument 'dtype' must be torch.dtype, not " + class_name(type));
      dtype = dtype_of_object(type);
    }
    core::Tensor made = tensor_from_data(data, dtype);
    if (where != Py_None) {
      auto device = device_from(where);
      if (!device)
        raise(PyExc_TypeError,
              "tensor(): argument 'device' must be torch.device, not " + class_name(where));
      if (device->type != core::DeviceType::cpu) {
        made = ops::relocate(context(), made, *device, made.dtype());
      }
    }
    return wrap(made);
  });
}

PyMethodDef functions[] = {{"tensor_from_data", from_data, METH_VARARGS,
                            "A tensor of nested data: (data, dtype=None, device=None)."},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

core::Tensor tensor_from_data(PyObject* data, std::optional<core::DType> dtype) {
  if (has_buffer(data) && !PyBytes_Check(data)) {
    core::Tensor shared = tensor_on_buffer(data);
    auto wanted = static_cast<int64_t>(dtype.value_or(shared.dtype()));
    return ops::call(context(), "aten::to.dtype", {shared, wanted, false, true, {}}).to_tensor();
  }
  return Nested(data).tensor(dtype);
}

void add_data(PyObject* module) { checked(PyModule_AddFunctions(module, functions)); }

}  // namespace assay::python
