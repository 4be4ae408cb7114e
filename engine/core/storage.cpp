#include "engine/core/storage.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "engine/base/error.h"

namespace assay::core {
namespace {

std::atomic<size_t> in_use{0};
std::atomic<size_t> limit{0};

std::shared_ptr<void> host_bytes(size_t nbytes) {
  constexpr size_t alignment = 64;
  size_t bound = limit.load(std::memory_order_relaxed);
  size_t held = in_use.fetch_add(nbytes, std::memory_order_relaxed);
  void* data = nullptr;
  bool within = bound == 0 || (held <= bound && nbytes <= bound - held);
  if (within && nbytes <= SIZE_MAX / 2) {
    data = std::aligned_alloc(alignment, (nbytes + alignment - 1) / alignment * alignment);
  }
  if (data == nullptr) {
    in_use.fetch_sub(nbytes, std::memory_order_relaxed);
    base::fail("not enough memory: you tried to allocate ", nbytes, " bytes",
               within ? "" : base::cat(" beyond the limit of ", bound, " bytes"));
  }
  return std::shared_ptr<void>(data, [nbytes](void* p) {
    std::free(p);
    in_use.fetch_sub(nbytes, std::memory_order_relaxed);
  });
}

}  // namespace

base::Ref<Storage> Storage::allocate(size_t nbytes, Device device) {
  if (device.type == DeviceType::meta || nbytes == 0) {
    return base::Ref<Storage>(new Storage(nullptr, nbytes, device, nullptr));
  }
  auto owner = host_bytes(nbytes);
  auto* data = static_cast<std::byte*>(owner.get());
  return base::Ref<Storage>(new Storage(data, nbytes, device, std::move(owner)));
}

base::Ref<Storage> Storage::adopt(void* data, size_t nbytes, Device device,
                                  std::shared_ptr<void> owner) {
  return base::Ref<Storage>(
      new Storage(static_cast<std::byte*>(data), nbytes, device, std::move(owner)));
}

void Storage::resize(size_t nbytes) {
  base::Ref<Storage> fresh = allocate(nbytes, device_);
  if (fresh->data_ && data_) std::memcpy(fresh->data_, data_, std::min(nbytes, nbytes_));
  data_ = fresh->data_;
  nbytes_ = nbytes;
  owner_ = std::move(fresh->owner_);
  mark_written();
}

void set_memory_limit(size_t bytes) { limit.store(bytes, std::memory_order_relaxed); }
size_t memory_in_use() { return in_use.load(std::memory_order_relaxed); }

}  // namespace assay::core
