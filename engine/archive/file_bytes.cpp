#include "engine/archive/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "engine/base/error.h"

namespace assay::archive {
namespace {

/// Closes a file descriptor when it goes out of scope; a mapping outlives it.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

FileBytes FileBytes::map(const std::string& path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  base::check(file.fd >= 0, "cannot open ", path, ": ", std::strerror(errno));
  struct stat info {};
  base::check(::fstat(file.fd, &info) == 0, "cannot read ", path, ": ", std::strerror(errno));
  base::check(S_ISREG(info.st_mode), path, " is not a regular file");
  auto size = static_cast<size_t>(info.st_size);
  if (size == 0) return FileBytes({}, nullptr);
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.fd, 0);
  base::check(data != MAP_FAILED, "cannot map ", path, ": ", std::strerror(errno));
  std::shared_ptr<void> owner(data, [size](void* p) { ::munmap(p, size); });
  FileBytes mapped({static_cast<std::byte*>(data), size}, std::move(owner), true);
  mapped.read_ahead(false);
  return mapped;
}

// Advice may be refused, which costs time at worst.
void FileBytes::prefetch(uint64_t at, uint64_t size) const {
  if (!mapped_ || at >= bytes_.size()) return;
  static const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  uint64_t begin = at / page * page, end = std::min<uint64_t>(bytes_.size() - at, size) + at;
  ::madvise(bytes_.data() + begin, end - begin, MADV_WILLNEED);
}

void FileBytes::read_ahead(bool on) const {
  if (mapped_) ::madvise(bytes_.data(), bytes_.size(), on ? MADV_NORMAL : MADV_RANDOM);
}

FileBytes FileBytes::copy(std::string_view bytes) {
  constexpr size_t alignment = 64;
  if (bytes.empty()) return FileBytes({}, nullptr);
  void* data =
      std::aligned_alloc(alignment, (bytes.size() + alignment - 1) / alignment * alignment);
  if (data == nullptr) throw std::bad_alloc();
  std::memcpy(data, bytes.data(), bytes.size());
  std::shared_ptr<void> owner(data, [](void* p) { std::free(p); });
  return FileBytes({static_cast<std::byte*>(data), bytes.size()}, std::move(owner));
}

}  // namespace assay::archive
