// What a host's exports hold and tell.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/verify/host/with_torch.h"
#include "verify/host/pytorch_host.h"

namespace assay::verify::host {
namespace {

TEST_F(WithTorch, traces_with_warnings_at_the_users_line) {
  load("Pinned");
  using Kind = ExportRequest::Kind;
  Export made = host().export_model(exporting(Kind::trace, {floats({3, 2})}));
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  EXPECT_EQ(made.archive.substr(0, 2), "PK");
  ASSERT_EQ(made.warnings.size(), 1u);
  EXPECT_EQ(made.warnings[0].category, "TracerWarning");
  EXPECT_TRUE(made.warnings[0].place.file.ends_with("model_under_test.py"));
  ExportRequest meta = exporting(Kind::trace, {floats({3, 2})});
  meta.device = "meta";
  Export hollow = host().export_model(meta);
  ASSERT_EQ(hollow.ending, Ending::returned) << hollow.failure->message;
  EXPECT_EQ(host().export_model(exporting(Kind::script, {})).ending, Ending::returned);
  // The device literal followed the input: beside an input on the CPU it does not fit.
  EXPECT_EQ(run_archive(host(), made.archive, floats({3, 2})).ending, Ending::returned);
  Observation mixed = run_archive(host(), hollow.archive, floats({3, 2}));
  ASSERT_EQ(mixed.ending, Ending::raised);
  EXPECT_NE(mixed.failure->message.find("meta"), std::string::npos) << mixed.failure->message;
  load("Raises");
  EXPECT_EQ(host().export_model(exporting(Kind::trace, {floats({2})})).failure->type, "ValueError");
}

TEST_F(WithTorch, traces_tell_what_left_the_graph) {
  load("escaping");
  Tensor x = floats({3, 2});
  x.data<float>()[0] = 2.5;
  for (int i = 1; i < 6; ++i) x.data<float>()[i] = 0.5;
  Export made = host().export_model(exporting(ExportRequest::Kind::trace, {x}));
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  std::vector<std::string> seen;
  for (const Escape& e : made.escapes) {
    ASSERT_TRUE(e.value.has_value());
    EXPECT_TRUE(e.place.file.ends_with("model_under_test.py"));
    EXPECT_EQ(e.place.function, "escaping");
    int line = e.place.line - made.escapes[0].place.line;
    seen.push_back(fmt::format("{} {} +{}", e.kind, e.value->to_double(), line));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"index 3 +0", "bool 1 +1", "item 2.5 +2", "dim 2 +3",
                                            "int 3 +3"}));
  // Nothing listens any more.
  EXPECT_EQ(host().run(call({x})).ending, Ending::returned);
}

TEST_F(WithTorch, traces_tell_what_went_past_the_tracer) {
  load("past_the_tracer");
  Export made = host().export_model(exporting(ExportRequest::Kind::trace, {floats({3, 2})}));
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  std::vector<std::string> seen;
  for (const Escape& e : made.escapes) {
    int line = e.place.line - made.escapes[0].place.line;
    std::string value = e.value ? fmt::format(" {}", e.value->to_double()) : "";
    seen.push_back(fmt::format("{}{} {} +{}", e.kind, value, e.numbers.size(), line));
  }
  EXPECT_EQ(seen,
            (std::vector<std::string>{"tolist 6 +0", "data 0 +1", "random 3 0 +2", "stride 2 0 +2",
                                      "numpy 6 +2", "is_tracing 1 0 +3", "is_contiguous 1 0 +3"}));
  // Nothing listens any more.
  EXPECT_EQ(host().run(call({floats({3, 2})})).ending, Ending::returned);
}

TEST_F(WithTorch, loads_a_frozen_archive) {
  // Freezing leaves no attribute `training`; parameters of archives have to go to `meta`, too.
  load("frozen");
  Export frozen = host().export_model(exporting(ExportRequest::Kind::script, {}));
  ASSERT_EQ(frozen.ending, Ending::returned) << frozen.failure->message;
  EXPECT_EQ(run_archive(host(), frozen.archive, floats({2, 4})).ending, Ending::returned);
  load("Net");
  Export plain = host().export_model(exporting(ExportRequest::Kind::trace, {floats({2, 4})}));
  EXPECT_EQ(run_archive(host(), plain.archive, floats({2, 4})).ending, Ending::returned);
  CallRequest on_meta = call({floats({2, 4})});
  on_meta.device = "meta";
  Observation seen = host().run(on_meta);
  EXPECT_EQ(seen.ending, Ending::returned) << seen.failure->message;
}

TEST_F(WithTorch, traces_without_an_optional_input_that_is_none) {
  load("optional");
  Export made = host().export_model(exporting(ExportRequest::Kind::trace, {floats({2}), Value()}));
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  Observation seen = run_archive(host(), made.archive, floats({2}));
  ASSERT_EQ(seen.ending, Ending::returned) << seen.failure->message;
  EXPECT_EQ(seen.outputs.to_tensor().data<float>()[1], 2 * floats({2}).data<float>()[1]);
}

