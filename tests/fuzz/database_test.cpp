#include "fuzz/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "verify/spec_parser.h"

namespace assay::fuzz {
namespace {

class DatabaseTest : public ::testing::Test {
 protected:
  DatabaseTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("assay_database_" + std::to_string(::getpid()))) {}
  ~DatabaseTest() override { std::filesystem::remove_all(folder_); }

  static verify::Case case_of(int64_t b) {
    verify::Spec spec = verify::parse_spec({{"input", "x: f32[b]"}, {"dim", "b=1..9"}});
    return build_case(spec, *settle(spec, verify::Point{{{"b", b}}, {}, 1}));
  }

  std::filesystem::path folder_;
  std::vector<std::string> complaints_;
  std::function<void(const std::string&)> complain_ = [this](const std::string& text) {
    complaints_.push_back(text);
  };
};

TEST_F(DatabaseTest, RemembersTheLatestCasePerKey) {
  Database database(folder_.string());
  EXPECT_TRUE(database.load(complain_).empty());
  database.save({"parity", "loud", case_of(8)});
  database.save({"parity", "silent", case_of(5)});
  database.save({"parity", "loud", case_of(2)});
  std::vector<Remembered> all = database.load(complain_);
  ASSERT_EQ(all.size(), 2u);
  for (const Remembered& one : all) {
    EXPECT_EQ(one.smallest, case_of(one.key == "loud" ? 2 : 5));
  }
  database.forget("parity", "loud");
  EXPECT_EQ(database.load(complain_).size(), 1u);
  EXPECT_TRUE(complaints_.empty());
}

TEST_F(DatabaseTest, DamagedFilesArePassedOver) {
  Database database(folder_.string());
  database.save({"parity", "loud", case_of(8)});
  std::ofstream(folder_ / "examples" / "parity" / "x.json") << "{\"case\":";
  std::ofstream(folder_ / "examples" / "parity" / "y.json") << "{}";
  EXPECT_EQ(database.load(complain_).size(), 1u);
  EXPECT_EQ(complaints_.size(), 2u);
}

}  // namespace
}  // namespace assay::fuzz
