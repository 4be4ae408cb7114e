#include "engine/ops/size_tracker.h"

#include <gtest/gtest.h>

#include "engine/ops/builtin/register.h"
#include "engine/ops/composite/register.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {
namespace {

using core::Tensor;
using core::Value;
using Id = SizeExpressions::Id;

/// Calls on tensors without memory: rules alone, and the operators of numbers.
class SizeTrackerTest : public ::testing::Test {
 protected:
  SizeTrackerTest() {
    builtin::register_kernels(table_);
    composite::register_kernels(table_);
    context_.kernels = &table_;
  }

  static Tensor meta(core::Dims sizes) {
    return Tensor::empty(sizes, core::DType::float32, {core::DeviceType::meta});
  }

  Tensor followed(const std::string& name, core::Dims sizes) {
    Tensor t = meta(sizes);
    tracker_.follow(name, t);
    return t;
  }

  Value call(const char* op, core::Values args) {
    HandlerScope scope(context_, tracker_);
    return ops::call(context_, op, std::move(args));
  }

  static Value ints(std::vector<int64_t> values) { return Value(core::make_int_list(values)); }

  /// The expression of a size at other sizes of the inputs.
  int64_t elsewhere(const Tensor& t, size_t dim, SizeExpressions::Assignment sizes) {
    Id id = tracker_.size(t, dim);
    EXPECT_NE(id, 0u);
    return tracker_.evaluate(id, sizes).value().to_int();
  }

  std::string text(Id id) const { return tracker_.expressions().text(id); }

