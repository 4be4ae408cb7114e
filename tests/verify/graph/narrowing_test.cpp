#include "verify/graph/narrowing.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"

namespace assay::verify {
namespace {

/// Of a cast to a type, by its number.
bool narrows_by(int dtype) {
  auto graph = ir::parse(R"(graph(%self : Any, %x.1 : Tensor):
  %type : int = prim::Constant[value=)" +
                         std::to_string(dtype) + R"(]()
  %no : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %made : Tensor = aten::to(%x.1, %type, %no, %no, %none)
  return (%made)
)");
  return narrows(flatten(std::move(graph)));
}

TEST(Narrowing, IsACastToSixteenBits) {
  EXPECT_TRUE(narrows_by(15));  // bfloat16
  EXPECT_TRUE(narrows_by(5));   // float16
  EXPECT_FALSE(narrows_by(6));
  EXPECT_FALSE(narrows_by(3));
}

}  // namespace
}  // namespace assay::verify
