#include "fuzz/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "fuzz/campaign.h"
#include "tests/support/fake_model.h"
#include "verify/spec/parser.h"

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
    return build_case(spec, *nearest_point(spec, verify::Point{{{"b", b}}, {}, 1}));
  }

  std::filesystem::path folder_;
  std::vector<std::string> complaints_;
  std::function<void(const std::string&)> complain_ = [this](const std::string& text) {
    complaints_.push_back(text);
  };
};

TEST_F(DatabaseTest, RemembersTheLatestCasePerKey) {
  Database database(folder_.string());
  EXPECT_TRUE(database.load("a.pt", complain_).empty());
  database.save({"a.pt", "parity", "loud", case_of(8)});
  database.save({"a.pt", "parity", "silent", case_of(5)});
  database.save({"a.pt", "parity", "loud", case_of(2)});
  database.save({"b.pt", "parity", "loud", case_of(3)});
  std::vector<Remembered> all = database.load("a.pt", complain_);
  ASSERT_EQ(all.size(), 2u);
  for (const Remembered& one : all) {
    EXPECT_EQ(one.smallest, case_of(one.key == "loud" ? 2 : 5));
  }
  database.forget({"a.pt", "parity", "loud", {}});
  EXPECT_EQ(database.load("a.pt", complain_).size(), 1u);
  ASSERT_EQ(database.load("b.pt", complain_).size(), 1u);
  EXPECT_EQ(database.load("b.pt", complain_)[0].smallest, case_of(3));
  EXPECT_TRUE(complaints_.empty());
  std::string ignored;
  std::ifstream(folder_ / ".gitignore") >> ignored;
  EXPECT_EQ(ignored, "*");
}

TEST_F(DatabaseTest, DamagedFilesArePassedOver) {
  Database database(folder_.string());
  database.save({"a.pt", "parity", "loud", case_of(8)});
  std::ofstream(folder_ / "examples" / "parity" / "x.json") << "{\"case\":";
  std::ofstream(folder_ / "examples" / "parity" / "y.json") << "{}";
  EXPECT_EQ(database.load("a.pt", complain_).size(), 1u);
  EXPECT_EQ(complaints_.size(), 2u);
}

using verify::Case;
using verify::testing::gave;
using verify::testing::raised;
using verify::testing::Trial;

/// A model of which everything above 3 fails.
class KeeperTest : public DatabaseTest {
 protected:
  explicit KeeperTest(int64_t right_up_to = 3)
      : trial_(
            {{"input", "x: f32[b]"}, {"dim", "b=1..9"}},
            [right_up_to](const Case& c) {
              int64_t b = c.point.sizes.at("b");
              return b > right_up_to ? raised("too large") : gave({b});
            },
            [](const Case& c) { return gave({c.point.sizes.at("b")}); }) {}

  CampaignResult run(std::vector<verify::Listener*> listeners, std::vector<Case> first,
                     int64_t examples) {
    CampaignOptions options;
    options.budget.max_examples = examples;
    options.first = std::move(first);
    options.listeners = std::move(listeners);
    return run_campaign(trial_.context, trial_.parity, options);
  }

  Trial trial_;
};

TEST_F(KeeperTest, WhatAKilledRunHadFoundIsFoundAgainAtOnce) {
  Database database(folder_.string());
  {
    // Dies in the middle of shrinking, when the case has become smaller once.
    struct Killer : verify::Listener {
      void failure_shrunk(const verify::Property&, const Case&, const std::string&) override {
        throw std::runtime_error("killed");
      }
    } killer;
    DatabaseListener keeper(database, "m.pt", {}, complain_);
    EXPECT_THROW(run({&keeper, &killer}, {}, 100), std::runtime_error);
  }
  std::vector<Remembered> left = database.load("m.pt", complain_);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_GT(left[0].smallest.point.sizes.at("b"), 3);

  DatabaseListener keeper(database, "m.pt", left, complain_);
  CampaignResult resumed = run({&keeper}, {left[0].smallest}, 1);
  EXPECT_EQ(resumed.totals.remembered, 1);
  ASSERT_EQ(resumed.failures.size(), 1u);
  EXPECT_EQ(resumed.failures[0].key, left[0].key);
  EXPECT_EQ(resumed.failures[0].smallest.point.sizes.at("b"), 4);
  EXPECT_EQ(database.load("m.pt", complain_)[0].smallest.point.sizes.at("b"), 4);
}

TEST_F(KeeperTest, ForgetsWhatFailsNoLonger) {
  Database database(folder_.string());
  Case fixed =
      build_case(trial_.spec, *nearest_point(trial_.spec, verify::Point{{{"b", 2}}, {}, 0}));
  database.save({"m.pt", "parity", "an old key", fixed});
  DatabaseListener keeper(database, "m.pt", database.load("m.pt", complain_), complain_);
  CampaignResult result = run({&keeper}, {fixed}, 1);
  EXPECT_EQ(result.totals.remembered, 1);
  EXPECT_TRUE(result.failures.empty());
  EXPECT_TRUE(database.load("m.pt", complain_).empty());
}

TEST_F(KeeperTest, AFolderThatCannotBeWrittenEndsTheKeepingNotTheRun) {
  std::ofstream(folder_) << "a file where the folder should be";
  DatabaseListener keeper(Database(folder_.string()), "m.pt", {}, complain_);
  EXPECT_EQ(run({&keeper}, {}, 50).failures.size(), 1u);
  EXPECT_EQ(complaints_.size(), 1u);
}

}  // namespace
}  // namespace assay::fuzz
