#include "engine/optimize/specialized_method.h"

#include <gtest/gtest.h>

#include "engine/api/load.h"
#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/api/archive_test.h"
#include "tests/engine/archive/small_archive_test.h"
#include "verify/compare/values.h"

namespace assay::optimize {

using api::Engine;
using api::EngineOptions;
using api::Module;

namespace {

using core::Value;

/// The scripted model `Collects` of archives.py, in an engine that optimizes and in one that does
/// not.
class SpecializedModule : public testing::Test {
 protected:
  void SetUp() override {
    if (!api::archives()) GTEST_SKIP() << "no Python with PyTorch";
    EngineOptions options;
    options.optimize = options.check_passes = true;
    fast_.emplace(api::load(Engine(options), (*api::archives() / "collects.pt").string()));
    plain_.emplace(api::load(Engine(), (*api::archives() / "collects.pt").string()));
    Module expectation = api::load(Engine(), (*api::archives() / "collects.case.pt").string());
    image_ = expectation.object()->attribute("inputs").list().items[0];
  }

  SpecializedMethod made(Module& module, ir::Rank rank) {
    return SpecializedMethod(module.object(), module.function("forward"), module.unit(),
                             module.engine().context(), {rank}, true);
  }

  /// Both modules give the same for the image.
  void expect_agreement() {
    std::vector<core::Tensor> got, wanted;
    api::collect_tensors(fast_->forward({image_}), got);
    api::collect_tensors(plain_->forward({image_}), wanted);
    ASSERT_EQ(got.size(), 1U);
    verify::Bound bound{.atol = 1e-5, .rtol = 1e-5};
    auto error = verify::compare_detail::compare_values(got[0], wanted[0], bound);
    EXPECT_EQ(error.compared, wanted[0].numel());
    EXPECT_EQ(error.mismatched, 0) << error.worst_subject << " for " << error.worst_reference;
  }

  std::optional<Module> fast_, plain_;
  Value image_;
};

TEST_F(SpecializedModule, leaves_only_what_arguments_decide) {
  SpecializedMethod form = made(*fast_, 4);
  ASSERT_NE(form.function(), nullptr);
  const ir::Graph& graph = form.function()->graph();
  EXPECT_EQ(graph.find_all("assay::convolution").size(), 1U);
  for (const char* gone : {"prim::If", "prim::Loop", "prim::GetAttr", "aten::batch_norm",
                           "aten::relu_", "aten::append", "aten::_set_item"}) {
    EXPECT_TRUE(graph.find_all(gone).empty()) << gone;
  }
  expect_agreement();
}

TEST_F(SpecializedModule, another_rank_gets_another_form) {
  expect_agreement();
  Value flat = ops::call(fast_->engine().context(), "aten::select.int", {image_, 0, 0});
  EXPECT_THROW(fast_->forward({flat}), base::Error);
  expect_agreement();
}

TEST_F(SpecializedModule, follows_the_module_into_training_and_back) {
  expect_agreement();
  for (Module* module : {&*fast_, &*plain_}) module->train();
  EXPECT_EQ(made(*fast_, 4).function(), nullptr) << "statistics are written";
  expect_agreement();
  for (Module* module : {&*fast_, &*plain_}) module->eval();
  EXPECT_NE(made(*fast_, 4).function(), nullptr);
  expect_agreement();
}

TEST_F(SpecializedModule, notices_weights_and_lists_that_changed) {
  SpecializedMethod form = made(*fast_, 4);
  EXPECT_TRUE(form.is_current());
  expect_agreement();
  for (Module* module : {&*fast_, &*plain_}) {
    Value weight = module->parameters().at(0).second;
    ops::call(module->engine().context(), "aten::mul_.Scalar", {weight, 3});
  }
  EXPECT_FALSE(form.is_current());
  expect_agreement();
  SpecializedMethod again = made(*fast_, 4);
  for (Module* module : {&*fast_, &*plain_}) {
    module->object()->attribute("names").list().items[1] = Value("c");
  }
  EXPECT_FALSE(again.is_current());
  std::vector<core::Tensor> got;
  api::collect_tensors(fast_->forward({image_}), got);
  EXPECT_TRUE(got.empty());
}

TEST_F(SpecializedModule, FollowsWhatIsWrittenThroughAPointer) {
  expect_agreement();
  for (int i = 0; i < 2; ++i) {
    for (Module* module : {&*fast_, &*plain_}) {
      core::Tensor weight = module->parameters().at(0).second.to_tensor();
      weight.data<float>()[0] += 1;
    }
    EXPECT_EQ(made(*fast_, 4).function(), nullptr) << "its weights may change unseen";
    expect_agreement();
  }
}

TEST_F(SpecializedModule, FollowsWhatAHostViewWrote) {
  expect_agreement();
  for (Module* module : {&*fast_, &*plain_}) {
    core::Tensor weight = module->parameters().at(0).second.to_tensor();
    core::HostView view(weight.storage(), core::Access::write);
    *weight.device_data<float>() += 1;
  }
  EXPECT_NE(made(*fast_, 4).function(), nullptr);
  expect_agreement();
}

TEST(SpecializedMethod, WatchesAnAttributeThatUnfoldsWithoutEnd) {
  std::string body =
      "  a : List[Any]\n  def forward(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n"
      "    return torch.neg(x)\n";
  std::string data = archive::net_pickle();
  data.insert(data.size() - 3, std::string("X\x01\0\0\0a]", 7));
  EngineOptions options;
  options.optimize = options.check_passes = true;
  Module module = api::load_bytes(
      Engine(options), archive::zip_of(archive::net_members(body, {{"data.pkl", data}})));
  core::Value held = module.object()->attribute("a"), inner(1);
  for (int i = 0; i < 60; ++i) {
    inner = core::Value(core::make_list(core::any_type(), {inner, inner}));
  }
  held.list().items = {inner};
  core::Tensor one = core::Tensor::empty(core::Dims{1}, core::DType::float32);
  one.data<float>()[0] = 1;
  EXPECT_EQ(module.forward({one}).to_tensor().data<float>()[0], -1);
  EXPECT_EQ(module.forward({one}).to_tensor().data<float>()[0], -1);
}

}  // namespace
}  // namespace assay::optimize
