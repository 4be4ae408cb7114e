// Whole models as users of PyTorch export them: what the engine computes, plain and optimized,
// against what PyTorch computes, for two sizes of input.
#include "engine/api/engine.h"

#include <gtest/gtest.h>

#include "engine/api/load.h"
#include "tests/engine/api/archive_test.h"
#include "verify/compare/growth.h"
#include "verify/properties/judging.h"
#include "verify/run/random_rounding.h"

namespace assay::api {
namespace {

struct Model {
  const char* name;
  const char* form;
};

class Models : public testing::TestWithParam<Model> {
 protected:
  void SetUp() override {
    if (!has_torchvision()) GTEST_SKIP() << "no Python with PyTorch and torchvision";
    static const ScriptFolder folder("models.py", "");
    stem_ = (folder.path() / GetParam().name).string() + ".";
    archive_ = stem_ + GetParam().form + ".pt";
    // The trace has no branches, so that its rounding steps are those that run.
    rule_.growth = verify::growth_of(*verify::EngineExport::from_file(stem_ + "traced.pt"));
  }

  void compare(const Engine& engine) {
    Module module = load(engine, archive_);
    for (int i = 0; i < 2; ++i) {
      SCOPED_TRACE("input " + std::to_string(i));
      Module expectation =
          load(engine, stem_ + GetParam().form + "." + std::to_string(i) + ".case.pt");
      const core::Object& state = *expectation.object();
      compare_case(module, state.attribute("inputs").list().items, state.attribute("expected"));
    }
  }

  /// All tensors of the outputs, whatever holds them.
  static verify::Observation gave(const core::Value& outputs) {
    std::vector<core::Tensor> tensors;
    collect_tensors(outputs, tensors);
    verify::Observation run;
    run.ending = verify::Ending::returned;
    run.outputs = core::make_tuple({tensors.begin(), tensors.end()});
    return run;
  }

  void compare_case(Module& module, const core::Values& inputs, const core::Value& expected) {
    verify::Observation got = gave(module.forward(inputs)), wanted = gave(expected);
    verify::CompareOptions options;
    options.bounds = rule_;
    auto rounded = [&](uint64_t draw) {
      verify::RandomRounding rounding(draw);
      ops::HandlerScope scope(module.engine().context(), rounding);
      return std::optional(gave(module.forward(inputs)));
    };
    verify::Comparison result = verify::compare_adjudicated(got, wanted, options, rounded);
    EXPECT_TRUE(result.agrees()) << (result.headline() ? result.headline()->text() : result.reason);
    EXPECT_GT(result.elements(), 0);
  }

  std::string stem_, archive_;
  verify::BoundRule rule_;
};

TEST_P(Models, give_pytorchs_results) { compare(Engine()); }

TEST_P(Models, give_pytorchs_results_optimized) {
  EngineOptions options;
  options.optimize = options.check_passes = true;
  compare(Engine(options));
}

std::vector<Model> all_models() {
  std::vector<Model> made;
  for (const char* name :
       {"resnet18", "resnet50", "mobilenet_v2", "squeezenet1_0", "densenet121", "vit_b_16",
        "deeplabv3_resnet50", "encoder", "lstm", "gru", "embedding"}) {
    for (const char* form : {"traced", "scripted"}) made.push_back({name, form});
  }
  return made;
}

INSTANTIATE_TEST_SUITE_P(Exports, Models, testing::ValuesIn(all_models()), [](const auto& tested) {
  return std::string(tested.param.name) + "_" + tested.param.form;
});

}  // namespace
}  // namespace assay::api
