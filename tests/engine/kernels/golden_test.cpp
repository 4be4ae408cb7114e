// Replays the calls of tests/golden/ops and tests/golden/autocast (what PyTorch answered) on
// reference and on fast kernels.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "engine/api/engine.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/ops/autocast.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/kernels/calls.h"
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

const core::Device cpu{}, fake{core::DeviceType::fake, 0};

/// Where a line differs from what happens, or nothing.
std::string replay(const Golden& golden, bool reference_only, core::Device device,
                   bool autocast = false) {
  api::EngineOptions options;
  options.reference_only = reference_only;
  options.seed = 0;
  api::Engine engine(options);
  core::Values given = arguments_of(golden), args = deep_copy(given, device);
  // The counts of packed sequences stay where they are.
  for (const char* counts : {"batch_sizes", "lengths"}) {
    auto at = golden.op->schema.find_argument(counts);
    if (at && golden.op->functional->devices() == ops::Devices::counts_on_cpu)
      args[*at] = given[*at];
  }
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
      return fmt::format("result {}: {}", i, *why);
    }
  }
  for (const auto& [at, expected] : golden.written) {
    if (auto why = mismatch(golden, expected, args[at], args)) {
      return fmt::format("argument {} afterwards: {}", at, *why);
    }
  }
  return "";
}

/// What PyTorch refuses on the CPU a GPU may do; calls that name a device, ask for it, or have
/// results on the CPU whatever their arguments answer otherwise elsewhere.
bool tells_of_the_cpu(const Golden& golden) {
  bool names_it = false;
  for (const std::string& arg : golden.args) names_it = names_it || arg.starts_with("@");
  const std::string& op = golden.op->qualified_name;
  return golden.refused || names_it || op == "aten::get_device" ||
         op == "aten::_pack_padded_sequence.out" || op == "aten::_autocast_to_full_precision" ||
         op == "aten::_autocast_to_reduced_precision";
}

/// What one bright pixel of three in a row gives among five, in PyTorch 1.13: weights whose last
/// bits tell that the place between elements was not rounded.
TEST(Resampling, PlacesBetweenElementsAreNotRounded) {
  for (bool reference_only : {false, true}) {
    api::EngineOptions options;
    options.reference_only = reference_only;
    api::Engine engine(options);
    Tensor row = Tensor::empty(core::Dims{1, 1, 1, 3}, core::DType::float32);
    std::ranges::copy(std::array{0.f, 0.f, 1.f}, row.data<float>());
    Value size = core::make_int_list(core::Dims{1, 5});
    Tensor out = ops::call(engine.context(), "aten::upsample_bilinear2d",
                           {row, size, Value(false), Value(), Value()})
                     .to_tensor();
    EXPECT_EQ(std::vector<float>(out.data<float>(), out.data<float>() + 5),
              (std::vector<float>{0, 0, 5.9604645e-08f, 6.0000008e-01f, 1}));
  }
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
    std::string plain = replay(golden, true, cpu), fast = replay(golden, false, cpu);
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
      EXPECT_EQ(replay(golden, reference_only, cpu, true), "") << line;
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

// PyTorch has a type for them; read as another one they would end beyond their buffers.
TEST(Lacking, ComplexNumbersOfHalvesAreUnsupported) {
  Tensor halves = Tensor::empty(core::Dims{2}, core::DType::float16);
  api::Engine engine;
  try {
    ops::call(engine.context(), "aten::complex", {halves, halves});
    ADD_FAILURE();
  } catch (const base::Error& e) {
    EXPECT_EQ(e.kind(), base::ErrorKind::unsupported);
  }
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

// The memory of the fake device has no access rights: a call whose host code touches it dies here.
TEST_P(GoldenCalls, GiveTheSameOnADevice) {
  std::ifstream file("tests/golden/ops/" + GetParam() + ".txt");
  const auto known = deviations();
  for (std::string line; std::getline(file, line);) {
    Golden golden = parse_golden(line);
    std::string plain = replay(golden, true, fake), fast = replay(golden, false, fake);
    if (known.count(line) || tells_of_the_cpu(golden)) continue;
    bool here = GetParam() != "cpu_only";
    EXPECT_EQ(plain.empty(), here) << "reference: " << line << "\n  " << plain;
    EXPECT_EQ(fast.empty(), here) << "fast: " << line << "\n  " << fast;
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, GoldenCalls, ::testing::ValuesIn(families()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace assay::kernels::testing
