#include "engine/core/host_access.h"

#include <cstring>

#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/core/late_work.h"

namespace assay::core {
namespace {

bool is_host_accessible(Device device) { return backend_of(device).host_accessible(); }

/// Bytes from `begin` on, on a device, after all that was asked of either device.
StorageRef copied(const StorageRef& storage, size_t begin, size_t nbytes, Device device) {
  base::check(storage->device().type != DeviceType::meta,
              "Cannot copy out of meta tensor; no data!");
  StorageRef copy = Storage::allocate(nbytes, device);
  backend_of(storage->device()).synchronize(storage->device());
  if (nbytes == 0) return copy;
  copy_bytes(copy->data(), {copy->device()}, storage->data() + begin, {storage->device()}, nbytes);
  return copy;
}

}  // namespace

HostView::HostView(StorageRef storage, Access access)
    : storage_(std::move(storage)), access_(access) {
  base::check(is_host_accessible(storage_->device()), "the host has no access to memory of ",
              storage_->device().text(), "; copy the tensor to the CPU");
  LateWork::finish_all();
  if (access_ == Access::write) ++storage_->open_pointers_;
}

HostView::~HostView() {
  if (access_ == Access::read) return;
  storage_->mark_written();
  --storage_->open_pointers_;
}

bool has_bytes(const Tensor& tensor) { return tensor.device().type != DeviceType::meta; }

Tensor to_host(const Tensor& tensor) {
  LateWork::finish_all();
  if (is_host_accessible(tensor.device())) return tensor;
  Extent span = extent(tensor.sizes(), tensor.strides());
  auto item = static_cast<int64_t>(tensor.item_size());
  int64_t first = tensor.offset() + span.low;
  StorageRef copy = copied(tensor.storage(), static_cast<size_t>(first * item),
                           static_cast<size_t>((span.high - span.low) * item), Device{});
  Tensor seen =
      Tensor::view_of(std::move(copy), -span.low, tensor.sizes(), tensor.strides(), tensor.dtype());
  seen.impl()->requires_grad = tensor.requires_grad();
  seen.impl()->wrapped_number = tensor.is_wrapped_number();
  return seen;
}

StorageRef to_host(const StorageRef& storage) {
  LateWork::finish_all();
  if (is_host_accessible(storage->device())) return storage;
  return copied(storage, 0, storage->nbytes(), Device{});
}

StorageRef copy_to_device(const StorageRef& storage, Device device) {
  if (device.type == DeviceType::meta) return Storage::allocate(storage->nbytes(), device);
  return copied(storage, 0, storage->nbytes(), device);
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  Extent span = extent(a.sizes(), a.strides());
  if (span.high == span.low) return true;
  Tensor x = to_host(a), y = to_host(b);
  size_t item = x.item_size();
  auto first = [&](const Tensor& t) {
    return t.device_address() + span.low * static_cast<int64_t>(item);
  };
  return std::memcmp(first(x), first(y), static_cast<size_t>(span.high - span.low) * item) == 0;
}

void copy_back(const Tensor& tensor, const Tensor& on_host) {
  if (on_host.same(tensor)) return;
  int64_t low = extent(tensor.sizes(), tensor.strides()).low;
  auto begin = static_cast<size_t>(tensor.offset() + low) * tensor.item_size();
  const StorageRef& from = on_host.storage();
  if (from->nbytes() == 0) return;
  copy_bytes(tensor.storage()->data() + begin, {tensor.device()}, from->data(), {from->device()},
             from->nbytes());
  tensor.storage()->mark_written();
}

void fill_bytes(const StorageRef& storage, size_t begin, size_t end, std::byte value) {
  if (begin >= end || storage->device().type == DeviceType::meta) return;
  LateWork::finish_all();
  backend_of(storage->device())
      .fill(storage->data() + begin, value, end - begin, {storage->device()});
  storage->mark_written();
}

}  // namespace assay::core
