#include "engine/archive/zip_reader.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/base/error.h"

namespace assay::archive {

namespace {

constexpr uint32_t local_signature = 0x04034b50;
constexpr uint32_t entry_signature = 0x02014b50;
constexpr uint32_t end_signature = 0x06054b50;
constexpr uint32_t end64_signature = 0x06064b50;
constexpr uint32_t locator64_signature = 0x07064b50;
constexpr size_t local_size = 30, entry_size = 46, end_size = 22, end64_size = 56,
                 locator64_size = 20;
/// Deflate cannot expand a byte to more than this (RFC 1951: 258 bytes for two bits).
constexpr uint64_t max_expansion = 1032;

/// Little-endian fields of a stretch of the file, each access checked.
class Fields {
 public:
  Fields(std::span<const std::byte> file, uint64_t at, uint64_t size, const char* what) {
    base::check(at <= file.size() && size <= file.size() - at, "not a valid archive: ", what,
                " lies outside the file");
    bytes_ = file.subspan(at, size);
  }

  template <typename T>
  T get(size_t at) const {
    base::check(at + sizeof(T) <= bytes_.size(), "not a valid archive: a zip field is cut short");
    T value = 0;
    for (size_t i = sizeof(T); i-- > 0;) {
      value = static_cast<T>((static_cast<uint64_t>(value) << 8) |
                             std::to_integer<uint8_t>(bytes_[at + i]));
    }
    return value;
  }
  uint16_t u16(size_t at) const { return get<uint16_t>(at); }
  uint32_t u32(size_t at) const { return get<uint32_t>(at); }
  uint64_t u64(size_t at) const { return get<uint64_t>(at); }
  std::string_view text(size_t at, size_t size) const {
    base::check(at <= bytes_.size() && size <= bytes_.size() - at,
                "not a valid archive: a zip name is cut short");
    return {reinterpret_cast<const char*>(bytes_.data()) + at, size};
  }

 private:
  std::span<const std::byte> bytes_;
};

struct Directory {
  uint64_t at = 0;
  uint64_t size = 0;
  uint64_t entries = 0;
};

/// Offset of the end-of-directory record: the last one whose comment ends with the file.
uint64_t find_end(std::span<const std::byte> file) {
  base::check(file.size() >= end_size, "not a zip archive: the file has only ", file.size(),
              " bytes");
  uint64_t last = file.size() - end_size;
  uint64_t first = last > 0xffff ? last - 0xffff : 0;
  for (uint64_t at = last + 1; at-- > first;) {
    if (file[at] != std::byte{'P'}) continue;
    Fields end(file, at, end_size, "its end record");
    if (end.u32(0) == end_signature && at + end_size + end.u16(20) == file.size()) return at;
  }
  base::fail("not a zip archive: it has no directory (the file may be truncated)");
}

Directory find_directory(std::span<const std::byte> file) {
  uint64_t end_at = find_end(file);
  Fields end(file, end_at, end_size, "its end record");
  Directory directory{end.u32(16), end.u32(12), end.u16(10)};
  bool one_disk = end.u16(4) == 0 && end.u16(6) == 0;
  bool needs64 =
      directory.at == 0xffffffff || directory.size == 0xffffffff || directory.entries == 0xffff;
  if (needs64 && end_at >= locator64_size) {
    Fields locator(file, end_at - locator64_size, locator64_size, "its zip64 locator");
    if (locator.u32(0) == locator64_signature) {
      uint64_t at = locator.u64(8);
      Fields end64(file, at, end64_size, "its zip64 end record");
      base::check(end64.u32(0) == end64_signature, "not a valid archive: broken zip64 end record");
      one_disk = end64.u32(16) == 0 && end64.u32(20) == 0;
      directory = {end64.u64(48), end64.u64(40), end64.u64(32)};
      end_at = at;
    }
  }
  base::check(one_disk, "not a valid archive: a zip file on several disks");
  base::check(directory.at <= end_at && directory.size <= end_at - directory.at,
              "not a valid archive: its directory lies outside the file");
  base::check(directory.entries <= directory.size / entry_size,
              "not a valid archive: its directory claims ", directory.entries, " members in ",
              directory.size, " bytes");
  return directory;
}

/// Members never name files on disk, but a name that tries to is a sign of a hostile archive.
void check_name(std::string_view name) {
  auto refuse = [&](const char* why) {
    base::fail("not a valid archive: member name ", base::python_repr(name), " ", why);
  };
  if (name.empty()) refuse("is empty");
  if (name[0] == '/') refuse("is an absolute path");
  if (name.size() > 1 && name[1] == ':') refuse("is an absolute path");
  for (char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '\\') refuse("has a forbidden character");
  }
  for (size_t begin = 0; begin <= name.size();) {
    size_t end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == "..") refuse("leads out of the archive");
    begin = end + 1;
  }
}

