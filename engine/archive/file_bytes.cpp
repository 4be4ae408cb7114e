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

class FileBytes::Mapping {
 public:
  explicit Mapping(const std::string& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    base::check(file_ >= 0, "cannot open ", path, ": ", std::strerror(errno));
    try {
      base::check(::fstat(file_, &info_) == 0, "cannot read ", path, ": ", std::strerror(errno));
      base::check(!S_ISDIR(info_.st_mode), path, " is a folder, not a file");
      base::check(S_ISREG(info_.st_mode), path, " is not a regular file");
      if (size() == 0) return;
      data_ = ::mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_PRIVATE, file_, 0);
      base::check(data_ != MAP_FAILED, "cannot map ", path, ": ", std::strerror(errno));
    } catch (...) {
      ::close(file_);
      throw;
    }
  }
  ~Mapping() {
    if (data_) ::munmap(data_, size());
    ::close(file_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::span<std::byte> bytes() const { return {static_cast<std::byte*>(data_), size()}; }

  void check_unchanged() const {
    struct stat now {};
    auto same = [](const timespec& a, const timespec& b) {
      return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
    };
    bool unchanged = ::fstat(file_, &now) == 0 && now.st_size == info_.st_size &&
                     same(now.st_mtim, info_.st_mtim);
    base::check(unchanged, path_,
                " was written to after it was loaded; load it again (and replace ",
                "archives by renaming a new one)");
  }

 private:
  size_t size() const { return static_cast<size_t>(info_.st_size); }

  std::string path_;
  int file_;
  struct stat info_ {};
  void* data_ = nullptr;
};

FileBytes FileBytes::map(const std::string& path) {
  auto mapping = std::make_shared<Mapping>(path);
  FileBytes mapped(mapping->bytes(), mapping, mapping.get());
  mapped.read_ahead(false);
  return mapped;
}

FileBytes FileBytes::open(const std::string& path) {
  constexpr size_t small = size_t{1} << 16;
  FileBytes mapped = map(path);
  if (mapped.bytes_.size() > small) return mapped;
  return copy({reinterpret_cast<const char*>(mapped.bytes_.data()), mapped.bytes_.size()});
}

void FileBytes::check_unchanged() const {
  if (mapping_) mapping_->check_unchanged();
}

// Advice may be refused, which costs time at worst.
void FileBytes::prefetch(uint64_t at, uint64_t size) const {
  if (!mapping_ || at >= bytes_.size()) return;
  static const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  uint64_t begin = at / page * page, end = std::min<uint64_t>(bytes_.size() - at, size) + at;
  ::madvise(bytes_.data() + begin, end - begin, MADV_WILLNEED);
}

void FileBytes::read_ahead(bool on) const {
  if (mapping_ && !bytes_.empty())
    ::madvise(bytes_.data(), bytes_.size(), on ? MADV_NORMAL : MADV_RANDOM);
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
