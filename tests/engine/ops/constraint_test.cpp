#include "engine/ops/constraint.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ops/catalog.h"
#include "engine/ops/dispatch.h"

namespace assay::ops {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;
using core::Value;

Tensor zeros(Dims sizes, DType dtype = DType::float32) { return Tensor::empty(sizes, dtype); }

Value ints(Dims list) { return core::make_int_list(list); }

/// The message of the refusal, or empty.
std::string refusal(const char* name, core::Values args) {
  try {
    check_arguments(get_operator(name), args);
  } catch (const base::Error& e) {
    EXPECT_EQ(e.kind(), base::ErrorKind::input);
    return e.message();
  }
  return "";
}

core::Values pooling(Tensor image, Dims kernel, Dims stride, Dims dilation = {1, 1}) {
  return {image, ints(kernel), ints(stride), ints({0, 0}), ints(dilation), false};
}

TEST(Constraint, names_operator_argument_and_what_it_is) {
  Tensor image = zeros({1, 2, 4, 4});
  EXPECT_EQ(refusal("aten::max_pool2d", pooling(image, {2, 2}, {})), "");
  EXPECT_EQ(refusal("aten::max_pool2d", pooling(image, {2, 2}, {1, 0})),
            "aten::max_pool2d: argument 'stride' must be at least 1, but is 0");
  EXPECT_EQ(refusal("aten::max_pool2d", pooling(zeros({4, 4}), {2, 2}, {})),
            "aten::max_pool2d: argument 'self' must have 3 to 4 dimensions, but has shape [4, 4]");
  EXPECT_EQ(refusal("aten::max_pool2d", pooling(zeros({1, 2, 4, 4}, DType::int64), {2, 2}, {})),
            "aten::max_pool2d: argument 'self' is of Long, but must be of one of Half, Float, "
            "Double, BFloat16");
}

TEST(Constraint, some_types_are_lacking_on_the_cpu_only) {
  Tensor half = zeros({1, 2, 4, 4}, DType::float16);
  EXPECT_NE(refusal("aten::max_pool2d", pooling(half, {2, 2}, {})), "");
  Tensor meta = Tensor::empty(Dims{1, 2, 4, 4}, DType::float16, {core::DeviceType::meta, -1});
  EXPECT_EQ(refusal("aten::max_pool2d", pooling(meta, {2, 2}, {})), "");
}

TEST(Constraint, types_of_arguments_agree) {
  auto cell = [](DType state) {
    return core::Values{zeros({1, 2}), zeros({1, 1}, state), zeros({3, 2}), zeros({3, 1}), {}, {}};
  };
  EXPECT_EQ(refusal("aten::gru_cell", cell(DType::float32)), "");
  EXPECT_EQ(refusal("aten::gru_cell", cell(DType::float16)),
            "aten::gru_cell: argument 'hx' is of Half, but 'input' of Float: expected the same "
            "scalar type");
}

TEST(Constraint, each_item_of_a_list_counts) {
  auto layer = [](DType second) {
    return core::Values{zeros({1, 1, 1}),
                        core::make_tensor_list({zeros({1, 1, 1}), zeros({1, 1, 1}, second)}),
                        core::make_tensor_list({zeros({4, 1}), zeros({4, 1})}),
                        false,
                        1,
                        0.0,
                        false,
                        false,
                        false};
  };
  EXPECT_EQ(refusal("aten::lstm.input", layer(DType::float32)), "");
  EXPECT_NE(refusal("aten::lstm.input", layer(DType::boolean)), "");
}

TEST(Constraint, lists_have_lengths) {
  auto unpooled = [](Dims size) {
    return core::Values{zeros({1, 2, 2}), zeros({1, 2, 2}, DType::int64), ints(size)};
  };
  EXPECT_EQ(refusal("aten::max_unpool2d", unpooled({4, 4})), "");
  EXPECT_EQ(refusal("aten::max_unpool2d", unpooled({4})), "");  // Stands for both.
  EXPECT_EQ(refusal("aten::max_unpool2d", unpooled({4, 4, 4})),
            "aten::max_unpool2d: argument 'output_size' must have exactly 2 items, but has 3");
}

// Variants have the constraints of the row that computes for them.
TEST(Constraint, hold_for_variants) {
  Context context;
  core::Values args{zeros({3}, DType::float32), Value(), 0, zeros({0}, DType::int64)};
  try {
    call(context, get_operator("aten::bincount.out"), args);
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_EQ(e.message().find("aten::bincount: argument 'self' is of Float"), 0u) << e.message();
  }
}

// A row that names an argument which its operator lacks would fail at its first use.
TEST(Constraint, rows_name_arguments_that_they_have) {
  for (size_t id = 0; id < catalog_rows().size(); ++id) EXPECT_NO_THROW(operator_of(id));
}

}  // namespace
}  // namespace assay::ops
