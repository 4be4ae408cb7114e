#include "verify/run/random_rounding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/core/elements.h"
#include "engine/kernels/reference/register.h"
#include "engine/ops/dispatch.h"

namespace assay::verify {
namespace {

using core::Tensor;
using core::Value;

constexpr double eps = 0x1p-23;

/// The catalog's operators over the reference kernels, rounded at random.
class RandomRoundingTest : public ::testing::Test {
 protected:
  RandomRoundingTest() {
    kernels::reference::register_kernels(table_);
    context_.kernels = &table_;
  }

  static Tensor row(const std::vector<float>& items) {
    Tensor made =
        Tensor::empty(core::Dims{static_cast<int64_t>(items.size())}, core::DType::float32);
    std::copy(items.begin(), items.end(), made.data<float>());
    return made;
  }

  Tensor rounded(const char* op, core::Values args, uint64_t seed = 1) {
    RandomRounding rounding(seed);
    ops::HandlerScope scope(context_, rounding);
    return ops::call(context_, op, std::move(args)).to_tensor();
  }

  ops::KernelTable table_;
  ops::Context context_;
};

TEST_F(RandomRoundingTest, MovesAResultByItsLastPlace) {
  Tensor sum = rounded("aten::add.Tensor", {row({0.1F, 100}), row({0.2F, 200.1F}), Value(1)});
  const float* moved = sum.data<const float>();
  EXPECT_NE(moved[0], 0.1F + 0.2F);
  EXPECT_NEAR(moved[0], 0.3, 1.5 * 0.3 * eps);
  EXPECT_NEAR(moved[1], 300.1, 1.5 * 300.1 * eps);
}

// Each partial sum of n terms of either sign is rounded, which moves the sum far more than rounding
// the terms alone does: that is eps * sqrt(n / 3) of a term.
TEST_F(RandomRoundingTest, ALongSumMovesAsItsPartialSumsAreRounded) {
  constexpr size_t n = 1024;
  std::vector<float> terms(n);
  for (size_t i = 0; i < n; ++i) terms[i] = (i / 32) % 2 == 0 ? 1.1F : -1.1F;
  double most = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    Tensor sum = rounded("aten::sum", {row(terms), Value()}, seed);
    most = std::max(most, std::fabs(static_cast<double>(*sum.data<const float>())));
  }
  EXPECT_GT(most, eps * 50);  // sqrt(1024 / 3) = 18.
  EXPECT_LT(most, eps * 4096);
}

TEST_F(RandomRoundingTest, ShowsWhatCancelsInsideOfASum) {
  Tensor sum = rounded("aten::sum", {row({1000000.5F, 1, -1000000.5F}), Value()});
  double error = std::fabs(*sum.data<const float>() - 1);
  EXPECT_GT(error, 1e-3);  // Of 1e6 * 2^-23 = 0.12 at most for each large term.
  EXPECT_LT(error, 0.5);
}

// exp(x - max) over its sum: what is equal comes out equal however large it is, since no operator
// made -1e9 with an error.
TEST_F(RandomRoundingTest, EqualNumbersOfASoftmaxStayEqualHoweverLarge) {
  Value none;
  Tensor p = rounded("aten::softmax.int", {row({-1e9F, -1e9F}), Value(0), none});
  EXPECT_NEAR(p.data<const float>()[0], 0.5, 2 * eps);
  EXPECT_NE(p.data<const float>()[0], p.data<const float>()[1]);
  Tensor sum = rounded("aten::add.Tensor", {row({-1e9F, -1e9F}), row({1, 2}), Value(1)});
  EXPECT_NE(sum.data<const float>()[0], sum.data<const float>()[1]);
}

// Half of the old mean, 4, and half of the batch's, 3.
TEST_F(RandomRoundingTest, ANormalizationInTrainingStillUpdatesTheModulesStatistics) {
  Tensor x = row({2, 4}).view(core::Dims{2, 1}, core::Dims{1, 1}, 0);
  Tensor mean = row({4}), variance = row({1});
  rounded("aten::batch_norm", {x, Value(), Value(), mean, variance, Value(true), Value(0.5),
                               Value(1e-5), Value(false)});
  EXPECT_NEAR(*mean.data<const float>(), 3.5, 1e-4);
}

// A radius times a cosine, which has errors of its own near a zero: 4e-8 of one that is 0.1.
TEST_F(RandomRoundingTest, ANormalDrawMovesByItsRadiusHoweverSmallItIs) {
  constexpr size_t n = 256;
  auto drawn = [&](bool with_rounding, uint64_t seed) {
    context_.generator = base::make_ref<core::Generator>();
    core::Values args{row(std::vector<float>(n)), Value(0.0), Value(1.0), Value()};
    if (with_rounding) return rounded("aten::normal_", args, seed);
    return ops::call(context_, "aten::normal_", args).to_tensor();
  };
  Tensor plain = drawn(false, 0);
  const float* at = plain.data<const float>();
  size_t smallest = 0;
  for (size_t i = 1; i < n; ++i) {
    if (std::fabs(at[i]) < std::fabs(at[smallest])) smallest = i;
  }
  double most = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Tensor moved = drawn(true, seed);
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR(moved.data<const float>()[i], at[i], 10 * eps);
    most = std::max(most, double{std::fabs(moved.data<const float>()[smallest] - at[smallest])});
  }
  EXPECT_LT(std::fabs(at[smallest]), 0.02);
  EXPECT_GT(most, eps / 2);
}

