#include "engine/trace/cuts.h"

#include <gtest/gtest.h>

#include "engine/api/engine.h"
#include "engine/ops/dispatch.h"
#include "engine/trace/gradients.h"

// What is expected follows from PyTorch's rules: gradients end where none are recorded and at
// detach, and what has no derivative loses none.
namespace assay::trace {
namespace {

using core::Tensor;
using Names = std::vector<std::string>;

struct Followed {
  explicit Followed(bool moving = false)
      : follower(moving),
        marking(engine.context(), gradients),
        following(engine.context(), follower) {
    for (Tensor* tensor : {&weight, &x}) std::fill_n(tensor->data<float>(), 4, 1.0F);
    weight.impl()->requires_grad = true;
  }
  Tensor operator()(std::string_view op, core::Values args) {
    return ops::call(engine.context(), op, std::move(args)).to_tensor();
  }
  Tensor unrecorded(std::string_view op, core::Values args) {
    engine.context().grad_enabled = false;
    Tensor made = (*this)(op, std::move(args));
    engine.context().grad_enabled = true;
    return made;
  }
  Names cuts(const Tensor& tensor) const { return follower.cuts(tensor); }

  api::Engine engine;
  GradientFollower gradients;
  CutFollower follower;
  ops::HandlerScope marking, following;
  Tensor weight = Tensor::empty(core::Dims{4}, core::DType::float32);
  Tensor x = Tensor::empty(core::Dims{4}, core::DType::float32);
};

const Names unrecorded{"none recorded"}, detached{"detached float32[4]"}, none;

TEST(Cuts, AreMadeWhereNoGradientsAreRecorded) {
  Followed f;
  EXPECT_EQ(f.cuts(f("aten::mul.Tensor", {f.x, f.weight})), none);
  Tensor scale = f.unrecorded("aten::abs", {f.weight});
  EXPECT_EQ(f.cuts(scale), unrecorded);
  Tensor y = f("aten::mul.Tensor", {f.weight, scale});
  EXPECT_EQ(f.cuts(y), unrecorded);
  EXPECT_EQ(f.cuts(f.unrecorded("aten::abs", {f.x})), none);  // There was none to lose.
  EXPECT_EQ(f.cuts(f("aten::gt.Tensor", {y, scale})), none);
}

TEST(Cuts, OfADetachedTensorHideThoseBeneath) {
  Followed f;
  Tensor scale = f.unrecorded("aten::abs", {f.weight});
  EXPECT_EQ(f.cuts(f("aten::detach", {f.weight})), detached);
  EXPECT_EQ(f.cuts(f("aten::detach", {scale})), detached);
  EXPECT_EQ(f.cuts(f("aten::detach", {f.x})), none);
  Tensor both = f("aten::add.Tensor", {f("aten::detach", {f.weight}), scale, 1});
  EXPECT_EQ(f.cuts(both), (Names{"detached float32[4]", "none recorded"}));
}

TEST(Cuts, AreUnknownOfFunctionsWithGradientsOfTheirOwn) {
  Followed f;
  Tensor y = f.unrecorded("aten::abs", {f.weight});
  mark_computed(y);
  EXPECT_EQ(f.cuts(y), none);
  EXPECT_EQ(f.cuts(f("aten::neg", {y})), none);
}

TEST(Cuts, EndAtSteps) {
  Followed f;
  Tensor scaled = f.unrecorded("aten::mul.Scalar", {f.weight, 7});
  EXPECT_EQ(f.cuts(f("aten::round", {scaled})), none);
  EXPECT_EQ(f.cuts(f.unrecorded("aten::sign", {f.weight})), none);
  EXPECT_EQ(f.cuts(f("aten::div.Tensor_mode", {scaled, f.x, "floor"})), none);
  EXPECT_EQ(f.cuts(f("aten::div.Tensor", {scaled, f.x})), unrecorded);
}

TEST(Cuts, AreOfWhatIsWrittenTo) {
  Followed f;
  Tensor y = f("aten::mul.Tensor", {f.x, f.weight});
  Tensor first = f("aten::slice.Tensor", {y, 0, 0, 2, 1});
  f.unrecorded("aten::mul_.Scalar", {first, 2});
  EXPECT_EQ(f.cuts(y), unrecorded);
  EXPECT_EQ(f.cuts(first), unrecorded);
}

TEST(Cuts, AreMadeByViewsTooAndNotByWhatIsHandedThrough) {
  Followed f;
  Tensor y = f("aten::mul.Tensor", {f.x, f.weight});
  EXPECT_EQ(f.cuts(f.unrecorded("aten::contiguous", {y, 0})), none);
  Tensor view = f.unrecorded("aten::slice.Tensor", {y, 0, 0, 2, 1});
  EXPECT_EQ(f.cuts(f("aten::neg", {view})), unrecorded);
  EXPECT_EQ(f.cuts(y), none);
}

TEST(Cuts, AreNoneWhereWhatIsUnrecordedIsMoved) {
  Followed f(true);
  Tensor scale = f.unrecorded("aten::abs", {f.weight});
  EXPECT_EQ(f.cuts(f("aten::mul.Tensor", {f.weight, scale})), none);
  for (int i = 0; i < 4; ++i) {
    float moved = scale.data<float>()[i];
    EXPECT_NE(moved, 1);
    EXPECT_NEAR(moved, 1, 0x1p-6);
  }
  EXPECT_EQ(f.unrecorded("aten::abs", {f.x}).data<float>()[0], 1);  // There was none to lose.
  Tensor view = f.unrecorded("aten::slice.Tensor", {f.weight, 0, 0, 2, 1});
  EXPECT_NE(view.data<float>()[0], 1);
  EXPECT_EQ(f.weight.data<float>()[0], 1);
}

TEST(Cuts, StayWhereNothingCanBeMoved) {
  Followed f(true);
  f.engine.context().grad_enabled = false;
  Tensor least = Tensor::view_of(f.weight.storage(), 0, {}, {}, core::DType::float32);
  least.impl()->requires_grad = true;
  EXPECT_EQ(ops::call(f.engine.context(), "aten::item", {least}).to_scalar().to_double(), 1);
  f.engine.context().grad_enabled = true;
  Tensor y = f("aten::mul.Tensor", {f.x, f.weight});
  f.unrecorded("aten::mul_.Scalar", {y, 2});
  EXPECT_EQ(f.cuts(y), unrecorded);
}

TEST(Cuts, AreToldOnceWhereverTheyWereMade) {
  Followed f;
  auto text = std::make_shared<base::Source>(base::Source{"a\nb\n", "model.py", 1, {}});
  Tensor y = f.weight;
  for (size_t begin : {0, 2, 2}) {
    base::SourceRange here{text, begin, begin + 1};
    f.engine.context().location = &here;
    y = f("aten::add.Tensor", {y, f.unrecorded("aten::abs", {f.weight}), 1});
    f.engine.context().location = nullptr;
  }
  EXPECT_EQ(f.cuts(y), unrecorded);
  std::vector<int> lines;
  for (const base::SourceRange& place : f.follower.places(y)) lines.push_back(place.line());
  EXPECT_EQ(lines, (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace assay::trace
