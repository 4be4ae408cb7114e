#include "engine/base/heap.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace assay::base {
namespace {

constinit thread_local int64_t held = 0;
constinit thread_local int64_t limit = INT64_MAX;

/// From this size on, a block may be refused.
constexpr size_t large = size_t{1} << 16;

bool refused(size_t bytes) {
  if (bytes < large) [[likely]]
    return false;
  return bytes > static_cast<size_t>(INT64_MAX) ||
         (limit != INT64_MAX && static_cast<int64_t>(bytes) > limit - std::min(held, limit));
}

void count(size_t usable) { held += static_cast<int64_t>(usable); }

void* counted(void* block) {
  if (block) count(::malloc_usable_size(block));
  return block;
}

/// Small blocks that this thread gave back, by usable size: 24, 40, 56, ... bytes, as the C library
/// makes them. Programs make and drop the same few sizes all the time; the C library would soon
/// merge them into large pieces, which are cut up again in other places, where no cache has them.
class SmallBlocks {
 public:
  /// Null if there is none.
  void* take(size_t bytes) {
    size_t kind = kind_of(std::max<size_t>(bytes, smallest));
    if (kind >= kinds || !first_[kind]) return nullptr;
    Block* block = first_[kind];
    first_[kind] = block->next;
    --count_[kind];
    count(kind * step + smallest);
    return block;
  }
  /// False if there is no room for it.
  bool keep(void* memory, size_t usable) {
    size_t kind = kind_of(usable);
    if (kind >= kinds || count_[kind] >= most) return false;
    if (!ends_) [[unlikely]]
      end_with_thread();
    first_[kind] = new (memory) Block{first_[kind]};
    ++count_[kind];
    return true;
  }
  /// Gives all of them back; what comes after that is not kept.
  void end() {
    for (size_t kind = 0; kind < kinds; ++kind) {
      while (Block* block = first_[kind]) {
        first_[kind] = block->next;
        std::free(block);
      }
      count_[kind] = most;
    }
  }

 private:
  struct Block {
    Block* next;
  };
  static constexpr size_t smallest = 24, step = 16, kinds = 40;
#ifdef ASSAY_SANITIZED
  static constexpr uint16_t most = 0;  // It shall see the end of every block.
#else
  static constexpr uint16_t most = 200;
#endif
  void end_with_thread();
  static size_t kind_of(size_t bytes) { return (bytes - smallest + step - 1) / step; }

  Block* first_[kinds] = {};
  uint16_t count_[kinds] = {};
  bool ends_ = false;
};

// Has no destructor, so that blocks which outlive the thread's objects can be given back.
constinit thread_local SmallBlocks small_blocks;

void SmallBlocks::end_with_thread() {
  struct AtEnd {
    ~AtEnd() { small_blocks.end(); }
  };
  static thread_local AtEnd at_end;
  ends_ = true;
}

}  // namespace

int64_t heap_held() { return held; }

HeapLimit::HeapLimit(size_t bytes) : before_(limit) {
  if (bytes == 0 || bytes > static_cast<size_t>(INT64_MAX / 2)) return;
  limit = std::min(limit, held + static_cast<int64_t>(bytes));
}

HeapLimit::~HeapLimit() { limit = before_; }

bool HeapLimit::exceeded() { return held > limit; }

/// For operator new: null where there is no memory.
void* take_from_heap(size_t bytes) {
  if (void* small = small_blocks.take(bytes)) return small;
  return refused(bytes) ? nullptr : counted(std::malloc(std::max<size_t>(bytes, 1)));
}

void* take_from_heap(size_t bytes, std::align_val_t alignment) {
  if (refused(bytes)) return nullptr;
  void* block = nullptr;
  auto at = std::max(static_cast<size_t>(alignment), sizeof(void*));
  return ::posix_memalign(&block, at, std::max<size_t>(bytes, 1)) == 0 ? counted(block) : nullptr;
}

void give_to_heap(void* block) noexcept {
  if (block == nullptr) return;
  size_t usable = ::malloc_usable_size(block);
  held -= static_cast<int64_t>(usable);
  if (!small_blocks.keep(block, usable)) std::free(block);
}

template <typename... Alignment>
void* take_or_throw(size_t bytes, Alignment... alignment) {
  void* block = take_from_heap(bytes, alignment...);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace assay::base

// The other array forms call these by default.
void* operator new(size_t bytes) { return assay::base::take_or_throw(bytes); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return assay::base::take_or_throw(bytes, alignment);
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return assay::base::take_from_heap(bytes);
}
void* operator new(size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return assay::base::take_from_heap(bytes, alignment);
}
void* operator new[](size_t bytes) { return assay::base::take_or_throw(bytes); }
void operator delete[](void* block) noexcept { assay::base::give_to_heap(block); }
void operator delete[](void* block, size_t) noexcept { assay::base::give_to_heap(block); }
void operator delete(void* block) noexcept { assay::base::give_to_heap(block); }
void operator delete(void* block, size_t) noexcept { assay::base::give_to_heap(block); }
void operator delete(void* block, std::align_val_t) noexcept { assay::base::give_to_heap(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept {
  assay::base::give_to_heap(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
  assay::base::give_to_heap(block);
}
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  assay::base::give_to_heap(block);
}
