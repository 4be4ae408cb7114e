#include "engine/core/storage.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/core/backends.h"

namespace assay::core {
namespace {

// Most tensors of programs that compute with numbers are tiny: their bytes are part of the storage
// object, so that there is one allocation for both. The sanitizer shall see where bytes end.
#ifdef ASSAY_SANITIZED
constexpr size_t small_size = 0;
#else
constexpr size_t small_size = 256;
#endif

class SmallStorage final : public Storage {
 public:
  explicit SmallStorage(size_t nbytes) : Storage(nullptr, nbytes, Device{}) {
    void* data = bytes_;
    size_t room = sizeof bytes_;
    data_ = static_cast<std::byte*>(std::align(alignment, nbytes, data, room));
  }

 private:
  static constexpr size_t alignment = 64;
  std::byte bytes_[small_size + alignment];
};

}  // namespace

base::Ref<Storage> Storage::allocate(size_t nbytes, Device device) {
  if (device.type == DeviceType::cpu && nbytes > 0 && nbytes <= small_size) {
    base::Ref<Storage> small(new SmallStorage(nbytes));
    small->count(nbytes);
    return small;
  }
  base::Ref<Storage> storage(new Storage(nullptr, nbytes, existing_device(device)));
  storage->allocate_bytes();
  return storage;
}

base::Ref<Storage> Storage::adopt(void* data, size_t nbytes, std::shared_ptr<void> owner) {
  base::Ref<Storage> storage(new Storage(static_cast<std::byte*>(data), nbytes, Device{}));
  storage->owner_ = std::move(owner);
  return storage;
}

void Storage::count(size_t nbytes) {
  MemoryBudget* budget = MemoryBudget::current();
  if (!budget) return;
  budget->take(device_, nbytes);
  budget_ = base::Ref<MemoryBudget>(budget);
}

void Storage::allocate_bytes() {
  if (device_.type == DeviceType::meta || nbytes_ == 0) return;
  count(nbytes_);
  data_ = backend_of(device_).allocate(nbytes_, {device_});
  owns_data_ = true;
}

void Storage::release_bytes() noexcept {
  if (owns_data_) find_backend(device_.type)->free(data_, nbytes_, {device_});
  owns_data_ = false;
  if (budget_) budget_->give_back(device_, nbytes_);
  budget_ = nullptr;
  owner_ = nullptr;
}

Storage::~Storage() { release_bytes(); }

void Storage::resize(size_t nbytes) {
  LateWork::finish_all();
  Storage fresh(nullptr, nbytes, device_);
  fresh.allocate_bytes();
  if (fresh.data_ && data_)
    copy_bytes(fresh.data_, {device_}, data_, {device_}, std::min(nbytes, nbytes_));
  std::swap(data_, fresh.data_);
  std::swap(nbytes_, fresh.nbytes_);
  std::swap(owns_data_, fresh.owns_data_);
  std::swap(budget_, fresh.budget_);
  std::swap(owner_, fresh.owner_);
  mark_written();
}

}  // namespace assay::core
