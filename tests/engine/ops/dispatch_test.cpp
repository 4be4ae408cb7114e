#include "engine/ops/dispatch.h"

#include <gtest/gtest.h>

#include <functional>

#include "engine/base/deadline.h"
#include "engine/base/error.h"

namespace assay::ops {
namespace {

using core::Value;

/// What reads a call's arguments, in a kernel.
std::function<void(Call&)> reader;

void read(Call& c) {
  reader(c);
  c.finish(Value());
}

void read_call(const char* op, std::vector<Value> values, std::function<void(Call&)> read_it) {
  Kernel kernel{op, read};
  KernelTable table;
  table.add(Backend::reference, "reference", {&kernel, 1});
  Context context;
  context.kernels = &table;
  reader = std::move(read_it);
  ops::call(context, get_operator(op), values);
}

TEST(Arguments, AreReadByName) {
  Value self(core::Tensor::empty(core::Dims{2, 3}, core::DType::float32));
  read_call("aten::sum.dim_IntList", {self, Value(1), Value(true), Value()}, [](Call& c) {
    EXPECT_EQ(c.tensor(arg::self).sizes(), (core::Dims{2, 3}));
    EXPECT_EQ(c.ints(arg::dim), core::Dims{1});
    EXPECT_EQ(c.ints(arg::dim, 2), (core::Dims{1, 1}));
    EXPECT_TRUE(c.boolean(arg::keepdim));
    EXPECT_EQ(c.dtype(arg::dtype), std::nullopt);
    EXPECT_EQ(c.dtype_or(arg::dtype, core::DType::int8), core::DType::int8);
    EXPECT_TRUE(c.is_none(arg::dtype));
    EXPECT_TRUE(c.first().is_tensor());
    EXPECT_TRUE(c.second().is_int());
  });
}

TEST(Arguments, ThatAreOptionalMayBeNone) {
  read_call("aten::slice.t",
            {Value(core::make_int_list(core::Dims{})), Value(3), Value(), Value(1)}, [](Call& c) {
              EXPECT_EQ(c.optional_integer(arg::start), 3);
              EXPECT_EQ(c.optional_integer(arg::end), std::nullopt);
              EXPECT_EQ(c.integer_or(arg::end, 7), 7);
            });
}

TEST(Arguments, ThatTheOperatorLacksAreAnInternalError) {
  read_call("aten::relu", {Value(core::Tensor::empty(core::Dims{1}, core::DType::float32))},
            [](Call& c) {
              EXPECT_FALSE(c.has(arg::weight));
              try {
                c.tensor(arg::weight);
                FAIL();
              } catch (const base::Error& error) {
                EXPECT_EQ(error.kind(), base::ErrorKind::internal);
                EXPECT_EQ(error.message(), "aten::relu has no argument 'weight'");
              }
            });
}

TEST(Arguments, OfTheWrongLengthAreNamed) {
  Value self(core::Tensor::empty(core::Dims{1, 4, 4}, core::DType::float32));
  Value three(core::make_int_list(core::Dims{1, 2, 3}));
  try {
    // The rule reads them, so no kernel is reached.
    read_call("aten::im2col", {self, three, Value(1), Value(0), Value(1)}, [](Call&) { FAIL(); });
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::input);
    EXPECT_NE(error.message().find("'kernel_size'"), std::string::npos) << error.message();
  }
}

TEST(Calls, OfOperatorsWithinAKernelEndAtTheDeadline) {
  Value self(core::Tensor::empty(core::Dims{2, 3}, core::DType::float32));
  auto without_end = [](Call& c) {
    for (;;) c.call("aten::size", {c.value(arg::self)});
  };
  base::DeadlineScope deadline(std::chrono::milliseconds(20));
  EXPECT_THROW(
      read_call("aten::sum.dim_IntList", {self, Value(1), Value(true), Value()}, without_end),
      base::Error);
}

}  // namespace
}  // namespace assay::ops
