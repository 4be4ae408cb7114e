#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <utility>

/// Memory for large tensors on the host.
namespace assay::core {

/// Cuts blocks out of a few large regions and joins them again when they are given back, so that
/// the tensors of a network's layers, each of another size, lie in the same memory one after the
/// other: the caches still have it, and the system has no fresh pages to make. What is free is kept
/// for the next blocks, up to two regions that hold none.
class HostHeap {
 public:
  static constexpr size_t region_size = size_t{1} << 26;
  static constexpr size_t largest = region_size / 2;

  HostHeap() = default;
  /// Every block must have been given back.
  ~HostHeap();
  HostHeap(const HostHeap&) = delete;
  HostHeap& operator=(const HostHeap&) = delete;

  /// 0 < nbytes <= largest bytes at an address that is a multiple of 64; null if there is no
  /// memory.
  std::byte* take(size_t nbytes);

  /// Gives back what take(nbytes) of some heap gave, on any thread.
  static void give(std::byte* block, size_t nbytes) noexcept;

  /// Bytes that the heap has from the system.
  size_t held() const;

 private:
  struct Region {
    HostHeap* heap;
  };

  bool add_region();
  void take_back(std::byte* block, size_t nbytes) noexcept;
  void add_free(std::byte* at, size_t nbytes);
  void remove_free(std::map<std::byte*, size_t>::iterator block);
  void drop_spare(std::byte* whole);

  mutable std::mutex mutex_;
  std::map<std::byte*, size_t> free_;  // By address, so that neighbours are joined.
  std::set<std::pair<size_t, std::byte*>> free_by_size_;
  size_t regions_ = 0;
};

}  // namespace assay::core
