#include "engine/ops/autocast.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "engine/ops/dispatch.h"

namespace assay::ops {
namespace {

using core::Device;
using core::DeviceType;
using core::DType;
using core::Tensor;
using core::Value;
using Args = std::span<const Value>;

constexpr Device cpu{}, cuda{DeviceType::cuda, 0};
constexpr AutocastMode bf16{true, DType::bfloat16}, f16{true, DType::float16};

Tensor of(DType dtype, Device device = cpu) {
  return Tensor::empty(core::Dims{2, 2}, dtype, device);
}

std::string text(const Value& v) {
  if (v.is_tensor()) return std::string(core::python_name(v.to_tensor().dtype()));
  if (v.is_list()) {
    std::string out = "[";
    for (const Value& item : v.list().items) out += (out == "[" ? "" : " ") + text(item);
    return out + "]";
  }
  if (v.is_int()) return std::to_string(v.to_int());
  return v.is_none() ? "None" : "_";
}

/// Stands below autocast and answers in the kernels' place.
struct Below : Handler {
  Results call(const Operator& op, Args args, const Next&) override {
    if (op.qualified_name == "aten::to.dtype") {
      ++casts;
      auto dtype = static_cast<DType>(args[1].to_int());
      return {Tensor::empty(args[0].to_tensor().sizes(), dtype, args[0].to_tensor().device())};
    }
    heard = op.qualified_name;
    for (const Value& v : args) heard += " " + text(v);
    first = args[0];
    return {args[0]};
  }
  std::string heard;
  Value first;
  int casts = 0;
};

class AutocastTest : public ::testing::Test {
 protected:
  /// What reaches the kernels of a call.
  std::string below(const char* op, core::Values args) {
    call(context_, op, std::move(args));
    return below_.heard;
  }

