#include "engine/ir/interface.h"

#include <gtest/gtest.h>

#include "engine/ir/parser.h"

namespace assay::ir {
namespace {

/// An interface with one method `run(self, x)`, and a class with a method of the given graph.
struct Setting {
  Setting(const core::TypePtr& taken, const core::TypePtr& given) {
    wanted->methods = {"run"};
    unit.define_type(wanted);
    ops::Schema schema;
    schema.name = "run";
    schema.arguments = {argument("self", wanted), argument("x", taken)};
    schema.returns = {argument("", given)};
    unit.define_interface_method("__torch__.Runs", "run", schema);
  }

  static ops::Argument argument(const std::string& name, const core::TypePtr& type) {
    ops::Argument made;
    made.name = name;
    made.type = type;
    return made;
  }

  std::shared_ptr<core::ClassType> define(const std::string& name, const std::string& graph,
                                          bool is_module = true) {
    auto type = std::make_shared<core::ClassType>(name, is_module);
    unit.define_class(type);
    unit.define_function(type->qualified_method("run"), parse(graph));
    type->add_method("run");
    return type;
  }

  Unit unit;
  std::shared_ptr<core::InterfaceType> wanted =
      std::make_shared<core::InterfaceType>("__torch__.Runs", true);
};

const char* identity = "graph(%self : Tensor, %x : Tensor):\n  return (%x)\n";

TEST(Interface, IsImplementedByMethodsThatTakeMoreOrGiveLess) {
  Setting setting(core::tensor_type(), core::any_type());
  auto type = setting.define("__torch__.A", identity);
  EXPECT_EQ(why_not_implemented(setting.unit, *type, *setting.wanted), std::nullopt);
  auto wide = setting.define("__torch__.B", "graph(%self : Tensor, %x : Any):\n  return (%x)\n");
  EXPECT_EQ(why_not_implemented(setting.unit, *wide, *setting.wanted), std::nullopt);
}

TEST(Interface, TellsWhatDoesNotFit) {
  Setting setting(core::any_type(), core::tensor_type());
  auto narrow = setting.define("__torch__.A", identity);
  EXPECT_NE(why_not_implemented(setting.unit, *narrow, *setting.wanted), std::nullopt);
  auto renamed =
      setting.define("__torch__.B", "graph(%self : Tensor, %y : Any):\n  return (%self)\n");
  EXPECT_NE(why_not_implemented(setting.unit, *renamed, *setting.wanted), std::nullopt);
  auto plain = setting.define("__torch__.C", identity, false);
  EXPECT_NE(why_not_implemented(setting.unit, *plain, *setting.wanted)->find("is no module"),
            std::string::npos);
  auto empty = std::make_shared<core::ClassType>("__torch__.D", true);
  setting.unit.define_class(empty);
  EXPECT_NE(why_not_implemented(setting.unit, *empty, *setting.wanted)->find("'run'"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::ir
