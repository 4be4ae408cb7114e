#include "engine/interp/autocast.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/engine/interp/program.h"

namespace assay::interp {
namespace {

using core::DType;
using core::Tensor;
using core::Value;

core::ClassTypePtr autocast_class(const std::string& name) {
  auto type = std::make_shared<core::ClassType>(name);
  type->add_attribute("_enabled", core::bool_type());
  type->add_attribute("device", core::string_type());
  type->add_attribute("fast_dtype", core::int_type());
  return type;
}

core::ObjectRef region_of(const core::ClassTypePtr& type, bool enabled, const char* device) {
  auto made = base::make_ref<core::Object>(type);
  made->set_attribute("_enabled", enabled);
  made->set_attribute("device", device);
  made->set_attribute("fast_dtype", static_cast<int64_t>(DType::bfloat16));
  return made;
}

/// `with r: y = torch.mm(x, x)`, then the same outside; fails in between if `n` is 0.
struct Scripted : Program {
  core::ClassTypePtr type = autocast_class("__torch__.torch.amp.autocast_mode.autocast");
  ir::Function* function;

  Scripted() {
    unit.define_class(type);
    // As PyTorch writes them.
    std::string self = "%self : " + type->name();
    add(type->name() + ".__enter__", "graph(" + self + "):\n  return (%self)\n");
    add(type->name() + ".__exit__", "graph(" + self +
                                        ", %t : Any, %v : Any, %b : Any):\n"
                                        "  %n : NoneType = prim::Constant()\n  return (%n)\n");
    function = &add("f", "graph(%r : " + type->name() +
                             ", %x : Tensor, %n : int):\n"
                             "  %s : " +
                             type->name() +
                             " = prim::Enter(%r)\n"
                             "  %y : Tensor = aten::mm(%x, %x)\n"
                             "  %q : int = aten::floordiv(%n, %n)\n"
                             "  %l : Tensor = prim::Exit(%r)\n"
                             "  %z : Tensor = aten::mm(%x, %x)\n"
                             "  %t : (Tensor, Tensor) = prim::TupleConstruct(%y, %z)\n"
                             "  return (%t)\n");
  }

  std::pair<DType, DType> types(bool enabled, const char* device, int64_t n = 1) {
    Tensor x = Tensor::empty(core::Dims{2, 2}, DType::float32);
    std::fill_n(x.data<float>(), 4, 1.0F);
    Value both = interpreter.run(*function, {region_of(type, enabled, device), x, n});
    const auto& items = both.tuple().items;
    return {items[0].to_tensor().dtype(), items[1].to_tensor().dtype()};
  }
};

TEST(AutocastRegion, IsAWithBlockOverPyTorchsClass) {
  Scripted program;
  EXPECT_EQ(program.types(true, "cpu"), std::pair(DType::bfloat16, DType::float32));
  EXPECT_EQ(program.types(false, "cpu"), std::pair(DType::float32, DType::float32));
  EXPECT_EQ(program.types(true, "cuda"), std::pair(DType::float32, DType::float32));
}

TEST(AutocastRegion, EndsWithTheBlockWhateverHappens) {
  Scripted program;
  EXPECT_THROW(program.types(true, "cpu", 0), base::Error);
  EXPECT_EQ(program.context.autocast, nullptr);
  EXPECT_TRUE(program.context.handlers.empty());
  EXPECT_EQ(program.types(true, "cpu").second, DType::float32);
}

TEST(AutocastRegion, RefusesWhatPyTorchDoesNotWrite) {
  Scripted program;
  EXPECT_THROW(program.types(true, "toaster"), base::Error);
  EXPECT_TRUE(program.context.handlers.empty());
  auto other = autocast_class("__torch__.my.autocast");
  EXPECT_EQ(autocast_region(program.context, *region_of(other, true, "cpu")), nullptr);
}

}  // namespace
}  // namespace assay::interp
