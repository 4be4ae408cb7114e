#include "verify/run/engine_runner.h"

#include <gtest/gtest.h>

#include "engine/core/host_access.h"
#include "verify/graph/substitute.h"
#include "verify/run/engine_export.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

/// A model of the corpus at a point of its spec.
struct Model {
  Model(const std::string& folder, const std::string& archive, const std::vector<SpecPiece>& pieces)
      : spec(parse_spec(pieces)),
        exported(EngineExport::from_file("corpus/" + folder + "/" + archive)),
        runner(exported->runner()) {}

  Case at(const Bindings& sizes, const base::FlatMap<std::string>& choices = {}) const {
    return build_case(spec, *nearest_point(spec, Point{sizes, choices, 3}));
  }

  Spec spec;
  std::shared_ptr<EngineExport> exported;
  std::shared_ptr<Runner> runner;
};

TEST(EngineRunner, GivesOutputsOrTheErrorWithItsSourceLine) {
  Model m("sizes/arange_len", "trace.pt", {{"input", "x: f32[n]"}, {"dim", "n=0..16"}});
  Observation right = m.runner->run(m.at({{"n", 7}}));
  ASSERT_EQ(right.ending, Ending::returned);
  EXPECT_EQ(right.outputs.to_tensor().sizes(), core::Dims{7});
  EXPECT_FALSE(right.inputs_changed);
  Observation wrong = m.runner->run(m.at({{"n", 5}}));
  ASSERT_EQ(wrong.ending, Ending::raised);
  EXPECT_TRUE(wrong.outputs.is_none());
  EXPECT_NE(wrong.failure->message.find("The size of tensor a (5) must match"), std::string::npos);
  EXPECT_EQ(wrong.failure->place.file, "model.py");
  EXPECT_EQ(wrong.failure->place.line, 8);
}

TEST(EngineRunner, AnErrorInsideOfPyTorchIsAtTheUsersLineThatCalledIt) {
  Model m("modes/single_row_in_train", "script.pt", {{"input", "x: f32[n, 4]"}, {"dim", "n=1..4"}});
  Case one = m.at({{"n", 1}});
  one.point.choices["mode"] = "train";
  Observation rejected = m.runner->run(one);
  ASSERT_EQ(rejected.ending, Ending::raised);
  EXPECT_EQ(rejected.failure->place.file, "model.py");
  EXPECT_EQ(rejected.failure->place.line, 13);
}

TEST(EngineRunner, EqualCasesGiveEqualObservations) {
  Model m("sizes/arange_len", "script.pt", {{"input", "x: f32[n]"}, {"dim", "n=0..16"}});
  core::Tensor a = m.runner->run(m.at({{"n", 9}})).outputs.to_tensor();
  core::Tensor b = m.runner->run(m.at({{"n", 9}})).outputs.to_tensor();
  for (int64_t i = 0; i < 9; ++i) EXPECT_EQ(a.data<float>()[i], b.data<float>()[i]);
}

TEST(EngineRunner, RunsAnEditedGraphInPlaceOfItsOwn) {
  Model m("sizes/arange_len", "trace.pt", {{"input", "x: f32[n]"}, {"dim", "n=0..16"}});
  const Program& program = m.exported->program();
  size_t arange = 0;
  while (program.steps[arange].op != "aten::arange") ++arange;
  auto graph = substitute(program, {{arange, 0, core::Value(5)}}, {});
  auto edited = m.exported->run_with(graph);
  EXPECT_EQ(edited->run(m.at({{"n", 5}})).ending, Ending::returned);
  EXPECT_EQ(edited->run(m.at({{"n", 7}})).ending, Ending::raised);
  EXPECT_EQ(m.runner->run(m.at({{"n", 7}})).ending, Ending::returned);  // The subject is whole.
}

TEST(EngineRunner, SaysWhatItCannotDo) {
  Model m("sizes/arange_len", "script.pt",
          {{"input", "x: f32[n]"},
           {"dim", "n=0..16"},
           {"devices", "cpu,fake:0"},
           {"autocast", "off,on"}});
  EXPECT_EQ(m.runner->cannot_run(m.at({{"n", 3}}, {{"autocast", "on"}})), "");
  EXPECT_NE(m.runner->cannot_run(m.at({{"n", 3}}, {{"device", "fake:0"}, {"autocast", "on"}})), "");
}

