#pragma once

#include <gtest/gtest.h>

#include "engine/api/engine.h"

namespace assay::kernels::testing {

/// Whether `cuda:0` is a GPU; else its kernels were compiled for the host.
bool is_real_gpu();
/// Whether tests have a `cuda:0` at all: a build for GPUs on a machine without one has none.
bool has_gpu();

/// Of tests that need a `cuda:0`: they are skipped where there is none.
template <class Test = ::testing::Test>
class OnGpu : public Test {
 protected:
  void SetUp() override {
    if (!has_gpu()) GTEST_SKIP() << "no GPU is there";
  }
};

/// An engine with the kernels for GPUs, whose `cuda:0` is no fake device.
api::Engine gpu_engine();

}  // namespace assay::kernels::testing
