#include <gtest/gtest.h>

#include "tests/ci/cli/archives.h"
#include "tests/ci/cli/program.h"

// Mistakes of new users, through the program: each is told with what to do.

namespace assay::cli {
namespace {

using testing::Archive;
using testing::expect_refusal;
using testing::Folder;
using testing::net_with;

class Mistakes : public ::testing::Test {
 protected:
  Folder folder;
  std::string archive = folder.put("m.pt", Archive{net_with({"return torch.neg(x)"})}.bytes());
  std::string check = "assay check " + archive + " --against " + archive + " ";
};

TEST_F(Mistakes, OfOrder) {
  expect_refusal("assay --python python3 check m.pt", {"the verb comes first", "--python"});
  expect_refusal("assay chek m.pt", {"unknown verb 'chek'", "did you mean check?"});
  expect_refusal("assay model.py:Net", {"did you mean assay check model.py:Net?"});
  expect_refusal("assay m.pt --input 'x: f32[2]'", {"did you mean assay check m.pt?"});
}

TEST_F(Mistakes, OfFlags) {
  expect_refusal(check + "--inputs 'x: f32[2]'",
                 {"unknown flag --inputs", "did you mean --input?"});
  expect_refusal(check + "--json --html r.html",
                 {"--json needs a value before --html: --json FILE"});
  expect_refusal(check + "--json", {"--json needs a value: --json FILE"});
  expect_refusal(check + "--input x: f32[2]",
                 {"not also f32[2]", "quotes", "--input 'x: f32[b, 3]'"});
  expect_refusal("assay check", {"name one model: assay check model.py:Net"});
}

TEST_F(Mistakes, OfFlagsAreToldBeforeAnythingIsStarted) {
  std::string start = "assay check model.py:Net --python /nowhere --input 'x: f32[2]' ";
  expect_refusal(start + "--max-examples many", {"--max-examples wants a whole number"});
  expect_refusal(start + "--time soon", {"--time wants a time"});
  expect_refusal(start + "--fail-on all", {"--fail-on takes"});
  expect_refusal(start + "--jobs 0", {"--jobs wants"});
  expect_refusal(start + "--profile fast", {"--profile is dev or ci"});
  expect_refusal(start + "--json /nowhere/r.json", {"cannot write"});
}

TEST_F(Mistakes, OfTheSpec) {
  const std::string help = "assay help spec";
  expect_refusal(check + "--input 'x: f32[b]' --dim b=1..4 --dim B=1..4",
                 {"no input has a size 'B'"});
  expect_refusal(check + "--input 'x: f32[b]' --dim b=1:4", {"a step belongs to a range"});
  expect_refusal(check + "--input 'x: f32[b]' --dim 'b: 1..4'", {"expected '='", help});
  expect_refusal(check + "--input 'x: f32(2)'", {"sizes stand in brackets: f32[2, 3]"});
  expect_refusal(check + "--input 'f32[2]'", {"expected ':'", help});
  expect_refusal(check + "--input 'x: f32[2] y'", {"nothing more was expected", help});
  expect_refusal(check + "--input 'x: flaot32[2]'", {"no element type 'flaot32': f32, f64"});
  expect_refusal(check + "--input 'x: f32[2]' --dtypes half16", {"'half16': f32, f64"});
  expect_refusal(check + "--input 'x: f32[2]' --properties speed",
                 {"'speed'", "parity, deterministic"});
  EXPECT_EQ(testing::run(check + "--input 'x: torch.float32[2]' --max-examples 2 -q").code, 0);
}

TEST_F(Mistakes, OfTheKindOfFile) {
  expect_refusal("assay check " + folder.path(), {"is a folder"});
  expect_refusal("assay check model", {"there is no file model", "model.py:Net"});
  expect_refusal("assay run model.py:Net", {"model.py:Net is Python", "takes an archive"});
  expect_refusal("assay inspect model.py", {"model.py is Python", "takes an archive"});
  expect_refusal("assay record " + archive, {"is no Python model", "assay record model.py:Net"});
  expect_refusal("assay check " + archive + " --against model.py:Net",
                 {"--against takes an archive (.pt) or a recording (.rec)", "--source"});
  expect_refusal("assay check " + folder.put("a.pt", "text"), {"not a zip archive", "a.pt"});
}

}  // namespace
}  // namespace assay::cli
