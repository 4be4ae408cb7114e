// Runs an archive's forward on demand, so that a script can time it turn about with another engine.
//
//   forward ARCHIVE INPUT.bin SIZE... [--plain | --reference]
//
// INPUT.bin holds the float32 elements of one tensor of the given sizes. Each line on standard
// input is a command: `run` answers with the wall and processor seconds of one forward; `save PATH`
// writes the elements of the last result (the first tensor of a tuple or dictionary); `profile`
// runs once and answers with the seconds that each operator and kernel took.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>

#include "engine/api/load.h"
#include "engine/base/error.h"
#include "engine/ops/catalog.h"
#include "engine/ops/handler.h"

namespace {

using assay::core::Tensor;
using assay::core::Value;

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// Sums the time that calls took, by operator and by the kernel that answered.
struct Profile final : assay::ops::Handler {
  std::string_view last;
  std::map<std::string, std::pair<int, double>> spent;

  assay::ops::Results call(const assay::ops::Operator& op, std::span<const Value> args,
                           const assay::ops::Next& next) override {
    double begin = seconds(CLOCK_MONOTONIC);
    auto results = next(op, args);
    double taken = seconds(CLOCK_MONOTONIC) - begin;
    auto& entry = spent[op.qualified_name + " " + std::string(last)];
    ++entry.first;
    entry.second += taken;
    return results;
  }
  void answered(const assay::ops::Operator&, std::string_view kernel) override { last = kernel; }
};

Tensor first_tensor(const Value& v) {
  if (v.is_tensor()) return v.to_tensor();
  if (v.is_dict()) return first_tensor(v.dict().entries().at(0).value);
  if (v.is_tuple()) return first_tensor(v.tuple().items.at(0));
  return first_tensor(v.list().items.at(0));
}

Tensor read_input(const std::string& path, const assay::core::Dims& sizes) {
  Tensor t = Tensor::empty(sizes, assay::core::DType::float32);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(t.device_address()),
            static_cast<std::streamsize>(t.numel() * 4));
  if (!file) assay::base::fail("cannot read ", t.numel(), " floats from ", path);
  return t;
}

void save(const Tensor& t, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  if (!t.is_contiguous()) assay::base::fail("the result is not row-major: ", t.strides());
  file.write(reinterpret_cast<const char*>(t.device_address()),
             static_cast<std::streamsize>(t.numel()) * static_cast<int>(t.item_size()));
}

int serve(int argc, char** argv) {
  assay::api::EngineOptions options;
  options.optimize = true;
  assay::core::Dims sizes;
  for (int i = 3; i < argc; ++i) {
    std::string_view flag = argv[i];
    if (flag == "--reference") {
      options.reference_only = true;
    } else if (flag == "--plain") {
      options.optimize = false;
    } else {
      sizes.push_back(std::atoll(argv[i]));
    }
  }
  assay::api::Engine engine(options);
  auto module = assay::api::load(engine, argv[1]);
  Value input = read_input(argv[2], sizes), output;
  std::string command, path;
  while (std::cin >> command) {
    if (command == "run") {
      double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
      output = module.forward({input});
      wall = seconds(CLOCK_MONOTONIC) - wall;
      std::printf("%.9f %.9f\n", wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
    } else if (command == "save" && std::cin >> path) {
      save(first_tensor(output), path);
      std::printf("saved\n");
    } else if (command == "profile") {
      Profile profile;
      assay::ops::HandlerScope listening(engine.context(), profile);
      output = module.forward({input});
      for (const auto& [name, entry] : profile.spent) {
        std::printf("%9.3f ms %4d %s\n", entry.second * 1e3, entry.first, name.c_str());
      }
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: forward ARCHIVE INPUT.bin SIZE... [--plain | --reference]\n", stderr);
    return 2;
  }
  try {
    return serve(argc, argv);
  } catch (const assay::base::Error& e) {
    std::fprintf(stderr, "%s\n", e.describe().c_str());
    return 1;
  }
}
