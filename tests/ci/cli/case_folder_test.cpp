#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/archive/npz.h"
#include "tests/ci/cli/archives.h"
#include "tests/ci/cli/program.h"

// Calls that are saved and loaded, through the program.

namespace assay::cli {
namespace {

using nlohmann::json;
using testing::Archive;
using testing::expect_refusal;
using testing::Folder;
using testing::net;
using testing::Outcome;
using testing::run;

std::string float_bytes(const std::vector<float>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

/// A safetensors file with one tensor of floats.
std::string safetensors(const std::string& name, const std::vector<float>& values) {
  json header{{name,
               {{"dtype", "F32"},
                {"shape", {values.size()}},
                {"data_offsets", {0, values.size() * sizeof(float)}}}}};
  std::string text = header.dump(), out;
  for (size_t i = 0; i < 8; ++i) out += static_cast<char>(text.size() >> (8 * i));
  return out + text + float_bytes(values);
}

/// `Net` with two methods: forward(x, y) = x - y, and scaled(x, n: int) = x * n.
const std::string two_methods =
    net() +
    "  def forward(self: __torch__.Net,\n    x: Tensor,\n    y: Tensor) -> Tensor:\n"
    "    return torch.sub(x, y)\n"
    "  def scaled(self: __torch__.Net,\n    x: Tensor,\n    n: int) -> Tensor:\n"
    "    return torch.mul(x, n)\n";

class Saved : public ::testing::Test {
 protected:
  std::string result(const std::string& flags) const {
    Outcome outcome = run("assay run " + archive + " " + flags);
    EXPECT_EQ(outcome.code, 0) << flags << "\n" << outcome.err;
    return outcome.out;
  }

  Folder folder;
  std::string archive = folder.put("m.pt", Archive{two_methods}.bytes());
};

const char* const three_and_five = " 3\n 5\n[ CPUFloatType{2} ]\n";

TEST_F(Saved, ACallIsLoadedAsItWasSaved) {
  std::string path = folder.path() + "/new/case";
  std::string first = result("--input 'x: f32[3]' --input 'y: f32[3]' --seed 4");
  result("--input 'x: f32[3]' --input 'y: f32[3]' --seed 4 --save-outputs " + path);
  EXPECT_EQ(result("--load-inputs " + path), first);
  json document = json::parse(std::ifstream(path + "/case.json"));
  EXPECT_EQ(document["format"], 1);
  EXPECT_EQ(document["method"], "forward");
  EXPECT_EQ(document["seed"], 4);
  EXPECT_EQ(document["args"].size(), 2u);
  EXPECT_EQ(document["expected"]["t"], "tensor");
  // Nothing but tensors stands in the file of tensors, as other readers of the format expect.
  std::ifstream file(path + "/tensors.safetensors", std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  json header = json::parse(bytes.substr(
      8, static_cast<unsigned char>(bytes[0]) + 256u * static_cast<unsigned char>(bytes[1])));
  for (const auto& [name, entry] : header.items()) EXPECT_TRUE(entry.contains("dtype")) << name;
}

TEST_F(Saved, APublishedCaseOfOneCallIsTaken) {
  folder.put("case/tensors.safetensors", safetensors("in0", {1, 1.66666666f}));
  folder.put("case/case.json",
             R"({"format": 1, "id": "a", "test": "t", "method": "scaled", "seed": 0,
                 "args": [{"t": "tensor", "ref": "in0", "dtype": "float32", "shape": [2]}],
                 "kwargs": {"n": {"t": "int", "v": 3}}, "expected": null, "flags": []})");
  EXPECT_EQ(result("--load-inputs " + folder.path() + "/case"), three_and_five);
}

TEST_F(Saved, APublishedCaseOfSeveralCallsIsTakenCallByCall) {
  folder.put("case/tensors.safetensors", safetensors("c0", {3, 5}));
  folder.put("case/case.json",
             R"({"name": "a", "calls": [
                 {"method": "scaled", "args": [{"kind": "tensor", "name": "c0"},
                                               {"kind": "int", "value": 1}]},
                 {"method": "scaled", "args": [{"kind": "result", "call": 0},
                                               {"kind": "int", "value": 1}]}]})");
  std::string path = folder.path() + "/case";
  EXPECT_EQ(result("--load-inputs " + path + "#0"), three_and_five);
  std::string start = "assay run " + archive + " --load-inputs " + path;
  expect_refusal(start, {"it holds 2 calls", "case#0 to", "case#1"});
  expect_refusal(start + "#2", {"none of number 2"});
  expect_refusal(start + "#1", {"the result of an earlier call"});
}

TEST_F(Saved, AFileOfNumPyIsTakenByNameOrInOrder) {
  auto put = [&](const std::string& first, const std::string& second) {
    return folder.put(
        "in.npz", archive::npz_bytes({{first, core::DType::float32, {2}, float_bytes({4, 7})},
                                      {second, core::DType::float32, {2}, float_bytes({1, 2})}}));
  };
  EXPECT_EQ(result("--load-inputs " + put("x", "y")), three_and_five);
  EXPECT_EQ(result("--load-inputs " + put("arr_0", "arr_1")), three_and_five);
  EXPECT_EQ(result("--load-inputs " + put("y", "x")), "-3\n-5\n[ CPUFloatType{2} ]\n");
  expect_refusal("assay run " + archive + " --load-inputs " + put("x", "z"),
                 {"has an array z", "the method takes x, y", "numpy.savez"});
  std::string junk = folder.put("junk.npz", "junk");
  expect_refusal("assay run " + archive + " --load-inputs " + junk, {"junk.npz", "not a zip"});
}

TEST_F(Saved, AResultIsWrittenForNumPy) {
  std::string path = folder.path() + "/out.npz";
  result("--input 'x: f32[2]' --input 'n: 3' --method scaled --save-outputs " + path);
  archive::NamedTensors arrays = archive::read_npz(archive::FileBytes::map(path));
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].first, "output");
  EXPECT_EQ(arrays[0].second.sizes(), core::Dims{2});
}

