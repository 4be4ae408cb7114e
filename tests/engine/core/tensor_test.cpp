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

TEST(Tensor, AnotherElementTypeIsRefused) {
  Tensor t = Tensor::empty(Dims{2}, DType::int32);
  EXPECT_THROW(t.data<float>(), base::Error);
  EXPECT_THROW(t.data<const int64_t>(), base::Error);
  EXPECT_THROW(t.device_data<float>(), base::Error);
  EXPECT_THROW(t.device_words<uint64_t>(), base::Error);
  EXPECT_EQ(static_cast<void*>(t.device_words<uint32_t>()), t.device_data<int32_t>());
}

TEST(Tensor, APointerToWriteExposesTheBytes) {
  Tensor t = Tensor::empty(Dims{2}, DType::int32);
  uint64_t version = t.version();
  t.data<const int32_t>();
  t.device_data<int32_t>();
  EXPECT_EQ(t.version(), version);
  EXPECT_FALSE(t.storage()->exposed());
  int32_t* kept = t.alias().data<int32_t>();
  EXPECT_NE(t.version(), version);
  EXPECT_TRUE(t.storage()->exposed());  // `kept` may be written to at any time.
  EXPECT_EQ(kept, t.data<int32_t>());
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
