#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

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

class Check : public ::testing::Test {
 protected:
  Folder folder;
  std::string archive = folder.put("m.pt", Archive{net_with({"return torch.neg(x)"})}.bytes());
  /// A check of the archive against itself.
  std::string itself = "assay check " + archive + " --against " + archive + " ";
  std::string model = folder.put("model.py", "class Net: pass\n") + ":Net";
};

TEST_F(Check, AnArchiveAgreesWithItself) {
  Outcome outcome = run(itself + "--input 'x: f32[2]' --max-examples 3 -q");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("3 of 3 cases compared"), std::string::npos) << outcome.out;
}

TEST_F(Check, AnArchiveAloneSaysWhatItsPassRestsOn) {
  Outcome outcome = run("assay check " + archive + " --input 'x: f32[2]' --max-examples 3 -q");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  for (const char* said :
       {"m.pt alone: 3 of 3 cases run", "it takes every declared input (3 cases)",
        "Whether it computes what its model computes was not tested"}) {
    EXPECT_NE(outcome.out.find(said), std::string::npos) << outcome.out;
  }
}

TEST_F(Check, AnArchiveAloneThatLooksFaultyHasNotPassed) {
  // A loop over four rows, unrolled: nothing is loud where there are more.
  Outcome outcome =
      run("assay check corpus/loops/product_over_rows/trace.pt "
          "--input 'x: f32[n, m]' --dim n=4..9 --dim m=1..4 -q");
  EXPECT_EQ(outcome.code, 4) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("gate: assay lint sees what is likely AS104 unrolled loop"),
            std::string::npos)
      << outcome.out;
}

TEST_F(Check, ARecordingBringsItsOwnSpec) {
  std::string corpus = "corpus/sizes/arange_len/";
  Outcome outcome = run("assay check " + corpus + "trace.pt --against " + corpus + "calls.rec -q");
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("dim x.0 (n): right only at n = 7"), std::string::npos) << outcome.out;
}

TEST_F(Check, AReferenceThatCannotBeReadIsAnErrorOfTheCall) {
  std::string start = "assay check " + archive + " --input 'x: f32[2]' --against ";
  expect_refusal(start + "nothing.pt", {"cannot open nothing.pt: No such file"});
  expect_refusal(start + "nothing.rec", {"cannot open nothing.rec: No such file"});
  std::string junk = folder.put("junk.pt", "junk"), cut = folder.put("cut.rec", "ju");
  expect_refusal(start + junk, {junk, "not a zip archive"});
  expect_refusal(start + cut, {cut});
  expect_refusal(start + model, {"--against takes an archive (.pt) or a recording (.rec)"});
}

TEST_F(Check, ContradictorySpecsAreRefusedAtTheirPlace) {
  expect_refusal(itself + "--input 'x: f32[b'", {"--input", "<--- HERE"});
  expect_refusal(itself + "--input 'x: f32[b]'", {"letter 'b' has no range", "--dim b="});
  expect_refusal(itself + "--input 'x: f32[b]' --dim b=3..2", {"empty", "<--- HERE"});
  expect_refusal(itself + "--input 'x: f32[b]' --dim b=1..2 --dim b=3..4", {"already has a range"});
  expect_refusal(itself + "--input 'x: f32[b]' --dim b=b+1", {"dim b depends on itself"});
  expect_refusal(itself + "--input 'x: f33[2]'", {"f33", "<--- HERE"});
  expect_refusal(itself + "--input 'x: f32[2]' --atol -1", {"tolerance", "<--- HERE"});
  expect_refusal(itself + "--input 'x: f32[2]' --rtol nan", {"number", "<--- HERE"});
  expect_refusal(itself + "--input 'x: f32[2]' --dtypes y:f32", {"--dtypes", "no input 'y'"});
  expect_refusal(itself + "--input 'x: f32[2]' --devices moon", {"moon", "<--- HERE"});
}

TEST_F(Check, SpecFilesAreCheckedBeforeTheyAreBelieved) {
  expect_refusal(itself + "--spec nothing.json", {"cannot open nothing.json: No such file"});
  expect_refusal(itself + "--spec /dev/zero", {"/dev/zero is larger than"});
  auto with = [&](const std::string& text) {
    return itself + "--spec " + folder.put("s.json", text);
  };
  expect_refusal(with("hello"), {"not JSON", "s.json", "<--- HERE"});
  expect_refusal(with("{\"inputs\""), {"not JSON", "s.json"});
  expect_refusal(with(std::string(100000, '[')), {"nests too deeply", "s.json"});
  expect_refusal(with(R"({"colour": 1})"), {"colour", "s.json"});
}