  KernelTable table_;
  Context context_;
  SizeTracker tracker_{[this]() -> const Context& {
    context_.kernels = &table_;
    return context_;
  }()};
};

TEST_F(SizeTrackerTest, NumbersRememberTheirExpression) {
  Tensor x = followed("x", {3, 8});
  Value n = call("aten::size.int", {x, 1});
  EXPECT_EQ(text(n.identity()), "x.size(1)");
  Value half = call("aten::floordiv.int", {call("aten::add.int", {n, 3}), 2});
  EXPECT_EQ(half.to_int(), 5);
  EXPECT_EQ(text(half.identity()), "floordiv(add(x.size(1), 3), 2)");
  EXPECT_EQ(tracker_.evaluate(half.identity(), {3, 21})->to_int(), 12);
}

TEST_F(SizeTrackerTest, ComparisonsRememberTheirs) {
  Value n = call("aten::size.int", {followed("x", {3}), 0});
  Value less = call("aten::lt.int", {n, 5});
  EXPECT_TRUE(less.to_bool());
  EXPECT_EQ(text(less.identity()), "lt(x.size(0), 5)");
  EXPECT_FALSE(tracker_.evaluate(less.identity(), {9})->to_bool());
}

TEST_F(SizeTrackerTest, NumbersThatComeFromNoSizeHaveNone) {
  followed("x", {3});
  EXPECT_EQ(call("aten::add.int", {2, 3}).identity(), 0u);
  Tensor w = meta({4, 5});
  EXPECT_EQ(call("aten::size.int", {w, 1}).identity(), 0u);
}

TEST_F(SizeTrackerTest, EqualExpressionsAreOne) {
  Value n = call("aten::size.int", {followed("x", {3}), 0});
  EXPECT_EQ(call("aten::mul.int", {n, 2}).identity(), call("aten::mul.int", {n, 2}).identity());
  EXPECT_NE(call("aten::mul.int", {n, 2}).identity(), call("aten::mul.int", {n, 3}).identity());
  // What changes nothing is no expression of its own.
  EXPECT_EQ(call("aten::mul.int", {n, 1}).identity(), n.identity());
}

TEST_F(SizeTrackerTest, ListsOfSizesHoldTheirs) {
  Value sizes = call("aten::size", {followed("x", {3, 8})});
  EXPECT_EQ(text(sizes.list().items[1].identity()), "x.size(1)");
  Value last = call("aten::__getitem__.t", {sizes, -1});
  EXPECT_EQ(text(last.identity()), "x.size(1)");
}

TEST_F(SizeTrackerTest, RulesAreAskedWhatSizesBecome) {
  Tensor x = followed("x", {2, 3, 32, 48});
  Tensor w = meta({16, 3, 3, 3});
  Value none;
  Tensor conv =
      call("aten::conv2d", {x, w, none, ints({2, 2}), ints({1, 1}), ints({1, 1}), 1}).to_tensor();
  EXPECT_EQ(text(tracker_.size(conv, 0)), "x.size(0)");
  EXPECT_EQ(tracker_.size(conv, 1), 0u);  // The weight's.
  // (h + 2 * 1 - 3) / 2 + 1, rounded down.
  for (int64_t h : {5, 6, 7, 32, 101}) {
    EXPECT_EQ(elsewhere(conv, 2, {2, 3, h, 48}), (h + 2 - 3) / 2 + 1) << h;
  }
  Tensor flat = call("aten::flatten.using_ints", {conv, 1, -1}).to_tensor();
  EXPECT_EQ(elsewhere(flat, 1, {2, 3, 64, 20}), 16 * 32 * 10);
}

TEST_F(SizeTrackerTest, JoinedAndTransposedSizesAreFollowed) {
  Tensor x = followed("x", {2, 5}), y = followed("y", {2, 7});
  Value both(core::make_tensor_list({x, y}));
  Tensor joined = call("aten::cat", {both, 1}).to_tensor();
  EXPECT_EQ(elsewhere(joined, 1, {2, 30, 2, 4}), 34);
  Tensor turned = call("aten::transpose.int", {joined, 0, 1}).to_tensor();
  EXPECT_EQ(tracker_.size(turned, 0), tracker_.size(joined, 1));
}

TEST_F(SizeTrackerTest, NumbersGivenToShapesComeBackAsSizes) {
  Tensor x = followed("x", {4, 6});
  Value n = call("aten::size.int", {x, 0}), m = call("aten::size.int", {x, 1});
  Value twice = call("aten::mul.int", {n, 2});
  Value shape(core::make_list(core::int_type(), {twice, Value(-1)}));
  Tensor y = call("aten::view", {x, shape}).to_tensor();
  EXPECT_EQ(tracker_.size(y, 0), twice.identity());
  EXPECT_EQ(elsewhere(y, 1, {10, 14}), 7);
  EXPECT_EQ(text(m.identity()), "x.size(1)");
}

TEST_F(SizeTrackerTest, AFollowedNumberIsASymbol) {
  Value k = tracker_.follow("k", 3);
  Tensor x = meta({5, 2});
  Tensor repeated =
      call("aten::repeat", {x, Value(core::make_list(core::int_type(), {k, Value(1)}))})
          .to_tensor();
  EXPECT_EQ(elsewhere(repeated, 0, {7}), 35);
  EXPECT_EQ(tracker_.size(repeated, 1), 0u);
}

TEST_F(SizeTrackerTest, SizesThatMustBeEqualDoNotHideTheOthers) {
  Tensor x = followed("x", {2, 5}), y = followed("y", {5, 7});
  Tensor product = call("aten::mm", {x, y}).to_tensor();  // x.size(1) must be y.size(0).
  EXPECT_EQ(text(tracker_.size(product, 0)), "x.size(0)");
  EXPECT_EQ(text(tracker_.size(product, 1)), "y.size(1)");
}

TEST_F(SizeTrackerTest, OneElementTensorsCarryNumbers) {
  Value n = call("aten::size.int", {followed("x", {6}), 0});
  Value tensor = call("prim::NumToTensor.Scalar", {n});
  EXPECT_EQ(text(tracker_.element(tensor.to_tensor())), "x.size(0)");
  // A write makes it another number.
  tensor.to_tensor().storage()->mark_written();
  EXPECT_EQ(tracker_.element(tensor.to_tensor()), 0u);
}

TEST_F(SizeTrackerTest, LongChainsEndInASymbol) {
  Value n = call("aten::size.int", {followed("x", {1}), 0});
  for (int i = 0; i < 200; ++i) n = call("aten::add.int", {n, 1});
  EXPECT_EQ(n.to_int(), 201);
  EXPECT_EQ(tracker_.evaluate(n.identity(), tracker_.expressions().values())->to_int(), 201);
}

TEST_F(SizeTrackerTest, NothingIsKeptWhenNobodyListens) {
  Tensor x = followed("x", {3});
  EXPECT_EQ(ops::call(context_, "aten::size.int", {x, 0}).identity(), 0u);
}

}  // namespace
}  // namespace assay::ops
