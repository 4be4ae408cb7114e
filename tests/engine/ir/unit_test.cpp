#include "engine/ir/unit.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/parser.h"

namespace assay::ir {
namespace {

std::shared_ptr<Graph> identity() { return parse("graph(%x : Tensor):\n  return (%x)\n"); }

TEST(Unit, FindsWhatWasDefined) {
  Unit unit;
  Function& f = unit.define_function("__torch__.f", identity());
  EXPECT_EQ(&unit.function("__torch__.f"), &f);
  EXPECT_EQ(unit.find_function("__torch__.g"), nullptr);
  EXPECT_THROW(unit.function("__torch__.g"), base::Error);
  EXPECT_THROW(unit.define_function("__torch__.f", identity()), base::Error);
  unit.remove_function("__torch__.f");
  EXPECT_EQ(unit.find_function("__torch__.f"), nullptr);
  EXPECT_TRUE(unit.functions().empty());
  EXPECT_NO_THROW(unit.remove_function("__torch__.f"));
}

TEST(Unit, FindsMethodsByClass) {
  Unit unit;
  auto type = std::make_shared<core::ClassType>("__torch__.Net", true);
  unit.define_class(type);
  unit.define_function("__torch__.Net.forward", identity());
  EXPECT_EQ(unit.method(*type, "forward").name(), "forward");
  try {
    unit.method(*type, "backward");
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_EQ(e.message(), "Method 'backward' is not defined on '__torch__.Net'");
  }
}

TEST(Unit, ForgetsClassesWithTheirMethods) {
  Unit unit;
  for (const char* name : {"__torch__.Net", "__torch__.Other"}) {
    auto type = std::make_shared<core::ClassType>(name, true);
    unit.define_class(type);
    unit.define_function(type->qualified_method("forward"), identity());
    type->add_method("forward");
  }
  unit.forget_classes({"__torch__.Net", "__torch__.Unknown"});
  EXPECT_EQ(unit.find_class("__torch__.Net"), nullptr);
  EXPECT_EQ(unit.find_function("__torch__.Net.forward"), nullptr);
  ASSERT_EQ(unit.types().size(), 1u);
  EXPECT_EQ(unit.types()[0]->name(), "__torch__.Other");
  ASSERT_EQ(unit.functions().size(), 1u);
  EXPECT_EQ(unit.unique_name("__torch__.Net"), "__torch__.Net");
}

TEST(Unit, AsksItsResolverOncePerName) {
  Unit unit;
  std::vector<std::string> asked;
  unit.set_resolver([&](Unit& u, const std::string& name) {
    asked.push_back(name);
    if (name == "__torch__.f") u.define_function(name, identity());
  });
  EXPECT_NE(unit.find_function("__torch__.f"), nullptr);
  EXPECT_NE(unit.find_function("__torch__.f"), nullptr);
  EXPECT_EQ(unit.find_function("__torch__.g"), nullptr);
  EXPECT_EQ(unit.find_type("__torch__.g"), nullptr);
  EXPECT_EQ(asked, (std::vector<std::string>{"__torch__.f", "__torch__.g"}));
}

TEST(Unit, TypesKeepTheirOrderAndAreOfOneKind) {
  Unit unit;
  auto type = std::make_shared<core::ClassType>("__torch__.A");
  unit.define_class(type);
  unit.define_class(type);  // The same again is no contradiction.
  unit.define_type(core::named_tuple("__torch__.P", {core::int_type()}, {"a"}));
  EXPECT_EQ(unit.types().size(), 2u);
  EXPECT_EQ(unit.find_class("__torch__.A"), type);
  EXPECT_EQ(unit.find_class("__torch__.P"), nullptr);
  EXPECT_THROW(unit.define_class(std::make_shared<core::ClassType>("__torch__.A")), base::Error);
  EXPECT_EQ(unit.find_class("__torch__.A"), type);
}

TEST(Unit, MakesNamesUniqueAsPyTorchDoes) {
  Unit unit;
  EXPECT_EQ(unit.unique_name("__torch__.Net"), "__torch__.Net");
  unit.define_class(std::make_shared<core::ClassType>("__torch__.Net"));
  EXPECT_EQ(unit.unique_name("__torch__.Net"), "__torch__.___torch_mangle_0.Net");
  EXPECT_EQ(unit.unique_name("__torch__.Net"), "__torch__.___torch_mangle_1.Net");
}

TEST(Unit, ClassesThatNameEachOtherGoAwayWithIt) {
  std::weak_ptr<core::ClassType> a, b;
  {
    Unit unit;
    auto first = std::make_shared<core::ClassType>("__torch__.A");
    auto second = std::make_shared<core::ClassType>("__torch__.B");
    first->add_attribute("other", core::optional_of(second));
    second->add_attribute("others", core::list_of(core::TypePtr(first)));
    first->add_attribute("self", core::optional_of(core::TypePtr(first)));
    unit.define_class(first);
    unit.define_class(second);
    a = first;
    b = second;
  }
  EXPECT_TRUE(a.expired());
  EXPECT_TRUE(b.expired());
}

TEST(Unit, ObjectsThatOutliveItKeepTheirAttributes) {
  core::ObjectRef object;
  {
    Unit unit;
    auto type = std::make_shared<core::ClassType>("__torch__.A");
    type->add_attribute("n", core::int_type());
    unit.define_class(type);
    object = base::make_ref<core::Object>(type);
    object->set_attribute("n", 3);
  }
  EXPECT_EQ(object->attribute("n").to_int(), 3);
}

TEST(Unit, DefinitionsThatNeedOthersWithoutEndAreRefused) {
  Unit unit;
  unit.set_resolver([](Unit& u, const std::string& name) { u.find_type(name + "x"); });
  EXPECT_THROW(unit.find_type("__torch__.A"), base::Error);
}

}  // namespace
}  // namespace assay::ir
