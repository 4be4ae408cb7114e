#include "engine/ops/devices.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace assay::ops {
namespace {

using core::Device;
using core::DeviceType;
using core::DType;
using core::Tensor;
using core::Value;

const Device cpu{};
const Device fake{DeviceType::fake, 0};
const Device other_fake{DeviceType::fake, 1};

Tensor scalar_on(Device device, DType dtype = DType::float32) {
  return Tensor::empty(core::Dims{}, dtype, device);
}
Tensor matrix_on(Device device, DType dtype = DType::float32) {
  return Tensor::empty(core::Dims{2, 2}, dtype, device);
}

/// The device that a call of these tensors runs on, or the error's message.
std::string runs_on(const char* op, const core::Values& args) {
  try {
    return common_device(get_operator(op), args).text();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::input);
    return error.message();
  }
}

const std::string two_devices =
    "Expected all tensors to be on the same device, but found at least two devices, ";

// Which operators let a 0-dimensional CPU tensor go along was asked of PyTorch 1.13: binary
// operators with tensors on `meta`, and `device_check` of its native_functions.yaml for CUDA.

TEST(DevicePolicies, ScalarsOnTheCpuGoAlongWithBinaryPointwiseOperators) {
  for (const char* op : {"aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor",
                         "aten::div.Tensor", "aten::maximum", "aten::eq.Tensor", "aten::atan2",
                         "aten::pow.Tensor_Tensor", "aten::logical_and", "aten::xlogy.Tensor"}) {
    EXPECT_EQ(runs_on(op, {matrix_on(fake), scalar_on(cpu)}), "fake:0") << op;
    EXPECT_EQ(runs_on(op, {scalar_on(cpu), matrix_on(fake)}), "fake:0") << op;
    EXPECT_EQ(runs_on(op, {scalar_on(cpu), scalar_on(fake)}), "fake:0") << op;
    EXPECT_EQ(runs_on(op, {matrix_on(fake), matrix_on(cpu)}), two_devices + "fake:0 and cpu!")
        << op;
    EXPECT_EQ(runs_on(op, {matrix_on(cpu), scalar_on(fake)}), two_devices + "cpu and fake:0!")
        << op;
  }
  Tensor mask = matrix_on(fake, DType::boolean);
  EXPECT_EQ(runs_on("aten::where.self", {mask, matrix_on(fake), scalar_on(cpu)}), "fake:0");
  EXPECT_EQ(runs_on("aten::masked_fill.Tensor", {matrix_on(fake), mask, scalar_on(cpu)}), "fake:0");
}

TEST(DevicePolicies, OtherOperatorsTakeOneDeviceOnly) {
  for (const char* op : {"aten::addcmul", "aten::addcdiv", "aten::lerp.Tensor"}) {
    EXPECT_EQ(runs_on(op, {matrix_on(fake), matrix_on(fake), scalar_on(cpu)}),
              two_devices + "fake:0 and cpu!")
        << op;
  }
  EXPECT_EQ(runs_on("aten::clamp.Tensor", {matrix_on(fake), scalar_on(cpu), Value()}),
            two_devices + "fake:0 and cpu!");
  EXPECT_EQ(runs_on("aten::prelu", {matrix_on(fake), scalar_on(cpu)}),
            two_devices + "fake:0 and cpu!");
  EXPECT_EQ(runs_on("aten::mm", {matrix_on(fake), matrix_on(cpu)}),
            two_devices + "fake:0 and cpu!");
  EXPECT_EQ(runs_on("aten::addmm", {scalar_on(cpu), matrix_on(fake), matrix_on(fake)}),
            two_devices + "cpu and fake:0!");
  EXPECT_EQ(runs_on("aten::index_select", {matrix_on(fake), Value(0), scalar_on(cpu)}),
            two_devices + "fake:0 and cpu!");
}

TEST(DevicePolicies, ListsOfTensorsLieOnOneDevice) {
  Value mixed(core::make_tensor_list({scalar_on(fake), scalar_on(cpu)}));
  EXPECT_EQ(runs_on("aten::stack", {mixed}), two_devices + "fake:0 and cpu!");
  EXPECT_EQ(runs_on("aten::cat", {mixed}), two_devices + "fake:0 and cpu!");
  Value alike(core::make_tensor_list({scalar_on(fake), scalar_on(fake)}));
  EXPECT_EQ(runs_on("aten::stack", {alike}), "fake:0");
}