  Context context_;
  Below below_;
  HandlerScope scope_{context_, below_};
};

TEST_F(AutocastTest, LowersWhatTheListOfTheDeviceNames) {
  AutocastRegion region(context_, DeviceType::cpu, bf16);
  DType f32 = DType::float32;
  EXPECT_EQ(below("aten::mm", {of(f32), of(f32)}), "aten::mm bfloat16 bfloat16");
  EXPECT_EQ(below("aten::mm", {of(DType::float16), of(f32)}), "aten::mm bfloat16 bfloat16");
  EXPECT_EQ(below("aten::mm", {of(DType::float64), of(f32)}), "aten::mm float64 bfloat16");
  EXPECT_EQ(below("aten::mm", {of(DType::int64), of(f32)}), "aten::mm int64 bfloat16");
  EXPECT_EQ(below("aten::linear", {of(f32), of(f32)}), "aten::linear bfloat16 bfloat16 None");
  EXPECT_EQ(below("aten::trace", {of(DType::bfloat16)}), "aten::trace float32");
  EXPECT_EQ(below("aten::cat", {core::make_tensor_list({of(DType::bfloat16), of(f32)}), 0}),
            "aten::cat [float32 float32] 0");
  EXPECT_EQ(below("aten::cat", {core::make_tensor_list({of(DType::bfloat16)}), 0}),
            "aten::cat [bfloat16] 0");
  // On no list of the CPU's, nor of this device.
  EXPECT_EQ(below("aten::mv", {of(f32), of(f32)}), "aten::mv float32 float32");
  EXPECT_EQ(below("aten::mm", {of(f32, cuda), of(f32, cuda)}), "aten::mm float32 float32");
  EXPECT_EQ(below("aten::mm.out", {of(f32), of(f32), of(f32)}),
            "aten::mm.out float32 float32 float32");
}

// Expected: the lists of PyTorch 1.13's documentation.
TEST_F(AutocastTest, HasOtherListsForCuda) {
  AutocastRegion region(context_, DeviceType::cuda, f16);
  auto f32 = [] { return of(DType::float32, cuda); };
  auto half = [] { return of(DType::float16, cuda); };
  EXPECT_EQ(below("aten::mv", {f32(), f32()}), "aten::mv float16 float16");
  EXPECT_EQ(below("aten::exp", {half()}), "aten::exp float32");
  EXPECT_EQ(below("aten::pow.Tensor_Scalar", {half(), 2}), "aten::pow.Tensor_Scalar float32 2");
  EXPECT_EQ(below("aten::sum", {half(), Value()}), "aten::sum float16 6");
  EXPECT_EQ(below("aten::sum", {half(), 7}), "aten::sum float16 7");
  EXPECT_EQ(below("aten::sum", {of(DType::int64, cuda), Value()}), "aten::sum int64 None");
  EXPECT_EQ(below("aten::norm.Scalar", {half(), 2}), "aten::norm.ScalarOpt_dtype float16 2 6");
  EXPECT_EQ(below("aten::addcmul", {half(), f32(), half(), 1}),
            "aten::addcmul float32 float32 float32 1");
  EXPECT_EQ(below("aten::addcmul", {half(), half(), half(), 1}),
            "aten::addcmul float16 float16 float16 1");
  EXPECT_EQ(below("aten::add.Tensor", {half(), f32(), 1}), "aten::add.Tensor float16 float32 1");
  EXPECT_THROW(below("aten::binary_cross_entropy", {half(), half()}), base::Error);
  EXPECT_EQ(below("aten::mm", {of(DType::float32), of(DType::float32)}),
            "aten::mm float32 float32");
  EXPECT_THROW(below("aten::addcmul", {of(DType::bfloat16, cuda), f32(), half(), 1}), base::Error);
}

TEST_F(AutocastTest, InnerRegionsSetTheModeAnew) {
  auto reached = [&] { return below("aten::mm", {of(DType::float32), of(DType::float32)}); };
  {
    AutocastRegion outer(context_, DeviceType::cpu, bf16);
    {
      AutocastRegion inner(context_, DeviceType::cpu, {false, DType::bfloat16});
      EXPECT_EQ(reached(), "aten::mm float32 float32");
      AutocastRegion other(context_, DeviceType::cuda, f16);
      EXPECT_EQ(reached(), "aten::mm float32 float32");
    }
    EXPECT_EQ(reached(), "aten::mm bfloat16 bfloat16");
  }
  EXPECT_EQ(reached(), "aten::mm float32 float32");
  AutocastRegion unknown(context_, DeviceType::cpu, f16);  // PyTorch 1.13 warns and disables it.
  EXPECT_EQ(reached(), "aten::mm float32 float32");
}

TEST_F(AutocastTest, CastsParametersOnce) {
  Tensor weight = of(DType::float32);
  weight.impl()->requires_grad = true;
  Value kept;
  {
    AutocastRegion region(context_, DeviceType::cpu, bf16);
    below("aten::mm", {weight, of(DType::bfloat16)});
    kept = below_.first;
    {
      AutocastRegion inner(context_, DeviceType::cpu, bf16);
      below("aten::mm", {weight, of(DType::bfloat16)});
      EXPECT_TRUE(below_.first.same(kept));
      AutocastRegion uncached(context_, DeviceType::cpu, bf16, AutocastRegion::Rules::eager, false);
      below("aten::mm", {weight, of(DType::bfloat16)});
      EXPECT_FALSE(below_.first.same(kept));
    }
    Tensor input = of(DType::float32);  // Of no interest to gradients.
    below("aten::mm", {input, of(DType::bfloat16)});
    Value first = below_.first;
    below("aten::mm", {input, of(DType::bfloat16)});
    EXPECT_FALSE(below_.first.same(first));
  }
  AutocastRegion later(context_, DeviceType::cpu, bf16);
  below("aten::mm", {weight, of(DType::bfloat16)});
  EXPECT_FALSE(below_.first.same(kept));
}

// Expected: results of PyTorch 1.13's scripted functions.
TEST_F(AutocastTest, HasAListOfItsOwnForTorchScript) {
  AutocastRegion region(context_, DeviceType::cpu, bf16, AutocastRegion::Rules::script);
  Tensor f32 = of(DType::float32), half = of(DType::bfloat16);
  EXPECT_EQ(below("aten::mv", {f32, half}), "aten::mv bfloat16 bfloat16");
  EXPECT_EQ(below("aten::add.Tensor", {half, half, 1}), "aten::add.Tensor float32 float32 1");
  EXPECT_EQ(below("aten::sum", {half, Value()}), "aten::sum bfloat16 6");
  EXPECT_EQ(below("aten::trace", {half}), "aten::trace bfloat16");
  EXPECT_EQ(below("aten::cat", {core::make_tensor_list({half, f32}), 0}),
            "aten::cat [bfloat16 float32] 0");
  EXPECT_THROW(below("aten::binary_cross_entropy", {half, half}), base::Error);
}

/// What the row says, in the words of the recorded lists.
std::set<std::string> words_of(const Operator& op) {
  std::set<std::string> words;
  Autocast row = op.autocast();
  if (row.cpu != Cast::keep) words.insert("cpu");
  if (row.cuda != Cast::keep) words.insert("cuda");
  if (row.script == Cast::lower) words.insert("script:lower");
  if (row.script == Cast::full || row.script == Cast::full_result) words.insert("script:full");
  if (row.script == Cast::refuse) words.insert("script:refuse");
  return words;
}

TEST(AutocastLists, AreThoseOfPyTorch) {
  std::map<std::string, std::set<std::string>> recorded;
  std::ifstream file("tests/golden/autocast/lists.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, word;
    words >> name;
    while (words >> word) recorded[name].insert(word);
  }
  ASSERT_GT(recorded.size(), 100u);
  for (size_t id = 0; id < catalog_rows().size(); ++id) {
    const Operator& op = operator_of(id);
    if (op.schema.is_mutable()) continue;
    // PyTorch's aliases (arccos) call what they stand for, which is cast then, but not in graphs.
    // _adaptive_avg_pool3d is none: a graph that is PyTorch's own does not hold it.
    bool alias = op.symbol != op.functional->symbol;
    if (alias) continue;
    EXPECT_EQ(words_of(op), recorded[op.qualified_name]) << op.qualified_name;
  }
}

}  // namespace
}  // namespace assay::ops
