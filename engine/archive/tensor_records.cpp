#include "engine/archive/tensor_records.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/core/host_access.h"

namespace assay::archive {
namespace {

/// A compressed storage has to be held in memory; this bounds one.
constexpr uint64_t max_inflated = uint64_t{16} << 30;

/// Bytes that are swapped as one: the parts of a complex number separately.
size_t swap_unit(core::DType dtype) { return core::size_of(core::real_of(dtype)); }

void swap_bytes(std::byte* data, size_t count, size_t unit) {
  for (size_t at = 0; at + unit <= count; at += unit) std::reverse(data + at, data + at + unit);
}

}  // namespace

TensorRecords::TensorRecords(std::shared_ptr<const ZipReader> zip, std::string folder,
                             bool big_endian, MapDevice map_device)
    : zip_(std::move(zip)),
      folder_(std::move(folder)),
      big_endian_(big_endian),
      map_device_(std::move(map_device)) {}

core::Tensor TensorRecords::load(const StorageId& id) {
  auto found = loaded_.find(id.key);
  if (found == loaded_.end()) {
    const ZipRecord* record = zip_->find(folder_ + id.key);
    base::check(record != nullptr, "the archive has no record ", folder_, id.key,
                " for a tensor that it describes");
    found = loaded_.emplace(id.key, Loaded{read(*record, id), id.dtype}).first;
  }
  const Loaded& loaded = found->second;
  if (big_endian_ && swap_unit(loaded.dtype) != swap_unit(id.dtype)) {
    base::unsupported("a big-endian archive views storage ", id.key, " as both ",
                      core::python_name(loaded.dtype), " and ", core::python_name(id.dtype));
  }
  size_t fits = loaded.storage->nbytes() / core::size_of(id.dtype);
  base::check(id.numel >= 0 && static_cast<uint64_t>(id.numel) <= fits, "storage ", folder_, id.key,
              " claims ", id.numel, " elements of ", core::python_name(id.dtype), " but has only ",
              loaded.storage->nbytes(), " bytes");
  return core::Tensor::view_of(loaded.storage, 0, core::Dims{id.numel}, core::Dims{1}, id.dtype);
}

core::StorageRef TensorRecords::read(const ZipRecord& record, const StorageId& id) const {
  auto saved_on = core::parse_device(id.location);
  base::check(saved_on.has_value(),
              "the archive names an unknown device: ", base::python_repr(id.location));
  core::Device device = core::existing_device(map_device_(*saved_on));
  if (device.type == core::DeviceType::meta) return core::Storage::allocate(record.size, device);
  core::StorageRef storage = read_to_host(record, id.dtype);
  return device == storage->device() ? storage : core::copy_to_device(storage, device);
}

core::StorageRef TensorRecords::read_to_host(const ZipRecord& record, core::DType dtype) const {
  auto copied = [&](std::span<const std::byte> bytes) {
    core::StorageRef storage = core::Storage::allocate(bytes.size(), core::Device{});
    core::HostView view(storage, core::Access::write);
    std::copy(bytes.begin(), bytes.end(), view.data());
    if (big_endian_) swap_bytes(view.data(), bytes.size(), swap_unit(dtype));
    return storage;
  };
  if (record.deflated) {
    std::string inflated = zip_->read(record, max_inflated);
    return copied(std::as_bytes(std::span(inflated)));
  }
  std::span<std::byte> bytes = zip_->stored(record);
  bool aligned = reinterpret_cast<uintptr_t>(bytes.data()) % core::size_of(dtype) == 0;
  if (!aligned || big_endian_) return copied(bytes);
  return core::Storage::adopt(bytes.data(), bytes.size(), zip_->file().owner());
}

}  // namespace assay::archive
