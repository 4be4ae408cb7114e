#include "engine/ops/dispatch.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace assay::ops {
namespace {

using core::Value;

class Arguments : public testing::Test {
 protected:
  Call call_of(std::string_view op, std::vector<Value> values) {
    values_ = std::move(values);
    return Call(get_operator(op), context_, values_);
  }
  Context context_;
  std::vector<Value> values_;
};

TEST_F(Arguments, AreReadByName) {
  Value self(core::Tensor::empty(core::Dims{2, 3}, core::DType::float32));
  Call c = call_of("aten::sum.dim_IntList", {self, Value(1), Value(true), Value()});
  EXPECT_EQ(c.tensor(arg::self).sizes(), (core::Dims{2, 3}));
  EXPECT_EQ(c.ints(arg::dim), core::Dims{1});
  EXPECT_EQ(c.ints(arg::dim, 2), (core::Dims{1, 1}));
  EXPECT_TRUE(c.boolean(arg::keepdim));
  EXPECT_EQ(c.dtype(arg::dtype), std::nullopt);
  EXPECT_EQ(c.dtype_or(arg::dtype, core::DType::int8), core::DType::int8);
  EXPECT_TRUE(c.is_none(arg::dtype));
  EXPECT_TRUE(c.first().is_tensor());
  EXPECT_TRUE(c.second().is_int());
}

TEST_F(Arguments, ThatAreOptionalMayBeNone) {
  Call c = call_of("aten::slice.t",
                   {Value(core::make_int_list(core::Dims{})), Value(3), Value(), Value(1)});
  EXPECT_EQ(c.optional_integer(arg::start), 3);
  EXPECT_EQ(c.optional_integer(arg::end), std::nullopt);
  EXPECT_EQ(c.integer_or(arg::end, 7), 7);
}

TEST_F(Arguments, ThatTheOperatorLacksAreAnInternalError) {
  Call c = call_of("aten::relu", {Value(core::Tensor::empty(core::Dims{1}, core::DType::float32))});
  EXPECT_FALSE(c.has(arg::weight));
  try {
    c.tensor(arg::weight);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::internal);
    EXPECT_EQ(error.message(), "aten::relu has no argument 'weight'");
  }
}

TEST_F(Arguments, OfTheWrongLengthAreNamed) {
  Value self(core::Tensor::empty(core::Dims{1, 4, 4}, core::DType::float32));
  Call c = call_of("aten::im2col", {self, Value(core::make_int_list(core::Dims{1, 2, 3})), Value(1),
                                    Value(0), Value(1)});
  try {
    c.ints(arg::kernel_size, 2);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::input);
    EXPECT_NE(error.message().find("'kernel_size'"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace assay::ops