/// A named tuple of the models' own class.
Value record(const std::string& name, const std::vector<std::string>& fields, core::Values items) {
  std::vector<core::TypePtr> types;
  for (const Value& item : items) types.push_back(item.type());
  auto type = core::named_tuple(name, types, fields);
  return base::make_ref<core::TupleObject>(std::move(items), type);
}

TEST_F(WithTorch, traces_what_it_can_take_and_fixes_the_rest) {
  load("Mixed");
  ExportRequest request =
      exporting(ExportRequest::Kind::trace,
                {record("Pair", {"first", "second"}, {floats({2}, 1), floats({2}, 10)}),
                 record("Settings", {"weight", "times"}, {floats({2}, 2), Value(3)}), Value(2)});
  request.kwargs = {{"sign", Value(std::string("-"))}};
  Observation of_model = host().run(request);
  ASSERT_EQ(of_model.ending, Ending::returned) << of_model.failure->message;
  EXPECT_EQ(of_model.outputs.to_tensor().data<float>()[0], -46);  // -((1*2*3)**2 + 10)
  EXPECT_EQ(of_model.args_after[1].tuple().items[1].to_int(), 3);
  Export made = host().export_model(request);
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  ASSERT_TRUE(made.taken.has_value());
  using Path = ArgumentPath;
  EXPECT_EQ(made.taken->inputs, (std::vector<Path>{{0, "first"}, {0, "second"}, {1, "weight"}}));
  core::Values passed = made.taken->chosen(request.args, request.kwargs);
  ASSERT_EQ(passed.size(), 3u);
  EXPECT_EQ(bytes(passed[2]), bytes(floats({2}, 2)));
  // The archive in PyTorch, with the arguments of the model: the host chooses from them alike.
  std::string path = ::testing::TempDir() + "mixed.pt";
  std::ofstream(path, std::ios::binary) << made.archive;
  host().load_archive(path);
  request.of_archive = true;
  request.taken = made.taken;
  Observation of_archive = host().run(request);
  ASSERT_EQ(of_archive.ending, Ending::returned) << of_archive.failure->message;
  EXPECT_EQ(bytes(of_archive.outputs), bytes(of_model.outputs));
  EXPECT_EQ(of_archive.args_after.size(), 3u);
  EXPECT_EQ(of_archive.state.at(0).path, "seen");  // Not below a wrapper's name.
  host().forget_archive();
}

TEST_F(WithTorch, traces_without_what_is_none_between_other_arguments) {
  load("Changes");
  ExportRequest request = exporting(ExportRequest::Kind::trace, {floats({3}), Value()});
  Export made = host().export_model(request);
  ASSERT_EQ(made.ending, Ending::returned) << made.failure->message;
  EXPECT_EQ(made.taken->inputs, (std::vector<ArgumentPath>{{0}}));
  EXPECT_EQ(made.taken->absent, (std::vector<ArgumentPath>{{1}}));
}

TEST_F(WithTorch, a_call_without_a_tensor_is_not_traced) {
  load("optional");
  Export made = host().export_model(exporting(ExportRequest::Kind::trace, {Value(3)}));
  EXPECT_EQ(made.ending, Ending::raised);
  EXPECT_NE(made.failure->message.find("no argument holds a tensor"), std::string::npos);
}

TEST_F(WithTorch, a_record_of_no_such_class_names_those_there_are) {
  load("Mixed");
  Observation seen = host().run(call({record("Pear", {"first"}, {floats({2})})}));
  EXPECT_EQ(seen.ending, Ending::not_run);
  EXPECT_NE(seen.failure->message.find("dataclass Pear: those there are Pair, Settings"),
            std::string::npos)
      << seen.failure->message;
  seen = host().run(call({record("Pair", {"third"}, {floats({2})})}));
  EXPECT_NE(seen.failure->message.find("Pair has no third"), std::string::npos);
}

TEST_F(WithTorch, exports_a_later_call_with_what_the_one_before_left) {
  load("Net");
  ExportRequest request = exporting(ExportRequest::Kind::trace, {floats({2, 4})});
  Export first = host().export_model(request);
  host().run(request);
  request.keep = true;
  Export second = host().export_model(request);
  ASSERT_EQ(second.ending, Ending::returned) << second.failure->message;
  auto sum = [&](const Export& made) {
    Observation seen = run_archive(host(), made.archive, floats({2, 4}));
    return seen.outputs.to_tensor().data<float>()[1];
  };
  EXPECT_FLOAT_EQ(sum(second), 2 * sum(first));  // The count is 2.
}
}  // namespace
}  // namespace assay::verify::host
