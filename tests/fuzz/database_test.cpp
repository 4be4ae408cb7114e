#include "fuzz/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "engine/base/temporary_folder.h"
#include "fuzz/campaign.h"
#include "tests/support/fake_model.h"
#include "verify/spec/parser.h"

namespace assay::fuzz {
namespace {

class DatabaseTest : public ::testing::Test {
 protected:
  static verify::Case case_of(int64_t b) {
    verify::Spec spec = verify::parse_spec({{"input", "x: f32[b]"}, {"dim", "b=1..9"}});
    return build_case(spec, *nearest_point(spec, verify::Point{{{"b", b}}, {}, 1}));
  }

  base::TemporaryFolder around_;
  std::filesystem::path folder_ = around_.path() / "database";  // Not there yet.
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

/// A folder in which a database and models lie, and the current one meanwhile.
class NamesTest : public DatabaseTest {
 protected:
  NamesTest() : before_(std::filesystem::current_path()) {
    std::filesystem::create_directories(folder_ / "pkg");
    std::filesystem::current_path(folder_);
    for (const char* file : {"m.pt", "model.py", "pkg/model.py"}) std::ofstream(file) << "x";
  }
  ~NamesTest() override { std::filesystem::current_path(before_); }

  size_t known(const std::string& model) {
    return Database(".assay").load(model, complain_).size();
  }

  std::filesystem::path before_;
};

TEST_F(NamesTest, AModelIsTheSameHoweverItIsSpelled) {
  Database(".assay").save({"model.py:Net(8)", "parity", "loud", case_of(8)});
  Database(".assay").save({"pkg.model:Net", "parity", "loud", case_of(5)});
  std::string whole = (folder_ / "model.py").string() + ":Net(8)";
  for (std::string same :
       {std::string("./model.py:Net(8)"), std::string("pkg/../model.py:Net(8)"), whole}) {
    EXPECT_EQ(known(same), 1u) << same;
  }
  for (const char* other : {"pkg/model.py:Net(8)", "model.py:Net", "model.py:Other(8)", "m.pt"}) {
    EXPECT_EQ(known(other), 0u) << other;
  }
  EXPECT_EQ(known("pkg.model:Net"), 1u);
  std::filesystem::current_path(folder_ / "pkg");
  EXPECT_EQ(Database("../.assay").load("../model.py:Net(8)", complain_).size(), 1u);
  EXPECT_EQ(Database("../.assay").load("model.py:Net(8)", complain_).size(), 0u);
}

TEST_F(NamesTest, AModelThatWasMovedKeepsItsCases) {
  Database database(".assay");
  database.save({"m.pt", "parity", "loud", case_of(8)});
  EXPECT_EQ(known("pkg/m.pt"), 0u);  // It is another one while the first is there.
  std::filesystem::rename("m.pt", "pkg/m.pt");
  std::vector<Remembered> moved = database.load("pkg/m.pt", complain_);
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_EQ(moved[0].smallest, case_of(8));
  EXPECT_FALSE(moved[0].unchanged);
  // What is found in the new place replaces it.
  database.save({"pkg/m.pt", "parity", "loud", case_of(3)});
  ASSERT_EQ(known("pkg/m.pt"), 1u);
  EXPECT_EQ(database.load("pkg/m.pt", complain_)[0].smallest, case_of(3));
}

TEST_F(NamesTest, FilesOfTheOldFormAreRead) {
  std::filesystem::create_directories(".assay/examples/parity");
  std::ofstream(".assay/examples/parity/old.json")
      << R"({"model": "./m.pt", "property": "parity", "key": "loud m.py:8", "case": )"
      << to_json(case_of(8)) << "}";
  std::ofstream(".assay/examples/parity/newer.json")
      << R"({"format": 3, "model": "m.pt", "property": "parity", "key": "k", "case": )"
      << to_json(case_of(8)) << "}";
  std::vector<Remembered> all = Database(".assay").load("m.pt", complain_);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].smallest, case_of(8));
  ASSERT_EQ(complaints_.size(), 1u);
  EXPECT_NE(complaints_[0].find("another version"), std::string::npos);
}

TEST_F(DatabaseTest, WhatDoesNotFitIsToldOnceAndKept) {
  Database database(folder_.string());
  for (int64_t b : {2, 5, 6, 7, 8, 9}) {
    database.save({"a.pt", "parity", "key " + std::to_string(b), case_of(b)});
  }
  verify::Spec narrow = verify::parse_spec({{"input", "x: f32[rows]"}, {"dim", "rows=1..4"}});
  std::vector<Remembered> fitting = fit_to(narrow, database.load("a.pt", complain_), complain_);
  ASSERT_EQ(fitting.size(), 1u);
  EXPECT_EQ(fitting[0].smallest.point.sizes, (verify::Bindings{{"rows", 2}}));
  EXPECT_TRUE(fitting[0].unchanged);
  ASSERT_EQ(complaints_.size(), 1u);
  EXPECT_EQ(complaints_[0].rfind("5 remembered failing cases do not fit", 0), 0u);
  EXPECT_NE(complaints_[0].find("lies outside its range"), std::string::npos);
  EXPECT_EQ(database.load("a.pt", complain_).size(), 6u);
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
    DatabaseListener keeper(database, "m.pt", {}, failure_key, complain_);
    EXPECT_THROW(run({&keeper, &killer}, {}, 100), std::runtime_error);
  }
  std::vector<Remembered> left = database.load("m.pt", complain_);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_GT(left[0].smallest.point.sizes.at("b"), 3);

