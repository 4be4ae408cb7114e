// Replays the calls of tests/golden/ops and tests/golden/autocast (what PyTorch answered) on
// reference and on fast kernels.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "engine/api/engine.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/ops/autocast.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/kernels/golden_text.h"

namespace assay::kernels::testing {
namespace {

using core::Tensor;
using core::Value;

/// Calls that are not answered as PyTorch answers them, and are known not to be.
std::set<std::string> deviations() {
  std::set<std::string> lines;
  std::ifstream file("tests/golden/ops/deviations.list");
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.insert(line);
  }
  return lines;
}

/// Where a line differs from what happens, or nothing.
std::string replay(const Golden& golden, bool reference_only, bool autocast = false) {
  api::EngineOptions options;
  options.reference_only = reference_only;
  options.seed = 0;
  api::Engine engine(options);
  core::Values args = arguments_of(golden);
  ops::Results results;
  std::optional<ops::AutocastRegion> region;
  if (autocast) {
    region.emplace(engine.context(), core::DeviceType::cpu,
                   ops::AutocastMode{true, core::DType::bfloat16});
  }
  try {
    results = ops::call(engine.context(), *golden.op, args);
  } catch (const base::Error& e) {
    if (golden.refused && e.kind() == base::ErrorKind::input) return "";
    return "raised: " + e.message();
  }
  if (golden.refused) return "should be refused";
  if (results.size() != golden.results.size()) return "another number of results";
  for (size_t i = 0; i < results.size(); ++i) {
    if (auto why = mismatch(golden, golden.results[i], results[i], args)) {
      return base::cat("result ", i, ": ", *why);
    }
  }
  for (const auto& [at, expected] : golden.written) {
    if (auto why = mismatch(golden, expected, args[at], args)) {
      return base::cat("argument ", at, " afterwards: ", *why);
    }
  }
  return "";
}

class GoldenCalls : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenCalls, GiveWhatPyTorchGives) {
  std::ifstream file("tests/golden/ops/" + GetParam() + ".txt");
  ASSERT_TRUE(file);
  std::string line;
  size_t calls = 0;
  const auto known = deviations();
  while (std::getline(file, line)) {
    Golden golden = parse_golden(line);
    ++calls;
    std::string plain = replay(golden, true), fast = replay(golden, false);
    if (known.count(line)) {
      EXPECT_FALSE(plain.empty() && fast.empty()) << "no longer a deviation: " << line;
      continue;
    }
    EXPECT_TRUE(plain.empty()) << "reference: " << line << "\n  " << plain;
    EXPECT_TRUE(fast.empty()) << "fast: " << line << "\n  " << fast;
  }
  EXPECT_GT(calls, 0u);
}

TEST(GoldenAutocast, GivesWhatPyTorchGives) {
  std::ifstream file("tests/golden/autocast/calls.txt");
  size_t calls = 0;
  for (std::string line; std::getline(file, line); ++calls) {
    Golden golden = parse_golden(line);
    for (bool reference_only : {true, false}) {
      EXPECT_EQ(replay(golden, reference_only, true), "") << line;
    }
  }
  EXPECT_GT(calls, 100u);
}

std::vector<std::string> families() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden/ops")) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(GoldenDeviations, AreRecordedCalls) {
  auto unrecorded = deviations();
  EXPECT_FALSE(unrecorded.empty());
  for (const std::string& family : families()) {
    std::ifstream file("tests/golden/ops/" + family + ".txt");
    for (std::string line; std::getline(file, line);) unrecorded.erase(line);
  }
  for (const std::string& line : unrecorded) ADD_FAILURE() << "in no file: " << line;
}

INSTANTIATE_TEST_SUITE_P(Ops, GoldenCalls, ::testing::ValuesIn(families()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace assay::kernels::testing
