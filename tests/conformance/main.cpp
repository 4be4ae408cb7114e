// assay-conformance: runs captured cases and says how many give PyTorch's results.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <regex>

#include "engine/base/error.h"
#include "tests/conformance/pool.h"
#include "tests/conformance/summary.h"

namespace assay::conformance {
namespace {

constexpr const char* help =
    "usage: assay-conformance CASES... [--json OUT] [-j N] [--filter REGEX] [--list-failures]\n"
    "  CASES       folders of captured cases (each case a folder with case.json)\n"
    "  --json OUT  write every result as JSON\n"
    "  -j N        child processes (default 1)\n"
    "  --filter R  only cases whose name matches\n"
    "  --list-failures  print each failed case with its reason\n"
    "  --timeout S seconds per case (default 30)\n"
    "  --device D  put archives and arguments on a device: cpu, fake:0\n"
    "example: assay-conformance cases/ --json result.json -j 2 --filter LSTM\n";

struct Arguments {
  std::vector<std::string> roots;
  std::string json, filter;
  bool list_failures = false;
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

int run(const Arguments& arguments) {
  std::vector<std::filesystem::path> cases;
  std::regex filter(arguments.filter);
  for (const std::string& root : arguments.roots) {
    for (auto& found : find_cases(root)) {
      if (std::regex_search(found.filename().string(), filter)) cases.push_back(found);
    }
  }
  if (cases.empty()) {
    std::cerr << "no cases found\n";
    return 5;
  }
  std::vector<Result> results;
  size_t done = 0;
  bool terminal = ::isatty(STDERR_FILENO);
  run_pool(cases, arguments.pool, [&](const std::vector<Result>& some) {
    results.insert(results.end(), some.begin(), some.end());
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
