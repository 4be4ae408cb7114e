#include "engine/python/bind/dlpack.h"

#include <memory>
#include <optional>
#include <vector>

#include "engine/base/error.h"
#include "engine/python/bind/tensor_object.h"

namespace assay::python {
namespace {

// The structures of the standard (dlpack.h, version 0.8), which every library declares for itself.

struct DLDevice {
  int32_t type;
  int32_t id;
};
struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor tensor;
  void* manager;
  void (*deleter)(DLManagedTensor* self);
};

constexpr int32_t cpu = 1;
enum Code : uint8_t {
  signed_int = 0,
  unsigned_int = 1,
  real = 2,
  bfloat = 4,
  complex = 5,
  boolean = 6
};

struct Row {
  core::DType dtype;
  uint8_t code;
  uint8_t bits;
};
constexpr Row rows[] = {
    {core::DType::uint8, unsigned_int, 8},   {core::DType::int8, signed_int, 8},
    {core::DType::int16, signed_int, 16},    {core::DType::int32, signed_int, 32},
    {core::DType::int64, signed_int, 64},    {core::DType::float16, real, 16},
    {core::DType::bfloat16, bfloat, 16},     {core::DType::float32, real, 32},
    {core::DType::float64, real, 64},        {core::DType::complex64, complex, 64},
    {core::DType::complex128, complex, 128}, {core::DType::boolean, boolean, 8},
};

constexpr const char* fresh_name = "dltensor";
constexpr const char* used_name = "used_dltensor";

/// What an exported capsule keeps alive.
struct Exported {
  core::Tensor tensor;
  std::vector<int64_t> shape, strides;
  DLManagedTensor managed = {};
};

void drop_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, fresh_name)) return;  // Somebody took the tensor over.
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, fresh_name));
  managed->deleter(managed);
}

PyObject* to_dlpack(PyObject*, PyObject* object) {
  return guarded([&] {
    if (!is_tensor(object)) raise(PyExc_TypeError, "to_dlpack() takes a tensor");
    const core::Tensor& x = tensor_of(object);
    base::check(x.device().type == core::DeviceType::cpu, "DLPack cannot name the device ",
                x.device().text());
    auto exported = std::make_unique<Exported>();
    exported->tensor = x;
    exported->shape.assign(x.sizes().begin(), x.sizes().end());
    exported->strides.assign(x.strides().begin(), x.strides().end());
    DLTensor& out = exported->managed.tensor;
    x.storage()->expose();
    out.data = x.device_address();
    out.device = {cpu, 0};
    out.ndim = static_cast<int32_t>(x.dim());
    for (const Row& row : rows)
      if (row.dtype == x.dtype()) out.dtype = {row.code, row.bits, 1};
    out.shape = exported->shape.data();
    out.strides = exported->strides.data();
    exported->managed.manager = exported.get();
    exported->managed.deleter = [](DLManagedTensor* self) {
      delete static_cast<Exported*>(self->manager);
    };
    Owned capsule = checked(PyCapsule_New(&exported->managed, fresh_name, drop_capsule));
    (void)exported.release();  // The capsule's from now on.
    return capsule.release();
  });
}

PyObject* from_dlpack(PyObject*, PyObject* capsule) {
  return guarded([&] {
    if (!PyCapsule_IsValid(capsule, fresh_name)) {
      raise(PyExc_RuntimeError,
            "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed "
            "only once, so you might have already constructed a tensor from it once.");
    }
    auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, fresh_name));
    const DLTensor& in = managed->tensor;
    base::check(in.device.type == cpu, "assay takes DLPack tensors of the CPU only");
    std::optional<core::DType> dtype;
    for (const Row& row : rows)
      if (row.code == in.dtype.code && row.bits == in.dtype.bits && in.dtype.lanes == 1)
        dtype = row.dtype;
    if (!dtype) base::unsupported("assay has no element type for this DLPack tensor");
    core::DimSpan sizes(in.shape, static_cast<size_t>(in.ndim));
    core::Dims strides = in.strides ? core::Dims(core::DimSpan(in.strides, sizes.size()))
                                    : core::contiguous_strides(sizes);
    for (int64_t stride : strides) base::check(stride >= 0, "negative strides are not supported");
    auto bytes = static_cast<size_t>(core::extent(sizes, strides).high) * core::size_of(*dtype);
    std::shared_ptr<void> owner(managed, [](void* taken) {
      auto* given = static_cast<DLManagedTensor*>(taken);
      if (given->deleter) given->deleter(given);
    });
    checked(PyCapsule_SetName(capsule, used_name));
    auto storage = core::Storage::adopt(static_cast<std::byte*>(in.data) + in.byte_offset, bytes,
                                        std::move(owner));
    storage->expose();
    return wrap(core::Tensor::view_of(storage, 0, sizes, strides, *dtype));
  });
}

PyMethodDef functions[] = {{"to_dlpack", to_dlpack, METH_O, nullptr},
                           {"from_dlpack", from_dlpack, METH_O, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

void add_dlpack(PyObject* module) { checked(PyModule_AddFunctions(module, functions)); }

}  // namespace assay::python
