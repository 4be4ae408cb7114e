#include "engine/base/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>

namespace assay::base {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsGoneWithAllThatLiesInIt) {
  std::optional<TemporaryFolder> folder(std::in_place);
  fs::path path = folder->path();
  EXPECT_TRUE(fs::is_empty(path));
  fs::create_directory(path / "inner");
  std::ofstream(path / "inner" / "file") << "x";
  folder.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, TwoAreNotOne) {
  TemporaryFolder a, b;
  EXPECT_NE(a.path(), b.path());
}

}  // namespace
}  // namespace assay::base
