// Whole models as users of PyTorch export them: what the engine computes, plain and optimized,
// against what PyTorch computes, for two sizes of input.
#include "engine/api/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/api/load.h"
#include "engine/core/elements.h"
#include "tests/engine/api/archive_test.h"
#include "verify/compare/growth.h"
#include "verify/compare/values.h"

namespace assay::api {
namespace {

struct Model {
  const char* name;
  const char* form;
};

// Under sanitizers only the smaller one, and each form of a model in one of the two ways to run it:
// whether memory is held to, not whether values are right.
#ifdef ASSAY_SANITIZED
constexpr int input_count = 1;
const std::vector<const char*> forms_run_plain{"traced"}, forms_run_optimized{"scripted"};
#else
constexpr int input_count = 2;
const std::vector<const char*> forms_run_plain{"traced", "scripted"};
const std::vector<const char*> forms_run_optimized = forms_run_plain;
#endif

class Models : public testing::TestWithParam<Model> {
 protected:
  void SetUp() override {
    if (!has_torchvision()) GTEST_SKIP() << "no Python with PyTorch and torchvision";
    static const std::filesystem::path folder = kept_folder("models.py", {"archives.py"});
    stem_ = (folder / GetParam().name).string() + ".";
    archive_ = stem_ + GetParam().form + ".pt";
    rule_.growth = growth();
  }

  /// Of the trace, which has no branches: its rounding steps are those that run.
  double growth() const {
    static std::map<std::string, double> known;
    auto found = known.find(stem_);
    if (found != known.end()) return found->second;
    double fresh = verify::growth_of(*verify::EngineExport::from_file(stem_ + "traced.pt"));
    return known[stem_] = fresh;
  }

  void compare(const Engine& engine) {
    Module module = load(engine, archive_);
    for (int i = 0; i < input_count; ++i) {
      SCOPED_TRACE("input " + std::to_string(i));
      Module expectation =
          load(engine, stem_ + GetParam().form + "." + std::to_string(i) + ".case.pt");
      const core::Object& state = *expectation.object();
      compare_case(module, state.attribute("inputs").list().items, state.attribute("expected"));
    }
  }

  /// Outputs of a network are sums of terms as large as the largest of them: all may be as far off.
  verify::Bound bound_of(const core::Tensor& wanted) const {
    verify::Bound bound = rule_.bound_for("output", wanted.dtype());
    double largest = 0;
    for (const core::Scalar& x : core::elements(wanted)) {
      largest = std::max(largest, std::fabs(x.to_double()));
    }
    bound.atol = bound.rtol * largest;
    return bound;
  }

  void compare_case(Module& module, const core::Values& inputs, const core::Value& expected) {
    std::vector<core::Tensor> got, wanted;
    collect_tensors(module.forward(inputs), got);
    collect_tensors(expected, wanted);
    ASSERT_EQ(got.size(), wanted.size());
    ASSERT_FALSE(wanted.empty());
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i].sizes(), wanted[i].sizes());
      ASSERT_EQ(got[i].dtype(), wanted[i].dtype());
      verify::Bound bound = bound_of(wanted[i]);
      auto error = verify::compare_detail::compare_values(got[i], wanted[i], bound);
      EXPECT_EQ(error.compared, wanted[i].numel());
      EXPECT_EQ(error.mismatched, 0)
          << error.worst_subject << " instead of " << error.worst_reference << ", " << bound.text();
    }
  }

  std::string stem_, archive_;
  verify::BoundRule rule_;
};

class OptimizedModels : public Models {};

TEST_P(Models, give_pytorchs_results) { compare(Engine()); }

TEST_P(OptimizedModels, give_pytorchs_results) {
  EngineOptions options;
  options.optimize = options.check_passes = true;
  compare(Engine(options));
}

std::vector<Model> models_in(const std::vector<const char*>& forms) {
  std::vector<Model> made;
  for (const char* name :
       {"resnet18", "resnet50", "mobilenet_v2", "squeezenet1_0", "densenet121", "vit_ti_16",
        "deeplabv3_resnet50", "encoder", "lstm", "gru", "embedding"}) {
    for (const char* form : forms) made.push_back({name, form});
  }
  return made;
}

std::string name_of(const testing::TestParamInfo<Model>& tested) {
  return std::string(tested.param.name) + "_" + tested.param.form;
}

INSTANTIATE_TEST_SUITE_P(Exports, Models, testing::ValuesIn(models_in(forms_run_plain)), name_of);
INSTANTIATE_TEST_SUITE_P(Exports, OptimizedModels,
                         testing::ValuesIn(models_in(forms_run_optimized)), name_of);

}  // namespace
}  // namespace assay::api
