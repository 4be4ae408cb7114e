#pragma once

#include <optional>

#include "engine/core/device.h"
#include "engine/core/dtype.h"
#include "engine/python/bind/python.h"

namespace assay::python {

// torch.dtype, torch.layout, torch.memory_format: numbers with names, one object each. A value of a
// program holds the number.

enum class TagKind : uint8_t { dtype, layout, memory_format };

struct TagObject {
  PyObject_HEAD int64_t number;
  const char* name;  ///< "float32"; printed with "torch." before it.
};

extern PyTypeObject dtype_type, layout_type, memory_format_type;

inline bool is_dtype(PyObject* object) { return Py_TYPE(object) == &dtype_type; }
/// The one object of a number; an unsupported error if there is none.
PyObject* tag_of(TagKind kind, int64_t number);
/// The element type of a dtype object; an unsupported error for types that assay has not.
core::DType dtype_of_object(PyObject* object);

struct DeviceObject {
  PyObject_HEAD core::Device device;
};
extern PyTypeObject device_object_type;

inline bool is_device(PyObject* object) { return Py_TYPE(object) == &device_object_type; }
/// A new torch.device.
PyObject* wrap_device(core::Device device);
/// From a torch.device, a text or the index of a CUDA device; nothing for other objects. An input
/// error for a text that names none.
std::optional<core::Device> device_from(PyObject* object);

void add_tags(PyObject* module);

}  // namespace assay::python
