// Loads an archive in a fresh process and tells how long that took and what the process holds.
//
//   load ARCHIVE TIMES [SIZE...] [--plain]
//
// Prints one line of numbers: the milliseconds of each of TIMES loads; then one line `memory` with
// the resident KiB before the first load, after it, and after one forward on an image of ones of
// the given sizes (0 without sizes).

#include "engine/api/load.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace {

using assay::core::Tensor;

double milliseconds() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

long resident() {
  std::ifstream status("/proc/self/status");
  std::string word;
  long kib = 0;
  while (status >> word) {
    if (word == "VmRSS:" && status >> kib) return kib;
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return kib;
}

int measure(int argc, char** argv) {
  assay::api::EngineOptions options;
  options.optimize = true;
  assay::core::Dims sizes;
  for (int i = 3; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--plain")
      options.optimize = false;
    else
      sizes.push_back(std::atoll(argv[i]));
  }
  long before = resident(), loaded = 0, ran = 0;
  std::optional<assay::api::Module> module;
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    module.reset();
    double start = milliseconds();
    module.emplace(assay::api::load(assay::api::Engine(options), argv[1]));
    std::printf("%.3f ", milliseconds() - start);
    if (i == 0) loaded = resident();
  }
  if (module && !sizes.empty()) {
    Tensor ones = Tensor::empty(sizes, assay::core::DType::float32);
    for (int64_t i = 0; i < ones.numel(); ++i) ones.data<float>()[i] = 1;
    module->forward({ones});
    ran = resident();
  }
  std::printf("\nmemory %ld %ld %ld\n", before, loaded, ran);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: load ARCHIVE TIMES [SIZE...] [--plain]\n", stderr);
    return 2;
  }
  try {
    return measure(argc, argv);
  } catch (const assay::base::Error& e) {
    std::fprintf(stderr, "%s\n", e.describe().c_str());
    return 1;
  }
}