TEST(DevicePolicies, IndicesMayLieOnTheCpu) {
  auto indices = [](const Tensor& index) { return Value(core::make_tensor_list({index})); };
  Tensor index = Tensor::empty(core::Dims{3}, DType::int64);
  Tensor index_there = Tensor::empty(core::Dims{3}, DType::int64, fake);
  EXPECT_EQ(runs_on("aten::index.Tensor", {matrix_on(fake), indices(index)}), "fake:0");
  EXPECT_EQ(runs_on("aten::index.Tensor", {matrix_on(fake), indices(index_there)}), "fake:0");
  EXPECT_EQ(runs_on("aten::index.Tensor", {matrix_on(cpu), indices(index_there)}),
            "indices should be either on cpu or on the same device as the indexed tensor (cpu)");
  EXPECT_EQ(runs_on("aten::index.Tensor", {matrix_on(other_fake), indices(index_there)}),
            "indices should be either on cpu or on the same device as the indexed tensor (fake:1)");
  EXPECT_EQ(runs_on("aten::index_put_", {matrix_on(fake), indices(index), scalar_on(cpu)}),
            "fake:0");
  EXPECT_EQ(runs_on("aten::index_put_", {matrix_on(fake), indices(index), matrix_on(cpu)}),
            two_devices + "fake:0 and cpu!");
}

TEST(DevicePolicies, NumbersGoAlongWithEverything) {
  Tensor number = scalar_on(cpu);
  number.impl()->wrapped_number = true;
  EXPECT_EQ(runs_on("aten::prelu", {matrix_on(fake), number}), "fake:0");
}

TEST(DevicePolicies, CountsOfPackedSequencesLieOnTheCpu) {
  // Expected: PyTorch 1.13's layers read them as the host does, and want all else on one device.
  auto gru = [](Device data, Device counts, Device state, Device weight) {
    Value params(core::make_tensor_list({matrix_on(weight), matrix_on(weight)}));
    return runs_on("aten::gru.data",
                   {matrix_on(data), matrix_on(counts, DType::int64), matrix_on(state), params,
                    Value(false), Value(1), Value(0.0), Value(false), Value(false)});
  };
  EXPECT_EQ(gru(fake, cpu, fake, fake), "fake:0");
  EXPECT_EQ(gru(cpu, cpu, cpu, cpu), "cpu");
  EXPECT_EQ(gru(fake, cpu, cpu, fake), two_devices + "fake:0 and cpu!");
  EXPECT_EQ(gru(cpu, cpu, fake, fake), two_devices + "cpu and fake:0!");
  EXPECT_EQ(gru(fake, cpu, fake, cpu), two_devices + "fake:0 and cpu!");
  EXPECT_EQ(gru(fake, fake, fake, fake),
            "aten::gru.data: 'batch_sizes' should be on the CPU, but is on fake:0");
  EXPECT_EQ(runs_on("aten::_pad_packed_sequence", {matrix_on(fake), matrix_on(cpu, DType::int64),
                                                   Value(false), Value(0.0), Value(-1)}),
            "fake:0");
}

TEST(DevicePolicies, CopiesAndQuestionsMixThem) {
  EXPECT_EQ(runs_on("aten::copy_", {matrix_on(fake), matrix_on(cpu)}), "fake:0");
  EXPECT_EQ(runs_on("aten::is_same_size", {matrix_on(fake), matrix_on(cpu)}), "fake:0");
  EXPECT_EQ(runs_on("aten::result_type.Tensor", {matrix_on(fake), matrix_on(cpu)}), "fake:0");
}

TEST(DevicePolicies, KernelsThatMixThemReadNothingFromMeta) {
  core::Values args{matrix_on(cpu), Value(core::make_tensor_list({matrix_on(fake)}))};
  EXPECT_NO_THROW(check_none_on_meta(args, cpu));
  args.push_back(scalar_on(Device{DeviceType::meta}));
  EXPECT_THROW(check_none_on_meta(args, cpu), base::Error);
}

TEST(DevicePolicies, PlainValuesRunNowhere) {
  EXPECT_TRUE(get_operator("aten::append.t").is_host());
  EXPECT_EQ(runs_on("aten::eq.int", {Value(1), Value(2)}), "cpu");
}

}  // namespace
}  // namespace assay::ops