/// Replaces the sizes and the offset that say "see zip64" by the values of the zip64 extra field,
/// which holds them in this order.
void read_zip64_extra(const Fields& fields, size_t at, size_t size, ZipRecord& record,
                      uint64_t& header_at) {
  size_t stop = at + size;
  while (at + 4 <= stop) {
    uint16_t id = fields.u16(at), length = fields.u16(at + 2);
    at += 4;
    base::check(length <= stop - at, "not a valid archive: a zip extra field is cut short");
    if (id == 1) {
      size_t field = at, field_stop = at + length;
      for (uint64_t* value : {&record.size, &record.stored_size, &header_at}) {
        if (*value != 0xffffffff) continue;
        base::check(field + 8 <= field_stop, "not a valid archive: broken zip64 extra field");
        *value = fields.u64(field);
        field += 8;
      }
    }
    at += length;
  }
}

struct Entry {
  uint64_t header_at = 0;
  uint16_t name_size = 0;
  uint64_t whole_size = 0;
};

Entry read_entry(std::span<const std::byte> file, uint64_t at, uint64_t directory_end,
                 ZipRecord& record) {
  Fields fixed(file, at, entry_size, "a directory entry");
  base::check(fixed.u32(0) == entry_signature, "not a valid archive: broken directory entry");
  Entry entry;
  entry.name_size = fixed.u16(28);
  uint16_t extra_size = fixed.u16(30), comment_size = fixed.u16(32);
  entry.whole_size = entry_size + entry.name_size + extra_size + comment_size;
  base::check(entry.whole_size <= directory_end - at,
              "not a valid archive: a directory entry is cut short");
  Fields fields(file, at, entry.whole_size, "a directory entry");
  record.name = fields.text(entry_size, entry.name_size);
  check_name(record.name);
  uint16_t flags = fields.u16(8), method = fields.u16(10);
  base::check((flags & 1) == 0, "member ", record.name, " is encrypted");
  base::check(method == 0 || method == 8, "member ", record.name, " uses compression method ",
              method, "; stored and deflate are supported");
  record.deflated = method == 8;
  record.crc = fields.u32(16);
  record.stored_size = fields.u32(20);
  record.size = fields.u32(24);
  entry.header_at = fields.u32(42);
  read_zip64_extra(fields, entry_size + entry.name_size, extra_size, record, entry.header_at);
  return entry;
}

/// Checks the header in front of the data and finds the data.
void locate_data(std::span<const std::byte> file, const Entry& entry, uint64_t directory_at,
                 ZipRecord& record) {
  auto check = [&](bool condition, const char* what) {
    base::check(condition, "not a valid archive: member ", record.name, " ", what);
  };
  Fields local(file, entry.header_at, local_size, "a member's header");
  check(local.u32(0) == local_signature, "has no header where the directory says");
  uint16_t name_size = local.u16(26), extra_size = local.u16(28);
  check(name_size == entry.name_size, "has two names");
  Fields name(file, entry.header_at + local_size, name_size, "a member's name");
  check(name.text(0, name_size) == record.name, "has two names");
  check(local.u16(8) == (record.deflated ? 8 : 0), "has two compression methods");
  record.data_at = entry.header_at + local_size + name_size + extra_size;
  check(record.data_at <= directory_at && record.stored_size <= directory_at - record.data_at,
        "reaches beyond the end of the file's members");
  if (record.deflated) {
    check(record.size / max_expansion <= record.stored_size + 1,
          "claims to expand more than deflate can");
  } else {
    check(record.size == record.stored_size, "is stored but has two sizes");
  }
}

