#pragma once

#include <cstddef>

#include "engine/core/tensor.h"

namespace assay::core {

enum class Access { read, write };

/// Host code's way to the bytes of a storage while the view lives. Only devices that let the host
/// read and write their memory have one (the CPU); for the others making it is an input error, and
/// `to_host` copies. While a view for writing lives, nothing derived from the storage's bytes is
/// trusted, and its end counts as a write.
class HostView {
 public:
  HostView(StorageRef storage, Access access);
  ~HostView();
  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;

  /// Null if the storage has no bytes.
  std::byte* data() const { return storage_->data(); }
  size_t nbytes() const { return storage_->nbytes(); }

 private:
  StorageRef storage_;
  Access access_;
};

/// Whether there are bytes to look at, on whatever device: not on meta.
bool has_bytes(const Tensor& tensor);

/// The tensor itself if the host may read its bytes; else a copy on the CPU with the same strides,
/// after all work of the device. Input error for meta tensors.
Tensor to_host(const Tensor& tensor);
/// The same of all bytes of a storage.
StorageRef to_host(const StorageRef& storage);
/// A copy of a storage on a device, whatever device it is on. On meta it has the size alone.
StorageRef copy_to_device(const StorageRef& storage, Device device);

/// Whether two tensors of the same dtype, sizes and strides hold the same bytes, holes included.
bool same_bytes(const Tensor& a, const Tensor& b);

/// Copies back what the host changed in the tensor's `to_host` form; nothing where that is the
/// tensor itself.
void copy_back(const Tensor& tensor, const Tensor& on_host);
/// Sets the bytes from `begin` to before `end` on whatever device; nothing on meta.
void fill_bytes(const StorageRef& storage, size_t begin, size_t end, std::byte value);

}  // namespace assay::core
