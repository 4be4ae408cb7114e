#include "engine/core/storage.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "engine/base/error.h"

namespace assay::core {
namespace {

std::atomic<size_t> in_use{0};
std::atomic<size_t> limit{0};

constexpr size_t alignment = 64;

/// Counts bytes while it lives.
class Held {
 public:
  explicit Held(size_t nbytes) : nbytes_(nbytes) {
    size_t bound = limit.load(std::memory_order_relaxed);
    size_t held = in_use.fetch_add(nbytes, std::memory_order_relaxed);
    if (bound == 0 || (held <= bound && nbytes <= bound - held)) return;
    in_use.fetch_sub(nbytes, std::memory_order_relaxed);
    base::fail("not enough memory: you tried to allocate ", nbytes, " bytes beyond the limit of ",
               bound, " bytes");
  }
  ~Held() { in_use.fetch_sub(nbytes_, std::memory_order_relaxed); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  size_t nbytes_;
};

// Most tensors of programs that compute with numbers are tiny: one ordinary allocation serves them
// far faster than one aligned by the library and another one for its owner. The sanitizer shall see
// where bytes end.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t small_size = 0;
#else
constexpr size_t small_size = 256;
#endif

struct SmallBlock {
  explicit SmallBlock(size_t nbytes) : held(nbytes) {}
  Held held;
  std::byte bytes[small_size + alignment];
};

struct Host {
  std::byte* data;
  std::shared_ptr<void> owner;
};

Host small_bytes(size_t nbytes) {
  auto block = std::make_shared<SmallBlock>(nbytes);
  void* data = block->bytes;
  size_t room = sizeof block->bytes;
  std::align(alignment, nbytes, data, room);
  return {static_cast<std::byte*>(data), std::move(block)};
}

Host host_bytes(size_t nbytes) {
  if (nbytes <= small_size) return small_bytes(nbytes);
  auto held = std::make_shared<Held>(nbytes);
  void* data = nullptr;
  if (nbytes <= SIZE_MAX / 2) {
    data = std::aligned_alloc(alignment, (nbytes + alignment - 1) / alignment * alignment);
  }
  base::check(data != nullptr, "not enough memory: you tried to allocate ", nbytes, " bytes");
  std::shared_ptr<void> owner(data, [held](void* p) { std::free(p); });
  return {static_cast<std::byte*>(data), std::move(owner)};
}

}  // namespace

base::Ref<Storage> Storage::allocate(size_t nbytes, Device device) {
  if (device.type == DeviceType::meta || nbytes == 0) {
    return base::Ref<Storage>(new Storage(nullptr, nbytes, device, nullptr));
  }
  Host host = host_bytes(nbytes);
  return base::Ref<Storage>(new Storage(host.data, nbytes, device, std::move(host.owner)));
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
