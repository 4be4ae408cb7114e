#include "engine/archive/zip_reader.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>

#include "engine/base/error.h"
#include "tests/engine/archive/zip_test.h"

namespace assay::archive {
namespace {

std::string read_all(const std::string& bytes) {
  ZipReader zip = open_zip(bytes);
  std::string all;
  for (const ZipRecord& record : zip.records()) all += zip.read(record);
  return all;
}

std::string error_of(const std::string& bytes) {
  try {
    read_all(bytes);
  } catch (const base::Error& e) {
    EXPECT_NE(e.kind(), base::ErrorKind::internal) << e.describe();
    return e.message();
  }
  return "";
}

void put16(std::string& bytes, size_t at, unsigned value) {
  bytes[at] = static_cast<char>(value);
  bytes[at + 1] = static_cast<char>(value >> 8);
}

void put32(std::string& bytes, size_t at, uint32_t value) {
  put16(bytes, at, value & 0xffff);
  put16(bytes, at + 2, value >> 16);
}

uint32_t get32(const std::string& bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = (value << 8) | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

/// A zip with one deflated member "m/x" whose directory claims `claimed` bytes.
std::string deflated_zip(const std::string& contents, uint32_t claimed) {
  std::string packed(compressBound(contents.size()) + 64, '\0');
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);

  std::string bytes = zip_of({{"x", packed}});
  auto crc = static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(contents.data()),
                                         static_cast<uInt>(contents.size())));
  size_t entry = get32(bytes, bytes.size() - 6);
  put16(bytes, 8, 8);
  put16(bytes, entry + 10, 8);
  put32(bytes, entry + 16, crc);
  put32(bytes, entry + 24, claimed);
  return bytes;
}

RC_GTEST_PROP(ZipReader, reads_what_the_writer_wrote, (std::vector<std::string> contents)) {
  std::vector<std::pair<std::string, std::string>> members;
  for (size_t i = 0; i < contents.size(); ++i) {
    members.emplace_back(fmt::format("dir/{}", i), contents[i]);
  }
  ZipReader zip = open_zip(zip_of(members));
  RC_ASSERT(zip.records().size() == members.size());
  for (const auto& [name, text] : members) {
    const ZipRecord* record = zip.find("m/" + name);
    RC_ASSERT(record != nullptr);
    RC_ASSERT(zip.read(*record) == text);
    RC_ASSERT(record->data_at % 64 == 0);
  }
}

TEST(ZipReader, every_truncation_is_refused) {
  std::string whole = zip_of({{"version", "3\n"}, {"data.pkl", std::string(200, 'p')}});
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(error_of(whole.substr(0, size)), "") << size;
  }
  EXPECT_EQ(error_of(whole), "");
}

TEST(ZipReader, a_flipped_bit_never_crashes_and_never_changes_contents) {
  std::string whole = zip_of({{"version", "3\n"}, {"data.pkl", std::string(200, 'p')}});
  std::string good = read_all(whole);
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string bad = whole;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    if (error_of(bad).empty()) {
      EXPECT_EQ(read_all(bad), good) << bit;
    }
  }
}

TEST(ZipReader, inflates) {
  std::string contents(100000, 'a');
  EXPECT_EQ(read_all(deflated_zip(contents, 100000)), contents);
}

TEST(ZipReader, a_deflated_member_must_have_its_claimed_size) {
  std::string contents(100000, 'a');
  EXPECT_NE(error_of(deflated_zip(contents, 99999)), "");
  EXPECT_NE(error_of(deflated_zip(contents, 100001)), "");
  // Beyond what deflate can expand: refused before anything is inflated.
  EXPECT_NE(error_of(deflated_zip(contents, 0xfffffff0)).find("claims to expand"),
            std::string::npos);
}

TEST(ZipReader, a_limit_bounds_what_is_read) {
  ZipReader zip = open_zip(deflated_zip(std::string(100000, 'a'), 100000));
  EXPECT_THROW(zip.read(zip.records()[0], 99999), base::Error);
  EXPECT_EQ(zip.read(zip.records()[0], 100000).size(), 100000u);
}

TEST(ZipReader, names_that_lead_elsewhere_are_refused) {
  for (std::string name : {"../x", "a/../../x", "..", "a\\b", "a\nb"}) {
    EXPECT_NE(error_of(zip_of({{name, "x"}})), "") << name;
  }
  ZipWriter absolute("/");
  absolute.add("etc/passwd", "x");
  EXPECT_NE(error_of(absolute.finish()).find("absolute"), std::string::npos);
  EXPECT_EQ(error_of(zip_of({{"a..b/c.", "x"}})), "");
}

TEST(ZipReader, duplicate_names_are_refused) {
  std::string bytes = zip_of({{"aa", "1"}, {"ab", "2"}});
  for (size_t at = bytes.find("m/ab"); at != std::string::npos; at = bytes.find("m/ab", at)) {
    bytes[at + 3] = 'a';
  }
  EXPECT_NE(error_of(bytes).find("two members"), std::string::npos);
}

TEST(ZipReader, overlapping_members_are_refused) {
  std::string bytes = zip_of({{"a", std::string(64, 'x')}, {"b", std::string(500, 'y')}});
  size_t directory = get32(bytes, bytes.size() - 6);
  // The first member claims to reach into the second.
  put32(bytes, directory + 20, 200);
  put32(bytes, directory + 24, 200);
  EXPECT_NE(error_of(bytes).find("overlaps"), std::string::npos);
}

TEST(ZipReader, encryption_and_other_methods_are_refused) {
  std::string bytes = zip_of({{"a", "x"}});
  size_t directory = get32(bytes, bytes.size() - 6);
  std::string encrypted = bytes;
  put16(encrypted, directory + 8, 1);
  EXPECT_NE(error_of(encrypted).find("encrypted"), std::string::npos);
  put16(bytes, directory + 10, 12);
  EXPECT_NE(error_of(bytes).find("compression method 12"), std::string::npos);
}

TEST(ZipReader, a_comment_at_the_end_is_allowed) {
  std::string bytes = zip_of({{"a", "x"}});
  put16(bytes, bytes.size() - 2, 5);
  EXPECT_EQ(read_all(bytes + "PK\5\6!"), "x");
}

TEST(ZipReader, a_directory_that_claims_too_many_members_is_refused) {
  std::string bytes = zip_of({{"a", "x"}});
  put16(bytes, bytes.size() - 12, 5000);
  EXPECT_NE(error_of(bytes).find("claims 5000 members"), std::string::npos);
}

TEST(ZipReader, writing_to_mapped_bytes_leaves_the_file_alone) {
  std::string path = testing::TempDir() + "assay_zip_reader_test.zip";
  std::string bytes = zip_of({{"a", "hello"}});
  std::ofstream(path, std::ios::binary) << bytes;
  ZipReader zip(FileBytes::map(path));
  zip.stored(zip.records()[0])[0] = std::byte{'J'};
  EXPECT_EQ(static_cast<char>(zip.stored(zip.records()[0])[0]), 'J');
  std::ifstream again(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(again), {}), bytes);
  std::remove(path.c_str());
}

TEST(ZipReader, missing_files_and_folders_are_input_errors) {
  EXPECT_THROW(FileBytes::map("/nonexistent/model.pt"), base::Error);
  EXPECT_THROW(FileBytes::map("/"), base::Error);
}

}  // namespace
}  // namespace assay::archive
