#include "engine/trace/origins.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::trace {
namespace {

TEST(Origins, equal_ones_are_one) {
  Origins origins;
  size_t first = origins.leave({"x.size(0)", 4, "len", "net.py:3"});
  EXPECT_EQ(origins.leave({"x.size(0)", 4, "len", "net.py:3"}), first);
  EXPECT_NE(origins.leave({"x.size(0)", 4, "len", "net.py:4"}), first);
  EXPECT_EQ(origins.origins().size(), 2u);
}

TEST(Origins, the_text_is_json_whatever_the_names_are) {
  Origins origins;
  EXPECT_TRUE(origins.empty());
  origins.leave({"x[\"a\\b\"]", 0.1, "item", "odd\n\"name\".py:1"});
  origins.guard({"x.size(0) > 3", true, "net.py:2"});
  origins.bake({"x.size(0)", 4, "aten::arange", "end", "net.py:5", {0}});
  origins.escape({"random", "random.random()", "0.5", "net.py:6"});
  origins.escape({"random", "random.random()", "0.5", "net.py:6"});
  auto read = nlohmann::json::parse(origins.json());
  EXPECT_EQ(read["version"], 1);
  EXPECT_EQ(read["origins"][0]["expression"], "x[\"a\\b\"]");
  EXPECT_EQ(read["origins"][0]["place"], "odd\n\"name\".py:1");
  EXPECT_EQ(read["origins"][0]["value"], "0.10000000000000001");
  EXPECT_EQ(read["guards"][0]["value"], true);
  EXPECT_EQ(read["baked"][0]["op"], "aten::arange");
  EXPECT_EQ(read["baked"][0]["value"], 4);
  EXPECT_EQ(read["baked"][0]["from"], nlohmann::json::array({0}));
  ASSERT_EQ(read["escapes"].size(), 1u);
  EXPECT_EQ(read["escapes"][0]["what"], "random.random()");
}

TEST(Origins, an_input_is_called_otherwise_wherever_it_is_told_of) {
  Origins origins;
  origins.leave({"input.size(0) + self.input", 4, "len", "input.py:3"});
  origins.guard({"(input.size(1) > input0.size(1))", true, "net.py:4"});
  origins.rename("input", "input_2");
  EXPECT_EQ(origins.origins()[0].expression, "input_2.size(0) + self.input");
  EXPECT_EQ(origins.origins()[0].place, "input.py:3");
  EXPECT_EQ(origins.guards()[0].condition, "(input_2.size(1) > input0.size(1))");
}

}  // namespace
}  // namespace assay::trace
