#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "verify/host/pytorch_host.h"
#include "verify/host/value_tree.h"

namespace assay::verify::host {

using core::DType;
using core::Tensor;
using core::Value;

inline Tensor floats(core::Dims shape, float first = 0, float step = 1) {
  Tensor t = Tensor::empty(shape, DType::float32);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = first + step * static_cast<float>(i);
  return t;
}

/// An interpreter with torch: $ASSAY_PYTHON or Debian's. Empty where neither has it.
inline std::string python_with_torch() {
  static const std::string found = [] {
    const char* given = std::getenv("ASSAY_PYTHON");
    for (std::string python : {std::string(given ? given : ""), std::string("/usr/bin/python3")}) {
      std::string probe = python + " tests/has_modules.py torch 2>/dev/null";
      if (!python.empty() && std::system(probe.c_str()) == 0) return python;
    }
    return std::string();
  }();
  return found;
}

class WithTorch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python_with_torch().empty()) GTEST_SKIP() << "no interpreter with torch (ASSAY_PYTHON)";
  }

  /// One process for all tests: starting it is most of the time. Its calls have the usual time: on
  /// a busy machine an export may take seconds. A test that waits for the end of a call's time has
  /// a host of its own.
  static PytorchHost& host() {
    static PytorchHost shared({python_with_torch(), "tests/verify/host"});
    return shared;
  }
  static Loaded load(const std::string& name) { return host().load("model_under_test.py:" + name); }
  static CallRequest call(std::vector<Value> args) {
    CallRequest request;
    request.args = std::move(args);
    return request;
  }
  static ExportRequest exporting(ExportRequest::Kind kind, std::vector<Value> args) {
    ExportRequest request;
    request.args = std::move(args);
    request.kind = kind;
    return request;
  }
};

/// Options for a host that runs models with the torch of a package in that folder of the tests.
inline HostOptions with_package(const std::string& folder) {
  HostOptions options;
  options.python = python_with_torch();
  options.engine_package = std::filesystem::absolute("tests/verify/host/" + folder);
  return options;
}

inline Observation run_archive(PytorchHost& host, const std::string& archive, const Tensor& input) {
  std::string path = ::testing::TempDir() + "exported.pt";
  std::ofstream(path, std::ios::binary) << archive;
  host.load(path);
  CallRequest request;
  request.args = {input};
  return host.run(request);
}

inline std::string bytes(const Value& value) { return row_major_bytes(value.to_tensor()); }

}  // namespace assay::verify::host
