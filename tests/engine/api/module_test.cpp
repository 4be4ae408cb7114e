#include "engine/api/module.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/api/load.h"
#include "engine/base/error.h"
#include "tests/engine/api/archive_test.h"

namespace assay::api {
namespace {

using core::Value;

class ModuleTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!archives()) GTEST_SKIP() << "no Python with PyTorch";
    folder_ = *archives();
  }
  Module loaded(const std::string& name) { return load(engine_, (folder_ / name).string()); }

  Engine engine_;
  std::filesystem::path folder_;
};

float element(const core::Tensor& tensor, int64_t index) {
  int64_t offset = 0;
  for (size_t d = tensor.sizes().size(); d-- > 0;) {
    offset += index % tensor.sizes()[d] * tensor.strides()[d];
    index /= tensor.sizes()[d];
  }
  return tensor.data<float>()[offset];
}

TEST_P(ModuleTest, gives_pytorchs_results) {
  Module module = loaded(std::string(GetParam()) + ".pt");
  Module expectation = loaded(std::string(GetParam()) + ".case.pt");
  const core::Object& state = *expectation.object();
  Value result = module.forward(state.attribute("inputs").list().items);
  std::vector<core::Tensor> got, wanted;
  collect_tensors(result, got);
  collect_tensors(state.attribute("expected"), wanted);
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].sizes(), wanted[i].sizes());
    ASSERT_EQ(got[i].dtype(), wanted[i].dtype());
    for (int64_t e = 0; e < got[i].numel(); ++e) {
      float expected = element(wanted[i], e);
      ASSERT_NEAR(element(got[i], e), expected, 1e-5f + 1.3e-6f * std::fabs(expected));
    }
  }
}

TEST_P(ModuleTest, prints_pytorchs_code) {
  Module module = loaded(std::string(GetParam()) + ".pt");
  EXPECT_EQ(module.code("forward"), contents(folder_ / (std::string(GetParam()) + ".code")));
}

INSTANTIATE_TEST_SUITE_P(Archives, ModuleTest,
                         testing::Values("attributes", "flow", "state", "collects", "traced"),
                         [](const auto& instance) { return std::string(instance.param); });

using ModuleFacts = ModuleTest;

TEST_F(ModuleFacts, lists_state_by_path_and_role) {
  Module module = loaded("attributes.pt");
  std::vector<std::string> parameters, buffers;
  for (const auto& [path, value] : module.parameters()) parameters.push_back(path);
  for (const auto& [path, value] : module.buffers()) buffers.push_back(path);
  EXPECT_EQ(parameters, (std::vector<std::string>{"linear.weight", "linear.bias"}));
  EXPECT_EQ(buffers, (std::vector<std::string>{"whole", "part"}));
  EXPECT_TRUE(module.parameters()[0].second.to_tensor().requires_grad());
  EXPECT_EQ(module.buffers()[0].second.to_tensor().storage(),
            module.buffers()[1].second.to_tensor().storage());
  EXPECT_EQ(module.modules().size(), 2u);
}

TEST_F(ModuleFacts, attributes_have_their_declared_types) {
  Module module = loaded("attributes.pt");
  const core::Object& object = *module.object();
  EXPECT_EQ(object.attribute("numbers").type()->annotation(), "Dict[str, int]");
  EXPECT_EQ(object.attribute("empty").type()->annotation(), "List[int]");
  EXPECT_EQ(object.attribute("mixed").type()->annotation(), "Tuple[int, float, str]");
  EXPECT_EQ(object.attribute("mood").enumeration().name, "LOUD");
  EXPECT_TRUE(object.attribute("maybe").is_none());
}

TEST_F(ModuleFacts, nodes_know_their_line_of_python) {
  Module module = loaded("attributes.pt");
  bool found = false;
  module.graph("forward").for_each([&](ir::Node* node) {
    base::SourceRange range = node->range().original();
    if (!node->is("aten::sum")) return;
    found = true;
    EXPECT_NE(range.source->name.find("archives.py"), std::string::npos) << range.place();
    EXPECT_NE(range.picture().find("self.part.sum()"), std::string::npos) << range.picture();
  });
  EXPECT_TRUE(found);
}

TEST_F(ModuleFacts, default_and_keyword_arguments) {
  Module module = loaded("attributes.pt");
  Value x(core::Tensor::empty(core::Dims{1, 3}, core::DType::float32));
  EXPECT_NO_THROW(module.forward({x}, {{"scale", Value(3)}}));
  EXPECT_THROW(module.forward({}), base::Error);
  EXPECT_THROW(module.forward({x}, {{"nonsense", Value(3)}}), base::Error);
  EXPECT_THROW(module.call("nonsense", {x}), base::Error);
}

TEST_F(ModuleFacts, moves_to_a_fake_device_and_back) {
  Module module = loaded("attributes.pt");
  core::Device fake{core::DeviceType::fake, 0};
  module.to(fake);
  for (const auto& [path, value] : module.parameters()) {
    EXPECT_EQ(value.to_tensor().device(), fake) << path;
    EXPECT_TRUE(value.to_tensor().requires_grad());
  }
  Value x(core::Tensor::empty(core::Dims{1, 3}, core::DType::float32));
  EXPECT_THROW(module.forward({x}), base::Error);
  module.to(core::Device{});
  EXPECT_NO_THROW(module.forward({x}));
}

TEST_F(ModuleFacts, map_location_overrides_where_tensors_were_saved) {
  LoadOptions options;
  options.map_location = core::Device{core::DeviceType::fake, 1};
  Module module = load(engine_, (folder_ / "attributes.pt").string(), options);
  EXPECT_EQ(module.buffers()[0].second.to_tensor().device(), *options.map_location);
}

TEST_F(ModuleFacts, train_and_eval_reach_submodules) {
  Module module = loaded("traced.pt");
  module.train();
  for (const auto& [path, object] : module.modules()) {
    EXPECT_TRUE(object->attribute("training").to_bool()) << path;
  }
}

}  // namespace
}  // namespace assay::api
