#include "verify/guards/guards.h"

#include <gtest/gtest.h>

#include "verify/spec/parser.h"

namespace assay::verify::guards {
namespace {

const Spec spec = parse_spec({{"input", "image: f32[b, 3, h, w]"},
                              {"dim", "b=1..4"},
                              {"dim", "h=2..64"},
                              {"dim", "w=2..64"}});

Validity of(Origins origins, const std::vector<std::string>& names = {"x"}) {
  Point base{{{"b", 2}, {"h", 3}, {"w", 5}}, {}, 0};
  return validity(spec, origins, names, *nearest_point(spec, base));
}

Origins with(std::vector<std::pair<std::string, bool>> guards) {
  Origins out;
  for (const auto& [condition, answer] : guards) {
    out.guards.push_back({condition, answer, {"net.py", 3, ""}});
  }
  return out;
}

TEST(Guards, are_told_over_the_letters_of_the_spec) {
  Validity v = of(with({{"(x.size(2) * x.size(3)) > 64", false},
                        {"x.size(0) == 2", true},
                        {"x.size(1) == 3", true},
                        {"x.size(2) > 1000", false},
                        {"x.numel() > 100", true},
                        {"sum(x) > 0", true}}));
  using Kind = Condition::Kind;
  ASSERT_EQ(v.conditions.size(), 6u);
  EXPECT_EQ(v.conditions[0].text, "h*w <= 64");
  EXPECT_EQ(v.conditions[0].kind, Kind::splits);
  ASSERT_TRUE(v.conditions[0].otherwise);
  const Bindings& sizes = v.conditions[0].otherwise->sizes;
  EXPECT_GT(sizes.at("h") * sizes.at("w"), 64);
  EXPECT_EQ(sizes.at("b"), 2) << "false alone";
  EXPECT_EQ(v.conditions[2].kind, Kind::always);
  EXPECT_EQ(v.conditions[3].kind, Kind::always);
  EXPECT_EQ(v.conditions[4].text, "b*3*h*w > 100");
  EXPECT_EQ(v.conditions[5].kind, Kind::unread);
  EXPECT_FALSE(v.for_all_sizes());
}

TEST(Guards, duplicates_and_what_others_imply_are_dropped) {
  using Kind = Condition::Kind;
  Validity v =
      of(with({{"x.size(2) > 10", false}, {"x.size(2) > 20", false}, {"x.size(2) > 10", false}}));
  ASSERT_EQ(v.conditions.size(), 2u);
  EXPECT_EQ(v.conditions[0].kind, Kind::splits);
  EXPECT_EQ(v.conditions[1].kind, Kind::implied);
  EXPECT_EQ(v.sentence(), "valid where h <= 10");
}

TEST(Guards, a_trace_without_any_over_the_spec_is_valid_for_all_sizes) {
  Origins origins = with({{"x.dim() == 4", true}});
  origins.baked.push_back({"x.size(1)", int64_t{3}, "aten::view", "size[1]", {}});
  origins.escapes.push_back({"dtype", "x.dtype", "torch.float32", {}});
  Validity v = of(origins);
  EXPECT_TRUE(v.for_all_sizes());
  EXPECT_EQ(v.sentence(), "valid on the whole declared space for sizes");
  EXPECT_EQ(v.rests_on(), "dtype (x.dtype = torch.float32)");
}

TEST(Guards, of_what_a_sentence_rests_on_the_first_are_named_in_short_lines) {
  Origins origins;
  std::string wide = std::string(79, 'x') + "é = 1";
  for (const std::string& what :
       {std::string("a\nb"), wide, std::string("c"), std::string("d"), std::string("e")}) {
    origins.escapes.push_back({"attribute", what, "", {}});
  }
  EXPECT_EQ(of(origins).rests_on(), "attribute (a…, " + std::string(79, 'x') + "…, c and 2 more)");
}

TEST(Guards, constants_and_loops_that_sizes_change_stand_against_it) {
  Origins origins;
  origins.baked.push_back({"x.size(0)", int64_t{2}, "aten::arange", "end", {"net.py", 4, ""}});
  origins.origins.push_back({"x.size(2)", int64_t{3}, "range", {"net.py", 5, ""}});
  Validity v = of(origins);
  EXPECT_FALSE(v.for_all_sizes());
  EXPECT_EQ(v.sentence(), "numbers fixed: b = 2, h = 3");
}

TEST(Guards, names_that_the_graph_does_not_have_are_left_unread) {
  Validity v = of(with({{"y.size(2) > 10", false}, {"x.size(7) > 10", false}}));
  for (const Condition& c : v.conditions) EXPECT_EQ(c.kind, Condition::Kind::unread);
}

TEST(Guards, numbers_that_left_and_were_not_seen_again_are_what_a_sentence_rests_on) {
  Origins origins;
  origins.origins = {{"x.size(0)", int64_t{2}, "int", {"net.py", 3, ""}},
                     {"x.size(2)", int64_t{3}, "len", {"net.py", 4, ""}},
                     {"x.size(1)", int64_t{3}, "int", {"net.py", 5, ""}}};
  origins.guards = {{"x.size(2) > 0", true, {"net.py", 6, ""}, {1}}};
  Validity v = of(origins);
  ASSERT_EQ(v.unseen.size(), 1u) << "one came back in a condition, one is the same everywhere";
  EXPECT_EQ(v.rests_on(), "numbers that left it and were not seen again (b by int at net.py:3)");
  EXPECT_TRUE(v.for_all_sizes());
}

TEST(Guards, an_index_fixes_what_it_chose) {
  Origins origins;
  origins.origins = {{"x.size(2)", int64_t{3}, "index", {"net.py", 3, ""}}};
  Validity v = of(origins);
  EXPECT_FALSE(v.for_all_sizes());
  EXPECT_EQ(v.sentence(), "a number fixed: h = 3");
}

TEST(Guards, without_a_spec_conditions_are_over_the_sizes_of_the_trace) {
  auto shown = conditions_of(with({{"(x.size(2) * x.size(3)) > 64", false},
                                   {"x.size(0) == 2", true},
                                   {"x.size(0) == 2", true},
                                   {"sum(x) > 0", false}}));
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(shown[0].text, "x.size(2)*x.size(3) <= 64");
  EXPECT_EQ(shown[1].text, "x.size(0) == 2");
  EXPECT_EQ(shown[2].text, "sum(x) > 0 is False");
}

TEST(Guards, the_first_condition_that_is_false_at_sizes_is_found_without_solving) {
  Origins origins = with({{"x.size(2) > 3", true}, {"sum(x) > 0", true}, {"x.size(3) > 8", false}});
  auto at = [&](int64_t h, int64_t w) {
    return false_at(spec, origins, {"x"}, Bindings{{"b", 1}, {"h", h}, {"w", w}});
  };
  EXPECT_EQ(at(4, 8), nullptr);
  ASSERT_NE(at(4, 9), nullptr);
  EXPECT_EQ(at(4, 9)->condition, "x.size(3) > 8");
  EXPECT_EQ(at(2, 9)->condition, "x.size(2) > 3");
}

}  // namespace
}  // namespace assay::verify::guards
