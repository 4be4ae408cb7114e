#include <gtest/gtest.h>

#include "tests/engine/ops/infer/inferred.h"

namespace assay::ops {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;
using testing::inferred;
using testing::on_meta;

Value ints(const Dims& values) { return Value(core::make_int_list(values)); }

/// What PyTorch 1.13 gives for rand(2, 9, 4).transpose(1, 2), and for a contiguous tensor.
TEST(Pooling, RowsKeepChannelsLast) {
  Tensor rows = on_meta(Dims{2, 9, 4}, DType::float32).view(Dims{2, 4, 9}, Dims{36, 1, 4}, 0);
  Tensor plain = on_meta(Dims{2, 4, 9}, DType::float32);
  auto averaged = [](const Tensor& x) {
    return inferred("aten::avg_pool1d", {x, ints({3}), ints({3}), ints({0}), false, true});
  };
  EXPECT_EQ(averaged(rows).sizes(), (Dims{2, 4, 3}));
  EXPECT_EQ(averaged(rows).strides(), (Dims{12, 1, 4}));
  EXPECT_EQ(averaged(plain).strides(), (Dims{12, 3, 1}));
  EXPECT_EQ(inferred("aten::adaptive_avg_pool1d", {rows, ints({5})}).strides(), (Dims{20, 1, 4}));
  Tensor most =
      inferred("aten::max_pool1d", {rows, ints({3}), ints({3}), ints({0}), ints({1}), false});
  EXPECT_EQ(most.strides(), (Dims{12, 3, 1}));
}

}  // namespace
}  // namespace assay::ops
