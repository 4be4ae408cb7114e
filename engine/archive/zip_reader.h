#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/archive/file_bytes.h"

namespace assay::archive {

/// One member of a zip file. All sizes are checked against the real file.
struct ZipRecord {
  std::string name;
  uint64_t data_at = 0;      ///< Offset of the stored bytes in the file.
  uint64_t stored_size = 0;  ///< Bytes in the file.
  uint64_t size = 0;         ///< Bytes when read; equal to stored_size unless deflated.
  uint32_t crc = 0;
  bool deflated = false;
};

/// The members of a zip file that may come from anyone. Refused with an input error: truncated or
/// inconsistent directories, several disks, encryption, methods other than stored and deflate,
/// duplicate names, names that are absolute, lead upwards or hold backslashes or control
/// characters, records that overlap each other or the directory, sizes that the file cannot hold,
/// and compression beyond what deflate can reach. ZIP64 is read. Nothing is inflated before `read`.
class ZipReader {
 public:
  explicit ZipReader(FileBytes file);

  /// Members in the order of the directory, without pure directories.
  const std::vector<ZipRecord>& records() const { return records_; }
  /// Null if there is no such member.
  const ZipRecord* find(std::string_view name) const;
  /// The contents, inflated where needed, with the checksum verified. Input error if the contents
  /// do not match their size or checksum, or exceed `limit` bytes.
  std::string read(const ZipRecord& record, uint64_t limit = default_limit) const;
  /// The bytes as they lie in the file. The checksum is not verified: for tensors, whose bytes are
  /// used where they lie.
  std::span<std::byte> stored(const ZipRecord& record) const;
  const FileBytes& file() const { return file_; }

  static constexpr uint64_t default_limit = uint64_t{1} << 30;

 private:
  void read_directory();
  void refuse_overlaps(uint64_t directory_at) const;

  FileBytes file_;
  std::vector<ZipRecord> records_;
  std::vector<uint64_t> headers_at_;  // Offsets of the local headers, parallel to records_.
  std::unordered_map<std::string_view, size_t> by_name_;
};

}  // namespace assay::archive
