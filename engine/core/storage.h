#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/base/ref.h"
#include "engine/core/device_backend.h"
#include "engine/core/memory_budget.h"

namespace assay::core {

/// Bytes on a device, shared by the tensors that view them. A meta storage has a size and no bytes.
class Storage : public base::RefCounted {
 public:
  /// Fresh, uninitialised bytes, aligned to 64, counted by the thread's current MemoryBudget. Input
  /// error if the device is not there or has no room.
  static base::Ref<Storage> allocate(size_t nbytes, Device device);
  /// Host bytes that `owner` keeps alive (a mapped file, a caller's buffer). Read-only sources must
  /// be mapped copy-on-write, since programs may write to any tensor.
  static base::Ref<Storage> adopt(void* data, size_t nbytes, std::shared_ptr<void> owner);
  ~Storage() override;

  /// Where the bytes are, as the device sees it: only kernels of the device may follow the pointer.
  /// Other code goes through core/host_access.h. Null where there are no bytes.
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

 protected:
  Storage(std::byte* data, size_t nbytes, Device device)
      : data_(data), nbytes_(nbytes), device_(device) {}

  std::byte* data_;

 private:
  void count(size_t nbytes);
  void allocate_bytes();
  void release_bytes() noexcept;

  size_t nbytes_;
  Device device_;
  bool owns_data_ = false;  // Else they are the owner's, or part of this object.
  base::Ref<MemoryBudget> budget_;
  std::shared_ptr<void> owner_;
  uint64_t version_ = 0;
  std::shared_ptr<void> derived_;
};

using StorageRef = base::Ref<Storage>;

}  // namespace assay::core
