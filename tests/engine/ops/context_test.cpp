#include "engine/ops/context.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/api/engine.h"
#include "engine/base/error.h"
#include "engine/core/backends.h"
#include "engine/core/elements.h"
#include "engine/core/fake_device.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {
namespace {

using core::Device;
using core::DeviceType;
using core::Tensor;
using core::Value;

const Device fake{DeviceType::fake, 0}, cuda{DeviceType::cuda, 0};

/// Devices that run no kernels of the host, as a GPU.
class BareDevices final : public core::FakeDevices {
 public:
  core::HostKernels* host_kernels() override { return nullptr; }
};

class Devices : public testing::Test {
 protected:
  Devices() {
    static BareDevices bare;
    core::register_backend(DeviceType::cuda, bare);
    options_.fake_cuda = false;
    engine_.emplace(options_);
  }

  Context& context() { return engine_->context(); }
  Tensor call(const char* name, core::Values args) {
    return ops::call(context(), name, std::move(args)).to_tensor();
  }
  Tensor moved(const Tensor& t, Device device) {
    return call("aten::to.device", {t, device, static_cast<int64_t>(t.dtype())});
  }
  static Tensor ones() { return core::tensor_from({1, 1, 1}, core::Dims{3}, core::DType::float32); }
  static double first(const Tensor& t) { return core::first_element(t).to_double(); }
  /// The message of the error that a call raises.
  std::string refusal(const char* name, core::Values args, base::ErrorKind kind) {
    try {
      call(name, std::move(args));
    } catch (const base::Error& e) {
      EXPECT_EQ(e.kind(), kind);
      return e.message();
    }
    return "no error";
  }

  api::EngineOptions options_;
  std::optional<api::Engine> engine_;
};

using DevicesDeathTest = Devices;

TEST_F(DevicesDeathTest, ResultsOfADeviceAreOutOfTheHostsReach) {
  Tensor x = call("aten::mul.Scalar", {moved(ones(), fake), 3});
  EXPECT_EQ(first(x), 3);
  EXPECT_DEATH(std::exit(static_cast<int>(*x.data<float>())), "");
  EXPECT_DEATH(*x.data<float>() = 4, "");
}

TEST_F(Devices, AMissingWaitReadsOldBytes) {
  core::DeviceBackend& fakes = core::backend_of(fake);
  Tensor x = moved(ones(), fake);
  core::Stream side = fakes.make_stream(fake);
  {
    StreamScope scope(context(), side);
    call("aten::add_.Scalar", {x, 5});
    EXPECT_EQ(first(call("aten::mul.Scalar", {x, 2})), 12);  // In order on its own stream,
  }                                                          // and the host waited.
  {
    StreamScope scope(context(), side);
    call("aten::add_.Scalar", {x, 5});
  }
  Tensor early = call("aten::mul.Scalar", {x, 2});
  fakes.wait({fake}, fakes.record(side));
  Tensor late = call("aten::mul.Scalar", {x, 2});
  EXPECT_EQ(first(early), 12);
  EXPECT_EQ(first(late), 22);
}

// Neither the call nor the engine that made it is there when the stream comes to the kernel.
TEST_F(Devices, IssuedKernelsNeedNothingOfTheirEngine) {
  core::DeviceBackend& fakes = core::backend_of(fake);
  core::Stream side = fakes.make_stream(fake);
  Tensor x = moved(ones(), fake), noise = moved(ones(), fake), sum;
  {
    StreamScope scope(context(), side);
    sum = call("aten::add.Tensor", {x, moved(ones(), fake), 4});
    call("aten::uniform_", {noise, 2, 3});
  }
  engine_.reset();
  fakes.synchronize(side);
  EXPECT_EQ(first(sum), 5);
  EXPECT_GE(first(noise), 2);
}

TEST_F(Devices, WhatNeedsValuesWaitsForItsStream) {
  Tensor x = moved(ones(), fake);
  StreamScope scope(context(), core::backend_of(fake).make_stream(fake));
  call("aten::mul_.Scalar", {x, 7});
  EXPECT_EQ(call("aten::nonzero", {x}).size(0), 3);
  EXPECT_EQ(ops::call(context(), "aten::item", {call("aten::sum", {x})}).to_scalar().to_double(),
            21);
}

TEST_F(Devices, ResultsGoWhereTheyAreToBeWritten) {
  Tensor x = moved(ones(), fake), on_cpu = ones();
  EXPECT_NE(refusal("aten::add.out", {x, x, 1, on_cpu}, base::ErrorKind::input).find("fake:0"),
            std::string::npos);
  EXPECT_NE(refusal("aten::add.out", {on_cpu, on_cpu, 1, x}, base::ErrorKind::input).find("fake:0"),
            std::string::npos);
}

TEST_F(Devices, CopiesConvertAndLayOut) {
  Tensor x = core::tensor_from({1, 2, 3, 4, 5, 6}, core::Dims{2, 3}, core::DType::int64);
  Tensor there = call("aten::to.device", {x.view(core::Dims{3, 2}, core::Dims{1, 3}, 0), fake,
                                          static_cast<int64_t>(core::DType::float32)});
  EXPECT_EQ(there.strides(), (core::Dims{1, 3}));
  EXPECT_EQ(core::elements(there)[1].to_double(), 4);
  Tensor wide = moved(core::Tensor::empty(core::Dims{4, 2}, core::DType::float64), Device{});
  call("aten::copy_", {wide, there.view(core::Dims{2}, core::Dims{3}, 1)});  // Broadcast.
  EXPECT_EQ(core::elements(wide)[6].to_double(), 2);
  EXPECT_EQ(core::elements(wide)[7].to_double(), 5);
}

// A device that has neither kernels nor runs the host's says what is missing; what moves bytes only
// works.
TEST_F(Devices, NothingOfTheHostsRunsOnADeviceWithoutKernels) {
  Tensor x = moved(ones(), cuda);
  EXPECT_EQ(x.device(), cuda);
  EXPECT_EQ(first(moved(x, Device{})), 1);
  EXPECT_EQ(refusal("aten::neg", {x}, base::ErrorKind::unsupported),
            "aten::neg has no kernel for device cuda:0");
  context().reference_only = true;
  EXPECT_EQ(refusal("aten::neg", {x}, base::ErrorKind::unsupported),
            "aten::neg has no kernel for device cuda:0");
}

TEST_F(Devices, ADeviceThatIsNotThereIsRefusedAtItsFirstUse) {
  core::Dims two{2};
  core::Values zeros{core::make_int_list(two), Value(), Value(), Device{DeviceType::cuda, 9},
                     Value()};
  EXPECT_NE(refusal("aten::zeros", zeros, base::ErrorKind::input).find("cuda:9 is not there"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::ops
