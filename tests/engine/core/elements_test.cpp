#include "engine/core/elements.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/base/error.h"

namespace assay::core {
namespace {

std::vector<double> doubles(const Tensor& tensor) {
  std::vector<double> out;
  for (const Scalar& item : elements(tensor)) out.push_back(item.to_double());
  return out;
}

TEST(Elements, ComeInRowMajorOrderWhateverTheStrides) {
  Tensor rows = tensor_from({0, 1, 2, 3, 4, 5}, Dims{2, 3}, DType::float32);
  EXPECT_EQ(doubles(rows), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  auto view = [&](int64_t offset, Dims sizes, Dims strides) {
    return doubles(Tensor::view_of(rows.storage(), offset, sizes, strides, DType::float32));
  };
  EXPECT_EQ(view(0, {3, 2}, {1, 3}), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(view(1, {2}, {3}), (std::vector<double>{1, 4}));
  EXPECT_EQ(view(2, {2, 2}, {0, 0}), (std::vector<double>{2, 2, 2, 2}));
  EXPECT_EQ(view(5, {}, {}), std::vector<double>{5});
  EXPECT_EQ(view(0, {0, 3}, {3, 1}), std::vector<double>{});
}

TEST(Elements, KeepTheirCategory) {
  EXPECT_EQ(elements(tensor_from({true}, Dims{1}, DType::boolean))[0].category(),
            DTypeCategory::boolean);
  EXPECT_EQ(elements(tensor_from({int64_t{5}}, Dims{1}, DType::int8))[0].category(),
            DTypeCategory::integral);
  EXPECT_EQ(elements(tensor_from({1.5}, Dims{1}, DType::float16))[0].to_double(), 1.5);
  EXPECT_EQ(elements(tensor_from({Complex128(1, -2)}, Dims{1}, DType::complex64))[0].to_complex(),
            Complex128(1, -2));
}

TEST(Elements, AsManyAsTheSizesSay) {
  EXPECT_THROW(tensor_from({1.0, 2.0}, Dims{3}, DType::float32), base::Error);
}

RC_GTEST_PROP(Elements, ReadBack, (std::vector<int64_t> items)) {
  std::vector<Scalar> scalars(items.begin(), items.end());
  Dims sizes{static_cast<int64_t>(items.size())};
  auto again = elements(tensor_from(scalars, sizes, DType::int64));
  RC_ASSERT(again.size() == items.size());
  for (size_t i = 0; i < items.size(); ++i) RC_ASSERT(again[i].to_int() == items[i]);
}

// Archives, and uint8 tensors that are viewed as bool, hold such bytes.
TEST(Elements, OfBoolAreTrueForEveryByteButZero) {
  Tensor t = Tensor::empty(Dims{3}, DType::boolean);
  auto* bytes = reinterpret_cast<uint8_t*>(t.device_address());
  bytes[0] = 0, bytes[1] = 2, bytes[2] = 255;
  std::vector<Scalar> read = elements(t);
  EXPECT_FALSE(read[0].to_bool());
  EXPECT_TRUE(read[1].to_bool());
  EXPECT_EQ(read[2].to_int(), 1);
}

}  // namespace
}  // namespace assay::core
