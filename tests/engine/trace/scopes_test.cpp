#include "engine/trace/scopes.h"

#include <gtest/gtest.h>

#include "engine/ir/verify.h"
#include "tests/engine/trace/traced.h"

namespace assay::trace {
namespace {

using testing::Trace;

/// A class with these attributes, and an object of it.
core::ObjectRef make_object(ir::Unit& unit, const std::string& name,
                            const std::vector<std::pair<std::string, core::Value>>& attributes) {
  auto type = std::make_shared<core::ClassType>(name, true);
  for (const auto& [attribute, value] : attributes) {
    core::TypePtr held = value.is_object() ? value.object().type : value.type();
    type->add_attribute(
        attribute, held,
        value.is_tensor() ? core::ClassType::Role::parameter : core::ClassType::Role::attribute);
  }
  unit.define_class(type);
  auto object = base::make_ref<core::Object>(type);
  for (const auto& [attribute, value] : attributes) object->set_attribute(attribute, value);
  return object;
}

struct TracedNet : Trace {
  TracedNet() {
    inner = make_object(unit, "__torch__.Inner", {{"weight", weight}});
    net = make_object(unit, "__torch__.Net", {{"inner", inner}});
    tracer.trace_module(net);
  }
  core::Tensor weight = tensor({2});
  core::ObjectRef inner, net;
};

TEST(Scopes, a_submodule_gets_a_method) {
  TracedNet trace;
  core::Tensor x = trace.input("x", {2});
  trace.tracer.push_scope("__module.inner");
  core::Tensor y = trace("aten::mul.Tensor", {x, trace.weight});
  trace.tracer.pop_scope();
  std::string text = trace.text(trace("aten::relu", {y}));
  EXPECT_NE(text.find("%inner : __torch__.Inner = prim::GetAttr[name=\"inner\"](%self"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" : Tensor = prim::CallMethod[name=\"forward\"](%inner, %x)"),
            std::string::npos)
      << text;
  ir::Function* forward = trace.unit.find_function("__torch__.Inner.forward");
  ASSERT_NE(forward, nullptr);
  EXPECT_EQ(forward->graph().str(),
            R"(graph(%self : __torch__.Inner,
      %x : Float(2, strides=[1], requires_grad=0, device=cpu)):
  %weight : Tensor = prim::GetAttr[name="weight"](%self)
  %2 : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::mul(%x, %weight), scope: __module.inner
  return (%2)
)");
  EXPECT_TRUE(ir::verify(forward->graph()).empty());
  EXPECT_TRUE(ir::verify(*trace.graph).empty());
}

TEST(Scopes, a_submodule_that_runs_twice_gets_two_methods) {
  TracedNet trace;
  core::Tensor x = trace.input("x", {2});
  for (int i = 0; i < 2; ++i) {
    trace.tracer.push_scope("__module.inner");
    x = trace("aten::mul.Tensor", {x, trace.weight});
    trace.tracer.pop_scope();
  }
  std::string text = trace.text(x);
  EXPECT_NE(text.find("prim::CallMethod[name=\"forward\"](%inner, %x)"), std::string::npos) << text;
  EXPECT_NE(text.find("prim::CallMethod[name=\"forward1\"](%inner, "), std::string::npos) << text;
}

TEST(Scopes, what_is_read_elsewhere_passes_as_parameter_and_result) {
  TracedNet trace;
  core::Tensor x = trace.input("x", {2});
  trace.tracer.push_scope("__module.inner");
  core::Tensor half = trace("aten::neg", {x});
  core::Tensor y = trace("aten::relu", {half});
  trace.tracer.pop_scope();
  std::string text = trace.text(trace("aten::add.Tensor", {half, y}));
  EXPECT_NE(text.find("(Tensor, Tensor) = prim::CallMethod"), std::string::npos) << text;
  EXPECT_NE(text.find("= prim::TupleUnpack("), std::string::npos) << text;
}

TEST(Scopes, without_a_module_everything_is_in_line) {
  Trace trace;
  core::Tensor x = trace.input("x", {2});
  trace.tracer.push_scope("__module.inner");
  core::Tensor y = trace("aten::relu", {x});
  trace.tracer.pop_scope();
  std::string text = trace.text(trace("aten::neg", {y}));
  EXPECT_EQ(text.find(scope_symbols().block.text()), std::string::npos) << text;
  EXPECT_NE(text.find("aten::relu(%x), scope: __module.inner"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay::trace
