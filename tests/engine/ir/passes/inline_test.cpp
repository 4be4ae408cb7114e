#include "engine/ir/passes/inline.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/parser.h"

namespace assay::ir {
namespace {

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

}  // namespace
}  // namespace assay::ir