TEST(EngineRunner, ChangesAndCastsParametersAndReloads) {
  Model m("state/stale_weights", "subject.pt",
          {{"input", "x: f32[n, 4]"},
           {"dim", "n=1..4"},
           {"dtypes", "x:f32,f64"},
           {"state", "kept,changed"},
           {"reload", "off,on"}});
  auto output = [&](const base::FlatMap<std::string>& choices) {
    Observation o = m.runner->run(m.at({{"n", 2}}, choices));
    EXPECT_EQ(o.ending, Ending::returned) << (o.failure ? o.failure->message : "");
    EXPECT_TRUE(o.state.empty());
    return o.outputs.to_tensor();
  };
  core::Tensor plain = output({});
  EXPECT_EQ(output({{"dtype x", "f64"}}).dtype(), core::DType::float64);
  EXPECT_TRUE(core::same_bytes(output({{"reload", "on"}}), plain));
  EXPECT_FALSE(core::same_bytes(output({{"state", "changed"}}), plain));
  EXPECT_TRUE(core::same_bytes(output({}), plain));
}

TEST(EngineRunner, RunsUnderAutocast) {
  Model m("sizes/arange_len", "script.pt",
          {{"input", "x: bf16[n]"}, {"dim", "n=0..16"}, {"autocast", "off,on"}});
  auto type = [&](const char* autocast) {
    Observation o = m.runner->run(m.at({{"n", 3}}, {{"autocast", autocast}}));
    return o.outputs.to_tensor().dtype();
  };
  EXPECT_EQ(type("off"), core::DType::bfloat16);
  EXPECT_EQ(type("on"), core::DType::float32);  // As PyTorch 1.13 adds in TorchScript.
  EXPECT_EQ(type("off"), core::DType::bfloat16);
}

TEST(EngineRunner, StateIsPutBackBetweenRunsAndKeptBetweenCalls) {
  Model m("state/buffer_updated", "trace.pt",
          {{"input", "x: f32[n, 4]"}, {"dim", "n=1..4"}, {"calls", "1..3"}});
  Observation once = m.runner->run(m.at({{"n", 2}}, {{"call", "1"}}));
  ASSERT_EQ(once.ending, Ending::returned) << once.failure->message;
  ASSERT_FALSE(once.state.empty());
  EXPECT_EQ(once.state[0].kind, StateChange::Kind::buffer);
  Observation again = m.runner->run(m.at({{"n", 2}}, {{"call", "1"}}));
  float first = *once.state[0].value.to_tensor().data<float>();
  EXPECT_EQ(first, *again.state[0].value.to_tensor().data<float>());
  Observation three = m.runner->run(m.at({{"n", 2}}, {{"call", "3"}}));
  EXPECT_NE(first, *three.state[0].value.to_tensor().data<float>());
}

TEST(EngineRunner, EachCallOfASequenceDrawsFromTheCasesSeed) {
  Model m("randomness/torch_noise", "trace.pt",
          {{"input", "x: f32[n, 3]"}, {"dim", "n=1..4"}, {"calls", "1..3"}});
  auto noise = [&](const char* call) {
    Observation o = m.runner->run(m.at({{"n", 2}}, {{"call", call}, {"value x", "zeros"}}));
    return *o.outputs.to_tensor().data<float>();
  };
  EXPECT_NE(noise("1"), 0.0F);
  EXPECT_EQ(noise("3"), noise("1"));  // As in a host, which is asked for one call after the other.
}

TEST(EngineRunner, NoticesAnInputThatWasChanged) {
  Model m("inplace/input_changed", "trace.pt", {{"input", "x: f32[n, 3]"}, {"dim", "n=1..4"}});
  Observation o = m.runner->run(m.at({{"n", 2}}));
  ASSERT_EQ(o.ending, Ending::returned) << o.failure->message;
  EXPECT_TRUE(o.inputs_changed);
}

TEST(EngineRunner, AFakeDeviceObeysTheRulesOfARealOne) {
  Model pinned(
      "devices/new_zeros", "trace.pt",
      {{"input", "x: f32[n, m]"}, {"dim", "n=1..6"}, {"dim", "m=1..6"}, {"devices", "cpu,fake:0"}});
  Case cpu = pinned.at({{"n", 2}, {"m", 3}}, {{"device", "cpu"}});
  Case fake = pinned.at({{"n", 2}, {"m", 3}}, {{"device", "fake:0"}});
  EXPECT_EQ(pinned.runner->run(cpu).ending, Ending::returned);
  Observation other = pinned.runner->run(fake);
  EXPECT_EQ(other.ending, Ending::raised);
  EXPECT_NE(other.failure->message.find("same device"), std::string::npos);
}

}  // namespace
}  // namespace assay::verify
