#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/engine/ops/infer/inferred.h"

namespace assay::ops {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;
using testing::inferred;
using testing::on_meta;

TEST(FftShift, KeepsShapeAndType) {
  Tensor x = on_meta(Dims{2, 3}, DType::int64);
  auto shifted = [&](Value dims) { return inferred("aten::fft_fftshift", {x, dims}); };
  for (Value dims : {Value(), Value(core::make_int_list(Dims{-1}))}) {
    Tensor out = shifted(dims);
    EXPECT_EQ(out.sizes(), (Dims{2, 3}));
    EXPECT_EQ(out.dtype(), DType::int64);
  }
  EXPECT_THROW(shifted(core::make_int_list(Dims{2})), base::Error);
  EXPECT_THROW(shifted(core::make_int_list(Dims{})), base::Error);
}

}  // namespace
}  // namespace assay::ops
