#include "engine/core/protected_arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "engine/base/error.h"

namespace assay::core {
namespace {

constexpr size_t alignment = 64;
constexpr size_t page = 4096;
/// One change of rights serves many tensors.
constexpr size_t segment_size = size_t{16} << 20;

size_t rounded_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

[[noreturn]] void no_memory_for(size_t nbytes) {
  base::fail_for_want_of(base::Resource::memory, "not enough memory: you tried to allocate ",
                         nbytes, " bytes");
}

int rights(bool accessible) { return accessible ? PROT_READ | PROT_WRITE : PROT_NONE; }

}  // namespace

ProtectedArena::~ProtectedArena() {
  for (const auto& [data, size] : segments_) munmap(data, size);
}

std::byte* ProtectedArena::allocate(size_t nbytes) {
  if (nbytes > SIZE_MAX / 2) no_memory_for(nbytes);
  std::lock_guard lock(mutex_);
  size_t size = rounded_up(std::max<size_t>(nbytes, 1), alignment);
  auto fits = free_by_size_.lower_bound({size, nullptr});
  if (fits == free_by_size_.end()) {
    add_segment(size);
    fits = free_by_size_.lower_bound({size, nullptr});
  }
  auto [found, data] = *fits;
  erase_free(free_.find(data));
  if (found > size) insert_free(data + size, found - size);
  used_.emplace(data, size);
  return data;
}

void ProtectedArena::free(std::byte* data) noexcept {
  std::lock_guard lock(mutex_);
  auto used = used_.find(data);
  size_t size = used->second;
  used_.erase(used);
  auto segment = std::prev(segments_.upper_bound(data));
  // Joins the free blocks on either side, inside of the segment.
  auto after = free_.find(data + size);
  if (after != free_.end() && data + size < segment->first + segment->second) {
    size += after->second;
    erase_free(after);
  }
  auto before = free_.lower_bound(data);
  if (before != free_.begin() && data > segment->first) {
    before = std::prev(before);
    if (before->first + before->second == data) {
      data = before->first;
      size += before->second;
      erase_free(before);
    }
  }
  // Every change of rights costs time for each page of a segment: one of common size is kept.
  if (size == segment->second && (segments_.size() > 1 || size > segment_size)) {
    munmap(data, size);
    segments_.erase(segment);
    return;
  }
  insert_free(data, size);
}

void ProtectedArena::open() {
  std::lock_guard lock(mutex_);
  if (opened_++ > 0) return;
  for (const auto& [data, size] : segments_) protect(data, size, true);
}

void ProtectedArena::close() noexcept {
  std::lock_guard lock(mutex_);
  if (--opened_ > 0) return;
  for (const auto& [data, size] : segments_) protect(data, size, false);
}

void ProtectedArena::add_segment(size_t at_least) {
  size_t size = std::max(rounded_up(at_least, page), segment_size);
  void* mapped = mmap(nullptr, size, rights(opened_ > 0), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) no_memory_for(at_least);
  auto* data = static_cast<std::byte*>(mapped);
  segments_.emplace(data, size);
  insert_free(data, size);
}

void ProtectedArena::insert_free(std::byte* data, size_t size) {
  free_.emplace(data, size);
  free_by_size_.emplace(size, data);
}

void ProtectedArena::erase_free(std::map<std::byte*, size_t>::iterator block) {
  free_by_size_.erase({block->second, block->first});
  free_.erase(block);
}

void ProtectedArena::protect(std::byte* segment, size_t size, bool accessible) const {
  int failed = mprotect(segment, size, rights(accessible));
  if (failed) std::abort();  // A boundary that cannot be kept proves nothing.
}

}  // namespace assay::core
