#include "verify/graph/origins.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/trace/origins.h"

namespace assay::verify {
namespace {

TEST(Origins, what_a_tracer_writes_is_read_back) {
  trace::Origins written;
  written.leave({"x.size(0)", int64_t{4}, "len", "a:b/net.py:3"});
  written.leave({"sum(x)", 0.1, "item", ""});
  written.guard({"x.size(0) > 3", true, "net.py:2"});
  written.bake({"x.size(0)", int64_t{4}, "aten::arange", "end", "net.py:5", {0}});
  Origins read = read_origins(written.json(), {});
  ASSERT_EQ(read.origins.size(), 2u);
  EXPECT_EQ(read.origins[0].expression, "x.size(0)");
  EXPECT_EQ(read.origins[0].value.to_int(), 4);
  EXPECT_EQ(read.origins[0].place.file, "a:b/net.py");
  EXPECT_EQ(read.origins[0].place.line, 3);
  EXPECT_EQ(read.origins[1].value.to_scalar().to_double(), 0.1);
  EXPECT_EQ(place_text(read.origins[1].place), "");
  ASSERT_EQ(read.guards.size(), 1u);
  EXPECT_TRUE(read.guards[0].value.to_bool());
  EXPECT_EQ(place_text(read.guards[0].place), "net.py:2");
  ASSERT_EQ(read.baked.size(), 1u);
  EXPECT_EQ(read.baked[0].op + " " + read.baked[0].argument, "aten::arange end");
  EXPECT_EQ(read.baked[0].from, Origins::From{0});
}

TEST(Origins, escapes_are_read_where_there_are_some) {
  Origins read = read_origins(R"({"origins": [], "guards": [], "baked": [], "more": 1, "escapes": [
      {"kind": "dtype", "what": "x.dtype", "value": "torch.float32", "place": "net.py:2"}]})",
                              {});
  ASSERT_EQ(read.escapes.size(), 1u);
  EXPECT_EQ(read.escapes[0].what + " " + read.escapes[0].value, "x.dtype torch.float32");
  EXPECT_EQ(place_text(read.escapes[0].place), "net.py:2");
}

TEST(Origins, inputs_told_by_their_position_get_the_graphs_names) {
  std::string json = R"({"origins": [], "baked": [], "guards": [
      {"condition": "input_1.size(0) > input_2.size(0) + input_10 + x_input_1", "value": true, "place": ""}]})";
  EXPECT_EQ(read_origins(json, {"self", "input", "input0"}).guards[0].condition,
            "input.size(0) > input0.size(0) + input_10 + x_input_1");
}

TEST(Origins, damage_is_an_input_error) {
  EXPECT_THROW(read_origins("{", {}), base::Error);
  EXPECT_THROW(read_origins("[]", {}), base::Error);
  EXPECT_THROW(read_origins(R"({"origins": 3, "guards": [], "baked": []})", {}), base::Error);
  EXPECT_THROW(read_origins(R"({"origins": [], "baked": [], "guards": [
      {"condition": "x", "value": "much", "place": ""}]})",
                            {}),
               base::Error);
  EXPECT_THROW(read_origins(R"({"origins": [], "baked": [], "guards": [
      {"condition": "x", "value": true, "place": "", "from": [0]}]})",
                            {}),
               base::Error);
}

}  // namespace
}  // namespace assay::verify
