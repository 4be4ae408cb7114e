#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "fuzz/targets/byte_target.h"
#include "tests/settings.h"

// Byte targets over real inputs and damaged copies of them. ASSAY_FUZZ_RUNS: how many for each
// (2000); ASSAY_FUZZ_SEED: of the damage (1). ASSAY_FUZZ_KEEP=DIR: every input is written there
// before it is fed, for faults that end the program.

namespace assay::fuzz::testing {

using Seeds = std::vector<std::string>;

/// Damaged copies of some texts: the same ones for the same seed.
class Damage {
 public:
  Damage(uint64_t seed, const Seeds& seeds) : random_(seed), seeds_(seeds) {}

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
  const Seeds& seeds_;
};

/// Feeds the real inputs as they are. Some are meant to be refused; a target that refuses all of
/// them tests nothing.
inline void feed_whole(const ByteTarget& target, const Seeds& seeds) {
  size_t accepted = 0;
  for (const std::string& seed : seeds) {
    try {
      target.parse(seed);
      ++accepted;
    } catch (const base::Error& e) {
      EXPECT_NE(e.kind(), base::ErrorKind::internal) << e.describe();
    }
  }
  EXPECT_GT(accepted, 0u);
}

inline void feed_damaged(const ByteTarget& target, const Seeds& seeds) {
  std::filesystem::path name(target.name);
  const char* keep = std::getenv("ASSAY_FUZZ_KEEP");
  auto write = [&](const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  };
  Damage damage(number_from("ASSAY_FUZZ_SEED", 1), seeds);
  for (uint64_t run = number_from("ASSAY_FUZZ_RUNS", 2000); run > 0; --run) {
    std::string bytes = damage.next();
    if (keep) write(keep / name, bytes);
    try {
      feed(target, bytes);
    } catch (const std::exception& e) {
      FAIL() << e.what() << "\nthe input is in "
             << write(std::filesystem::temp_directory_path() / ("assay_fault_" + name.string()),
                      bytes);
    }
  }
}

/// The test suite of one list of targets.
#define ASSAY_BYTE_TARGETS(Suite, list, seeds_of)                                     \
  class Suite : public ::testing::TestWithParam<std::string> {                        \
   protected:                                                                         \
    const ByteTarget& target() const { return *find_target(list(), GetParam()); }     \
  };                                                                                  \
  TEST_P(Suite, real_inputs_are_read) { feed_whole(target(), seeds_of(GetParam())); } \
  TEST_P(Suite, damaged_inputs_are_read_or_refused) {                                 \
    feed_damaged(target(), seeds_of(GetParam()));                                     \
  }                                                                                   \
  INSTANTIATE_TEST_SUITE_P(Bytes, Suite, ::testing::ValuesIn(names_of(list())),       \
                           [](const auto& test) { return test.param; })

inline std::vector<std::string> names_of(const ByteTargets& targets) {
  std::vector<std::string> out;
  for (const ByteTarget& target : targets) out.emplace_back(target.name);
  return out;
}

/// The smallest files below a folder with this ending: mutations of small files reach more.
inline Seeds files(const std::string& folder, const std::string& ending, size_t most) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    auto size_a = std::filesystem::file_size(a), size_b = std::filesystem::file_size(b);
    return size_a != size_b ? size_a < size_b : a < b;
  });
  if (found.size() > most) found.resize(most);
  Seeds out;
  for (const auto& path : found) {
    std::ifstream file(path, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return out;
}

}  // namespace assay::fuzz::testing