TEST_F(Saved, NestedResultsGetTheNamesOfTheirPlaces) {
  std::string code = net() +
                     "  def forward(self: __torch__.Net,\n    x: Tensor) -> "
                     "Tuple[Tensor, List[int]]:\n    return (x, [1, 2])\n";
  std::string model = folder.put("nested.pt", Archive{code}.bytes());
  std::string path = folder.path() + "/out.npz";
  ASSERT_EQ(run("assay run " + model + " --input 'x: f32[2]' --save-outputs " + path).code, 0);
  std::vector<std::string> names;
  for (const auto& [name, t] : archive::read_npz(archive::FileBytes::map(path)))
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"output[0]", "output[1][0]", "output[1][1]"}));
  code = net() + "  def forward(self: __torch__.Net,\n    x: Tensor) -> str:\n    return \"a\"\n";
  model = folder.put("text.pt", Archive{code}.bytes());
  expect_refusal("assay run " + model + " --input 'x: f32[2]' --save-outputs " + path,
                 {"output is a str", ".npz", "name a folder"});
}

TEST_F(Saved, InputsGoToTheDeviceThatIsAskedFor) {
  std::string path = folder.path() + "/case";
  result("--input 'x: f32[3]' --input 'y: f32[3]' --save-outputs " + path);
  result("--load-inputs " + path + " --device fake:0");
}

TEST_F(Saved, DamagedCasesAreRefused) {
  std::string path = folder.path() + "/case";
  auto expect = [&](const std::string& text, const std::vector<std::string>& parts) {
    folder.put("case/tensors.safetensors", safetensors("c0", {3, 5}));
    folder.put("case/case.json", text);
    expect_refusal("assay run " + archive + " --load-inputs " + path, parts);
  };
  expect(std::string(100000, '['), {"case.json", "reading the inputs in"});
  expect("[]", {"expected an object", "in case.json"});
  expect(R"({"calls": []})", {"it holds no call"});
  expect(R"({"calls": [{"args": [{"kind": "tensor", "name": "c9"}]}]})", {"no tensor \"c9\""});
  expect(R"({"kwargs": []})", {"\"kwargs\" is not an object"});
  expect(R"({"args": 3})", {"case.json"});
  expect(R"({"method": 3})", {"method"});
}

}  // namespace
}  // namespace assay::cli
