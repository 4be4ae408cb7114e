#include "engine/core/file_pages.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace assay::core {
namespace {

const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
constexpr size_t pages = 2500;  // More than are looked at in one go.

/// A file of letters, one per page, mapped as archives are.
class MappedFile : public testing::Test {
 protected:
  void SetUp() override {
    if (::access("/proc/self/pagemap", R_OK) != 0) GTEST_SKIP() << "no /proc/self/pagemap";
    std::string path = testing::TempDir() + "assay_pages_XXXXXX";
    int file = ::mkstemp(path.data());
    ASSERT_GE(file, 0);
    ::unlink(path.c_str());
    std::string contents(pages * page, ' ');
    for (size_t i = 0; i < contents.size(); ++i) contents[i] = letter(i);
    ASSERT_EQ(::write(file, contents.data(), contents.size()),
              static_cast<ssize_t>(contents.size()));
    void* mapped = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    ::close(file);
    ASSERT_NE(mapped, MAP_FAILED);
    bytes_ = static_cast<char*>(mapped);
    ::madvise(bytes_, size_, MADV_NOHUGEPAGE);  // Those are dropped as a whole.
    expect_letters(0, size_);                   // Brings every page in.
  }
  void TearDown() override {
    if (bytes_ != nullptr) ::munmap(bytes_, size_);
  }

  static char letter(size_t at) { return static_cast<char>('a' + at / page % 26); }
  void expect_letters(size_t begin, size_t end) const {
    for (size_t at = begin; at < end; at += 64) ASSERT_EQ(bytes_[at], letter(at)) << at;
  }

  /// Whether the process has a page in memory: bit 63 of its entry in pagemap.
  bool is_present(size_t index) const {
    uint64_t entry = 0;
    int file = ::open("/proc/self/pagemap", O_RDONLY);
    auto number = reinterpret_cast<uintptr_t>(bytes_) / page + index;
    EXPECT_EQ(::pread(file, &entry, sizeof entry, static_cast<off_t>(number * sizeof entry)),
              static_cast<ssize_t>(sizeof entry));
    ::close(file);
    return entry >> 63 != 0;
  }
  size_t count_present() const {
    size_t count = 0;
    for (size_t i = 0; i < pages; ++i) count += is_present(i);
    return count;
  }

  size_t size_ = pages * page;
  char* bytes_ = nullptr;
};

TEST_F(MappedFile, GivesItsPagesBackAndFetchesThemAgain) {
  ASSERT_EQ(count_present(), pages);
  release_file_pages(bytes_, size_);
  EXPECT_EQ(count_present(), 0U);
  expect_letters(0, size_);
}

TEST_F(MappedFile, KeepsPagesThatLieInTheBytesInPart) {
  release_file_pages(bytes_ + 1, 3 * page - 2);
  EXPECT_EQ(count_present(), pages - 1);
  EXPECT_FALSE(is_present(1));
  release_file_pages(bytes_ + 10 * page + 1, page - 1);
  release_file_pages(bytes_ + 10 * page, 0);
  EXPECT_EQ(count_present(), pages - 1);
}

TEST_F(MappedFile, KeepsWhatWasWritten) {
  for (size_t index : {size_t{0}, size_t{7}, size_t{8}, size_t{1500}, pages - 1}) {
    bytes_[index * page + 5] = '!';
  }
  release_file_pages(bytes_, size_);
  EXPECT_EQ(count_present(), 5U);
  for (size_t index : {size_t{0}, size_t{7}, size_t{8}, size_t{1500}, pages - 1}) {
    EXPECT_EQ(bytes_[index * page + 5], '!') << index;
    bytes_[index * page + 5] = letter(index * page);
  }
  expect_letters(0, size_);
}

TEST(FilePages, MemoryWithoutAFileStays) {
  std::vector<char> bytes(64 * page, 'x');
  release_file_pages(bytes.data(), bytes.size());
  EXPECT_EQ(bytes, std::vector<char>(64 * page, 'x'));
}

}  // namespace
}  // namespace assay::core
