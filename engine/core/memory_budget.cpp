#include "engine/core/memory_budget.h"

#include "engine/base/error.h"

namespace assay::core {
namespace {

constinit thread_local MemoryBudget* current_budget = nullptr;

}  // namespace

MemoryBudget::MemoryBudget(size_t limit) : limit_(limit), outer_(current_budget) {}

size_t MemoryBudget::slot_of(Device device) {
  if (device.type == DeviceType::cpu) return 0;
  size_t first = device.type == DeviceType::cuda ? 1 : 1 + static_cast<size_t>(max_devices);
  return first + static_cast<size_t>(device.index);
}

size_t MemoryBudget::held(Device device) const {
  return held_[slot_of(device)].load(std::memory_order_relaxed);
}

void MemoryBudget::take(Device device, size_t nbytes) {
  if (outer_) outer_->take(device, nbytes);
  std::atomic<size_t>& held = held_[slot_of(device)];
  size_t before = held.fetch_add(nbytes, std::memory_order_relaxed);
  if (limit_ == 0 || (before <= limit_ && nbytes <= limit_ - before)) return;
  give_back(device, nbytes);
  base::fail_for_want_of(base::Resource::memory, "not enough memory: you tried to allocate ",
                         nbytes, " bytes on ", device.text(), " beyond the limit of ", limit_,
                         " bytes");
}

void MemoryBudget::give_back(Device device, size_t nbytes) noexcept {
  held_[slot_of(device)].fetch_sub(nbytes, std::memory_order_relaxed);
  if (outer_) outer_->give_back(device, nbytes);
}

MemoryBudget* MemoryBudget::current() { return current_budget; }

MemoryScope::MemoryScope(base::Ref<MemoryBudget> budget)
    : budget_(std::move(budget)), before_(current_budget) {
  current_budget = budget_.get();
}

MemoryScope::~MemoryScope() { current_budget = before_; }

}  // namespace assay::core
