#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/ci/cli/program.h"

// The program's own words. A file of tests/golden/cli holds a command, its exit code, and what it
// prints; "!" starts what goes to standard error. ASSAY_GOLDEN_WRITE=1 writes the files anew, to be
// read before they are kept.

namespace assay::cli {
namespace {

const std::string folder = "tests/golden/cli";

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string told(const std::string& command) {
  testing::Outcome outcome = testing::run(command);
  std::string text = "$ " + command + "\nexit " + std::to_string(outcome.code) + "\n" + outcome.out;
  std::string err = outcome.err;
  for (size_t at = 0; at < err.size();) {
    size_t end = std::min(err.find('\n', at), err.size());
    text += "! " + err.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text;
}

class GoldenWords : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenWords, AreWhatTheProgramSays) {
  std::filesystem::path path = folder + "/" + GetParam() + ".txt";
  std::string expected = contents(path);
  ASSERT_TRUE(expected.starts_with("$ ")) << path;
  std::string command = expected.substr(2, expected.find('\n') - 2);
  std::string actual = told(command);
  if (std::getenv("ASSAY_GOLDEN_WRITE")) std::ofstream(path, std::ios::binary) << actual;
  EXPECT_EQ(actual, expected);
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") out.push_back(entry.path().stem());
  }
  std::sort(out.begin(), out.end());
  return out;
}

INSTANTIATE_TEST_SUITE_P(Cli, GoldenWords, ::testing::ValuesIn(names()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace assay::cli
