#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace assay::archive {

/// The bytes of an archive, mapped from a file or copied from memory. Mapped bytes are private to
/// the process and written copy-on-write, so tensors may lie in them and programs may change those
/// tensors. Whoever holds `owner()` keeps the bytes in place.
///
/// A file that is shortened by someone else while it is mapped ends the process, as with any mapped
/// file; archives are replaced by renaming, not rewritten in place.
class FileBytes {
 public:
  /// Input error if the file cannot be read. Only regular files are taken.
  static FileBytes map(const std::string& path);
  /// Bytes aligned to 64, as in a mapped file.
  static FileBytes copy(std::string_view bytes);

  /// Brings the pages of these bytes in from the disk, if they are mapped, without waiting: many
  /// small reads then happen at once.
  void prefetch(uint64_t at, uint64_t size) const;
  /// Whether reading mapped bytes brings in what follows them too. Off at first: the headers of an
  /// archive are scattered between its tensors, which need not be read to load it.
  void read_ahead(bool on) const;

  std::span<std::byte> bytes() const { return bytes_; }
  const std::shared_ptr<void>& owner() const { return owner_; }

 private:
  FileBytes(std::span<std::byte> bytes, std::shared_ptr<void> owner, bool mapped = false)
      : bytes_(bytes), owner_(std::move(owner)), mapped_(mapped) {}

  std::span<std::byte> bytes_;
  std::shared_ptr<void> owner_;
  bool mapped_;
};

}  // namespace assay::archive
