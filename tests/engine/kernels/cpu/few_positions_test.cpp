#include "engine/kernels/cpu/few_positions.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "engine/api/engine.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/kernels/bound.h"
#include "tests/engine/kernels/calls.h"
#include "tests/engine/kernels/draw.h"
#include "tests/engine/kernels/outcome.h"
#include "tests/engine/kernels/property.h"

namespace assay::kernels::testing {
namespace {

using core::Dims;
using core::Tensor;
using core::Value;
using ops::infer::Convolution;

Value list(const Dims& items) { return core::make_int_list(items); }

/// A convolution by a large weight of as many dimensions as `stride`, without groups.
core::Values call_of(const Convolution& conv) {
  return {conv.input,
          conv.weight,
          conv.bias ? Value(conv.bias) : Value(),
          list(conv.stride),
          list(conv.padding),
          list(conv.dilation),
          false,
          list(conv.output_padding),
          1};
}

/// Channels for 2^18 weights at least, and an image that windows fit into.
Convolution draw_convolution() {
  Convolution conv;
  auto spatial = static_cast<size_t>(*rc::gen::inRange(1, 4));
  Dims weight{*rc::gen::inRange(1, 40), 1}, image{*rc::gen::inRange(1, 4), 0};
  for (size_t d = 0; d < spatial; ++d) {
    int64_t window = *rc::gen::inRange(1, 4);
    conv.stride.push_back(*rc::gen::inRange(1, 3));
    conv.dilation.push_back(*rc::gen::inRange(1, 3));
    conv.padding.push_back(*rc::gen::inRange(0, 3));
    conv.output_padding.push_back(0);
    int64_t least = (window - 1) * conv.dilation[d] + 1 - 2 * conv.padding[d];
    weight.push_back(window);
    image.push_back(std::max<int64_t>(least, 1) + *rc::gen::inRange(0, 3));
  }
  conv.padding_end = conv.padding;
  weight[1] = (1 << 18) / (core::numel(weight)) + 1;
  image[1] = weight[1];
  conv.weight = draw_plain(weight, core::DType::float32, Fill::grid);
  conv.input = draw_tensor(image, core::DType::float32, Fill::normal);
  if (chance(50)) conv.bias = draw_plain(Dims{weight[0]}, core::DType::float32, Fill::normal);
  return conv;
}

TEST(FewPositions, GiveWhatTheReferenceKernelGives) {
  api::Engine fast = engine_of(false), reference = engine_of(true);
  const ops::Operator& op = ops::get_operator("aten::convolution");
  int taken = 0;
  auto agree = [&] {
    Convolution conv = draw_convolution();
    Dims sizes = conv.out_sizes();
    // The reference kernel takes seconds where there are many, and they are oneDNN's anyway.
    RC_PRE(core::numel(sizes) / sizes[1] <= 20);
    core::Values args = call_of(conv);
    RC_LOG() << describe(op, args) << '\n';
    Outcome plain = run(reference, op, args);
    RC_ASSERT(plain.error.empty());
    Tensor wanted = plain.results[0].to_tensor();
    Tensor out = Tensor::empty_strided(wanted.sizes(), wanted.strides(), core::DType::float32);
    bool few = cpu::convolve_few_positions(conv, out);
    // Whatever it takes, the operator's own answer agrees, too.
    if (!few) out = run(fast, op, args).results.at(0).to_tensor();
    taken += few;
    auto bounds = bounds_of(op, args, plain.results, reference.context());
    if (auto differs = difference(out, wanted, bounds[0])) RC_FAIL(*differs);
  };
  EXPECT_TRUE(holds_where_reached("few positions", 24, agree, [&] { return taken > 6; }));
}

TEST(FewPositions, AreLeftToOneDnnWhereTheyAreNone) {
  Convolution conv;
  auto zeros = [](const Dims& sizes) {
    Tensor made = Tensor::empty(sizes, core::DType::float32);
    std::fill_n(made.data<float>(), made.numel(), 0.f);
    return made;
  };
  auto take = [&](const Dims& image, const Dims& weight, int64_t groups) {
    conv.weight = zeros(weight), conv.input = zeros(image);
    conv.stride = conv.dilation = Dims{1, 1};
    conv.padding = conv.padding_end = Dims{1, 1};
    conv.output_padding = Dims{0, 0};
    conv.groups = groups;
    Tensor out = Tensor::empty(Dims{image[0], weight[0], image[2], image[3]}, core::DType::float32);
    return cpu::convolve_few_positions(conv, out);
  };
  EXPECT_TRUE(take({4, 256, 2, 2}, {128, 256, 3, 3}, 1));
  EXPECT_FALSE(take({5, 256, 2, 2}, {128, 256, 3, 3}, 1));  // 20 positions.
  EXPECT_FALSE(take({4, 64, 2, 2}, {128, 64, 3, 3}, 1));    // 73,728 weights.
  EXPECT_FALSE(take({1, 512, 2, 2}, {512, 256, 3, 3}, 2));
}

}  // namespace
}  // namespace assay::kernels::testing
