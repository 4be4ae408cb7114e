#include "engine/ops/views.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace assay::ops::views {
namespace {

TEST(Elements, ThatShareMemoryAreNotWritten) {
  Tensor row = Tensor::empty(Dims{1, 2}, core::DType::float32);
  EXPECT_NO_THROW(check_elements_apart(row));
  EXPECT_NO_THROW(check_elements_apart(expand(row, Dims{1, 2})));
  EXPECT_THROW(check_elements_apart(expand(row, Dims{3, 2})), base::Error);
}

TEST(Elements, WhereThereAreNoneShareNothing) {
  // PyTorch gives such strides to what it computes from a transposed tensor without elements.
  Tensor none = Tensor::empty_strided(Dims{0, 2}, Dims{1, 0}, core::DType::float32, {});
  EXPECT_NO_THROW(check_elements_apart(none));
}

}  // namespace
}  // namespace assay::ops::views