TEST_F(RandomRoundingTest, LeavesExactOperatorsWholeNumbersAndArgumentsAlone) {
  Tensor x = row({3, 4});
  EXPECT_EQ(rounded("aten::neg", {x}).data<const float>()[1], -4);
  EXPECT_EQ(rounded("aten::flip", {x, core::make_int_list(core::Dims{0})}).data<const float>()[0],
            4);
  Tensor whole = Tensor::empty(core::Dims{1}, core::DType::int64);
  *whole.data<int64_t>() = 5;
  EXPECT_EQ(*rounded("aten::add.Tensor", {whole, whole, Value(1)}).data<const int64_t>(), 10);
  rounded("aten::exp", {x});
  EXPECT_EQ(x.data<const float>()[0], 3);
}

TEST_F(RandomRoundingTest, LeavesWhatIsNotRounded) {
  Tensor halves =
      rounded("aten::mul.Tensor", {row({2, 3, 0.1F, 0.1F, 0.1F}), row({0.5F, 0.5F, 3, 3, 3})});
  EXPECT_EQ(halves.data<const float>()[0], 1);
  EXPECT_EQ(halves.data<const float>()[1], 1.5F);
  const float* rest = halves.data<const float>() + 2;
  EXPECT_TRUE(std::any_of(rest, rest + 3, [](float x) { return x != 0.1F * 3; }));
  Tensor counted = rounded("aten::cumsum", {row({1, 0, 1, 1}), Value(0), Value()});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(counted.data<const float>()[i], i == 0 ? 1 : i);
  // Their sums do not fit into a float.
  Tensor large = rounded("aten::sum", {row({0x1p24F, 1, 1, 1}), Value()});
  EXPECT_NE(*large.data<const float>(), 0x1p24F + 4);
}

TEST_F(RandomRoundingTest, ACastToFewerDigitsMovesWhatItRounds) {
  Tensor wide = Tensor::empty(core::Dims{2}, core::DType::float64);
  wide.data<double>()[0] = 0.5;
  wide.data<double>()[1] = 0.1;
  auto cast = [&](core::DType to) {
    return rounded("aten::to.dtype", {wide, Value(static_cast<int64_t>(to))});
  };
  Tensor narrow = cast(core::DType::float32);
  EXPECT_EQ(narrow.data<const float>()[0], 0.5F);
  EXPECT_LT(narrow.data<const float>()[1], 0.1);  // It is below 0.1F.
  EXPECT_NEAR(narrow.data<const float>()[1], 0.1, 2 * 0.1 * eps);
  EXPECT_TRUE(cast(core::DType::float64).same(wide));
  // Of that type, and no cast.
  Value none, as_float(static_cast<int64_t>(core::DType::float32));
  Tensor ones = rounded("aten::ones_like", {wide, as_float, none, none, none, none});
  EXPECT_EQ(ones.data<const float>()[1], 1);
  Tensor more = rounded("aten::new_ones",
                        {wide, core::make_int_list(core::Dims{100}), as_float, none, none, none});
  EXPECT_EQ(more.data<const float>()[99], 1);
  EXPECT_EQ(wide.data<double>()[1], 0.1);
}

TEST_F(RandomRoundingTest, InPlaceCallsMoveWhatTheyWriteAndNothingBeside) {
  Tensor all = row({1, 3, 3, 4});
  Tensor middle = all.view(core::Dims{2}, core::Dims{1}, 1);
  Tensor given = rounded("aten::mul_.Tensor", {middle, row({0.1F, 3})});
  EXPECT_TRUE(given.same(middle));
  const float* now = all.data<const float>();
  EXPECT_EQ(now[0], 1);
  EXPECT_NE(now[1], 0.1F * 3);
  EXPECT_NEAR(now[1], 0.3, 2 * 0.3 * eps);
  EXPECT_EQ(now[2], 9);
  EXPECT_EQ(now[3], 4);
}

TEST_F(RandomRoundingTest, AViewOfAnArgumentStaysItsView) {
  Tensor x = row({1, 2});
  Tensor same = rounded("aten::expand", {x, core::make_int_list(core::Dims{3, 2}), Value(false)});
  EXPECT_EQ(same.storage(), x.storage());
  EXPECT_EQ(x.data<const float>()[0], 1);
}

TEST_F(RandomRoundingTest, EqualSeedsGiveEqualRuns) {
  auto first = [&](uint64_t seed) {
    return *rounded("aten::exp", {row({1})}, seed).data<const float>();
  };
  EXPECT_EQ(first(7), first(7));
  EXPECT_NE(first(7), first(8));
}

RC_GTEST_FIXTURE_PROP(RandomRoundingTest, EveryFloatingTypeMovesByItsOwnEpsilon, ()) {
  auto [dtype, unit] = *rc::gen::element(
      std::pair{core::DType::float16, 0x1p-10}, std::pair{core::DType::bfloat16, 0x1p-7},
      std::pair{core::DType::float32, 0x1p-23}, std::pair{core::DType::float64, 0x1p-52});
  double value = *rc::gen::inRange(1, 16);
  Tensor x = ops::call(context_, "aten::full",
                       {core::make_int_list(core::Dims{4}), Value(value),
                        Value(static_cast<int64_t>(dtype)), Value(), Value(), Value()})
                 .to_tensor();
  Tensor moved = rounded("aten::mul.Tensor", {x, x}, *rc::gen::arbitrary<uint64_t>());
  for (const core::Scalar& now : core::elements(moved)) {
    // Of the product's own rounding, the random one, and rounding that again.
    RC_ASSERT(std::fabs(now.to_double() - value * value) <= 2.1 * unit * value * value);
  }
}

}  // namespace
}  // namespace assay::verify
