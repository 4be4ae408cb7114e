#include "engine/core/dtype.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>

namespace assay::core {
namespace {

constexpr DType all[] = {DType::uint8,     DType::int8,       DType::int16,   DType::int32,
                         DType::int64,     DType::float16,    DType::float32, DType::float64,
                         DType::complex64, DType::complex128, DType::boolean, DType::bfloat16};

// torch.promote_types of PyTorch 1.13.1, rows and columns in the order of `all`, as indices into
// it.
constexpr int promoted[12][12] = {
    {0, 2, 2, 3, 4, 5, 6, 7, 8, 9, 0, 11},  {2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 11},
    {2, 2, 2, 3, 4, 5, 6, 7, 8, 9, 2, 11},  {3, 3, 3, 3, 4, 5, 6, 7, 8, 9, 3, 11},
    {4, 4, 4, 4, 4, 5, 6, 7, 8, 9, 4, 11},  {5, 5, 5, 5, 5, 5, 6, 7, 8, 9, 5, 6},
    {6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 6, 6},   {7, 7, 7, 7, 7, 7, 7, 7, 9, 9, 7, 7},
    {8, 8, 8, 8, 8, 8, 8, 9, 8, 9, 8, 8},   {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {11, 11, 11, 11, 11, 6, 6, 7, 8, 9, 11, 11},
};

TEST(DType, PromotesAsPyTorchDoes) {
  for (int a = 0; a < 12; ++a) {
    for (int b = 0; b < 12; ++b) {
      EXPECT_EQ(promote(all[a], all[b]), all[promoted[a][b]])
          << python_name(all[a]) << " and " << python_name(all[b]);
    }
  }
}

TEST(DType, NamesAndNumbersReadBack) {
  for (DType d : all) {
    EXPECT_EQ(dtype_from_name(python_name(d)), d);
    EXPECT_EQ(dtype_from_number(static_cast<int64_t>(d)), d);
  }
  EXPECT_EQ(dtype_from_name("torch.half"), DType::float16);
  EXPECT_FALSE(dtype_from_name("float8"));
  EXPECT_FALSE(dtype_from_number(12));  // quint8 in PyTorch
  EXPECT_FALSE(dtype_from_name("torch.byte"));
  EXPECT_EQ(dtype_of_conversion("byte"), DType::uint8);
  EXPECT_EQ(dtype_of_conversion("cdouble"), DType::complex128);
  EXPECT_FALSE(dtype_of_conversion("bool"));  // x.bool() is no method in TorchScript.
}

TEST(Half, RoundsAsPyTorchDoes) {
  // tensor.half() and tensor.bfloat16() of PyTorch 1.13.1, as bits.
  struct Row {
    float value;
    uint16_t half, bfloat;
  };
  const Row rows[] = {{0.1f, 11878, 15821},    {65504.f, 31743, 18304}, {65519.9f, 31743, 18304},
                      {65520.f, 31744, 18304}, {1e-8f, 0, 12844},       {5.96e-8f, 1, 13184},
                      {2.98e-8f, 0, 13056},    {2.99e-8f, 1, 13056},    {6.1e-5f, 1023, 14464},
                      {-1.5f, 48640, 49088},   {3.14159f, 16968, 16457}};
  for (const Row& r : rows) {
    EXPECT_EQ(Half(r.value).bits, r.half) << r.value;
    EXPECT_EQ(BFloat16(r.value).bits, r.bfloat) << r.value;
  }
}

TEST(Half, EveryValueSurvivesTheWayThroughFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    float value = Half::to_float(half);
    if (std::isnan(value)) continue;
    EXPECT_EQ(Half::from_float(value), half);
  }
  EXPECT_TRUE(std::isnan(float(Half(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_TRUE(std::isnan(float(BFloat16(std::numeric_limits<float>::quiet_NaN()))));
}

}  // namespace
}  // namespace assay::core
