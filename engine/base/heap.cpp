#include "engine/base/heap.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace assay::base {
namespace {

/// From this size on, a block may be refused.
constexpr size_t large = size_t{1} << 16;

/// Small blocks that this thread gave back, by usable size: 24, 40, 56, ... bytes, as the C library
/// makes them. Programs make and drop the same few sizes all the time; the C library would soon
/// merge them into large pieces, which are cut up again in other places, where no cache has them.
class SmallBlocks {
 public:
  /// Null if there is none. `usable` is then the block's size.
  void* take(size_t bytes, size_t& usable) {
    size_t kind = kind_of(std::max<size_t>(bytes, smallest));
    if (kind >= kinds || !first_[kind]) return nullptr;
    Block* block = first_[kind];
    first_[kind] = block->next;
    // Its own successor will be asked for next. Where large tensors went through the caches in
    // between it is in none.
    __builtin_prefetch(first_[kind], 1);
    usable = size_of(kind);
    kept_[kind] -= static_cast<uint32_t>(usable);
    return block;
  }
  /// False if there is no room for it.
  bool keep(void* memory, size_t usable) {
    size_t kind = kind_of(usable);
    if (kind >= kinds) return false;
    if (kept_[kind] >= room_) [[unlikely]]
      return keep_with_more_room(memory, usable);
    first_[kind] = new (memory) Block{first_[kind]};
    kept_[kind] += static_cast<uint32_t>(usable);
    return true;
  }
  /// Gives all of them back; what comes after that is not kept.
  void end() {
    for (size_t kind = 0; kind < kinds; ++kind) {
      while (Block* block = first_[kind]) {
        first_[kind] = block->next;
        std::free(block);
      }
    }
    ended_ = true;
    room_ = 0;
  }

 private:
  struct Block {
    Block* next;
  };
  static constexpr size_t smallest = 24, step = 16, kinds = 40;
  /// Bytes of each size that are kept: as much as a graph of some thousand nodes needs.
#ifdef ASSAY_SANITIZED
  static constexpr uint32_t most = 0;  // It shall see the end of every block.
#else
  static constexpr uint32_t most = 1 << 18;
#endif
  bool keep_with_more_room(void* memory, size_t usable);
  static size_t kind_of(size_t bytes) { return (bytes - smallest + step - 1) / step; }
  static size_t size_of(size_t kind) { return kind * step + smallest; }

  Block* first_[kinds] = {};
  uint32_t kept_[kinds] = {};
  /// Bytes of each size: none before it is sure that all is given back in the end.
  uint32_t room_ = 0;
  bool ended_ = false;
};

/// All that belongs to one thread.
/// Has no destructor, so that blocks which outlive the thread's objects can be given back.
struct ThreadHeap {
  int64_t held = 0;
  int64_t limit = INT64_MAX;
  SmallBlocks small_blocks;

  bool refuses(size_t bytes) const {
    if (bytes < large) [[likely]]
      return false;
    return bytes > static_cast<size_t>(INT64_MAX) ||
           (limit != INT64_MAX && static_cast<int64_t>(bytes) > limit - std::min(held, limit));
  }
  void* counted(void* block) {
    if (block) held += static_cast<int64_t>(::malloc_usable_size(block));
    return block;
  }
};

[[gnu::noinline]] ThreadHeap& looked_up_thread_heap() {
  static constinit thread_local ThreadHeap heap;
  return heap;
}

/// In a library that Python loads, a thread's variable is found by a call. A pointer is small
/// enough to stand where it can be read at once, with all that other libraries have there.
ThreadHeap& thread_heap() {
  [[gnu::tls_model("initial-exec")]] static constinit thread_local ThreadHeap* heap = nullptr;
  if (!heap) [[unlikely]]
    heap = &looked_up_thread_heap();
  return *heap;
}

[[gnu::noinline]] bool SmallBlocks::keep_with_more_room(void* memory, size_t usable) {
  if (ended_ || room_ == most) return false;
  struct AtEnd {
    ~AtEnd() { thread_heap().small_blocks.end(); }
  };
  static thread_local AtEnd at_end;
  room_ = most;
  return keep(memory, usable);
}

}  // namespace

int64_t heap_held() { return thread_heap().held; }

HeapLimit::HeapLimit(size_t bytes) : before_(thread_heap().limit) {
  if (bytes == 0 || bytes > static_cast<size_t>(INT64_MAX / 2)) return;
  ThreadHeap& heap = thread_heap();
  heap.limit = std::min(heap.limit, heap.held + static_cast<int64_t>(bytes));
}

HeapLimit::~HeapLimit() { thread_heap().limit = before_; }

bool HeapLimit::exceeded() { return thread_heap().held > thread_heap().limit; }

/// For operator new: null where there is no memory.
void* take_from_heap(size_t bytes) {
  ThreadHeap& heap = thread_heap();
  size_t usable = 0;
  if (void* small = heap.small_blocks.take(bytes, usable)) {
    heap.held += static_cast<int64_t>(usable);
    return small;
  }
  return heap.refuses(bytes) ? nullptr : heap.counted(std::malloc(std::max<size_t>(bytes, 1)));
}

void* take_from_heap(size_t bytes, std::align_val_t alignment) {
  ThreadHeap& heap = thread_heap();
  if (heap.refuses(bytes)) return nullptr;
  void* block = nullptr;
  auto at = std::max(static_cast<size_t>(alignment), sizeof(void*));
  bool made = ::posix_memalign(&block, at, std::max<size_t>(bytes, 1)) == 0;
  return made ? heap.counted(block) : nullptr;
}

void give_to_heap(void* block) noexcept {
  if (block == nullptr) [[unlikely]]
    return;
  ThreadHeap& heap = thread_heap();
  size_t usable = ::malloc_usable_size(block);
  heap.held -= static_cast<int64_t>(usable);
  if (!heap.small_blocks.keep(block, usable)) std::free(block);
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
