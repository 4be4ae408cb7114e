#include "engine/ir/passes/freeze.h"

#include <gtest/gtest.h>

#include "engine/ir/constant.h"
#include "engine/ir/parser.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

TEST(Freeze, MakesAttributesConstants) {
  auto type = std::make_shared<core::ClassType>("__torch__.M", true);
  type->add_attribute("scale", core::int_type());
  type->add_attribute("seen", core::int_type());
  auto self = base::make_ref<core::Object>(type);
  self->set_attribute("scale", 7);
  self->set_attribute("seen", 1);
  ParseOptions options;
  options.resolve_type = [&](const std::string&) { return type; };
  auto graph = parse(R"(graph(%self : __torch__.M):
  %a : int = prim::GetAttr[name="scale"](%self)
  %b : int = prim::GetAttr[name="seen"](%self)
  %c : int = aten::add(%a, %b)
   = prim::SetAttr[name="seen"](%self, %c)
  return (%c)
)",
                     options);
  freeze(*graph, self);
  ensure_valid(*graph, "after freeze");
  Node* sum = graph->find_value("c")->node();
  EXPECT_EQ(constant_value(sum->input(0))->to_int(), 7);
  EXPECT_TRUE(sum->input(1)->node()->is("prim::GetAttr"));
}

TEST(Freeze, FollowsObjectsThatConstantsHoldAndKeepsTheTypeOfNone) {
  auto inner = std::make_shared<core::ClassType>("__torch__.Inner", true);
  inner->add_attribute("bias", core::optional_of(core::tensor_type()));
  auto outer = std::make_shared<core::ClassType>("__torch__.M", true);
  outer->add_attribute("part", inner);
  auto part = base::make_ref<core::Object>(inner);
  auto self = base::make_ref<core::Object>(outer);
  self->set_attribute("part", part);
  ParseOptions options;
  options.resolve_type = [&](const std::string& name) -> core::TypePtr {
    return name == "__torch__.M" ? outer : inner;
  };
  auto graph = parse(R"(graph(%self : __torch__.M):
  %part : __torch__.Inner = prim::GetAttr[name="part"](%self)
  %bias : Tensor? = prim::GetAttr[name="bias"](%part)
  return (%bias)
)",
                     options);
  Node* read = graph->find_value("part")->node();
  Node* held = graph->create_constant(core::Value(part))->insert_before(read);
  read->output()->replace_all_uses(held->output());
  freeze(*graph, self);
  ensure_valid(*graph, "after freeze");
  const Value* bias = graph->outputs()[0];
  ASSERT_TRUE(constant_value(bias).has_value());
  EXPECT_TRUE(constant_value(bias)->is_none());
  EXPECT_EQ(bias->type()->str(), "Tensor?");
}

}  // namespace
}  // namespace assay::ir
