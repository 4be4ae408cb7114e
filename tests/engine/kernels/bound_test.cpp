#include "tests/engine/kernels/bound.h"

#include <gtest/gtest.h>

#include "engine/core/half.h"

namespace assay::kernels::testing {
namespace {

template <typename T>
core::Value one(double number) {
  core::Tensor t = core::Tensor::empty({}, core::dtype_of<T>);
  *t.data<T>() = static_cast<T>(number);
  return t;
}

Bound bound_of(double units, core::DType dtype) {
  Bound bound;
  bound.units = units;
  bound.dtype = dtype;
  return bound;
}

// Numbers below the smallest normal one of their type are multiples of a step: a result between two
// of them is rounded to either, however precise it was.
TEST(Bound, OfResultsThatUnderflow) {
  Bound bound = bound_of(4, core::DType::float16);
  EXPECT_FALSE(difference(one<core::Half>(21 * 0x1p-24), one<core::Half>(22 * 0x1p-24), bound));
  EXPECT_TRUE(difference(one<core::Half>(21 * 0x1p-24), one<core::Half>(23 * 0x1p-24), bound));
}

TEST(Bound, OfExactResults) {
  Bound exact = bound_of(0, core::DType::float16);
  EXPECT_TRUE(difference(one<core::Half>(21 * 0x1p-24), one<core::Half>(22 * 0x1p-24), exact));
}

TEST(Bound, OfNormalNumbers) {
  Bound bound = bound_of(4, core::DType::float32);
  EXPECT_FALSE(difference(one<float>(1 + 4 * 0x1p-23), one<float>(1 + 2 * 0x1p-23), bound));
  EXPECT_TRUE(difference(one<float>(1 + 6 * 0x1p-23), one<float>(1 + 2 * 0x1p-23), bound));
}

}  // namespace
}  // namespace assay::kernels::testing