TEST_F(Check, WordsOfTheGateAreChecked) {
  std::string start = itself + "--input 'x: f32[2]' ";
  expect_refusal(start + "--fail-on nothing", {"--fail-on takes", "'nothing'"});
  expect_refusal(start + "--fail-class AS999", {"no failure class AS999", "assay explain"});
  expect_refusal(start + "--fail-class xxx", {"no failure class xxx"});
  EXPECT_EQ(run(start + "--fail-class AS1xx,AS904 --max-examples 2 -q").code, 0);
  expect_refusal(start + "--time 5y", {"--time wants a time", "'5y'"});
  expect_refusal(start + "--max-examples 0", {"--max-examples wants a whole number"});
  expect_refusal(start + "--method nope", {"'nope'"});
  expect_refusal("assay check " + archive + " " + archive, {"name one model"});
}

TEST_F(Check, AToleranceForAnOutputThatTheModelDoesNotHaveIsAnError) {
  std::string start = itself + "--input 'x: f32[2]' --max-examples 2 -q ";
  EXPECT_EQ(run(start + "--atol output:1 --rtol 'args[0]:1'").code, 0);
  for (const char* flag : {"--atol foo:1", "--rtol 'output[0]:1'", "--atol out:1"}) {
    Outcome outcome = run(start + flag);
    EXPECT_EQ(outcome.code, 2) << flag;
    EXPECT_NE(outcome.err.find(std::string(flag).substr(0, 6)), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("no such output"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("output"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("2 of 2 cases compared"), std::string::npos) << outcome.out;
  }
}

TEST_F(Check, AToleranceMayBeForAnOutputThatSomeCasesHave) {
  std::string code =
      net_with({"out = annotate(List[float], [])",
                "for i in range(torch.size(x, 0)):", "  _0 = torch.append(out, 1.5)", "return out"},
               "List[float]");
  std::string file = folder.put("grows.pt", Archive{code}.bytes());
  std::string start = "assay check " + file + " --against " + file +
                      " --input 'x: f32[n]' --dim n=1..3 --max-examples 20 -q --atol ";
  EXPECT_EQ(run(start + "'output[2]:1'").code, 0);
  Outcome outcome = run(start + "'output[3]:1'");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("the outputs are output[0], output[1], output[2]"), std::string::npos)
      << outcome.err;
}

TEST_F(Check, AFailureIsToldBeforeAToleranceThatNamesNoOutput) {
  std::string other = folder.put("other.pt", Archive{net_with({"return torch.abs(x)"})}.bytes());
  Outcome outcome = run("assay check " + archive + " --against " + other +
                        " --input 'x: f32[2]' --max-examples 2 -q --atol foo:100");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("gate: --atol foo: no such output"), std::string::npos) << outcome.out;
}

TEST_F(Check, ValuesThatUnfoldWithoutEndAreHeldAndRefused) {
  // A list that holds the same list twice, forty levels deep.
  std::string list =
      "](K\x01"
      "e";
  for (char k = 1; k <= 40; ++k) {
    std::string take = std::string("h") + static_cast<char>(k);
    list += std::string("q") + k + "0](" + take + take + "e";
  }
  Archive constant{net_with({"a = CONSTANTS.c0", "return torch.neg(x)"})};
  constant.constants = "\x80\x02" + list + "\x85.";
  std::string file = folder.put("constant.pt", constant.bytes());
  Outcome fine = run("assay check " + file + " --against " + file +
                     " --input 'x: f32[2]' --max-examples 2 -q");
  EXPECT_EQ(fine.code, 0) << fine.out << fine.err;

  Archive returned{net_with({"a = annotate(List[Any], [x])", "for i in range(40):",
                             "  a = annotate(List[Any], [a, a])", "return a"},
                            "List[Any]")};
  file = folder.put("returned.pt", returned.bytes());
  Outcome refused = run("assay check " + file + " --against " + file +
                        " --input 'x: f32[2]' --max-examples 2 -q");
  EXPECT_EQ(refused.code, 4) << refused.out << refused.err;
  EXPECT_NE(refused.out.find("parts of the result are longer"), std::string::npos) << refused.out;
}

