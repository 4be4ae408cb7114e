#include "engine/python/bind/buffer.h"

#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/python/bind/tensor_object.h"

namespace assay::python {
namespace {

struct Format {
  core::DType dtype;
  const char* text;  ///< As the struct module and numpy write it.
};
/// The first format of a type is how its tensors are shown to others.
constexpr Format formats[] = {
    {core::DType::boolean, "?"}, {core::DType::uint8, "B"},      {core::DType::int8, "b"},
    {core::DType::int16, "h"},   {core::DType::int32, "i"},      {core::DType::int64, "l"},
    {core::DType::int64, "q"},   {core::DType::float16, "e"},    {core::DType::float32, "f"},
    {core::DType::float64, "d"}, {core::DType::complex64, "Zf"}, {core::DType::complex128, "Zd"},
};

std::optional<core::DType> dtype_of_format(const char* format) {
  if (!format) return core::DType::uint8;
  std::string_view text = format;
  if (text.starts_with("<") || text.starts_with("=") || text.starts_with("@"))
    text.remove_prefix(1);
  for (const Format& known : formats)
    if (text == known.text) return known.dtype;
  return std::nullopt;
}

/// A lent buffer, given back when the tensor's storage ends, on whatever thread that is.
struct Lent {
  Py_buffer view = {};
  bool held = false;
  ~Lent() {
    if (!held || !Py_IsInitialized()) return;
    PyGILState_STATE state = PyGILState_Ensure();
    PyBuffer_Release(&view);
    PyGILState_Release(state);
  }
};

/// What a tensor lends: an object with a buffer, which numpy.asarray takes.
struct ArrayObject {
  PyObject_HEAD PyObject* tensor;
  std::vector<Py_ssize_t>* shape_and_strides;
};

const char* format_of(core::DType dtype) {
  for (const Format& known : formats)
    if (known.dtype == dtype) return known.text;
  raise(PyExc_TypeError, "Got unsupported ScalarType " + std::string(core::script_name(dtype)));
}

int get_buffer(PyObject* self, Py_buffer* view, int) {
  return guarded(
      [&] {
        auto* array = reinterpret_cast<ArrayObject*>(self);
        const core::Tensor& x = tensor_of(array->tensor);
        auto rank = static_cast<size_t>(x.dim());
        static std::byte nothing;
        view->obj = Py_NewRef(self);
        view->buf = x.numel() == 0 ? &nothing : x.device_address();
        view->len = x.numel() * static_cast<Py_ssize_t>(x.item_size());
        view->readonly = 0;
        view->itemsize = static_cast<Py_ssize_t>(x.item_size());
        view->format = const_cast<char*>(format_of(x.dtype()));
        view->ndim = static_cast<int>(rank);
        view->shape = array->shape_and_strides->data();
        view->strides = array->shape_and_strides->data() + rank;
        view->suboffsets = nullptr;
        view->internal = nullptr;
        return 0;
      },
      -1);
}

PyBufferProcs buffer_methods = {get_buffer, nullptr};

void dealloc(PyObject* self) {
  auto* array = reinterpret_cast<ArrayObject*>(self);
  Py_XDECREF(array->tensor);
  delete array->shape_and_strides;
  Py_TYPE(self)->tp_free(self);
}

PyTypeObject array_type = [] {
  PyTypeObject type = blank_type("assay._engine.Array", sizeof(ArrayObject));
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_dealloc = dealloc;
  type.tp_as_buffer = &buffer_methods;
  return type;
}();

/// array_of(tensor): an object that lends the tensor's bytes.
PyObject* array_of(PyObject*, PyObject* tensor) {
  return guarded([&] {
    if (!is_tensor(tensor)) raise(PyExc_TypeError, "array_of() takes a tensor");
    const core::Tensor& x = tensor_of(tensor);
    if (x.device().type != core::DeviceType::cpu) {
      raise(PyExc_TypeError, "can't convert " + x.device().text() +
                                 " device type tensor to numpy. Use Tensor.cpu() to copy the "
                                 "tensor to host memory first.");
    }
    format_of(x.dtype());
    Owned made = checked(array_type.tp_alloc(&array_type, 0));
    auto* array = reinterpret_cast<ArrayObject*>(made.get());
    array->tensor = Py_NewRef(tensor);
    array->shape_and_strides = new std::vector<Py_ssize_t>(x.sizes().begin(), x.sizes().end());
    for (int64_t stride : x.strides())
      array->shape_and_strides->push_back(stride * static_cast<int64_t>(x.item_size()));
    x.storage()->expose();
    return made.release();
  });
}

PyObject* from_array(PyObject*, PyObject* array) {
  return guarded([&] { return wrap(tensor_on_buffer(array)); });
}

PyMethodDef functions[] = {
    {"array_of", array_of, METH_O, "What lends a tensor's bytes by the buffer protocol."},
    {"from_array", from_array, METH_O, "A tensor on the bytes that an array lends."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool has_buffer(PyObject* object) {
  return PyObject_CheckBuffer(object) && !is_numpy_number(object);
}

core::Tensor tensor_on_buffer(PyObject* object) {
  auto lent = std::make_shared<Lent>();
  bool writable = PyObject_GetBuffer(object, &lent->view, PyBUF_FULL) == 0;
  if (!writable) {
    PyErr_Clear();
    checked(PyObject_GetBuffer(object, &lent->view, PyBUF_FULL_RO));
  }
  lent->held = true;
  const Py_buffer& view = lent->view;
  auto dtype = dtype_of_format(view.format);
  if (!dtype || static_cast<Py_ssize_t>(core::size_of(*dtype)) != view.itemsize) {
    raise(PyExc_TypeError,
          "can't convert an array of type '" + std::string(view.format) +
              "'. The only supported types are: float64, float32, float16, "
              "complex64, complex128, int64, int32, int16, int8, uint8, and bool.");
  }
  core::Dims sizes, strides;
  for (int i = 0; i < view.ndim; ++i) {
    if (view.strides[i] < 0) {
      raise(PyExc_ValueError,
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().)");
    }
    if (view.strides[i] % view.itemsize != 0) {
      raise(PyExc_ValueError,
            "given numpy array strides not a multiple of the element byte size. Copy the numpy "
            "array to reallocate the memory.");
    }
    sizes.push_back(view.shape[i]);
    strides.push_back(view.strides[i] / view.itemsize);
  }
  core::Extent reach = core::extent(sizes, strides);
  auto storage =
      core::Storage::adopt(view.buf, static_cast<size_t>(reach.high * view.itemsize), lent);
  storage->expose();
  return core::Tensor::view_of(storage, 0, sizes, strides, *dtype);
}

core::DType dtype_of_numpy(PyObject* scalar) {
  Py_buffer view;
  checked(PyObject_GetBuffer(scalar, &view, PyBUF_FULL_RO));
  auto dtype = dtype_of_format(view.format);
  PyBuffer_Release(&view);
  if (!dtype) raise(PyExc_TypeError, "can't convert a " + class_name(scalar));
  return *dtype;
}

void add_buffer(PyObject* module) {
  checked(PyType_Ready(&array_type));
  checked(PyModule_AddFunctions(module, functions));
}

}  // namespace assay::python
