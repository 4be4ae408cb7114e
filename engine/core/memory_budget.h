#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "engine/base/ref.h"
#include "engine/core/device.h"

namespace assay::core {

/// Counts the bytes that a run holds on each device, and bounds them. Storages that are allocated
/// while a budget is the thread's current one (MemoryScope) count until they are freed, wherever
/// that is. What a budget counts, the one that was current when it was made counts, too: a run's
/// bound never lifts that of the program around it.
class MemoryBudget final : public base::RefCounted {
 public:
  /// At most `limit` bytes on any one device at any one time; 0 means no bound.
  explicit MemoryBudget(size_t limit);

  /// Bytes held now on a device.
  size_t held(Device device) const;

  /// Counts bytes of an allocation. Input error, with nothing counted, where they exceed the bound.
  void take(Device device, size_t nbytes);
  /// Counts them no more.
  void give_back(Device device, size_t nbytes) noexcept;

  /// The thread's current budget; null outside of every MemoryScope.
  static MemoryBudget* current();

 private:
  friend class MemoryScope;
  static constexpr size_t slots = 1 + 2 * static_cast<size_t>(max_devices);
  static size_t slot_of(Device device);

  size_t limit_;
  base::Ref<MemoryBudget> outer_;
  std::array<std::atomic<size_t>, slots> held_{};
};

/// Makes a budget the thread's current one while the scope lives.
class MemoryScope {
 public:
  explicit MemoryScope(base::Ref<MemoryBudget> budget);
  ~MemoryScope();
  MemoryScope(const MemoryScope&) = delete;
  MemoryScope& operator=(const MemoryScope&) = delete;

 private:
  base::Ref<MemoryBudget> budget_;
  MemoryBudget* before_;
};

}  // namespace assay::core
