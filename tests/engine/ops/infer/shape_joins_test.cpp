#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

TEST(FftShift, KeepsShapeAndType) {
  KernelTable none;
  Context context;
  context.kernels = &none;
  Value x(Tensor::empty(Dims{2, 3}, DType::int64, {core::DeviceType::meta, -1}));
  auto shifted = [&](Value dims) { return call(context, "aten::fft_fftshift", {x, dims}); };
  for (Value dims : {Value(), Value(core::make_int_list(Dims{-1}))}) {
    Tensor out = shifted(dims).to_tensor();
    EXPECT_EQ(out.sizes(), (Dims{2, 3}));
    EXPECT_EQ(out.dtype(), DType::int64);
  }
  EXPECT_THROW(shifted(core::make_int_list(Dims{2})), base::Error);
  EXPECT_THROW(shifted(core::make_int_list(Dims{})), base::Error);
}

}  // namespace
}  // namespace assay::ops
