#include <gtest/gtest.h>

#include <random>

#include "engine/api/load.h"
#include "engine/api/save.h"
#include "tests/ci/cli/archives.h"
#include "tests/ci/cli/program.h"

// Archives that nobody should trust, through the program.

namespace assay::cli {
namespace {

using testing::Archive;
using testing::expect_refusal;
using testing::Folder;
using testing::net;
using testing::net_with;
using testing::Outcome;
using testing::run;

const char* const remedy = "export or copy it again";

void expect_refused(const std::string& bytes, std::vector<std::string> parts) {
  Folder folder;
  std::string path = folder.put("model.pt", bytes);
  parts.push_back(path);
  expect_refusal("assay inspect " + path + " --show graph", parts);
}

void expect_refused(const Archive& archive, const std::vector<std::string>& parts) {
  expect_refused(archive.bytes(), parts);
}

const std::string plain = net_with({"return torch.neg(x)"});

TEST(Inspect, ReadsAnArchiveOfTheTests) {
  Folder folder;
  Outcome outcome = run("assay inspect " + folder.put("m.pt", Archive{plain}.bytes()));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "forward(__torch__.Net self, Tensor x) -> Tensor\n");
}

/// The archive with this file among its extra files.
Outcome shown_guards(const std::string& origins) {
  Folder folder;
  api::Engine engine;
  api::Module module = api::load(engine, folder.put("m.pt", Archive{plain}.bytes()));
  std::string path = folder.put("traced.pt", "");
  api::save(module, path, {{"assay/origins.json", origins}});
  return run("assay inspect " + path + " --show guards");
}

TEST(Inspect, SaysWhatLeftATrace) {
  Outcome outcome = shown_guards(R"json({"version": 1,
    "origins": [{"expression": "x.size(0)", "value": 4, "how": "len", "place": "net.py:3"}],
    "guards": [{"condition": "x.size(0) > 3", "value": true, "place": "net.py:4"}],
    "baked": [{"expression": "x.size(0)", "value": 4, "op": "aten::arange", "argument": "end",
               "place": "net.py:5"}]})json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "conditions that the trace went by:\n"
            "  x.size(0) > 3  # net.py:4\n"
            "numbers that left the trace:\n"
            "  4 = x.size(0), by len  # net.py:3\n"
            "constants that were such numbers:\n"
            "  4 = x.size(0) in aten::arange (end)  # net.py:5\n");
}

TEST(Inspect, DamagedOriginsAreRefused) {
  for (const char* origins : {"{", "[]", "{\"version\": 1}", "{\"guards\": [1]}"}) {
    Outcome outcome = shown_guards(origins);
    EXPECT_EQ(outcome.code, 2) << origins;
    EXPECT_NE(outcome.err.find("assay/origins.json is damaged"), std::string::npos) << outcome.err;
  }
}

TEST(Inspect, WhatIsNoArchiveIsSaidSo) {
  expect_refused(std::string(), {"not a zip archive", remedy});
  expect_refused(std::string(1000, 'x'), {"not a zip archive", remedy});
  expect_refused(std::string("\x80\x02N.", 4), {"not a zip archive", remedy});
  archive::ZipWriter zip("m");
  zip.add("readme", "hello");
  expect_refused(zip.finish(), {"not a TorchScript archive", "data.pkl", remedy});
  expect_refusal("assay inspect nothing.pt", {"cannot open nothing.pt: No such file"});
  expect_refusal("assay inspect .", {"is a folder, not a file"});
}

TEST(Inspect, TruncatedArchivesAreRefused) {
  std::string whole = Archive{plain}.bytes();
  for (size_t part = 1; part < 8; ++part) {
    expect_refused(whole.substr(0, whole.size() * part / 8), {"not a zip archive", remedy});
  }
}

TEST(Inspect, FlippedBitsAreRefusedOrMakeNoDifference) {
  std::string whole = Archive{plain}.bytes();
  Folder folder;
  std::mt19937_64 random(1);
  for (int i = 0; i < 60; ++i) {
    std::string bytes = whole;
    size_t bit = random() % (bytes.size() * 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    Outcome outcome = run("assay inspect " + folder.put("m.pt", bytes));
    EXPECT_EQ(outcome.signal, 0) << "bit " << bit;
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 2) << "bit " << bit << "\n" << outcome.err;
  }
}

TEST(Inspect, PathsOutOfTheArchiveAreRefused) {
  for (const char* name : {"../../etc/passwd", "a/../../../x"}) {
    Archive archive{plain};
    archive.more.emplace_back(name, "x");
    expect_refused(archive, {"leads out of the archive", name, remedy});
  }
}

TEST(Inspect, OversizedClaimsAreRefused) {
  std::string storage = "ctorch._utils\n_rebuild_tensor_v2\n((X\x07";
  storage += std::string(3, '\0') + "storagectorch\nFloatStorage\nX\x01" + std::string(3, '\0') +
             "0X\x03" + std::string(3, '\0') + "cpu";
  std::string many = std::string("\x8a\x06") + std::string(5, '\0') + "\x01";
  Archive archive{plain};
  archive.constants =
      "\x80\x02" + storage + many + "tQK" + '\0' + "(K\x02K\x02t(K\x02K\x01t\x89}tR\x85.";
  archive.more.emplace_back("constants/0", "abcd");
  expect_refused(archive, {"claims 1099511627776 elements", "only 4 bytes", remedy});

  Archive text{plain};
  text.data = std::string("\x80\x02X\xff\xff\xff\x7fhi.");
  expect_refused(text, {"2147483647 bytes are announced", remedy});
  Archive memo{plain};
  memo.data = std::string("\x80\x02Nr\xff\xff\xff\x7f.");
  expect_refused(memo, {"memo index", remedy});
}

