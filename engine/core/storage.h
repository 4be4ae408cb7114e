#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/base/ref.h"
#include "engine/core/device.h"

namespace assay::core {

/// Bytes on a device, shared by the tensors that view them. A meta storage has a size and no bytes.
class Storage : public base::RefCounted {
 public:
  /// Fresh, uninitialised bytes, aligned to 64. `cpu`, `fake` and fake `cuda` use host memory.
  static base::Ref<Storage> allocate(size_t nbytes, Device device);
  /// Bytes that `owner` keeps alive (a mapped file, a caller's buffer). Read-only sources must be
  /// mapped copy-on-write, since programs may write to any tensor.
  static base::Ref<Storage> adopt(void* data, size_t nbytes, Device device,
                                  std::shared_ptr<void> owner);
  ~Storage() override = default;

  std::byte* data() const { return data_; }
  size_t nbytes() const { return nbytes_; }
  Device device() const { return device_; }
  /// Grows or shrinks, keeping the common bytes; new bytes are uninitialised.
  void resize(size_t nbytes);

  /// Counts the writes that operators made (the dispatcher and kernels that write arguments call
  /// mark_written); whoever keeps something derived from the bytes compares it.
  uint64_t version() const { return version_; }
  void mark_written() { ++version_; }
  /// What a kernel derived from the bytes (a packed copy) and keeps beside them for the next call;
  /// it goes away with the storage. Null, or owned by engine/kernels/cpu.
  std::shared_ptr<void>& derived() { return derived_; }

 private:
  Storage(std::byte* data, size_t nbytes, Device device, std::shared_ptr<void> owner)
      : data_(data), nbytes_(nbytes), device_(device), owner_(std::move(owner)) {}

  std::byte* data_;
  size_t nbytes_;
  Device device_;
  std::shared_ptr<void> owner_;
  uint64_t version_ = 0;
  std::shared_ptr<void> derived_;
};

using StorageRef = base::Ref<Storage>;

/// A bound, in bytes, on what `Storage::allocate` may hold in this process at any one time; an
/// allocation past it is an input error, not a crash. 0 means no bound. For untrusted programs.
void set_memory_limit(size_t bytes);
/// Bytes held now by storages that `Storage::allocate` made.
size_t memory_in_use();

}  // namespace assay::core
