#include <gtest/gtest.h>

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

const char* const pinned = "corpus/sizes/arange_len/trace.pt";    // Likely AS102.
const char* const device = "corpus/sizes/arange_shape/trace.pt";  // A possible AS106, no more.
const char* const nothing = "corpus/loops/module_list/trace.pt";

TEST(Lint, IsAdviceUnlessItShallFail) {
  auto code_of = [](const char* archive, const char* flags) {
    return run(std::string("assay lint ") + archive + flags).code;
  };
  EXPECT_EQ(code_of(pinned, ""), 0);
  EXPECT_EQ(code_of(pinned, " --fail-on likely"), 1);
  EXPECT_EQ(code_of(pinned, " --fail-on possible"), 1);
  EXPECT_EQ(code_of(device, " --fail-on likely"), 0);
  EXPECT_EQ(code_of(device, " --fail-on possible"), 1);
  EXPECT_EQ(code_of(nothing, " --fail-on possible"), 0);
  // What is not shown fails as well.
  EXPECT_EQ(code_of(pinned, " --show note --fail-on likely"), 1);
}

TEST(Lint, EqualArchivesGiveEqualBytes) {
  Outcome first = run(std::string("assay lint --json - ") + pinned);
  Outcome second = run(std::string("assay lint --json - ") + pinned);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out, second.out);
  EXPECT_TRUE(first.out.starts_with("{"));
}

TEST(Lint, RefusesWhatItDoesNotKnow) {
  std::string lint = std::string("assay lint ") + pinned;
  expect_refusal("assay lint", {"assay lint model.pt"});
  expect_refusal(lint + " --show sure", {"'sure'", "likely, possible, note"});
  expect_refusal(lint + " --fail-on note", {"likely or possible"});
  expect_refusal(lint + " --method backward", {"'backward'", pinned});
  expect_refusal(lint + " --json /nowhere/signs.json", {"/nowhere/signs.json"});
  expect_refusal("assay lint nothing.pt", {"cannot open nothing.pt: No such file"});
}

TEST(Lint, DamagedArchivesAreRefused) {
  Folder folder;
  std::string whole = Archive{net_with({"return torch.neg(x)"})}.bytes();
  std::string half = folder.put("half.pt", whole.substr(0, whole.size() / 2));
  expect_refusal("assay lint " + half, {"not a zip archive", half});
  std::string code = folder.put("code.pt", Archive{net_with({"return torch.neg(y)"})}.bytes());
  expect_refusal("assay lint " + code, {"y", code});
}

TEST(Lint, ReadsArchivesWithoutSourceLines) {
  Folder folder;
  std::string path =
      folder.put("m.pt", Archive{net_with({"return torch.reshape(x, [7, -1])"})}.bytes());
  Outcome outcome = run("assay lint " + path);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("no source line"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("[7, -1] in aten::reshape (shape)"), std::string::npos) << outcome.out;
}

TEST(Lint, NamesUnknownOperators) {
  Folder folder;
  std::string path = folder.put("m.pt", Archive{net_with({"return ops.mylib.twist(x)"})}.bytes());
  Outcome outcome = run("assay lint --show note " + path);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("mylib::twist"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace assay::cli
