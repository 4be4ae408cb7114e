// Runs an archive's forward on demand, so that a script can time it turn about with another engine.
//
//   forward ARCHIVE INPUT.bin SIZE... [--plain | --reference] [--device DEVICE] [--half]
//
// INPUT.bin holds the float32 elements of one tensor of the given sizes; with --half the archive
// gets them as float16. Each line on standard input is a command: `run` answers with the wall and
// processor seconds of one forward, until the device is done; `issue` with those until the host is;
// `save PATH` writes the last result (the first tensor of a tuple or dictionary) as float32;
// `profile` runs once and answers with the seconds that each operator and kernel took, waiting for
// the device after each.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>

#include "engine/api/load.h"
#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/ops/catalog.h"
#include "engine/ops/dispatch.h"
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
  explicit Profile(assay::core::Device timed) : device(timed) {}
  assay::core::Device device;
  std::string_view last;
  std::map<std::string, std::pair<int, double>> spent;

  assay::ops::Results call(const assay::ops::Operator& op, std::span<const Value> args,
                           const assay::ops::Next& next) override {
    double begin = seconds(CLOCK_MONOTONIC);
    auto results = next(op, args);
    assay::core::backend_of(device).synchronize(device);
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

void save(assay::api::Engine& engine, const Tensor& result, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  Tensor t = assay::ops::relocate(engine.context(), result, assay::core::Device{},
                                  assay::core::DType::float32);
  if (!t.is_contiguous()) assay::base::fail("the result is not row-major: ", t.strides());
  file.write(reinterpret_cast<const char*>(t.device_address()),
             static_cast<std::streamsize>(t.numel()) * static_cast<int>(t.item_size()));
}

int serve(int argc, char** argv) {
  assay::api::EngineOptions options;
  options.optimize = true;
  options.fake_cuda = false;
  assay::core::Dims sizes;
  assay::core::Device device;
  auto dtype = assay::core::DType::float32;
  for (int i = 3; i < argc; ++i) {
    std::string_view flag = argv[i];
    if (flag == "--reference") {
      options.reference_only = true;
    } else if (flag == "--plain") {
      options.optimize = false;
    } else if (flag == "--half") {
      dtype = assay::core::DType::float16;
    } else if (flag == "--device" && i + 1 < argc) {
      device = assay::core::parse_device(argv[++i]).value();
    } else {
      sizes.push_back(std::atoll(argv[i]));
    }
  }
  assay::api::Engine engine(options);
  assay::api::LoadOptions where;
  where.map_location = device;
  auto module = assay::api::load(engine, argv[1], where);
  Value input = assay::ops::relocate(engine.context(), read_input(argv[2], sizes), device, dtype);
  Value output;
  auto wait = [&] { assay::core::backend_of(device).synchronize(device); };
  std::string command, path;
  while (std::cin >> command) {
    if (command == "run" || command == "issue") {
      double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
      output = module.forward({input});
      if (command == "run") wait();
      wall = seconds(CLOCK_MONOTONIC) - wall;
      std::printf("%.9f %.9f\n", wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
      if (command == "issue") wait();
    } else if (command == "save" && std::cin >> path) {
      save(engine, first_tensor(output), path);
      std::printf("saved\n");
    } else if (command == "profile") {
      Profile profile(device);
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
    std::fputs(
        "usage: forward ARCHIVE INPUT.bin SIZE... [--plain | --reference] [--device DEVICE] "
        "[--half]\n",
        stderr);
    return 2;
  }
  try {
    return serve(argc, argv);
  } catch (const assay::base::Error& e) {
    std::fprintf(stderr, "%s\n", e.describe().c_str());
    return 1;
  }
}
