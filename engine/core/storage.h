#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/base/ref.h"
#include "engine/core/device_backend.h"
#include "engine/core/late_work.h"
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

  /// Counts the writes: those of operators (the dispatcher and kernels that write arguments call
  /// mark_written), of host views, and one for each pointer that a caller takes.
  uint64_t version() const {
    LateWork::finish_all();
    return version_.load(std::memory_order_relaxed);
  }
  void mark_written() {
    version_.store(version_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  /// Whether somebody has a pointer through which the bytes may change without a new version.
  /// Whoever keeps something derived from the bytes compares the version and asks this.
  bool exposed() const { return open_pointers_.load(std::memory_order_relaxed) != 0; }
  /// Whether nobody outside has lent the bytes or can reach them.
  bool is_own() const { return !owner_ && !exposed(); }
  /// A caller takes a pointer to write, for as long as the storage lives.
  void expose() {
    LateWork::finish_all();
    open_pointers_.fetch_or(kept_pointer, std::memory_order_relaxed);
    mark_written();
  }
  /// What a kernel derived from the bytes (a packed copy) and keeps beside them for the next call;
  /// it goes away with the storage. Null, or owned by the kernels of its device.
  std::shared_ptr<void>& derived() { return derived_; }

 protected:
  friend class HostView;  // A pointer to write that is given back.
  Storage(std::byte* data, size_t nbytes, Device device)
      : data_(data), nbytes_(nbytes), device_(device) {}

  std::byte* data_;

 private:
  static constexpr uint32_t kept_pointer = 1u << 31;

  void count(size_t nbytes);
  void allocate_bytes();
  void release_bytes() noexcept;

  size_t nbytes_;
  Device device_;
  bool owns_data_ = false;  // Else they are the owner's, or part of this object.
  base::Ref<MemoryBudget> budget_;
  std::shared_ptr<void> owner_;
  std::atomic<uint64_t> version_ = 0;
  std::atomic<uint32_t> open_pointers_ = 0;  // Views that are open, and kept_pointer.
  std::shared_ptr<void> derived_;
};

using StorageRef = base::Ref<Storage>;

}  // namespace assay::core
