#pragma once

#include <cstddef>
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

  std::span<std::byte> bytes() const { return bytes_; }
  const std::shared_ptr<void>& owner() const { return owner_; }

 private:
  FileBytes(std::span<std::byte> bytes, std::shared_ptr<void> owner)
      : bytes_(bytes), owner_(std::move(owner)) {}

  std::span<std::byte> bytes_;
  std::shared_ptr<void> owner_;
};

}  // namespace assay::archive
