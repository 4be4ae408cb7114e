#include "engine/core/host_heap.h"

#include <sys/mman.h>

#include <cstdint>
#include <iterator>
#include <new>

namespace assay::core {
namespace {

constexpr size_t alignment = 64;
/// A region begins with what heap it is of.
constexpr size_t header = alignment;
constexpr size_t whole = HostHeap::region_size - header;

constexpr size_t rounded(size_t nbytes) { return (nbytes + alignment - 1) / alignment * alignment; }

/// A region lies at a multiple of its size.
std::byte* region_of(std::byte* block) {
  return block - reinterpret_cast<uintptr_t>(block) % HostHeap::region_size;
}

/// Null if the system has none.
std::byte* map_region() {
  constexpr size_t size = HostHeap::region_size;
  void* all = ::mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  auto* first = static_cast<std::byte*>(all);
  std::byte* region = region_of(first + size - 1);
  size_t before = static_cast<size_t>(region - first);
  if (before > 0) ::munmap(first, before);
  ::munmap(region + size, size - before);
  // Pages of 2 MiB, if the system has them: the processor finds the bytes of large weights by a few
  // entries of its table, where it would look up thousands of small ones.
  ::madvise(region, size, MADV_HUGEPAGE);
  return region;
}

}  // namespace

HostHeap::~HostHeap() {
  for (const auto& [block, nbytes] : free_) ::munmap(region_of(block), region_size);
}

size_t HostHeap::held() const {
  std::lock_guard lock(mutex_);
  return regions_ * region_size;
}

std::byte* HostHeap::take(size_t nbytes) try {
  nbytes = rounded(nbytes);
  std::lock_guard lock(mutex_);
  auto fit = free_by_size_.lower_bound({nbytes, nullptr});
  if (fit == free_by_size_.end()) {
    if (!add_region()) return nullptr;
    fit = free_by_size_.lower_bound({nbytes, nullptr});
  }
  auto [size, block] = *fit;
  remove_free(free_.find(block));
  if (size > nbytes) add_free(block + nbytes, size - nbytes);
  return block;
} catch (const std::bad_alloc&) {
  return nullptr;  // There is none to note the rest in.
}

void HostHeap::give(std::byte* block, size_t nbytes) noexcept {
  auto* region = reinterpret_cast<Region*>(region_of(block));
  region->heap->take_back(block, rounded(nbytes));
}

void HostHeap::take_back(std::byte* block, size_t nbytes) noexcept {
  std::lock_guard lock(mutex_);
  auto after = free_.lower_bound(block);
  if (after != free_.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == block) {
      block = before->first;
      nbytes += before->second;
      remove_free(before);
    }
  }
  if (after != free_.end() && block + nbytes == after->first) {
    nbytes += after->second;
    remove_free(after);
  }
  try {
    add_free(block, nbytes);
  } catch (const std::bad_alloc&) {
    return;  // There is no memory to note it in: it stays unused.
  }
  if (nbytes == whole) drop_spare(block);
}

/// Keeps two regions that hold no block at most.
void HostHeap::drop_spare(std::byte* free_region) {
  auto first = free_by_size_.lower_bound({whole, nullptr});
  if (std::distance(first, free_by_size_.end()) <= 2) return;
  remove_free(free_.find(free_region));
  ::munmap(region_of(free_region), region_size);
  --regions_;
}

bool HostHeap::add_region() {
  std::byte* region = map_region();
  if (!region) return false;
  new (region) Region{this};
  ++regions_;
  add_free(region + header, whole);
  return true;
}

void HostHeap::add_free(std::byte* at, size_t nbytes) {
  auto added = free_.emplace(at, nbytes).first;
  try {
    free_by_size_.emplace(nbytes, at);
  } catch (const std::bad_alloc&) {
    free_.erase(added);
    throw;
  }
}

void HostHeap::remove_free(std::map<std::byte*, size_t>::iterator block) {
  free_by_size_.erase({block->second, block->first});
  free_.erase(block);
}

}  // namespace assay::core
