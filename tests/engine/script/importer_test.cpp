#include "engine/script/importer.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/base/error.h"
#include "engine/ir/printer.h"
#include "engine/ops/catalog.h"

namespace assay::script {
namespace {

class Imported : public testing::Test {
 protected:
  std::shared_ptr<const base::Source> find(const std::string& file) {
    asked_.push_back(file);
    auto found = files_.find(file);
    if (found == files_.end()) return nullptr;
    auto source = std::make_shared<base::Source>();
    source->text = found->second;
    source->name = "code/" + file;
    return source;
  }

  std::map<std::string, std::string> files_;
  std::vector<std::string> asked_;
  ir::Unit unit_;
  core::Values constants_;
  std::unique_ptr<Importer> importer_;

  void start() {
    importer_ = std::make_unique<Importer>(unit_, constants_,
                                           [this](const std::string& file) { return find(file); });
  }
};

TEST_F(Imported, FindsNamesByFile) {
  files_["__torch__/a/b.py"] =
      "class Net(Module):\n"
      "  __parameters__ = [\"w\", ]\n"
      "  __buffers__ = [\"m\", ]\n"
      "  w : Tensor\n"
      "  m : Tensor\n"
      "  training : bool\n"
      "  __annotations__[\"0\"] = __torch__.a.c.Sub\n"
      "  k : Final[int] = 3\n"
      "  def forward(self: __torch__.a.b.Net,\n    x: Tensor) -> Tensor:\n"
      "    _0 = getattr(self, \"0\")\n"
      "    return (_0).forward(x, )\n";
  files_["__torch__/a/c.py"] =
      "op_version_set = 1\n"
      "class Sub(Module):\n"
      "  __parameters__ = []\n"
      "  def forward(self: __torch__.a.c.Sub,\n    x: Tensor) -> Tensor:\n"
      "    return torch.relu(x)\n";
  start();
  core::TypePtr type = importer_->resolve_type("__torch__.a.b.Net");
  const core::ClassType& net = *core::as_class(type);
  EXPECT_TRUE(net.is_module());
  ASSERT_EQ(net.attributes().size(), 4u);
  EXPECT_EQ(net.attributes()[0].role, core::ClassType::Role::parameter);
  EXPECT_EQ(net.attributes()[1].role, core::ClassType::Role::buffer);
  EXPECT_EQ(net.attributes()[3].name, "0");
  EXPECT_EQ(net.find_constant("k")->to_int(), 3);
  EXPECT_FALSE(unit_.method(net, "forward").is_defined());
  EXPECT_EQ(ir::print(unit_.method(net, "forward").graph()),
            "graph(%self.1 : __torch__.a.b.Net,\n"
            "      %x.1 : Tensor):\n"
            "  %_0 : __torch__.a.c.Sub = prim::GetAttr[name=\"0\"](%self.1)\n"
            "  %6 : Tensor = prim::CallMethod[name=\"forward\"](%_0, %x.1) # "
            "code/__torch__/a/b.py:12:12\n"
            "  return (%6)\n");
  EXPECT_EQ(importer_->parse_type("Dict[str, __torch__.a.c.Sub]")->annotation(),
            "Dict[str, __torch__.a.c.Sub]");
  EXPECT_THROW(importer_->resolve_type("__torch__.a.b.Missing"), base::Error);
}

TEST_F(Imported, ReadsConstantsByNumber) {
  core::Tensor three = core::Tensor::empty(core::Dims{}, core::DType::float32);
  *three.data<float>() = 3;
  constants_ = {three};
  files_["__torch__.py"] =
      "def f(x: Tensor,\n    y: Tensor=CONSTANTS.c0) -> Tensor:\n"
      "  return torch.mul(x, CONSTANTS.c0)\n"
      "def g() -> Tensor:\n  return CONSTANTS.c1\n";
  start();
  ir::Function& f = unit_.function("__torch__.f");
  EXPECT_TRUE(f.schema().arguments[1].default_value->to_tensor().same(three));
  EXPECT_EQ(f.graph().find_all("prim::Constant").size(), 1u);
  EXPECT_THROW(unit_.function("__torch__.g").graph(), base::Error);
}

// As PyTorch 2 writes `with torch.profiler.record_function(...)`.
TEST_F(Imported, AProfilersRecordIsAnObjectOfItsClass) {
  files_["__torch__/a.py"] =
      "class Part:\n"
      "  record : Optional[__torch__.torch.classes.profiler._RecordFunction]\n"
      "  def enter(self: __torch__.a.Part,\n    name: str) -> NoneType:\n"
      "    _0 = ops.profiler._record_function_enter_new(name, None)\n"
      "    self.record = _0\n"
      "    ops.profiler._record_function_exit(_0)\n"
      "    return None\n";
  start();
  core::TypePtr part = importer_->resolve_type("__torch__.a.Part");
  ir::Graph& graph = unit_.method(*core::as_class(part), "enter").graph();
  auto entered = graph.find_all("profiler::_record_function_enter_new");
  ASSERT_EQ(entered.size(), 1u);
  EXPECT_EQ(entered[0]->output()->type()->str(),
            "__torch__.torch.classes.profiler._RecordFunction");
  auto left = graph.find_all("profiler::_record_function_exit");
  ASSERT_EQ(left.size(), 1u);
  ASSERT_TRUE(left[0]->op());
  EXPECT_EQ(left[0]->op()->schema.overload, "_RecordFunction");
}

TEST_F(Imported, RefusesOtherStatements) {
  files_["__torch__.py"] = "x = 3\n";
  start();
  EXPECT_THROW(importer_->resolve_type("__torch__.Net"), base::Error);
}

TEST_F(Imported, SurvivesClassesThatNeedThemselves) {
  files_["__torch__.py"] =
      "class A(Module):\n  b : Optional[__torch__.B]\n"
      "class B(Module):\n  a : List[__torch__.A]\n";
  start();
  core::TypePtr a = importer_->resolve_type("__torch__.A");
  EXPECT_EQ(core::as_class(a)->attributes()[0].type->annotation(), "Optional[__torch__.B]");
}

TEST_F(Imported, CallsOfUnknownOperatorsStayInTheGraph) {
  files_["__torch__/a.py"] =
      "class Net(Module):\n"
      "  __parameters__ = []\n"
      "  def forward(self: __torch__.a.Net,\n    x: Tensor) -> Tensor:\n"
      "    u, s, _0, = torch.frobnicate(x, False, driver=None)\n"
      "    y = ops.mine.scale(s, 2)\n"
      "    return torch.add(u, y)\n";
  start();
  importer_->resolve_type("__torch__.a.Net");
  std::string graph = ir::print(unit_.function("__torch__.a.Net.forward").graph());
  for (const char* call : {"%u.1 : Tensor, %s.1 : Tensor, %7 : Tensor = "
                           "aten::frobnicate[keywords=[\"driver\"]](%x.1, %3, %4)",
                           "%y.1 : Tensor = mine::scale(%s.1, %9)"}) {
    EXPECT_NE(graph.find(call), std::string::npos) << graph;
  }
}

}  // namespace
}  // namespace assay::script
