#include <gtest/gtest.h>

#include "tests/ci/cli/archives.h"
#include "tests/ci/cli/program.h"

// Programs that nobody should trust, through the program.

namespace assay::cli {
namespace {

using testing::Archive;
using testing::expect_refusal;
using testing::Folder;
using testing::net;
using testing::net_with;
using testing::Outcome;
using testing::run;

void expect_refused(const std::string& code, const std::vector<std::string>& parts) {
  Folder folder;
  std::string path = folder.put("model.pt", Archive{code}.bytes());
  expect_refusal("assay run " + path + " --input 'x: f32[2, 2]'", parts);
}

/// `count` functions, f0 calls f1 and so on; the last gives its argument.
std::string chain(int count, const std::string& gives) {
  std::string code;
  for (int i = 0; i < count; ++i) {
    code += "def f" + std::to_string(i) + "(x: Tensor)" + gives + ":\n  return __torch__.f" +
            std::to_string(i + 1) + "(x)\n";
  }
  return code + "def f" + std::to_string(count) + "(x: Tensor)" + gives + ":\n  return x\n";
}

TEST(Run, GivesWhatTheProgramGives) {
  Folder folder;
  std::string path = folder.put("m.pt", Archive{net_with({"return torch.ones_like(x)"})}.bytes());
  Outcome outcome = run("assay run " + path + " --input 'x: f32[2]'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("[ CPUFloatType{2} ]"), std::string::npos) << outcome.out;
}

TEST(Run, UnknownOperatorsAreNamedWithTheirPlace) {
  expect_refused(net_with({"return torch.frobnicate(x)"}),
                 {"unknown operator aten::frobnicate", "line 7", "<--- HERE"});
}

TEST(Run, InputsThatAreMissingAreAskedFor) {
  Folder folder;
  std::string path = folder.put("m.pt", Archive{net_with({"return x"})}.bytes());
  expect_refusal("assay run " + path, {"what are the inputs", "--input", "--load-inputs"});
}

TEST(Run, ProgramsThatNeverEndAreStopped) {
  Folder folder;
  Archive endless{net_with({"_0 = True", "while _0:", "  x = torch.add(x, 1)", "return x"})};
  std::string path = folder.put("model.pt", endless.bytes());
  expect_refusal("assay run " + path + " --input 'x: f32[2]' --timeout 0.1s",
                 {"took more than 100 ms", "--timeout"});
}

TEST(Run, HugeTensorsAreRefused) {
  expect_refused(net_with({"return torch.zeros([100000, 100000, 1000])"}),
                 {"not enough memory", "40000000000000 bytes", "line 7"});
  expect_refused(net_with({"return torch.zeros([4611686018427387904, 8])"}), {"line 7"});
  Folder folder;
  std::string path = folder.put("m.pt", Archive{net_with({"return x"})}.bytes());
  expect_refusal("assay run " + path + " --input 'x: f32[9999999999, 9999999]'", {"too large"});
}

TEST(Run, RecursionIsRefused) {
  expect_refused(net_with({"return (self).forward(x)"}), {"recursively"});
}

TEST(Run, LongChainsOfCallsAreRefused) {
  std::string start = net_with({"return __torch__.f0(x)"});
  expect_refused(start + chain(testing::beyond_any_stack, ""), {"nested too deeply"});
  expect_refused(start + chain(testing::beyond_any_stack, " -> Tensor"), {"nested too deeply"});
}

TEST(Run, TypesThatGrowAreRefused) {
  std::vector<std::string> deep{"a0 = [1]"}, wide{"a0 = (1, 2)"};
  for (int i = 0; i < 1000; ++i) {
    std::string to = "a" + std::to_string(i + 1), from = "a" + std::to_string(i);
    deep.push_back(to + " = [" + from + "]");
    wide.push_back(to + " = (" + from + ", " + from + ")");
  }
  deep.emplace_back("return x");
  wide.emplace_back("return x");
  expect_refused(net_with(deep), {"a type is nested deeper", "line 7"});
  expect_refused(net_with(wide), {"a type has more than", "line 2"});
}

TEST(Run, LongLinkedListsAreFreed) {
  const std::string node =
      "class Node:\n  next : Optional[__torch__.Node]\n"
      "  def __init__(self: __torch__.Node,\n    next: Optional[__torch__.Node]) -> NoneType:\n"
      "    self.next = next\n    return None\n";
  Folder folder;
  std::string path = folder.put(
      "m.pt", Archive{node + net_with({"h = annotate(Optional[__torch__.Node], None)",
                                       "for _0 in range(" +
                                           std::to_string(5 * testing::beyond_any_stack) + "):",
                                       "  h = __torch__.Node(h)", "return x"})}
                  .bytes());
  Outcome outcome = run("assay run " + path + " --input 'x: f32[1]'");
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST(Run, ValuesThatHoldThemselvesAreNotPrintedForever) {
  expect_refused(
      net_with({"l = annotate(List[Any], [])", "_0 = torch.append(l, l)", "return l"}, "List[Any]"),
      {"nested too deeply"});
  expect_refused(
      net_with({"l = annotate(Any, 1)",
                "for _0 in range(" + std::to_string(3 * testing::beyond_any_stack) + "):",
                "  l = annotate(Any, [annotate(Any, l)])", "return l"},
               "Any"),
      {"nested too deeply"});
}

TEST(Run, DeepResultsAreNotSaved) {
  Folder folder;
  std::string deep =
      net_with({"l = annotate(Any, 1)",
                "for _0 in range(" + std::to_string(3 * testing::beyond_any_stack) + "):",
                "  l = annotate(Any, [annotate(Any, l)])", "return l"},
               "Any");
  std::string path = folder.put("m.pt", Archive{deep}.bytes());
  expect_refusal("assay run " + path + " --input 'x: f32[1]' --save-outputs " + folder.path(),
                 {"the result is nested deeper"});
  Outcome outcome = run("assay check " + path + " --against " + path +
                        " --input 'x: f32[1]' --max-examples 2 -q");
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.code, 4) << outcome.out << outcome.err;  // Nothing could be compared.
}

TEST(Run, TextsThatDoubleAreBounded) {
  std::string long_text = "'" + std::string(4096, 'a') + "'";
  expect_refused(net_with({"t = annotate(Any, (" + long_text + ", 2))",
                           "for _0 in range(60):", "  t = annotate(Any, (t, t))", "return t"},
                          "Any"),
                 {"text is longer than"});
}

TEST(Run, SavedInputsAreChecked) {
  Folder folder;
  std::string path = folder.put("m.pt", Archive{net_with({"return x"})}.bytes());
  auto expect = [&](const std::string& tensors, const std::string& json,
                    const std::vector<std::string>& parts) {
    folder.put("case/tensors.safetensors", tensors);
    folder.put("case/case.json", json);
    expect_refusal("assay run " + path + " --load-inputs " + folder.path() + "/case", parts);
  };
  std::string where = "reading the inputs in " + folder.path() + "/case";
  expect("", "{}", {"is empty", where});
  expect(std::string(7, '\0') + "\x10", "{}", {"at most 67108864 are allowed", where});
  std::string empty = std::string("\x02") + std::string(7, '\0') + "{}";
  expect(empty, "{", {"case.json", where});
  expect(empty, R"({"args": [1]})", {"expected an object", where});
  expect_refusal("assay run " + path + " --load-inputs /nowhere", {"cannot open /nowhere/"});
}

TEST(Run, FlagsAreChecked) {
  Folder folder;
  std::string path = folder.put("m.pt", Archive{net_with({"return x"})}.bytes());
  std::string start = "assay run " + path + " --input 'x: f32[2]' ";
  expect_refusal(start + "--device tpu", {"unknown device 'tpu'", "cpu"});
  expect_refusal(start + "--mode asleep", {"--mode is eval or train"});
  expect_refusal(start + "--seed -1", {"--seed wants a whole number", "'-1'"});
  expect_refusal(start + "--method nope", {"'nope'"});
}

}  // namespace
}  // namespace assay::cli
