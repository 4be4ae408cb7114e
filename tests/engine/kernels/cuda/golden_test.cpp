// Replays the calls of tests/golden/ops (what PyTorch answered on the CPU) on a GPU.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/kernels/calls.h"
#include "tests/engine/kernels/cuda/gpu.h"
#include "tests/engine/kernels/golden_text.h"
#include "tests/engine/kernels/outcome.h"

namespace assay::kernels::testing {
namespace {

constexpr core::Device gpu{core::DeviceType::cuda, 0};

/// Where a line of tests/golden/ops differs from what happens on the GPU, or nothing.
std::string replay(const Golden& golden) {
  api::Engine engine = gpu_engine();
  engine.set_seed(0);
  core::Values given = arguments_of(golden), args = deep_copy(given, gpu);
  for (const char* counts : {"batch_sizes", "lengths"}) {
    auto at = golden.op->schema.find_argument(counts);
    if (at && golden.op->functional->devices() == ops::Devices::counts_on_cpu)
      args[*at] = given[*at];
  }
  ops::Results results;
  try {
    results = ops::call(engine.context(), *golden.op, args);
    core::backend_of(gpu).synchronize(gpu);
  } catch (const base::Error& e) {
    if (!is_real_gpu() && e.kind() == base::ErrorKind::unsupported) return "";
    return "raised: " + e.message();
  }
  if (results.size() != golden.results.size()) return "another number of results";
  for (size_t i = 0; i < results.size(); ++i) {
    if (auto why = mismatch(golden, golden.results[i], results[i], args))
      return fmt::format("result {}: {}", i, *why);
  }
  for (const auto& [at, expected] : golden.written) {
    if (auto why = mismatch(golden, expected, args[at], args))
      return fmt::format("argument {} afterwards: {}", at, *why);
  }
  return "";
}

/// Whether elements are dropped at random.
bool drops(const Golden& golden) {
  auto at = golden.op->schema.find_argument("dropout_p");
  return at && *at < golden.args.size() && arguments_of(golden)[*at].to_scalar().to_double() != 0;
}

/// What the libraries of a GPU answer otherwise than those of the CPU.
bool tells_of_a_library(const std::string& family, const Golden& golden, const std::string& line) {
  if (!is_real_gpu()) return false;
  // The signs of vectors, and numbers of matrices that are nearly singular: factorizations_test.cpp
  // says what factors are.
  if (family == "factorization") return true;
  // Zeros around an image times NaN; products of infinite complex numbers.
  bool special = line.find("nan") != std::string::npos || line.find("inf") != std::string::npos;
  if (special && (family == "convolution" || family == "linear")) return true;
  // The root of a sum of squares, which rounds more than once.
  return golden.op->functional->qualified_name == "aten::abs" && golden.args[0].starts_with("c");
}

/// As on any device, and the numbers that PyTorch's generator for the CPU draws.
bool tells_of_the_cpu(const Golden& golden) {
  bool names_it = false;
  for (const std::string& arg : golden.args) names_it = names_it || arg.starts_with("@");
  const std::string& op = golden.op->qualified_name;
  return golden.refused || names_it || op == "aten::get_device" ||
         golden.op->functional->numeric() == ops::Numeric::random ||
         op == "aten::_pack_padded_sequence.out" || op == "aten::_autocast_to_full_precision" ||
         op == "aten::_autocast_to_reduced_precision";
}

class CudaGolden : public OnGpu<::testing::TestWithParam<std::string>> {};

std::set<std::string> deviations() {
  std::set<std::string> lines;
  std::ifstream file("tests/golden/ops/deviations.list");
  for (std::string line; std::getline(file, line);) lines.insert(line);
  return lines;
}

TEST_P(CudaGolden, GivesWhatPyTorchGives) {
  std::ifstream file("tests/golden/ops/" + GetParam() + ".txt");
  const auto known = deviations();
  for (std::string line; std::getline(file, line);) {
    Golden golden = parse_golden(line);
    if (!asked_for(*golden.op) || known.count(line) || tells_of_the_cpu(golden)) continue;
    if (drops(golden) || tells_of_a_library(GetParam(), golden, line)) continue;
    std::string differs = replay(golden);
    EXPECT_EQ(differs.empty(), GetParam() != "cpu_only") << line << "\n  " << differs;
  }
}

std::vector<std::string> families() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden/ops")) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Ops, CudaGolden, ::testing::ValuesIn(families()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace assay::kernels::testing
