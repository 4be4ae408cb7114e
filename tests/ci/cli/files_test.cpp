#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/ci/cli/archives.h"
#include "tests/ci/cli/program.h"

namespace assay::cli {
namespace {

using testing::Archive;
using testing::Folder;
using testing::net_with;
using testing::Outcome;
using testing::run;

class WrittenFiles : public ::testing::Test {
 protected:
  Outcome check_with(const std::string& flags) const {
    return run("assay check " + archive + " --against " + archive +
               " --input 'x: f32[2]' --max-examples 2 -q " + flags);
  }

  Folder folder;
  std::string archive = folder.put("m.pt", Archive{net_with({"return torch.neg(x)"})}.bytes());
};

TEST_F(WrittenFiles, AreThereAndWhole) {
  std::string path = folder.path() + "/report.json";
  EXPECT_EQ(check_with("--json " + path).code, 0);
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
}

TEST_F(WrittenFiles, ThatCannotBeWrittenAreAnError) {
  Outcome outcome = check_with("--json /nowhere/report.json");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("cannot write /nowhere/report.json: No such file"), std::string::npos)
      << outcome.err;
}

TEST_F(WrittenFiles, ADeviceIsWrittenToAndStays) {
  // A device that is always full, linked to so that a fault here cannot harm the machine's own.
  std::string link = folder.path() + "/full";
  std::filesystem::create_symlink("/dev/full", link);
  Outcome outcome = check_with("--json " + link);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("cannot write " + link + ": No space left"), std::string::npos)
      << outcome.err;
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

}  // namespace
}  // namespace assay::cli
