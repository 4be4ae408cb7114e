#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace assay::archive {

/// Builds a zip file in memory as PyTorch writes its archives: members stored, their data aligned
/// to 64 bytes by a padding extra field, so that readers can map tensors in place.
class ZipWriter {
 public:
  /// Every member's name is put below `root`; empty: none.
  explicit ZipWriter(std::string root) : root_(std::move(root)) {}

  /// Adds a member. Input error if the name is taken.
  void add(std::string_view name, std::string_view contents);
  /// Writes the directory and gives the file's bytes. Nothing can be added afterwards.
  std::string finish();

 private:
  struct Entry {
    std::string name;
    uint64_t header_at;
    uint64_t size;
    uint32_t crc;
  };
  void add_directory_entry(const Entry& entry);

  std::string root_;
  std::string out_;
  std::vector<Entry> entries_;
  std::unordered_set<std::string> names_;
};

}  // namespace assay::archive
