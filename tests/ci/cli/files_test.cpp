#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/ci/cli/archives.h"
#include "tests/ci/cli/program.h"

namespace assay::cli {
namespace {

using testing::Archive;
using testing::expect_refusal;
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

TEST_F(WrittenFiles, ThatCannotBeWrittenAreToldBeforeTheCheck) {
  std::string check = "assay check " + archive + " --against " + archive + " --input 'x: f32[2]' ";
  expect_refusal(check + "--json /nowhere/report.json",
                 {"cannot write /nowhere/report.json: No such file", "make the folder /nowhere"});
  expect_refusal(check + "--html " + folder.path(), {"it is a folder; name a file in it"});
  expect_refusal(check + "--json a.json --html a.json", {"would both write a.json"});
}

TEST_F(WrittenFiles, NoVerbLosesItsOutputUnseen) {
  std::string report = folder.path() + "/r.json";
  ASSERT_EQ(check_with("--json " + report).code, 0);
  for (std::string words :
       {"check " + archive + " --against " + archive + " --input 'x: f32[2]' --max-examples 2 -q",
        "run " + archive + " --input 'x: f32[2]'", "inspect " + archive + " --show code",
        "report " + report, std::string("explain"), std::string("help spec"),
        std::string("check --help"), std::string("--version")}) {
    Outcome outcome = run("assay " + words + " > /dev/full");
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_NE(outcome.err.find("cannot write the output"), std::string::npos) << outcome.err;
  }
}

TEST_F(WrittenFiles, OfAReportAndOfSavedOutputsLeaveNoHalves) {
  std::string report = folder.path() + "/r.json";
  ASSERT_EQ(check_with("--json " + report).code, 0);
  expect_refusal("assay report " + report + " -o /nowhere/r.html",
                 {"cannot write /nowhere/r.html"});
  expect_refusal("assay report " + report + " -o " + folder.path(), {"it is a folder"});
  std::string start = "assay run " + archive + " --input 'x: f32[2]' --save-outputs ";
  expect_refusal(start + archive + "/case", {"cannot make the folder"});
  expect_refusal(start + "/dev/full/case", {"cannot make the folder"});
  expect_refusal(start + "/nowhere/out.npz", {"cannot write /nowhere/out.npz", "make the folder"});
  expect_refusal("assay run " + archive +
                     " --input 'x: i64[2, 2, 2, 2]?' --method forward --seed x "
                     "--save-outputs " +
                     folder.path() + "/new/case",
                 {"--seed"});
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/new"));
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
