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
/// Mapped bytes follow the file: who uses them for long asks check_unchanged() before each use. A
/// file that is shortened between that and a read ends the process, as any mapped file does.
class FileBytes {
 public:
  /// Input error if the file cannot be read. Only regular files are taken.
  static FileBytes map(const std::string& path);
  /// The same, but the bytes of a small file are copied: that costs less than to look before each
  /// use whether they are still the file's.
  static FileBytes open(const std::string& path);
  /// Bytes aligned to 64, as in a mapped file.
  static FileBytes copy(std::string_view bytes);

  /// Brings the pages of these bytes in from the disk, if they are mapped, without waiting: many
  /// small reads then happen at once.
  void prefetch(uint64_t at, uint64_t size) const;
  /// Whether reading mapped bytes brings in what follows them too. Off at first: the headers of an
  /// archive are scattered between its tensors, which need not be read to load it.
  void read_ahead(bool on) const;

  /// Input error if somebody has written to the mapped file or shortened it; replacing it by
  /// renaming another one is fine. One system call.
  void check_unchanged() const;

  std::span<std::byte> bytes() const { return bytes_; }
  const std::shared_ptr<void>& owner() const { return owner_; }

 private:
  /// A mapped file, kept open to see whether it changes.
  class Mapping;

  FileBytes(std::span<std::byte> bytes, std::shared_ptr<void> owner,
            const Mapping* mapping = nullptr)
      : bytes_(bytes), owner_(std::move(owner)), mapping_(mapping) {}

  std::span<std::byte> bytes_;
  std::shared_ptr<void> owner_;
  const Mapping* mapping_;  ///< Part of the owner; null for bytes in memory.
};

}  // namespace assay::archive
