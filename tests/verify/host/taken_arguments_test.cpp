#include "verify/host/taken_arguments.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "tests/verify/host/with_torch.h"

namespace assay::verify::host {
namespace {

std::vector<int64_t> ints(const core::Values& values) {
  std::vector<int64_t> out;
  for (const Value& value : values) out.push_back(value.is_none() ? -1 : value.to_int());
  return out;
}

/// {"k": [1, (2, 3)]} and Pair(first=4, second=5).
core::Values arguments() {
  core::DictRef dict = core::make_dict(core::string_type(), core::any_type());
  dict->set("k",
            core::make_list(core::any_type(), {Value(1), core::make_tuple({Value(2), Value(3)})}));
  auto type = core::named_tuple("Pair", {core::int_type(), core::int_type()}, {"first", "second"});
  core::Values members{Value(4), Value(5)};
  return {dict, base::make_ref<core::TupleObject>(std::move(members), type)};
}

TEST(TakenArguments, AreChosenAtAnyDepth) {
  TakenArguments taken{{{1, "second"}, {0, "k", 1, 0}, {"word"}, {1, 0}}, {}};
  EXPECT_EQ(ints(taken.chosen(arguments(), {{"word", Value(6)}})),
            (std::vector<int64_t>{5, 2, 6, 4}));
}

TEST(TakenArguments, WhatIsNotThereIsAnError) {
  for (const ArgumentPath& path : std::vector<ArgumentPath>{
           {2}, {-1}, {"word"}, {0, "q"}, {0, "k", 9}, {1, "third"}, {1, "first", 0}, {0, 0}}) {
    TakenArguments taken{{path}, {}};
    EXPECT_THROW(taken.chosen(arguments(), {}), base::Error);
  }
}

TEST(TakenArguments, WhatWasNoneIsPassedBehindOnceItIsMore) {
  TakenArguments taken = TakenArguments::without_last_none({Value(1), Value(), Value(2), Value()});
  EXPECT_EQ(taken.inputs, (std::vector<ArgumentPath>{{0}, {1}, {2}}));
  EXPECT_EQ(ints(taken.chosen({Value(7), Value(), Value(8), Value()}, {})),
            (std::vector<int64_t>{7, -1, 8}));
  EXPECT_EQ(ints(taken.chosen({Value(7), Value(), Value(8), Value(9)}, {})),
            (std::vector<int64_t>{7, -1, 8, 9}));
}

TEST(TakenArguments, SurviveTheirJson) {
  TakenArguments taken{{{0}, {1, "mask", 2}, {"word"}}, {{3}}};
  TakenArguments again = read_taken(taken_tree(taken));
  EXPECT_EQ(again.inputs, taken.inputs);
  EXPECT_EQ(again.absent, taken.absent);
  for (const char* text :
       {"{}", R"({"inputs": 1, "absent": []})", R"({"inputs": [[]], "absent": []})",
        R"({"inputs": [[-1]], "absent": []})", R"({"inputs": [[{}]], "absent": []})"}) {
    EXPECT_THROW(read_taken(nlohmann::json::parse(text)), base::Error) << text;
  }
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

}  // namespace
}  // namespace assay::verify::host
