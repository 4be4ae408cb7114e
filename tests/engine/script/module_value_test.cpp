#include "engine/script/module_value.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/ir/verify.h"
#include "engine/script/detail/definer.h"
#include "engine/script/parser.h"

namespace assay::script {
namespace {

/// A module that a test describes.
class FakeModule final : public OutsideModule {
 public:
  explicit FakeModule(Kind kind) : kind_(kind) {}
  Kind kind() const override { return kind_; }
  const Submodules& submodules() const override { return children; }
  StaticValuePtr member(Emission&, const base::SourceRange&, ir::Value*,
                        const std::string& name) override {
    auto found = members.find(name);
    return found == members.end() ? nullptr : found->second;
  }
  std::string why_missing(const std::string& name) const override {
    return name == "explained" ? "(it is an open file)" : "";
  }

  Submodules children;
  std::map<std::string, StaticValuePtr> members;

 private:
  Kind kind_;
};

/// Names of one method: its `self` is the module, and parameters have given default values.
class FakeNames final : public Resolver {
 public:
  StaticValuePtr resolve_value(const std::string&, detail::Emission&,
                               const base::SourceRange&) override {
    return nullptr;
  }
  core::TypePtr resolve_type(const std::string&, const base::SourceRange&) override {
    return nullptr;
  }
  StaticValuePtr self_value(ir::Value* self) override {
    return std::make_shared<detail::ModuleValue>(self, module);
  }
  std::optional<core::Value> default_value(const FunctionDef&, const Param& parameter,
                                           const core::TypePtr&) override {
    if (parameter.name != "given") return std::nullopt;
    return core::Value(7);
  }

  std::shared_ptr<OutsideModule> module;
};

class Modules : public testing::Test {
 protected:
  core::ClassTypePtr define_class(const std::string& name) {
    auto type = std::make_shared<core::ClassType>("__torch__." + name, true);
    unit_.define_class(type);
    return type;
  }
  /// Compiles a method of the class, whose `self` is the module.
  ir::Function& method(const core::ClassTypePtr& owner, const std::string& text,
                       std::shared_ptr<OutsideModule> module, Reader reader = Reader::python) {
    auto source = std::make_shared<base::Source>();
    source->text = text;
    source->name = "net.py";
    names_.push_back(std::make_unique<FakeNames>());
    names_.back()->module = std::move(module);
    definers_.push_back(std::make_unique<detail::Definer>(unit_, *names_.back()));
    auto def = parse_module(source, reader).at(0)->function;
    definers_.back()->define_method(owner, def);
    ir::Function& made = unit_.method(*owner, def->name);
    for (const auto& violation : ir::verify(made.graph())) {
      ADD_FAILURE() << violation.rule << " " << violation.message;
    }
    return made;
  }

  ir::Unit unit_;
  std::vector<std::unique_ptr<FakeNames>> names_;
  std::vector<std::unique_ptr<detail::Definer>> definers_;
  std::shared_ptr<FakeModule> plain_ = std::make_shared<FakeModule>(OutsideModule::Kind::plain);
};

class Lists : public Modules {
 protected:
  void SetUp() override {
    layer_ = define_class("Layer");
    method(layer_, "def forward(self, x):\n    return x\n", plain_);
    list_ = define_class("List");
    auto list = std::make_shared<FakeModule>(OutsideModule::Kind::module_list);
    for (const char* name : {"0", "1", "2"}) {
      list_->add_attribute(name, layer_);
      list->children.emplace_back(name, plain_);
    }
    net_ = define_class("Net");
    net_->add_attribute("layers", list_);
    module_ = std::make_shared<FakeModule>(OutsideModule::Kind::plain);
    module_->children.emplace_back("layers", list);
  }
  size_t calls(const std::string& body) {
    ir::Function& made = method(net_, "def forward(self, x):\n" + body + "    return x\n", module_);
    return made.graph().find_all(ir::kinds().call_method).size();
  }

