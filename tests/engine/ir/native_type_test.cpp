#include "engine/ir/native_type.h"

#include <gtest/gtest.h>

#include "engine/ir/unit.h"
#include "engine/ir/verify.h"
#include "engine/ops/native_class.h"

namespace assay::ir {
namespace {

core::Value nothing(ops::Context&, std::span<const core::Value>) { return {}; }
constexpr ops::NativeMethod methods[] = {{"__init__(int size=3) -> ()", nothing},
                                         {"top(float[] at, Tensor? x=None) -> Tensor", nothing}};
constexpr ops::NativeClass stack{"__torch__.torch.classes.type_test.Stack", methods};

TEST(NativeType, AUnitKnowsRegisteredClassesByName) {
  ops::register_native_class(stack);
  Unit unit;
  core::ClassTypePtr type = unit.find_class(std::string(stack.name));
  ASSERT_TRUE(type);
  EXPECT_EQ(type->methods(), (std::vector<std::string>{"__init__", "top"}));
  Function& top = unit.method(*type, "top");
  ASSERT_EQ(top.schema().arguments.size(), 3u);
  EXPECT_EQ(top.schema().arguments[0].type, core::TypePtr(type));
  EXPECT_EQ(top.schema().arguments[1].type->str(), "float[]");
  EXPECT_TRUE(top.schema().arguments[2].default_value->is_none());
  ensure_valid(top.graph(), "of a native method");
  EXPECT_TRUE(unit.method(*type, "__init__").schema().returns[0].type->is(core::TypeKind::none));
}

TEST(NativeType, AnUnknownOneIsATypeWithoutMethods) {
  Unit unit;
  // A method's name defines its class, too.
  EXPECT_EQ(unit.find_function("__torch__.torch.classes.type_test.Other.push"), nullptr);
  core::ClassTypePtr type = unit.find_class("__torch__.torch.classes.type_test.Other");
  ASSERT_TRUE(type);
  EXPECT_TRUE(type->methods().empty());
}

}  // namespace
}  // namespace assay::ir
