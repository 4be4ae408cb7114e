#include "engine/trace/gradients.h"

#include <gtest/gtest.h>

#include "engine/api/engine.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"

// PyTorch's rules; the face is held to PyTorch itself (tests/engine/python/gradients_test.py).
namespace assay::trace {
namespace {

using core::Tensor;

struct Followed {
  Followed() : scope(engine.context(), follower) {
    weight.impl()->requires_grad = true;
    std::fill_n(weight.data<float>(), 4, 1.0F);
    std::fill_n(x.data<float>(), 4, 1.0F);
  }
  Tensor operator()(std::string_view op, core::Values args) {
    return ops::call(engine.context(), op, std::move(args)).to_tensor();
  }

  api::Engine engine;
  GradientFollower follower;
  ops::HandlerScope scope;
  Tensor weight = Tensor::empty(core::Dims{4}, core::DType::float32);
  Tensor x = Tensor::empty(core::Dims{4}, core::DType::float32);
};

TEST(Gradients, GoThroughOperatorsAndEndAtDetach) {
  Followed f;
  Tensor y = f("aten::mul.Tensor", {f.x, f.weight});
  EXPECT_TRUE(needs_gradients(y));
  EXPECT_TRUE(is_computed(y));
  EXPECT_FALSE(is_computed(f.weight));
  EXPECT_FALSE(needs_gradients(f("aten::detach", {y})));
  EXPECT_FALSE(needs_gradients(f("aten::gt.Scalar", {y, 0})));  // No number with a derivative.
  EXPECT_FALSE(needs_gradients(f("aten::zeros_like", {y})));
  EXPECT_FALSE(needs_gradients(f("aten::type_as", {f.x, y})));
  EXPECT_FALSE(needs_gradients(f("aten::mul.Tensor", {f.x, f.x})));
}

TEST(Gradients, AreNotRecordedWhereTheyAreSwitchedOff) {
  Followed f;
  f.engine.context().grad_enabled = false;
  EXPECT_FALSE(needs_gradients(f("aten::mul.Tensor", {f.x, f.weight})));
  Tensor view = f("aten::view", {f.weight, core::make_int_list(std::vector<int64_t>{2, 2})});
  EXPECT_TRUE(needs_gradients(view));
  EXPECT_FALSE(is_computed(view));
}

TEST(Gradients, ComeToWhatIsWrittenAndItsViews) {
  Followed f;
  Tensor first = f("aten::slice.Tensor", {f.x, 0, 0, 2, 1});
  Tensor weights = f("aten::slice.Tensor", {f.weight, 0, 0, 2, 1});
  EXPECT_FALSE(needs_gradients(first));
  f("aten::copy_", {first, weights, false});
  EXPECT_TRUE(needs_gradients(first));
  EXPECT_TRUE(needs_gradients(f.x));
  Followed other;
  Tensor view = other("aten::slice.Tensor", {other.x, 0, 0, 2, 1});
  other("aten::mul_.Tensor", {other.x, other.weight});
  EXPECT_TRUE(needs_gradients(view));
  EXPECT_FALSE(view.requires_grad());
  settle_gradients(view);
  EXPECT_TRUE(view.requires_grad());
}

TEST(Gradients, RefuseWritesToLeaves) {
  Followed f;
  EXPECT_THROW(f("aten::add_.Scalar", {f.weight, 1}), base::Error);
  EXPECT_THROW(f("aten::add.out", {f.weight, f.weight, 1, f.x}), base::Error);
  f.engine.context().grad_enabled = false;
  EXPECT_NO_THROW(f("aten::add_.Scalar", {f.weight, 1}));
}

}  // namespace
}  // namespace assay::trace
