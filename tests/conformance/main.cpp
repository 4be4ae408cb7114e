// assay-conformance: runs captured cases and says how many give PyTorch's results.

#include <regex.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <random>

#include "engine/base/error.h"
#include "tests/conformance/pool.h"
#include "tests/conformance/summary.h"
#include "tests/settings.h"

namespace assay::conformance {
namespace {

constexpr const char* help =
    "usage: assay-conformance CASES... [--json OUT] [-j N] [--filter REGEX] [--list-failures]\n"
    "  CASES       folders of captured cases (each case a folder with case.json)\n"
    "  --json OUT  write every result as JSON\n"
    "  -j N        child processes (default 1)\n"
    "  --filter R  only cases whose name matches\n"
    "  --draw N    only N of them, drawn anew in each run (ASSAY_SEED repeats a draw)\n"
    "  --list-failures  print each failed case with its reason\n"
    "  --timeout S seconds per case (default 30)\n"
    "  --device D  put archives and arguments on a device: cpu, fake:0, cuda:0\n"
    "  --hostile   programs under limits (2 s, 512 MiB) must neither crash nor take 4 s; whatever\n"
    "              they give is right\n"
    "example: assay-conformance cases/ --json result.json -j 2 --filter LSTM\n";

struct Arguments {
  std::vector<std::string> roots;
  std::string json, filter;
  std::optional<size_t> draw;
  bool list_failures = false, hostile = false;
  PoolOptions pool;
};

Arguments parse(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    auto next = [&]() -> std::string {
      base::check(i + 1 < argc, word, " needs a value");
      return argv[++i];
    };
    if (word == "--json") {
      out.json = next();
    } else if (word == "--filter") {
      out.filter = next();
    } else if (word == "--draw") {
      out.draw = std::strtoull(next().c_str(), nullptr, 10);
    } else if (word == "-j") {
      out.pool.workers = std::atoi(next().c_str());
    } else if (word == "--timeout") {
      out.pool.seconds_per_case = std::atof(next().c_str());
    } else if (word == "--device") {
      std::string name = next();
      auto device = core::parse_device(name);
      base::check(device.has_value(), "unknown device ", name);
      out.pool.device = *device;
    } else if (word == "--list-failures") {
      out.list_failures = true;
    } else if (word == "--hostile") {
      out.hostile = true;
      out.pool.memory_bytes = size_t{1} << 30;
      out.pool.seconds_per_run = 2;
    } else if (word == "-h" || word == "--help") {
      std::cout << help;
      std::exit(0);
    } else {
      base::check(!word.starts_with("-"), "unknown option ", word);
      out.roots.push_back(word);
    }
  }
  base::check(!out.roots.empty(), "no folder of cases was given");
  return out;
}

/// POSIX's extended regular expressions.
class Filter {
 public:
  explicit Filter(const std::string& pattern) {
    base::check(::regcomp(&compiled_, pattern.c_str(), REG_EXTENDED | REG_NOSUB) == 0,
                "not a regular expression: ", pattern);
  }
  ~Filter() { ::regfree(&compiled_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  bool takes(const std::string& name) const {
    return ::regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0;
  }

 private:
  regex_t compiled_;
};

/// So many of the cases, by a seed that is told.
std::vector<std::filesystem::path> drawn(const std::vector<std::filesystem::path>& cases,
                                         size_t count) {
  uint64_t seed = number_from("ASSAY_SEED", std::random_device()());
  std::cout << "ASSAY_SEED=" << seed << " repeats this draw\n";
  std::vector<std::filesystem::path> out;
  std::sample(cases.begin(), cases.end(), std::back_inserter(out), count, std::mt19937_64(seed));
  return out;
}

/// Hostile programs may give any value or error, but they must not harm the process.
Result survived(Result result) {
  bool harmed = result.reason.starts_with("crash") || result.reason.starts_with("timeout") ||
                result.reason.ends_with("internal error") ||
                result.reason.ends_with("out of memory");
  bool slow = result.seconds > 4;
  result.passed = !harmed && !slow;
  if (!harmed) result.reason = slow ? "slow" : "";
  return result;
}

int run(const Arguments& arguments) {
  std::vector<std::filesystem::path> cases;
  Filter filter(arguments.filter);
  for (const std::string& root : arguments.roots) {
    for (auto& found : find_cases(root)) {
      if (filter.takes(found.filename().string())) cases.push_back(found);
    }
  }
  if (cases.empty()) {
    std::cerr << "no cases found\n";
    return 5;
  }
  if (arguments.draw) {
    std::sort(cases.begin(), cases.end());
    cases = drawn(cases, *arguments.draw);
  }
  std::vector<Result> results;
  size_t done = 0;
  bool terminal = ::isatty(STDERR_FILENO);
  run_pool(cases, arguments.pool, [&](const std::vector<Result>& some) {
    for (const Result& r : some) results.push_back(arguments.hostile ? survived(r) : r);
    ++done;
    if (terminal && done % 20 == 0)
      std::cerr << "\r" << done << " of " << cases.size() << std::flush;
  });
  if (terminal) std::cerr << "\r";
  std::sort(results.begin(), results.end(),
            [](const Result& a, const Result& b) { return a.id < b.id; });
  if (arguments.list_failures) {
    for (const Result& r : results) {
      if (r.passed) continue;
      std::cout << r.id << ": " << r.reason << ": " << r.detail.substr(0, r.detail.find('\n'))
                << "\n";
    }
  }
  std::cout << summary(results);
  if (!arguments.json.empty()) {
    std::ofstream file(arguments.json, std::ios::binary);
    file << json_report(results) << "\n";
    base::check(static_cast<bool>(file), "cannot write ", arguments.json);
  }
  bool all = std::all_of(results.begin(), results.end(), [](const Result& r) { return r.passed; });
  return all ? 0 : 1;
}

}  // namespace
}  // namespace assay::conformance

int main(int argc, char** argv) {
  try {
    return assay::conformance::run(assay::conformance::parse(argc, argv));
  } catch (const assay::base::Error& e) {
    std::cerr << "assay-conformance: " << e.describe() << "\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "assay-conformance: " << e.what() << "\n";
    return 2;
  }
}
