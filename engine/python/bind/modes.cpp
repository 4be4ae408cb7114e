#include "engine/python/bind/modes.h"

#include <omp.h>

#include <memory>
#include <vector>

#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/ops/autocast.h"
#include "engine/python/bind/context.h"
#include "engine/python/bind/tags.h"
#include "engine/python/bind/tensor_object.h"
#include "engine/trace/gradients.h"

namespace assay::python {
namespace {

PyObject* is_grad_enabled(PyObject*, PyObject*) { return PyBool_FromLong(context().grad_enabled); }

PyObject* set_grad_enabled(PyObject*, PyObject* on) {
  return guarded([&]() -> PyObject* {
    context().grad_enabled = checked(PyObject_IsTrue(on)) == 1;
    Py_RETURN_NONE;
  });
}

/// mark_computed(tensor): what a function of the user's gave asks for gradients, and is no leaf.
PyObject* mark_computed(PyObject*, PyObject* tensor) {
  return guarded([&]() -> PyObject* {
    if (is_tensor(tensor)) trace::mark_computed(tensor_of(tensor));
    Py_RETURN_NONE;
  });
}

PyObject* get_default_dtype(PyObject*, PyObject*) {
  return guarded([] {
    auto number = static_cast<int64_t>(context().default_dtype);
    return Py_NewRef(tag_of(TagKind::dtype, number));
  });
}

PyObject* set_default_dtype(PyObject*, PyObject* dtype) {
  return guarded([&]() -> PyObject* {
    if (!is_dtype(dtype)) {
      raise(PyExc_TypeError,
            "invalid dtype object: only floating-point types are supported as the "
            "default type");
    }
    core::DType wanted = dtype_of_object(dtype);
    if (!core::is_floating(wanted))
      raise(PyExc_TypeError, "only floating-point types are supported as the default type");
    context().default_dtype = wanted;
    Py_RETURN_NONE;
  });
}

/// Regions that are open, innermost last.
std::vector<std::unique_ptr<ops::AutocastRegion>>& regions() {
  static std::vector<std::unique_ptr<ops::AutocastRegion>> open;
  return open;
}

/// enter_autocast(device type, enabled, dtype, cache)
PyObject* enter_autocast(PyObject*, PyObject* args) {
  return guarded([&]() -> PyObject* {
    const char* type = nullptr;
    int enabled = 1, cache = 1;
    PyObject* dtype = nullptr;
    if (!PyArg_ParseTuple(args, "spO!p", &type, &enabled, &dtype_type, &dtype, &cache))
      throw Raised();
    auto device = core::parse_device(type);
    bool known =
        device && (device->type == core::DeviceType::cpu || device->type == core::DeviceType::cuda);
    base::check(known, "User specified autocast device_type must be 'cuda' or 'cpu'");
    regions().push_back(std::make_unique<ops::AutocastRegion>(
        context(), device->type, ops::AutocastMode{enabled != 0, dtype_of_object(dtype)},
        ops::AutocastRegion::Rules::eager, cache != 0));
    Py_RETURN_NONE;
  });
}

PyObject* leave_autocast(PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    base::check(!regions().empty(), "no autocast region is open");
    regions().pop_back();
    Py_RETURN_NONE;
  });
}

/// autocast_mode(device type): whether it is on, and the lower type.
PyObject* autocast_mode(PyObject*, PyObject* type) {
  return guarded([&]() -> PyObject* {
    auto device = core::parse_device(text_of(type));
    base::check(device.has_value(), "no such device");
    ops::AutocastMode mode{false, device->type == core::DeviceType::cuda ? core::DType::float16
                                                                         : core::DType::bfloat16};
    if (context().autocast) mode = context().autocast->mode(device->type);
    return Py_BuildValue("(OO)", mode.enabled ? Py_True : Py_False,
                         tag_of(TagKind::dtype, static_cast<int64_t>(mode.dtype)));
  });
}

PyObject* get_num_threads(PyObject*, PyObject*) { return PyLong_FromLong(omp_get_max_threads()); }

PyObject* set_num_threads(PyObject*, PyObject* count) {
  return guarded([&]() -> PyObject* {
    long wanted = PyLong_AsLong(count);
    if (wanted == -1 && PyErr_Occurred()) throw Raised();
    base::check(wanted > 0, "set_num_threads expects a positive integer");
    omp_set_num_threads(static_cast<int>(wanted));
    Py_RETURN_NONE;
  });
}

PyObject* cuda_devices(PyObject*, PyObject*) {
  return guarded([] {
    auto* backend = core::find_backend(core::DeviceType::cuda);
    bool there = backend && (context().fake_cuda || !backend->host_kernels());
    return PyLong_FromLong(there ? backend->count() : 0);
  });
}

PyMethodDef functions[] = {
    {"is_grad_enabled", is_grad_enabled, METH_NOARGS, nullptr},
    {"set_grad_enabled", set_grad_enabled, METH_O, nullptr},
    {"mark_computed", mark_computed, METH_O, nullptr},
    {"get_default_dtype", get_default_dtype, METH_NOARGS, nullptr},
    {"set_default_dtype", set_default_dtype, METH_O, nullptr},
    {"enter_autocast", enter_autocast, METH_VARARGS, "(device type, enabled, dtype, cache)"},
    {"leave_autocast", leave_autocast, METH_NOARGS, nullptr},
    {"autocast_mode", autocast_mode, METH_O, "(enabled, dtype) for a type of device."},
    {"get_num_threads", get_num_threads, METH_NOARGS, nullptr},
    {"set_num_threads", set_num_threads, METH_O, nullptr},
    {"cuda_devices", cuda_devices, METH_NOARGS, "How many there are: fakes, if asked for."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void add_modes(PyObject* module) { checked(PyModule_AddFunctions(module, functions)); }

}  // namespace assay::python
