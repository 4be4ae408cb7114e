#include "engine/core/host_blocks.h"

#include <sys/mman.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

#include "engine/core/host_heap.h"

namespace assay::core {
namespace {

/// Blocks have the sizes 256, 320, 384, 448, 512, 640, ...: four in each doubling, so that a
/// quarter of one at most is unused.
struct BlockSize {
  size_t kind;
  size_t nbytes;
};

constexpr size_t smallest = 256, largest = size_t{1} << 17;

constexpr BlockSize block_size(size_t nbytes) {
  if (nbytes <= smallest) return {0, smallest};
  int doubling = std::bit_width(nbytes - 1) - 1;
  size_t step = size_t{1} << (doubling - 2);
  size_t steps = (nbytes + step - 1) / step;  // From 5 to 8.
  return {static_cast<size_t>(doubling - 8) * 4 + steps - 4, steps * step};
}

/// What a thread gave back. Has no destructor, so that blocks which outlive the thread's objects
/// can be given back.
class FreeBlocks {
 public:
  std::byte* take(size_t kind, size_t nbytes) {
    Block* block = first_[kind];
    if (!block) return nullptr;
    first_[kind] = block->next;
    kept_ -= nbytes;
    return reinterpret_cast<std::byte*>(block);
  }
  /// False if it cannot be kept.
  bool keep(std::byte* memory, size_t kind, size_t nbytes) {
    if (ended_) return false;
    if (!ends_) end_with_thread();
    // Sizes that nobody asks for any more shall not keep out those of now.
    if (kept_ + nbytes > most) drop();
    first_[kind] = new (memory) Block{first_[kind]};
    kept_ += nbytes;
    return true;
  }

 private:
  struct Block {
    Block* next;
  };
  static constexpr size_t most = size_t{1} << 26;

  void drop() {
    for (Block*& first : first_) {
      while (Block* block = first) {
        first = block->next;
        std::free(block);
      }
    }
    kept_ = 0;
  }
  void end_with_thread();

  Block* first_[block_size(largest).kind + 1] = {};
  size_t kept_ = 0;
  bool ends_ = false;
  bool ended_ = false;
};

constinit thread_local FreeBlocks free_blocks;

void FreeBlocks::end_with_thread() {
  struct AtEnd {
    ~AtEnd() {
      free_blocks.drop();
      free_blocks.ended_ = true;
    }
  };
  static thread_local AtEnd at_end;
  ends_ = true;
}

/// The sanitizer shall see where bytes end, and who still reads what was given back.
constexpr bool keeps(size_t nbytes) {
#ifdef ASSAY_SANITIZED
  return nbytes == 0;
#else
  return nbytes <= HostHeap::largest;
#endif
}

/// A thread's heap, for blocks that are large but no more than a heap has. It goes to the next
/// thread that begins after its own one's end, and blocks may outlive both.
class HeapOfThread {
 public:
  HeapOfThread() {
    std::lock_guard lock(idle_mutex());
    if (idle().empty()) {
      heap_ = new HostHeap;
    } else {
      heap_ = idle().back();
      idle().pop_back();
    }
  }
  ~HeapOfThread() {
    std::lock_guard lock(idle_mutex());
    idle().push_back(heap_);
  }
  HeapOfThread(const HeapOfThread&) = delete;
  HeapOfThread& operator=(const HeapOfThread&) = delete;

  std::byte* take(size_t nbytes) { return heap_->take(nbytes); }

 private:
  // Neither ends before the last thread.
  static std::mutex& idle_mutex() {
    static auto* mutex = new std::mutex;
    return *mutex;
  }
  static std::vector<HostHeap*>& idle() {
    static auto* heaps = new std::vector<HostHeap*>;
    return *heaps;
  }

  HostHeap* heap_;
};

bool is_of_heap(size_t nbytes) { return keeps(nbytes) && nbytes > largest; }

/// What is no kept block and not of a heap, at a multiple of the page's size where it is large.
std::byte* allocate(size_t nbytes) {
  constexpr size_t huge_page = size_t{1} << 21;
  bool large = nbytes >= huge_page && keeps(1);
  void* block = nullptr;
  if (nbytes > SIZE_MAX / 2) return nullptr;
  if (::posix_memalign(&block, large ? huge_page : 64, nbytes) != 0) return nullptr;
  if (large) ::madvise(block, nbytes, MADV_HUGEPAGE);  // As HostHeap wishes for its regions.
  return static_cast<std::byte*>(block);
}

}  // namespace

std::byte* take_host_block(size_t nbytes) {
  if (!keeps(nbytes)) return allocate(nbytes);
  if (is_of_heap(nbytes)) {
    static thread_local HeapOfThread heap;
    return heap.take(nbytes);
  }
  auto [kind, whole] = block_size(nbytes);
  std::byte* block = free_blocks.take(kind, whole);
  return block ? block : allocate(whole);
}

void give_host_block(std::byte* block, size_t nbytes) noexcept {
  if (is_of_heap(nbytes)) return HostHeap::give(block, nbytes);
  if (keeps(nbytes)) {
    auto [kind, whole] = block_size(nbytes);
    if (free_blocks.keep(block, kind, whole)) return;
  }
  std::free(block);
}

}  // namespace assay::core