  core::ClassTypePtr layer_, list_, net_;
  std::shared_ptr<FakeModule> module_;
};

TEST_F(Lists, AreUnrolled) {
  EXPECT_EQ(calls("    for layer in self.layers:\n        x = layer(x)\n"), 3u);
}
TEST_F(Lists, AreNumbered) {
  EXPECT_EQ(calls("    for i, layer in enumerate(self.layers):\n        x = layer(x) + i\n"), 3u);
}
TEST_F(Lists, AreIndexedByLiterals) { EXPECT_EQ(calls("    x = self.layers[-1](x)\n"), 1u); }
TEST_F(Lists, AreSliced) {
  EXPECT_EQ(calls("    for layer in self.layers[1:]:\n        x = layer(x)\n"), 2u);
}
TEST_F(Lists, AreListedByName) {
  EXPECT_EQ(calls("    for name, m in self.layers.named_children():\n        x = m(x)\n"), 3u);
}
TEST_F(Lists, RefuseUnknownIndices) {
  EXPECT_THROW(calls("    i = x.size(0)\n    x = self.layers[i](x)\n"), base::Error);
}
TEST_F(Lists, RefuseToBreak) {
  EXPECT_THROW(calls("    for layer in self.layers:\n        break\n"), base::Error);
}

TEST_F(Modules, RunHooksAroundForward) {
  core::ClassTypePtr type = define_class("Hooked");
  method(type, "def forward(self, x):\n    return x\n", plain_);
  method(type, "def before(self, args: Tuple[Tensor]) -> Tuple[Tensor]:\n    return args\n",
         plain_);
  type->pre_hooks = {"before"};
  core::ClassTypePtr net = define_class("Net");
  net->add_attribute("inner", type);
  auto module = std::make_shared<FakeModule>(OutsideModule::Kind::plain);
  module->children.emplace_back("inner", plain_);
  ir::Graph& graph =
      method(net, "def forward(self, x):\n    return self.inner(x)\n", module).graph();
  EXPECT_EQ(graph.find_all(ir::kinds().call_function).size(), 1u);
  EXPECT_EQ(graph.find_all(ir::kinds().call_method).size(), 1u);
}

TEST_F(Modules, LeaveCallsToTheProgramOutside) {
  core::ClassTypePtr net = define_class("Net");
  ops::Schema schema;
  schema.name = "helper";
  schema.arguments.push_back({"x", core::tensor_type(), {}, false, {}, {}});
  schema.returns.push_back({"", core::tensor_type(), {}, false, {}, {}});
  plain_->members["helper"] =
      std::make_shared<detail::OutsideFunction>("helper", "helper#0", std::move(schema));
  ir::Graph& graph =
      method(net, "def forward(self, x):\n    return self.helper(x)\n", plain_).graph();
  EXPECT_NE(graph.str().find("= ^helper[]()(%x"), std::string::npos) << graph.str();
}

TEST_F(Modules, TakeDefaultValuesFromOutside) {
  core::ClassTypePtr net = define_class("Net");
  ir::Function& made = method(
      net, "def forward(self, x, given: int = unknown(), n: int = 2):\n    return x\n", plain_);
  EXPECT_EQ(made.schema().arguments[2].default_value->to_int(), 7);
  EXPECT_EQ(made.schema().arguments[3].default_value->to_int(), 2);
}

TEST_F(Modules, SayWhyANameIsMissing) {
  core::ClassTypePtr net = define_class("Net");
  try {
    method(net, "def forward(self, x):\n    return self.explained + x\n", plain_);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(error.message().find("(it is an open file)"), std::string::npos);
    EXPECT_EQ(error.range().line(), 2);
  }
}

TEST_F(Modules, FollowTheReaderOfPython) {
  core::ClassTypePtr net = define_class("Net");
  std::string text = "def f(self, xs: List[int]):\n    return [x for x in xs if x > 0]\n";
  EXPECT_THROW(method(net, text, plain_), base::Error);
  core::ClassTypePtr other = define_class("Other");
  method(other, text, plain_, Reader::text);
}

}  // namespace
}  // namespace assay::script
