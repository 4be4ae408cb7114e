#include "engine/core/tensor.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace assay::core {
namespace {

TEST(Tensor, ViewsShareStorageAndStayInside) {
  Tensor t = Tensor::empty(Dims{4, 5}, DType::float32);
  Tensor row = t.view(Dims{5}, Dims{1}, 5);
  EXPECT_EQ(row.storage(), t.storage());
  EXPECT_EQ(row.data<float>(), t.data<float>() + 5);
  EXPECT_THROW(t.view(Dims{5}, Dims{1}, 16), base::Error);
  EXPECT_THROW(t.view(Dims{4, 5}, Dims{6, 1}, 0), base::Error);
  EXPECT_THROW(t.view(Dims{2}, Dims{1}, -1), base::Error);
  EXPECT_NO_THROW(t.view(Dims{0}, Dims{1}, 20));  // Nothing is read from an empty view.
}

TEST(Tensor, RefusesImpossibleShapes) {
  EXPECT_THROW(Tensor::empty(Dims{-1}, DType::int8), base::Error);
  EXPECT_THROW(Tensor::empty(Dims{int64_t{1} << 61, 16}, DType::int8), base::Error);
  EXPECT_THROW(Tensor::empty(Dims{int64_t{1} << 50}, DType::float64), base::Error);
}

TEST(Tensor, MetaTensorsHaveSizesAndNoBytes) {
  Tensor t = Tensor::empty(Dims{int64_t{1} << 40}, DType::float32, Device{DeviceType::meta, -1});
  EXPECT_EQ(t.numel(), int64_t{1} << 40);
  EXPECT_EQ(t.storage()->data(), nullptr);
}

TEST(Tensor, AssignChangesTheObjectThatOthersHold) {
  Tensor a = Tensor::empty(Dims{2}, DType::float32);
  Tensor held = a;
  a.assign(Tensor::empty(Dims{3, 3}, DType::int64));
  EXPECT_EQ(held.sizes(), (Dims{3, 3}));
  EXPECT_EQ(held.dtype(), DType::int64);
}

}  // namespace
}  // namespace assay::core
