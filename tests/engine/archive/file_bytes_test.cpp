#include "engine/archive/file_bytes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "engine/base/error.h"
#include "engine/base/temporary_folder.h"

namespace assay::archive {
namespace {

std::string text_of(const FileBytes& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

class Mapped : public testing::Test {
 protected:
  std::string put(const std::string& contents) {
    std::string path = folder_.path() / "file";
    std::ofstream(path, std::ios::binary) << contents;
    return path;
  }
  base::TemporaryFolder folder_;
};

TEST_F(Mapped, HoldsTheFilesBytes) {
  EXPECT_EQ(text_of(FileBytes::map(put("hello"))), "hello");
  EXPECT_EQ(text_of(FileBytes::map(put(""))), "");
}

TEST_F(Mapped, LivesAsLongAsItsOwner) {
  std::shared_ptr<void> owner;
  std::span<std::byte> bytes;
  {
    FileBytes file = FileBytes::map(put("hello"));
    owner = file.owner();
    bytes = file.bytes();
  }
  EXPECT_EQ(static_cast<char>(bytes[1]), 'e');
}

TEST_F(Mapped, OnlyRegularFilesAreTaken) {
  EXPECT_THROW(FileBytes::map(folder_.path()), base::Error);
  EXPECT_THROW(FileBytes::map("/dev/zero"), base::Error);
  EXPECT_THROW(FileBytes::map(folder_.path() / "nothing"), base::Error);
}

TEST_F(Mapped, TellsWhetherTheFileIsAsItWas) {
  std::string path = put("hello");
  FileBytes file = FileBytes::map(path);
  EXPECT_NO_THROW(file.check_unchanged());
  // Another file under the name is not ours.
  std::filesystem::rename(path, path + ".old");
  put("another");
  EXPECT_NO_THROW(file.check_unchanged());
  std::filesystem::resize_file(path + ".old", 2);
  EXPECT_THROW(file.check_unchanged(), base::Error);
}

TEST_F(Mapped, TellsThatTheFileWasWrittenTo) {
  std::string path = put("hello");
  FileBytes file = FileBytes::map(path);
  std::filesystem::last_write_time(
      path, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  EXPECT_THROW(file.check_unchanged(), base::Error);
  EXPECT_NO_THROW(FileBytes::copy("hello").check_unchanged());
}

TEST_F(Mapped, SmallFilesAreCopiedWhereThatIsLeftOpen) {
  std::string path = put("hello");
  FileBytes small = FileBytes::open(path);
  std::filesystem::resize_file(path, 2);
  EXPECT_NO_THROW(small.check_unchanged());
  EXPECT_EQ(text_of(small), "hello");
  path = put(std::string(1 << 20, 'x'));
  FileBytes large = FileBytes::open(path);
  std::filesystem::resize_file(path, 2);
  EXPECT_THROW(large.check_unchanged(), base::Error);
}

TEST(Copied, IsAlignedAndApart) {
  std::string text(1000, 'x');
  FileBytes file = FileBytes::copy(text);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(file.bytes().data()) % 64, 0u);
  file.bytes()[0] = std::byte{'y'};
  EXPECT_EQ(text[0], 'x');
  EXPECT_TRUE(FileBytes::copy("").bytes().empty());
}

}  // namespace
}  // namespace assay::archive