std::string inflate_all(std::span<const std::byte> packed, const ZipRecord& record) {
  // The output grows with what really comes out, never at once to what the entry claims.
  constexpr size_t step = size_t{1} << 20;
  z_stream stream{};
  base::invariant(inflateInit2(&stream, -MAX_WBITS) == Z_OK, "zlib did not start");
  std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, &inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
  base::check(packed.size() <= UINT32_MAX, "member ", record.name, " is too large to inflate");
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  int status = Z_OK;
  while (status == Z_OK) {
    size_t had = out.size();
    // One byte more than claimed, so that a longer stream shows.
    size_t room = std::min<uint64_t>(step, record.size - had + 1);
    out.resize(had + room);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + had);
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    out.resize(had + room - stream.avail_out);
    if (out.size() > record.size || (status == Z_OK && out.size() == had)) break;
  }
  base::check(status == Z_STREAM_END && out.size() == record.size, "member ", record.name,
              " does not inflate to its ", record.size, " bytes");
  return out;
}

}  // namespace

ZipReader::ZipReader(FileBytes file) : file_(std::move(file)) { read_directory(); }

void ZipReader::read_directory() {
  std::span<const std::byte> file = file_.bytes();
  Directory directory = find_directory(file);
  uint64_t at = directory.at, end = directory.at + directory.size;
  file_.prefetch(directory.at, directory.size);
  std::vector<std::pair<Entry, ZipRecord>> members;
  members.reserve(directory.entries);
  for (uint64_t i = 0; i < directory.entries; ++i) {
    base::check(at < end, "not a valid archive: its directory ends early");
    ZipRecord record;
    Entry entry = read_entry(file, at, end, record);
    at += entry.whole_size;
    file_.prefetch(entry.header_at, local_size + entry.name_size);
    members.emplace_back(entry, std::move(record));
  }
  base::check(at == end, "not a valid archive: its directory has ", directory.size,
              " bytes, of which its members use ", at - directory.at);
  records_.reserve(members.size());
  headers_at_.reserve(members.size());
  for (auto& [entry, record] : members) {
    locate_data(file, entry, directory.at, record);
    if (record.name.back() == '/' && record.size == 0) continue;
    records_.push_back(std::move(record));
    headers_at_.push_back(entry.header_at);
  }
  by_name_.reserve(records_.size());
  for (size_t i = 0; i < records_.size(); ++i) {
    base::check(by_name_.emplace(records_[i].name, i).second,
                "not a valid archive: two members are named ", records_[i].name);
  }
  refuse_overlaps(directory.at);
}

void ZipReader::refuse_overlaps(uint64_t directory_at) const {
  std::vector<size_t> order(records_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return headers_at_[a] < headers_at_[b]; });
  for (size_t i = 0; i < order.size(); ++i) {
    const ZipRecord& record = records_[order[i]];
    uint64_t next = i + 1 < order.size() ? headers_at_[order[i + 1]] : directory_at;
    base::check(record.data_at + record.stored_size <= next, "not a valid archive: member ",
                record.name, " overlaps the next one");
  }
}

const ZipRecord* ZipReader::find(std::string_view name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &records_[found->second];
}

std::span<std::byte> ZipReader::stored(const ZipRecord& record) const {
  return file_.bytes().subspan(record.data_at, record.stored_size);
}

std::string ZipReader::read(const ZipRecord& record, uint64_t limit) const {
  base::check(record.size <= limit, "member ", record.name, " has ", record.size,
              " bytes; at most ", limit, " are accepted here");
  std::span<std::byte> bytes = stored(record);
  file_.prefetch(record.data_at, record.stored_size);
  std::string out = record.deflated
                        ? inflate_all(bytes, record)
                        : std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto crc =
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(out.data()), out.size());
  base::check(crc == record.crc, "member ", record.name,
              " is damaged: its checksum does not match");
  return out;
}

}  // namespace assay::archive
