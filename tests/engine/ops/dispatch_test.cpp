#include "engine/ops/dispatch.h"

#include <gtest/gtest.h>

#include <functional>

#include "engine/base/deadline.h"
#include "engine/base/error.h"
#include "engine/ops/handler.h"

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

/// Whether the result of a call that spends its arguments is its first one. The kernel does
/// nothing.
bool reuses(const char* op, std::vector<Value> args, Handler* handler = nullptr) {
  Kernel kernel{op, [](Call&) {}};
  KernelTable table;
  table.add(Backend::reference, "reference", {&kernel, 1});
  Context context;
  context.kernels = &table;
  std::optional<HandlerScope> scope;
  if (handler) scope.emplace(context, *handler);
  const core::TensorImpl* first = args[0].tensor_impl();
  uint64_t version = first->storage->version();
  Results results = call_spending(context, get_operator(op), args);
  bool same = results[0].tensor_impl() == first;
  EXPECT_EQ(first->storage->version() > version, same);  // Nothing derived from it holds any more.
  return same;
}

core::Tensor of_size(core::Dims sizes, core::DType dtype = core::DType::float32) {
  return core::Tensor::empty(sizes, dtype);
}

/// Moved, where a list of initializers would hold each once more.
std::vector<Value> values_of(core::Tensor first, std::vector<Value> others) {
  std::vector<Value> out;
  out.emplace_back(std::move(first));
  for (Value& other : others) out.push_back(std::move(other));
  return out;
}

TEST(SpentArguments, BecomeTheResultWhereNobodyElseKnowsThem) {
  EXPECT_TRUE(reuses("aten::relu", values_of(of_size({2, 3}), {})));
  EXPECT_TRUE(reuses("aten::add.Tensor", values_of(of_size({2, 3}), {of_size({3}), 1})));
}

TEST(SpentArguments, StayAsTheyAreWhereSomethingElseReachesThem) {
  core::Tensor held = of_size({2, 3});
  EXPECT_FALSE(reuses("aten::relu", values_of(held, {})));
  core::Tensor row =
      core::Tensor::view_of(held.storage(), 0, core::Dims{6}, core::Dims{1}, core::DType::float32);
  EXPECT_FALSE(reuses("aten::relu", values_of(std::move(row), {})));
  std::vector<Value> twice = values_of(of_size({2}), {});
  twice.push_back(twice[0]);
  twice.emplace_back(1);
  EXPECT_FALSE(reuses("aten::add.Tensor", std::move(twice)));
  core::Tensor exposed = of_size({2});
  exposed.storage()->expose();
  EXPECT_FALSE(reuses("aten::relu", values_of(std::move(exposed), {})));
  float lent[2] = {1, 2};
  core::Tensor outside =
      core::Tensor::view_of(core::Storage::adopt(lent, sizeof lent, std::make_shared<int>(0)), 0,
                            core::Dims{2}, core::Dims{1}, core::DType::float32);
  EXPECT_FALSE(reuses("aten::relu", values_of(std::move(outside), {})));
  core::Tensor leaf = of_size({2});
  leaf.impl()->requires_grad = true;
  EXPECT_FALSE(reuses("aten::relu", values_of(std::move(leaf), {})));
}

TEST(SpentArguments, StayAsTheyAreWhereTheResultIsNotLikeThem) {
  EXPECT_FALSE(reuses("aten::add.Tensor", values_of(of_size({3}), {of_size({2, 3}), 1})));
  EXPECT_FALSE(reuses("aten::gt.Tensor", values_of(of_size({3}), {of_size({3})})));
  EXPECT_FALSE(reuses("aten::cumsum", values_of(of_size({3}), {0, Value()})));
  core::Tensor whole = of_size({4, 3});
  core::Tensor part = core::Tensor::view_of(whole.storage(), 3, core::Dims{2, 3}, core::Dims{3, 1},
                                            core::DType::float32);
  whole = core::Tensor();
  EXPECT_FALSE(reuses("aten::relu", values_of(std::move(part), {})));
}

TEST(SpentArguments, StayAsTheyAreForHandlers) {
  Handler any;
  EXPECT_FALSE(reuses("aten::relu", values_of(of_size({2, 3}), {}), &any));
}

}  // namespace
}  // namespace assay::ops
