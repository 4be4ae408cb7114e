#include "fuzz/targets/targets.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "engine/base/error.h"
#include "tests/fuzz/targets/seeds.h"

// Each target over damaged copies of real inputs. ASSAY_FUZZ_RUNS: how many for each (2000).
// ASSAY_FUZZ_KEEP=DIR: every input is written there before it is fed, for faults that end the
// program.

namespace assay::fuzz {
namespace {

class Damage {
 public:
  Damage(uint64_t seed, const std::vector<std::string>& seeds) : random_(seed), seeds_(seeds) {}

  std::string next() {
    std::string bytes = seeds_[below(seeds_.size())];
    size_t steps = 1 + below(4);
    for (size_t i = 0; i < steps; ++i) step(bytes);
    return bytes;
  }

 private:
  size_t below(size_t n) { return n == 0 ? 0 : random_() % n; }

  /// A stretch of the text, short more often than long.
  std::pair<size_t, size_t> stretch(const std::string& bytes) {
    size_t at = below(bytes.size() + 1);
    size_t longest = std::min(bytes.size() - at, size_t{1} << below(12));
    return {at, below(longest + 1)};
  }

  void step(std::string& bytes) {
    auto [at, size] = stretch(bytes);
    switch (below(8)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<char>(below(256));
        break;
      case 2:
        bytes.erase(at, size);
        break;
      case 3:
        bytes.resize(at);
        break;
      case 4:
        bytes.insert(below(bytes.size() + 1), bytes.substr(at, size));
        break;
      case 5: {
        static constexpr uint64_t telling[] = {
            0,           1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff,
            ~uint64_t{0}};
        uint64_t number = telling[below(std::size(telling))];
        for (size_t i = 0, count = size_t{1} << below(4); i < count && at + i < bytes.size(); ++i) {
          bytes[at + i] = static_cast<char>(number >> (8 * i));
        }
        break;
      }
      case 6: {
        static const std::vector<std::string> words{"-1",
                                                    "9223372036854775807",
                                                    "-9223372036854775808",
                                                    "99999999999999999999",
                                                    "1e400",
                                                    "nan",
                                                    "(",
                                                    ")",
                                                    "[",
                                                    "]",
                                                    "{",
                                                    "}",
                                                    "\"",
                                                    "'",
                                                    "\\",
                                                    "\n",
                                                    "\0",
                                                    "None",
                                                    "0",
                                                    "%",
                                                    ",",
                                                    "int",
                                                    "Tensor",
                                                    "List[",
                                                    "Dict(",
                                                    "return",
                                                    "if ",
                                                    "while True:",
                                                    "\t",
                                                    "#",
                                                    "..",
                                                    "*"};
        bytes.insert(at, words[below(words.size())]);
        break;
      }
      default: {
        const std::string& other = seeds_[below(seeds_.size())];
        auto [from, length] = stretch(other);
        bytes.replace(at, size, other.substr(from, length));
      }
    }
  }

  std::mt19937_64 random_;
  const std::vector<std::string>& seeds_;
};

class Targets : public ::testing::TestWithParam<std::string> {};

TEST_P(Targets, real_inputs_are_read) {
  const ByteTarget* target = find_byte_target(GetParam());
  auto seeds = testing::seeds_of(GetParam());
  ASSERT_FALSE(seeds.empty());
  size_t accepted = 0;
  for (const std::string& seed : seeds) {
    try {
      target->feed(seed);
      ++accepted;
    } catch (const base::Error& e) {
      EXPECT_NE(e.kind(), base::ErrorKind::internal) << e.describe();
    }
  }
  // Some seeds are meant to be refused; a target that refuses all of them tests nothing.
  EXPECT_GT(accepted, 0u);
}

TEST_P(Targets, damaged_inputs_are_read_or_refused) {
  const ByteTarget* target = find_byte_target(GetParam());
  auto seeds = testing::seeds_of(GetParam());
  const char* runs_text = std::getenv("ASSAY_FUZZ_RUNS");
  const char* keep = std::getenv("ASSAY_FUZZ_KEEP");
  const char* first = std::getenv("ASSAY_FUZZ_SEED");
  int64_t runs = runs_text ? std::atoll(runs_text) : 2000;
  Damage damage(first ? static_cast<uint64_t>(std::atoll(first)) : 1, seeds);
  for (int64_t run = 0; run < runs; ++run) {
    std::string bytes = damage.next();
    if (keep) {
      std::ofstream(std::filesystem::path(keep) / GetParam(), std::ios::binary) << bytes;
    }
    try {
      feed(*target, bytes);
    } catch (const std::exception& e) {
      auto path = std::filesystem::temp_directory_path() / ("assay_fault_" + GetParam());
      std::ofstream(path, std::ios::binary) << bytes;
      FAIL() << e.what() << "\nin run " << run << "; the input is in " << path;
    }
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const ByteTarget& target : byte_targets()) out.emplace_back(target.name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Bytes, Targets, ::testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace assay::fuzz
