#include "verify/host/taken_arguments.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"

namespace assay::verify::host {
namespace {

using core::Value;

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

}  // namespace
}  // namespace assay::verify::host