TEST_F(Check, AModuleThatGivesItselfIsNotFollowed) {
  // Net.a is a list that holds the module.
  Archive cyclic{testing::net("  a : List[Any]\n") +
                 "  def forward(self: __torch__.Net,\n    x: Tensor) -> Any:\n    return self.a\n"};
  cyclic.data = std::string("\x80\x02") + "c__torch__\nNet\n)\x81q\x01}(X\x08" +
                std::string(3, '\0') + "training\x89X\x01" + std::string(3, '\0') +
                "a](h\x01"
                "eub.";
  std::string file = folder.put("cyclic.pt", cyclic.bytes());
  Outcome outcome = run("assay check " + file + " --against " + file +
                        " --input 'x: f32[2]' --max-examples 2 -q");
  EXPECT_EQ(outcome.code, 4) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("nothing that can be compared"), std::string::npos) << outcome.out;
  std::string to = folder.path() + "/saved";
  EXPECT_EQ(run("assay run " + file + " --input 'x: f32[2]' --save-outputs " + to).code, 0);
}

TEST_F(Check, APythonFileNeedsTheNameOfAModel) {
  std::string path = model.substr(0, model.rfind(':'));
  expect_refusal("assay check " + path + " --input 'x: f32[2]'", {path + ":Net"});
}

TEST_F(Check, AMissingInterpreterIsToldWithTheFlagThatNamesOne) {
  std::string start = "assay check " + model + " --input 'x: f32[2]' --python ";
  expect_refusal(start + "/nowhere/python", {"cannot start /nowhere/python", "--python"});
  expect_refusal(start + "/bin/true", {"/bin/true", "--python"});
  expect_refusal("assay check " + model + " --host onnx",
                 {"--host is", "pytorch", "engine", "'onnx'"});
}

TEST_F(Check, AHostWithoutTorchIsToldAsSuch) {
  if (std::system("/usr/bin/python3 -c '' >/dev/null 2>&1") != 0) GTEST_SKIP() << "no Python";
  // -S: without the folders of installed packages.
  std::string bare = folder.put("python", "#!/bin/sh\nexec /usr/bin/python3 -S \"$@\"\n");
  ASSERT_EQ(::chmod(bare.c_str(), 0755), 0);
  expect_refusal("assay check " + model + " --input 'x: f32[2]' --host pytorch --python " + bare,
                 {bare, "has no usable torch", "--python", "--host engine"});
}

/// Adds its rows' numbers to x: those of seven rows, or as many as x has.
std::string numbered_rows(const std::string& name, bool pinned) {
  std::string rows = pinned ? "7" : "torch.size(" + name + ", 0)";
  return "    return torch.add(" + name + ", torch.arange(" + rows + "))\n";
}

TEST_F(Check, ACounterexampleOutlivesAnEditOfTheModel) {
  auto write = [&](const std::string& arguments, const std::string& above, const std::string& x) {
    for (bool pinned : {true, false}) {
      std::string code = testing::net() + "  def forward(self: __torch__.Net" + arguments +
                         ") -> Tensor:\n" + above + numbered_rows(x, pinned);
      folder.put(pinned ? "net.pt" : "scripted.pt", Archive{code}.bytes());
    }
  };
  auto check = [&](const std::string& name, const std::string& flags) {
    Outcome outcome = run("env -C " + folder.path() + " assay check " + name +
                          " --against scripted.pt -q --json r.json " + flags);
    std::ifstream report(folder.path() + "/r.json");
    return std::pair(outcome, nlohmann::json::parse(report));
  };
  write(",\n    x: Tensor", "", "x");
  auto [found, first] = check("net.pt", "--input 'x: f32[n]' --dim n=1..20 --max-examples 30");
  ASSERT_EQ(found.code, 1) << found.out << found.err;
  ASSERT_EQ(first["totals"]["remembered"], 0);

  // Built again from other lines, with an input more, and its own renamed and described anew.
  write(",\n    scale: Tensor,\n    rows: Tensor", "    _0 = torch.neg(scale)\n", "rows");
  std::string inputs = "--input 'scale: f32[]' --input 'rows: f32[m]' ";
  auto [again, second] = check("./net.pt", inputs + "--dim m=1..20 --max-examples 2");
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_EQ(second["totals"]["remembered"], 2);  // Too many rows, too few: errors, and wrong at 1.
  EXPECT_EQ(second["totals"]["failed"], 2);

  auto [narrow, third] = check("net.pt", inputs + "--dim m=7 --max-examples 20");
  EXPECT_EQ(narrow.code, 0) << narrow.out << narrow.err;
  EXPECT_EQ(third["totals"]["remembered"], 0);
  EXPECT_NE((narrow.out + narrow.err).find("2 remembered failing cases do not fit"),
            std::string::npos)
      << narrow.out << narrow.err;
}

}  // namespace
}  // namespace assay::cli
