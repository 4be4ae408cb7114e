#include "engine/api/module.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <optional>

#include "engine/api/load.h"
#include "engine/api/save.h"
#include "engine/base/error.h"
#include "engine/ops/dispatch.h"
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
                         testing::Values("attributes", "flow", "state", "collects", "traced",
                                         "heavy"),
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

TEST_F(ModuleFacts, converts_what_is_floating_and_nothing_else) {
  Module module = loaded("attributes.pt");
  auto types = [&] {
    std::map<std::string, core::DType> out;
    for (const auto& named : {module.parameters(), module.buffers(), module.attributes()}) {
      for (const auto& [path, value] : named) {
        if (value.is_tensor()) out[path] = value.to_tensor().dtype();
      }
    }
    return out;
  };
  auto before = types();
  module.to(core::DType::float64);
  for (const auto& [path, type] : types()) {
    EXPECT_EQ(type, core::is_floating(before[path]) ? core::DType::float64 : before[path]) << path;
  }
  for (const auto& [path, value] : module.parameters()) {
    EXPECT_TRUE(value.to_tensor().requires_grad()) << path;
  }
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

/// The model `Heavy` of archives.py in an engine that optimizes or not.
class HeavyModule : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!archives()) GTEST_SKIP() << "no Python with PyTorch";
    archive_ = *archives() / "heavy.pt";
    module_.emplace(load(engine(), archive_.string()));
  }
  static Engine engine() {
    EngineOptions options;
    options.optimize = options.check_passes = GetParam();
    return Engine(options);
  }

  static void expect(Module module, const char* name) {
    Module expectation = load(Engine(), (*archives() / name).string());
    const core::Object& state = *expectation.object();
    core::Tensor got = module.forward(state.attribute("inputs").list().items).to_tensor();
    core::Tensor wanted = state.attribute("expected").list().items.at(0).to_tensor();
    ASSERT_EQ(got.sizes(), wanted.sizes());
    for (int64_t e = 0; e < got.numel(); ++e) {
      ASSERT_NEAR(element(got, e), element(wanted, e), 1e-5) << name << ", element " << e;
    }
  }
  void expect(const char* name) { expect(*module_, name); }

  /// As `write` of archives.py.
  void write() {
    for (const char* layer : {"wide", "narrow", "head"}) {
      Value weight = module_->object()->attribute(layer).object().attribute("weight");
      for (int64_t row : {3, 200}) {
        ops::Context& context = module_->engine().context();
        Value view = ops::call(context, "aten::select.int", {weight, 0, row});
        ops::call(context, "aten::mul_.Scalar", {view, -2});
      }
    }
  }

  size_t weight_bytes() const {
    size_t bytes = 0;
    for (const auto& [path, value] : module_->parameters()) {
      bytes += value.to_tensor().storage()->nbytes();
    }
    return bytes;
  }

  /// Bytes of the archive that the process has in memory, without those that it changed.
  size_t mapped_bytes() const {
    std::ifstream maps("/proc/self/smaps");
    std::string line;
    size_t kilobytes = 0;
    bool ours = false;
    auto number = [&] { return std::stoul(line.substr(line.find(':') + 1)); };
    while (std::getline(maps, line)) {
      if (line.find('-') < line.find(':')) ours = line.ends_with(archive_.string());
      if (ours && line.starts_with("Rss:")) kilobytes += number();
      if (ours && line.starts_with("Anonymous:")) kilobytes -= number();
    }
    return kilobytes * 1024;
  }

  std::filesystem::path archive_;
  std::optional<Module> module_;
};

// One packed copy of the weights: nothing else may have their size.
TEST_P(HeavyModule, holds_no_more_than_packed_weights_after_a_forward) {
  if (::access("/proc/self/pagemap", R_OK) != 0) GTEST_SKIP() << "no /proc/self/pagemap";
  auto budget = base::make_ref<core::MemoryBudget>(0);
  core::MemoryScope scope(budget);
  expect("heavy.case.pt");
  EXPECT_LT(mapped_bytes(), weight_bytes() / 4);
  EXPECT_LT(budget->held(core::Device{}), weight_bytes() * 5 / 4);
}

TEST_P(HeavyModule, follows_writes_to_packed_weights) {
  expect("heavy.case.pt");
  write();
  expect("heavy.written.case.pt");
  expect("heavy.written.case.pt");
}

TEST_P(HeavyModule, keeps_what_was_written_before_packing) {
  write();
  expect("heavy.written.case.pt");
  expect(load_bytes(engine(), save_bytes(*module_)), "heavy.written.case.pt");
}

INSTANTIATE_TEST_SUITE_P(Engines, HeavyModule, testing::Bool(), [](const auto& instance) {
  return std::string(instance.param ? "optimized" : "plain");
});

}  // namespace
}  // namespace assay::api