  DatabaseListener keeper(database, "m.pt", left, failure_key, complain_);
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
  DatabaseListener keeper(database, "m.pt", database.load("m.pt", complain_), failure_key,
                          complain_);
  CampaignResult result = run({&keeper}, {fixed}, 1);
  EXPECT_EQ(result.totals.remembered, 1);
  EXPECT_TRUE(result.failures.empty());
  EXPECT_TRUE(database.load("m.pt", complain_).empty());
}

TEST_F(KeeperTest, WhatHoldsInAnotherFormOnlyIsNotForgotten) {
  Database database(folder_.string());
  // Found when the model had an input more, which may have been to blame.
  verify::Spec before =
      verify::parse_spec({{"input", "x: f32[b]"}, {"input", "y: f32[b]"}, {"dim", "b=1..9"}});
  Case found = build_case(before, *nearest_point(before, verify::Point{{{"b", 2}}, {}, 0}));
  database.save({"m.pt", "parity", "silent", found});
  auto fitting = fit_to(trial_.spec, database.load("m.pt", complain_), complain_);
  ASSERT_EQ(fitting.size(), 1u);
  DatabaseListener keeper(database, "m.pt", fitting, failure_key, complain_);
  EXPECT_EQ(run({&keeper}, {fitting[0].smallest}, 1).totals.remembered, 1);
  ASSERT_EQ(database.load("m.pt", complain_).size(), 1u);
  EXPECT_EQ(database.load("m.pt", complain_)[0].smallest, found);
}

TEST_F(KeeperTest, AFailureIsInOneFile) {
  Database database(folder_.string());
  Case failing =
      build_case(trial_.spec, *nearest_point(trial_.spec, verify::Point{{{"b", 7}}, {}, 0}));
  CampaignResult result = run({}, {failing}, 1);
  ASSERT_EQ(result.failures.size(), 1u);
  database.save({"m.pt", "parity", result.failures[0].key, failing});
  auto folder = folder_ / "examples" / "parity";
  std::filesystem::rename(std::filesystem::directory_iterator(folder)->path(), folder / "old.json");
  DatabaseListener keeper(database, "m.pt", database.load("m.pt", complain_), failure_key,
                          complain_);
  run({&keeper}, {failing}, 1);
  EXPECT_FALSE(std::filesystem::exists(folder / "old.json"));
  EXPECT_EQ(database.load("m.pt", complain_).size(), 1u);
}

TEST_F(KeeperTest, AFolderThatCannotBeWrittenEndsTheKeepingNotTheRun) {
  std::ofstream(folder_) << "a file where the folder should be";
  DatabaseListener keeper(Database(folder_.string()), "m.pt", {}, failure_key, complain_);
  EXPECT_EQ(run({&keeper}, {}, 50).failures.size(), 1u);
  EXPECT_EQ(complaints_.size(), 1u);
}

}  // namespace
}  // namespace assay::fuzz
