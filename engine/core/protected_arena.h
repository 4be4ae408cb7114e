#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace assay::core {

/// Memory without access rights: reading or writing it ends the process (SIGSEGV) unless it was
/// opened. Rights are the process's: while one thread has the arena open, all may use it. Safe to
/// use from several threads.
class ProtectedArena {
 public:
  ProtectedArena() = default;
  ~ProtectedArena();
  ProtectedArena(const ProtectedArena&) = delete;
  ProtectedArena& operator=(const ProtectedArena&) = delete;

  /// Uninitialised bytes, aligned to 64. Input error if there are not as many.
  std::byte* allocate(size_t nbytes);
  void free(std::byte* data) noexcept;

  /// Opens the memory until `close` was called as often.
  void open();
  void close() noexcept;

 private:
  void add_segment(size_t at_least);
  void insert_free(std::byte* data, size_t size);
  void erase_free(std::map<std::byte*, size_t>::iterator block);
  void protect(std::byte* segment, size_t size, bool accessible) const;

  std::mutex mutex_;
  int opened_ = 0;
  std::map<std::byte*, size_t> segments_;  // What was mapped.
  std::map<std::byte*, size_t> used_;
  std::map<std::byte*, size_t> free_;
  std::set<std::pair<size_t, std::byte*>> free_by_size_;
};

/// Opens an arena while it lives.
class ArenaAccess {
 public:
  explicit ArenaAccess(ProtectedArena& arena) : arena_(arena) { arena_.open(); }
  ~ArenaAccess() { arena_.close(); }
  ArenaAccess(const ArenaAccess&) = delete;
  ArenaAccess& operator=(const ArenaAccess&) = delete;

 private:
  ProtectedArena& arena_;
};

}  // namespace assay::core
