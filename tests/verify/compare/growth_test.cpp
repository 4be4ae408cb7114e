#include "verify/compare/growth.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::verify {
namespace {

Step step(std::string op, std::string weight = "") {
  Step out;
  out.op = std::move(op);
  if (!weight.empty()) {
    Operand operand;
    operand.kind = Operand::Kind::parameter;
    operand.path = std::move(weight);
    out.operands.push_back(operand);
  }
  return out;
}

TEST(Growth, AddsWhatEachOperatorAllows) {
  Program program;
  EXPECT_EQ(growth_of(program, {}), 16);
  program.steps = {step("aten::view"), step("aten::conv2d", "weight"), step("aten::add")};
  // 1 rounding for the sum, and the square root of 64 * 3 * 3 products for the convolution.
  EXPECT_DOUBLE_EQ(growth_of(program, {{"weight", core::Dims{32, 64, 3, 3}}}), 1 + 24);
  // Without a weight, the length of 256 that is assumed.
  EXPECT_DOUBLE_EQ(growth_of(program, {}), 1 + 16);
}

}  // namespace
}  // namespace assay::verify