TEST(Inspect, UnknownConstructorsAreNamed) {
  Archive archive{plain};
  archive.data =
      std::string("\x80\x02") + "cposix\nsystem\nX\x02" + std::string(3, '\0') + "ls\x85R.";
  expect_refused(archive, {"unsafe pickle", "posix.system", remedy});
}

TEST(Inspect, DeepNestingIsRefused) {
  constexpr int deep = testing::beyond_any_stack;
  Archive pickle{plain};
  pickle.data = "\x80\x02" + std::string(deep, ']') + std::string(deep - 1, 'a') + ".";
  expect_refused(pickle, {"nested deeper", remedy});
  expect_refused(
      Archive{net_with({"return " + std::string(deep, '(') + "x" + std::string(deep, ')')})},
      {"nests deeper", "__torch__.py", "line 7"});
  std::string sum = "return x";
  for (int i = 0; i < deep; ++i) sum += " + x";
  expect_refused(Archive{net_with({sum})}, {"nests deeper", "line 7"});
  std::string type;
  for (int i = 0; i < deep; ++i) type += "List[";
  expect_refused(Archive{net("  a : " + type + "int" + std::string(deep, ']') + "\n")},
                 {"nests deeper", "line 5"});
}

TEST(Inspect, ClassesThatNeedManyOthersAreRefused) {
  constexpr int many = testing::beyond_any_stack;
  std::string code = net("  first : Optional[__torch__.A0]\n");
  for (int i = 0; i < many; ++i) {
    std::string name = "A" + std::to_string(i), next = "A" + std::to_string(i + 1);
    code += "class " + name + "(Module):\n  __parameters__ = []\n  __buffers__ = []\n  next : " +
            "Optional[__torch__." + next + "]\n";
  }
  expect_refused(Archive{code}, {"nested too deeply", remedy});
}

TEST(Inspect, NewerFormatsAreUnsupported) {
  Archive archive{plain};
  archive.version = "99\n";
  expect_refused(archive, {"format version 99", "this version of assay cannot read it"});
  archive.version = std::string(100000, 'x');
  expect_refused(archive, {"version is no number", remedy});
}

TEST(Inspect, CodeThatCannotRunHereIsShownAsTheArchiveHasIt) {
  Folder folder;
  for (const char* line : {"y = x.frobnicate(3)", "y = __torch__.torch.classes.far.Away(x)",
                           "y = torch.add(x, \"a\", \"b\")"}) {
    SCOPED_TRACE(line);
    std::string code = net_with({line, "return y"});
    std::string path = folder.put("m.pt", Archive{code}.bytes());
    Outcome outcome = run("assay inspect " + path + " --show code");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, code + "\n");
    EXPECT_NE(outcome.err.find("the archive's own text"), std::string::npos) << outcome.err;
    expect_refusal("assay inspect " + path + " --show graph", {"line 7"});
  }
  std::string path = folder.put("m.pt", Archive{net_with({"return torch.frobnicate(x)"})}.bytes());
  Outcome outcome = run("assay inspect " + path + " --show code");
  EXPECT_NE(outcome.out.find("return torch.frobnicate(x)"), std::string::npos) << outcome.out;
}

TEST(Inspect, CodeOfAnArchiveThatCannotBeLoadedIsShown) {
  Folder folder;
  Archive archive{net("  far : __torch__.torch.classes.far.Away\n")};
  archive.more.emplace_back("code/__torch__/other.py", "class Other(Module):\n  a : int\n");
  // Net with an attribute of that class, of which assay has no program.
  archive.data = std::string("\x80\x02") + "c__torch__\nNet\n)\x81}(X\x08" + std::string(3, '\0') +
                 "training\x89X\x03" + std::string(3, '\0') +
                 "farc__torch__.torch.classes.far\nAway\n)\x81}bub.";
  std::string path = folder.put("m.pt", archive.bytes());
  Outcome outcome = run("assay inspect " + path + " --show code");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("# code/__torch__.py\nclass Net(Module):"), std::string::npos);
  EXPECT_NE(outcome.out.find("# code/__torch__/other.py\nclass Other"), std::string::npos);
  EXPECT_NE(outcome.err.find("C++ library that assay does not have"), std::string::npos)
      << outcome.err;
}

TEST(Inspect, AnArchiveWithoutForwardTellsItsMethods) {
  Folder folder;
  std::string code = net() +
                     "  def encode(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    return x\n"
                     "  def decode(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n    return x\n";
  std::string path = folder.put("m.pt", Archive{code}.bytes());
  for (std::string command :
       {"inspect " + path + " --show code", "run " + path + " --input 'x: f32[1]'",
        "check " + path + " --against " + path + " --input 'x: f32[1]'"}) {
    expect_refusal("assay " + command,
                   {"has no method 'forward'; it has encode, decode", "--method encode"});
  }
  EXPECT_EQ(run("assay inspect " + path + " --show code --method decode").code, 0);
  path = folder.put("empty.pt", Archive{net()}.bytes());
  expect_refusal("assay inspect " + path + " --show code", {"no code to run"});
}

TEST(Inspect, UnknownMethodsAndViewsAreNamed) {
  Folder folder;
  std::string path = folder.put("m.pt", Archive{plain}.bytes());
  expect_refusal("assay inspect " + path + " --show graph --method backward",
                 {"has no method 'backward'; it has forward", "--method forward"});
  expect_refusal("assay inspect " + path + " --show tea", {"'tea'", "known: methods"});
}

}  // namespace
}  // namespace assay::cli
