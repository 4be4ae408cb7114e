#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/alias.h"
#include "engine/ir/constant.h"
#include "engine/ir/parser.h"
#include "engine/ir/passes/dce.h"
#include "engine/ir/passes/freeze.h"
#include "engine/ir/passes/inline.h"
#include "engine/ir/passes/normalize.h"
#include "engine/ir/pipeline.h"
#include "engine/ir/printer.h"
#include "engine/ir/verify.h"

namespace assay::ir {
namespace {

std::string bare(const Graph& graph) { return print(graph, {.source = false, .scopes = false}); }

TEST(Alias, FollowsAnnotationsAndContainers) {
  auto graph = parse(R"(graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %x, %one)
  %b : Tensor = aten::add(%x, %x, %one)
  %l : Tensor[] = prim::ListConstruct(%a)
  %c : Tensor = aten::add_(%b, %x, %one)
  return (%l)
)");
  Alias alias(*graph);
  auto value = [&](const char* name) { return graph->find_value(name); };
  EXPECT_TRUE(alias.may_escape(value("x")));
  EXPECT_FALSE(alias.may_share(value("a"), value("x")));
  EXPECT_TRUE(alias.may_share(value("a"), value("l")));
  EXPECT_TRUE(alias.may_share(value("b"), value("c")));
  EXPECT_TRUE(alias.is_written(value("b")));
  EXPECT_FALSE(alias.is_written(value("a")));
}

TEST(Dce, RemovesWhatNobodyNotices) {
  auto graph = parse(R"(graph(%x : Tensor, %n : int, %c : bool):
  %one : int = prim::Constant[value=1]()
  %t : bool = prim::Constant[value=1]()
  %unused : Tensor = aten::add(%x, %x, %one)
  %own : Tensor = aten::add(%x, %x, %one)
  %w : Tensor = aten::add_(%own, %x, %one)
  %kept : Tensor = aten::add(%x, %x, %one)
  %k : Tensor = aten::add_(%kept, %x, %one)
  %s : int, %u : int = prim::Loop(%n, %t, %one, %one)
    block0(%i : int, %s.1 : int, %u.1 : int):
      %s.2 : int = aten::add(%s.1, %i)
      -> (%t, %s.2, %u.1)
   = prim::If(%c)
    block0():
       = prim::Print(%s)
      -> ()
    block1():
      %dead : int = aten::add(%n, %n)
      -> ()
  return (%kept)
)");
  if (!graph->find_value("w")->node()->op()) GTEST_SKIP() << "the catalog has no aten::add_ yet";
  remove_dead_code(*graph);
  ensure_valid(*graph, "after dce");
  for (const char* gone : {"unused", "own", "w", "u", "u.1", "dead"})
    EXPECT_EQ(graph->find_value(gone), nullptr) << gone;
  for (const char* kept : {"kept", "k", "s"}) EXPECT_NE(graph->find_value(kept), nullptr) << kept;
}

TEST(Normalize, NamesSizesAndPlacesDoNotCount) {
  auto first = parse(R"(graph(%self : __torch__.M, %input.1 : Float(2, 3, strides=[3, 1])):
  %a : Tensor = prim::GetAttr[name="w"](%self)
  %b : Tensor = prim::GetAttr[name="w"](%self)
  %1 : int = prim::Constant[value=1]() # x.py:1:1
  %2 : int = prim::Constant[value=1]()
  %3 : Float(2, 3) = aten::add(%input.1, %a, %1), scope: __module.a # x.py:2:2
  %4 : Float(2, 3) = aten::add(%3, %b, %2)
  return (%4)
)");
  auto second = parse(R"(graph(%self : __torch__.M, %x : Float(5, 7)):
  %one : int = prim::Constant[value=1]()
  %9 : Tensor = prim::GetAttr[name="unused"](%self)
  %w : Tensor = prim::GetAttr[name="w"](%self)
  %y : Tensor = aten::add(%x, %w, %one)
  %z : Tensor = aten::add(%y, %w, %one)
  return (%z)
)");
  auto made = normalized(*first);
  EXPECT_TRUE(verify(*made).empty());
  EXPECT_EQ(bare(*made), bare(*normalized(*second)));
  EXPECT_EQ(bare(*made), R"(graph(%0 : __torch__.M,
      %1 : Tensor):
  %2 : int = prim::Constant[value=1]()
  %3 : Tensor = prim::GetAttr[name="w"](%0)
  %4 : Tensor = aten::add(%1, %3, %2)
  %5 : Tensor = aten::add(%4, %3, %2)
  return (%5)
)");
}

TEST(Normalize, DifferencesStay) {
  auto graph = [](const char* number) {
    return bare(*normalized(*parse(std::string("graph(%x : Tensor):\n  %1 : int = "
                                               "prim::Constant[value=") +
                                   number +
                                   "]()\n  %2 : Tensor = aten::neg(%x)\n"
                                   "  %3 : (Tensor, int) = prim::TupleConstruct(%2, %1)\n"
                                   "  return (%3)\n")));
  };
  EXPECT_NE(graph("2"), graph("3"));
}

// The texts are PyTorch's for a module that calls a submodule and a function.
TEST(Inline, ReadsAsPyTorchsInlinedGraph) {
  Unit unit;
  for (const char* name : {"__torch__.S", "__torch__.M"})
    unit.define_class(std::make_shared<core::ClassType>(name, true));
  ParseOptions options;
  options.resolve_type = [&](const std::string& name) { return unit.find_type(name); };
  unit.define_function("g", parse(R"(graph(%x.1 : Tensor,
      %k.1 : int):
  %3 : Tensor = aten::mul(%x.1, %k.1) # i.py:4:11
  return (%3)
)"));
  unit.define_function("__torch__.S.forward", parse(R"(graph(%self : __torch__.S,
      %x.1 : Tensor):
  %10 : Function = prim::Constant[name="g"]()
  %3 : int = prim::Constant[value=0]() # i.py:7:18
  %5 : int = prim::Constant[value=1]() # i.py:7:21
  %9 : int = prim::Constant[value=2]() # i.py:8:18
  %4 : int = aten::size(%x.1, %3) # i.py:7:11
  %6 : bool = aten::gt(%4, %5) # i.py:7:11
  %y : Tensor = prim::If(%6) # i.py:7:8
    block0():
      %y.1 : Tensor = prim::CallFunction(%10, %x.1, %9) # i.py:8:14
      -> (%y.1)
    block1():
      -> (%x.1)
  return (%y)
)",
                                                    options));
  Function& forward =
      unit.define_function("__torch__.M.forward", parse(R"(graph(%self : __torch__.M,
      %x.1 : Tensor):
  %7 : Function = prim::Constant[name="g"]()
  %6 : int = prim::Constant[value=3]() # i.py:17:14
  %s : __torch__.S = prim::GetAttr[name="s"](%self)
  %a.1 : Tensor = prim::CallMethod[name="forward"](%s, %x.1) # i.py:16:10
  %b.1 : Tensor = prim::CallFunction(%7, %a.1, %6) # i.py:17:10
  %t : __torch__.S = prim::GetAttr[name="t"](%self)
  %c.1 : Tensor = prim::CallMethod[name="forward"](%t, %b.1) # i.py:18:10
  return (%c.1)
)",
                                                        options));
  EXPECT_EQ(inlined(forward, unit)->str(), R"(graph(%self : __torch__.M,
      %x.1 : Tensor):
  %2 : Function = prim::Constant[name="g"]()
  %3 : int = prim::Constant[value=3]() # i.py:17:14
  %s : __torch__.S = prim::GetAttr[name="s"](%self)
  %9 : int = prim::Constant[value=2]() # i.py:8:18
  %10 : int = prim::Constant[value=1]() # i.py:7:21
  %11 : int = prim::Constant[value=0]() # i.py:7:18
  %12 : Function = prim::Constant[name="g"]()
  %13 : int = aten::size(%x.1, %11) # i.py:7:11
  %14 : bool = aten::gt(%13, %10) # i.py:7:11
  %a.1 : Tensor = prim::If(%14) # i.py:7:8
    block0():
      %y.2 : Tensor = aten::mul(%x.1, %9) # i.py:4:11
      -> (%y.2)
    block1():
      -> (%x.1)
  %b.1 : Tensor = aten::mul(%a.1, %3) # i.py:4:11
  %t : __torch__.S = prim::GetAttr[name="t"](%self)
  %18 : int = prim::Constant[value=2]() # i.py:8:18
  %19 : int = prim::Constant[value=1]() # i.py:7:21
  %20 : int = prim::Constant[value=0]() # i.py:7:18
  %21 : Function = prim::Constant[name="g"]()
  %22 : int = aten::size(%b.1, %20) # i.py:7:11
  %23 : bool = aten::gt(%22, %19) # i.py:7:11
  %c.1 : Tensor = prim::If(%23) # i.py:7:8
    block0():
      %y.1 : Tensor = aten::mul(%b.1, %18) # i.py:4:11
      -> (%y.1)
    block1():
      -> (%b.1)
  return (%c.1)
)");
}

TEST(Inline, RefusesRecursion) {
  Unit unit;
  Function& f = unit.define_function("f", parse(R"(graph(%x : int):
  %1 : Function = prim::Constant[name="f"]()
  %2 : int = prim::CallFunction(%1, %x)
  return (%2)
)"));
  EXPECT_THROW(inlined(f, unit), base::Error);
}

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

}  // namespace
}  // namespace assay::ir
