#include "engine/core/file_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace assay::core {
namespace {

// One entry per page in /proc/self/pagemap (Linux, Documentation/admin-guide/mm/pagemap.rst).
constexpr uint64_t is_present = uint64_t{1} << 63;
constexpr uint64_t is_of_file = uint64_t{1} << 61;

size_t page_size() {
  static const auto size = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

/// What the system tells of this process's pages.
class Pagemap {
 public:
  Pagemap() : fd_(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~Pagemap() {
    if (fd_ >= 0) ::close(fd_);
  }
  Pagemap(const Pagemap&) = delete;
  Pagemap& operator=(const Pagemap&) = delete;

  /// Fills the entries of `count` pages from page number `first` on; false if they are not told.
  bool read(uint64_t* entries, size_t first, size_t count) const {
    auto wanted = static_cast<ssize_t>(count * sizeof(uint64_t));
    auto at = static_cast<off_t>(first * sizeof(uint64_t));
    return fd_ >= 0 && ::pread(fd_, entries, static_cast<size_t>(wanted), at) == wanted;
  }

 private:
  int fd_;
};

void release(size_t first, size_t last) {
  // The pages of a private mapping that were not written to are the file's own, so that this drops
  // no bytes that lie nowhere else.
  void* begin = reinterpret_cast<void*>(first * page_size());
  ::madvise(begin, (last - first) * page_size(), MADV_DONTNEED);
}

}  // namespace

void release_file_pages(const void* data, size_t nbytes) {
  auto address = reinterpret_cast<uintptr_t>(data);
  size_t first = (address + page_size() - 1) / page_size(), last = (address + nbytes) / page_size();
  if (first >= last) return;
  Pagemap pagemap;
  std::array<uint64_t, 1024> entries;
  for (size_t at = first; at < last; at += entries.size()) {
    size_t count = std::min(entries.size(), last - at);
    if (!pagemap.read(entries.data(), at, count)) return;
    auto of_file = [&](size_t i) {
      return (entries[i] & is_present) != 0 && (entries[i] & is_of_file) != 0;
    };
    for (size_t begins = 0; begins < count;) {
      size_t ends = begins;
      while (ends < count && of_file(ends)) ++ends;
      if (ends > begins) release(at + begins, at + ends);
      begins = ends + 1;  // That one stays.
    }
  }
}

}  // namespace assay::core
