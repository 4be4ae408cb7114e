#include "engine/archive/zip_writer.h"

#include <fmt/core.h>
#include <zlib.h>

#include "engine/base/error.h"

namespace assay::archive {
namespace {

constexpr uint64_t alignment = 64;
constexpr uint32_t see_zip64 = 0xffffffff;
constexpr uint16_t version_needed = 45;  // 4.5: zip64.
/// 1 January 1980, the earliest date that the format knows: archives do not depend on the clock.
constexpr uint32_t earliest_date = (1u << 5 | 1u) << 16;

template <typename T>
void put(std::string& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
  }
}

/// A 32-bit field, or the mark that the zip64 field has the value.
void put_narrow(std::string& out, uint64_t value) {
  put<uint32_t>(out, value >= see_zip64 ? see_zip64 : static_cast<uint32_t>(value));
}

}  // namespace

void ZipWriter::add(std::string_view name, std::string_view contents) {
  std::string full = root_.empty() ? std::string(name) : fmt::format("{}/{}", root_, name);
  base::check(names_.insert(full).second, "the archive already has a member named ", full);
  base::check(full.size() <= 0xffff, "a member's name is too long: ", full);
  uint64_t size = contents.size();
  auto crc = crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(contents.data()),
                     contents.size());
  Entry entry{full, out_.size(), size, static_cast<uint32_t>(crc)};

  // PyTorch's padding field "FB" fills up to the alignment.
  bool wide = size >= see_zip64;
  uint64_t zip64_field = wide ? 4 + 16 : 0, padding_head = 4;
  uint64_t before = out_.size() + 30 + full.size() + zip64_field + padding_head;
  uint64_t padding = (alignment - before % alignment) % alignment;
  put<uint32_t>(out_, 0x04034b50);
  put<uint16_t>(out_, version_needed);
  put<uint16_t>(out_, 0x0800);  // Names are UTF-8.
  put<uint16_t>(out_, 0);       // Stored.
  put<uint32_t>(out_, earliest_date);
  put<uint32_t>(out_, entry.crc);
  put_narrow(out_, size);
  put_narrow(out_, size);
  put<uint16_t>(out_, full.size());
  put<uint16_t>(out_, zip64_field + padding_head + padding);
  out_ += full;
  if (wide) {
    put<uint16_t>(out_, 1);
    put<uint16_t>(out_, 16);
    put<uint64_t>(out_, size);
    put<uint64_t>(out_, size);
  }
  out_ += "FB";
  put<uint16_t>(out_, padding);
  out_.append(padding, 'Z');
  out_ += contents;
  entries_.push_back(std::move(entry));
}

void ZipWriter::add_directory_entry(const Entry& entry) {
  bool wide = entry.size >= see_zip64 || entry.header_at >= see_zip64;
  std::string extra;
  if (wide) {
    if (entry.size >= see_zip64) {
      put<uint64_t>(extra, entry.size);
      put<uint64_t>(extra, entry.size);
    }
    if (entry.header_at >= see_zip64) put<uint64_t>(extra, entry.header_at);
  }
  put<uint32_t>(out_, 0x02014b50);
  put<uint16_t>(out_, version_needed);
  put<uint16_t>(out_, version_needed);
  put<uint16_t>(out_, 0x0800);
  put<uint16_t>(out_, 0);
  put<uint32_t>(out_, earliest_date);
  put<uint32_t>(out_, entry.crc);
  put_narrow(out_, entry.size);
  put_narrow(out_, entry.size);
  put<uint16_t>(out_, entry.name.size());
  put<uint16_t>(out_, wide ? extra.size() + 4 : 0);
  put<uint16_t>(out_, 0);  // Comment.
  put<uint16_t>(out_, 0);  // Disk.
  put<uint16_t>(out_, 0);  // Internal attributes.
  put<uint32_t>(out_, 0);  // External attributes.
  put_narrow(out_, entry.header_at);
  out_ += entry.name;
  if (wide) {
    put<uint16_t>(out_, 1);
    put<uint16_t>(out_, extra.size());
    out_ += extra;
  }
}

std::string ZipWriter::finish() {
  uint64_t directory_at = out_.size();
  for (const Entry& entry : entries_) add_directory_entry(entry);
  uint64_t directory_size = out_.size() - directory_at, end64_at = out_.size();
  put<uint32_t>(out_, 0x06064b50);
  put<uint64_t>(out_, 44);  // Bytes that follow in this record.
  put<uint16_t>(out_, version_needed);
  put<uint16_t>(out_, version_needed);
  put<uint32_t>(out_, 0);
  put<uint32_t>(out_, 0);
  put<uint64_t>(out_, entries_.size());
  put<uint64_t>(out_, entries_.size());
  put<uint64_t>(out_, directory_size);
  put<uint64_t>(out_, directory_at);
  put<uint32_t>(out_, 0x07064b50);
  put<uint32_t>(out_, 0);
  put<uint64_t>(out_, end64_at);
  put<uint32_t>(out_, 1);
  put<uint32_t>(out_, 0x06054b50);
  put<uint16_t>(out_, 0);
  put<uint16_t>(out_, 0);
  auto count = static_cast<uint16_t>(std::min<size_t>(entries_.size(), 0xffff));
  put<uint16_t>(out_, count);
  put<uint16_t>(out_, count);
  put_narrow(out_, directory_size);
  put_narrow(out_, directory_at);
  put<uint16_t>(out_, 0);
  return std::move(out_);
}

}  // namespace assay::archive
