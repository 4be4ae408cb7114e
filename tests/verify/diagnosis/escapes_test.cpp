#include "verify/diagnosis/escapes.h"

#include <gtest/gtest.h>

#include "engine/core/elements.h"

namespace assay::verify::diagnosis {
namespace {

Escape number(std::string kind, int64_t value, int line, std::string function = "forward") {
  return {std::move(kind), core::Scalar(value), {"model.py", line, std::move(function)}};
}
Escape decision(bool value, int line) {
  return {"bool", core::Scalar(value), {"model.py", line, "forward"}};
}

const SourceLocation reader{"elsewhere/model.py", 9, "forward"};

int captured(const std::vector<Escape>& a, const std::vector<Escape>& b, const core::Value& in_a,
             const core::Value& in_b, const SourceLocation& read_at = reader) {
  auto place = captured_at({&a, &b}, in_a, in_b, read_at);
  return place ? place->line : 0;
}

int decided(const std::vector<Escape>& a, const std::vector<Escape>& b) {
  auto place = decided_at({&a, &b}, reader);
  return place ? place->line : 0;
}

TEST(CapturedAt, is_where_both_traces_read_the_literals) {
  EXPECT_EQ(captured({number("len", 7, 4)}, {number("len", 5, 4)}, 7, 5), 4);
  EXPECT_EQ(captured({number("item", 7, 4)}, {number("item", 5, 4)}, 7.0, 5.0), 4);
}

TEST(CapturedAt, needs_both_values_at_one_line) {
  EXPECT_EQ(captured({number("len", 7, 4)}, {number("len", 6, 4)}, 7, 5), 0);
  EXPECT_EQ(captured({number("len", 7, 4)}, {number("len", 5, 3)}, 7, 5), 0);
  EXPECT_EQ(captured({number("len", 7, 4)}, {number("int", 5, 4)}, 7, 5), 0);
  EXPECT_EQ(captured({decision(true, 4)}, {decision(true, 4)}, 1, 1), 0);
}

TEST(CapturedAt, prefers_the_nearest_line_above_the_reader) {
  std::vector<Escape> a{number("len", 7, 4), number("len", 7, 8), number("len", 7, 12)};
  std::vector<Escape> b{number("len", 5, 4), number("len", 5, 8), number("len", 5, 12)};
  EXPECT_EQ(captured(a, b, 7, 5), 8);
}

TEST(CapturedAt, goes_to_another_function_only_where_there_is_no_choice) {
  std::vector<Escape> one{number("len", 7, 30, "helper")}, one_b{number("len", 5, 30, "helper")};
  EXPECT_EQ(captured(one, one_b, 7, 5), 30);
  std::vector<Escape> two{one[0], number("len", 7, 40, "helper")};
  std::vector<Escape> two_b{one_b[0], number("len", 5, 40, "helper")};
  EXPECT_EQ(captured(two, two_b, 7, 5), 0);
}

Escape numbers(std::string kind, std::vector<core::Scalar> values, int line) {
  return {std::move(kind), std::nullopt, {"model.py", line, "forward"}, std::move(values)};
}

TEST(CapturedAt, is_where_a_list_held_the_number_or_all_of_a_tensor) {
  std::vector<Escape> a{numbers("tolist", {3, 5, 2}, 4)}, b{numbers("tolist", {4, 1, 6}, 4)};
  EXPECT_EQ(captured(a, b, 5, 1), 4);
  EXPECT_EQ(captured(a, b, 7, 1), 0);
  auto tensor = [](const std::vector<core::Scalar>& items) {
    return core::tensor_from(items, core::Dims{3}, core::DType::float32);
  };
  EXPECT_EQ(captured(a, b, tensor({3, 5, 2}), tensor({4, 1, 6})), 4);
  EXPECT_EQ(captured(a, b, tensor({3, 5, 2}), tensor({4, 1, 7})), 0);
}

int only(const std::vector<Escape>& a, const std::vector<Escape>& b) {
  auto place = only_source({&a, &b}, reader);
  return place ? place->line : 0;
}

TEST(OnlySource, is_the_one_line_of_the_function_at_which_other_numbers_left) {
  std::vector<Escape> a{number("int", 7, 4, "<genexpr>"), number("int", 2, 4, "<genexpr>"),
                        number("int", 3, 6), number("int", 8, 30, "helper")};
  std::vector<Escape> b{number("int", 5, 4, "<genexpr>"), number("int", 1, 4, "<genexpr>"),
                        number("int", 3, 6), number("int", 9, 30, "helper")};
  EXPECT_EQ(only(a, b), 4);
  b[2] = number("int", 4, 6);
  EXPECT_EQ(only(a, b), 0);
}

TEST(HandedOutAt, is_the_nearest_line_above_that_gave_away_memory_or_elements) {
  auto escape = [](const char* kind, int line) {
    return Escape{kind, std::nullopt, {"model.py", line, "forward"}};
  };
  std::vector<Escape> a{escape("numpy", 3), escape("data", 5), escape("dim", 7),
                        escape("tolist", 11)};
  EXPECT_EQ(handed_out_at({&a, &a}, reader)->line, 5);
  std::vector<Escape> b{escape("dim", 7), escape("data", 12)};
  EXPECT_FALSE(handed_out_at({&b, &b}, reader));
}

TEST(DrawnAt, is_where_a_generator_gave_the_literals) {
  auto drawn = [&](const Escape& a, const core::Value& in_a, const Escape& b,
                   const core::Value& in_b) {
    std::vector<Escape> x{a}, y{b};
    auto place = drawn_at({{&x, in_a}, {&y, in_b}}, reader);
    return place ? place->line : 0;
  };
  EXPECT_EQ(drawn(number("random", 7, 4), 7, number("random", 5, 4), 5), 4);
  EXPECT_EQ(drawn(number("random", 7, 4), 7, number("random", 5, 4), 6), 0);
  EXPECT_EQ(drawn(number("len", 7, 4), 7, number("len", 5, 4), 5), 0);
  // One number twice may be chance.
  EXPECT_EQ(drawn(number("random", 7, 4), 7, number("random", 7, 4), 7), 0);
  std::vector<Escape> one{{"random", core::Scalar(0.25), {"model.py", 4, "forward"}}};
  EXPECT_TRUE(drawn_at({{&one, 0.25}}, reader));
}

/// The formula and line for a literal in traces in which `v` left the graph at line 4.
std::string fitted(const std::vector<double>& v, const std::vector<double>& literals) {
  std::vector<std::vector<Escape>> traces;
  for (double x : v) {
    traces.push_back({{"item", core::Scalar(x), {"model.py", 4, "forward"}}});
  }
  std::vector<EscapeSample> samples;
  for (size_t i = 0; i < v.size(); ++i) samples.push_back({&traces[i], literals[i]});
  auto found = fit_to_escapes(samples, reader);
  return found ? found->text + " at " + std::to_string(found->place.line) : "";
}

TEST(FitToEscapes, finds_the_forms_that_people_write) {
  EXPECT_EQ(fitted({2, 5}, {2, 5}), "v at 4");
  EXPECT_EQ(fitted({4, 9}, {2, 3}), "sqrt(v) at 4");
  EXPECT_EQ(fitted({4, 16}, {0.5, 0.25}), "v**-0.5 at 4");
  EXPECT_EQ(fitted({0.5, 2, 3}, {-0.25, -1, -1.5}), "-0.5*v at 4");
  EXPECT_EQ(fitted({2, 5, 9}, {5, 8, 12}), "v + 3 at 4");
  EXPECT_EQ(fitted({3, 7, 12, 20, 28}, {2, 3, 5, 7, 10}), "v//3 + 1 at 4");
  EXPECT_EQ(fitted({0.5, 1.25, 2.75}, {4, 8, 12}), "4*ceil(v) at 4");
  EXPECT_EQ(fitted({1.2, 2.8, 4.4}, {1, 3, 4}), "round(v) at 4");
  EXPECT_EQ(fitted({1.5, 3, 4.25}, {2, 4, 5}), "floor(v) + 1 at 4");
}

TEST(FitToEscapes, multiplies_two_numbers_of_one_line) {
  std::vector<Escape> a{number("int", 3, 4), number("int", 4, 4), number("int", 7, 5)};
  std::vector<Escape> b{number("int", 2, 4), number("int", 5, 4), number("int", 6, 5)};
  std::vector<Escape> c{number("int", 5, 4), number("int", 3, 4), number("int", 8, 5)};
  auto found = fit_to_escapes({{&a, 12}, {&b, 10}, {&c, 15}}, reader);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->place.line, 4);
  EXPECT_FALSE(fit_to_escapes({{&a, 28}, {&b, 30}, {&c, 40}}, reader));  // Of two lines.
}

TEST(FitToEscapes, needs_more_traces_than_the_form_has_freedom) {
  EXPECT_EQ(fitted({2, 5}, {4, 10}), "");
  EXPECT_EQ(fitted({2, 2, 2}, {4, 4, 4}), "");
  EXPECT_EQ(fitted({3, 7, 12}, {2, 3, 5}), "");
  EXPECT_EQ(fitted({2, 5, 9}, {1, 7, 2}), "");
}

TEST(FitToEscapes, takes_the_simplest_form_then_the_nearest_line_above) {
  std::vector<Escape> a{number("len", 4, 3), number("len", 2, 5), number("len", 4, 7)};
  std::vector<Escape> b{number("len", 10, 3), number("len", 5, 5), number("len", 10, 7)};
  std::vector<Escape> c{number("len", 18, 3), number("len", 9, 5), number("len", 18, 7)};
  auto found = fit_to_escapes({{&a, 4}, {&b, 10}, {&c, 18}}, reader);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text, "v");
  EXPECT_EQ(found->place.line, 7);
}

TEST(FitToEscapes, takes_what_comes_later_only_where_nothing_else_serves) {
  std::vector<Escape> a{number("len", 4, 3), number("int", 2, 8)};
  std::vector<Escape> b{number("len", 10, 3), number("int", 5, 8)};
  std::vector<Escape> c{number("len", 18, 3), number("int", 9, 8)};
  auto below = [](int line) {
    return [line](const SourceLocation& place) { return place.line > line; };
  };
  std::vector<EscapeSample> halves{{&a, 2}, {&b, 5}, {&c, 9}};
  EXPECT_EQ(fit_to_escapes(halves, reader)->place.line, 8);
  EXPECT_EQ(fit_to_escapes(halves, reader, below(5))->place.line, 3);
  EXPECT_EQ(fit_to_escapes({{&a, 4}, {&b, 7}, {&c, 11}}, reader, below(5))->place.line, 8);
}

TEST(FitToEscapes, follows_a_number_of_a_list) {
  std::vector<Escape> a{numbers("tolist", {3, 5}, 4)}, b{numbers("tolist", {4, 1}, 4)};
  auto found = fit_to_escapes({{&a, 5}, {&b, 1}}, reader);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text, "v");
  EXPECT_EQ(found->values, (std::vector<double>{5, 1}));
}

TEST(DecidedAt, is_the_first_condition_that_differs) {
  EXPECT_EQ(
      decided({decision(true, 4), decision(true, 6)}, {decision(true, 4), decision(false, 6)}), 6);
  EXPECT_EQ(decided({decision(true, 4)}, {decision(true, 4)}), 0);
}

TEST(DecidedAt, is_a_look_at_the_form_that_differs) {
  auto look = [](bool value) {
    return Escape{"is_contiguous", core::Scalar(value), {"model.py", 5, "forward"}};
  };
  EXPECT_EQ(decided({number("dim", 3, 6), look(true)}, {number("dim", 2, 6), look(false)}), 5);
}

TEST(DecidedAt, does_not_compare_what_follows_a_parting_of_ways) {
  EXPECT_EQ(
      decided({decision(true, 4), decision(true, 6)}, {decision(true, 5), decision(false, 6)}), 0);
}

TEST(DecidedAt, prefers_the_nearest_above_the_reader) {
  EXPECT_EQ(
      decided({decision(true, 4), decision(true, 6)}, {decision(false, 4), decision(false, 6)}), 6);
  EXPECT_EQ(
      decided({decision(true, 4), decision(true, 12)}, {decision(false, 4), decision(false, 12)}),
      4);
  // What only the one way met lies between.
  EXPECT_EQ(decided({decision(true, 4), number("len", 3, 5), decision(true, 6)},
                    {decision(false, 4), decision(false, 6)}),
            6);
}

TEST(DecidedAt, falls_back_to_a_number_read_above) {
  EXPECT_EQ(decided({number("dim", 3, 6)}, {number("dim", 2, 6)}), 6);
  EXPECT_EQ(decided({number("dim", 3, 12)}, {number("dim", 2, 12)}), 0);
  EXPECT_EQ(
      decided({number("dim", 3, 6), decision(true, 7)}, {number("dim", 2, 6), decision(false, 7)}),
      7);
}

TEST(DecidedAt, falls_back_to_a_draw_whose_number_nobody_saw) {
  Escape draw{"random", std::nullopt, {"model.py", 6, "forward"}};
  EXPECT_EQ(decided({draw}, {draw}), 6);
  draw.kind = "numpy";
  EXPECT_EQ(decided({draw}, {draw}), 0);
}

TEST(AskedAt, is_the_nearest_draw_above_the_reader_or_the_only_one) {
  auto asked = [](const std::vector<Escape>& escapes) {
    auto place = asked_at(escapes, reader);
    return place ? place->line : 0;
  };
  auto draw = [](int line, std::string function = "forward") {
    return Escape{"random", std::nullopt, {"model.py", line, std::move(function)}};
  };
  EXPECT_EQ(asked({draw(3), draw(6), number("item", 4, 7), draw(12)}), 6);
  EXPECT_EQ(asked({draw(30, "helper")}), 30);
  EXPECT_EQ(asked({draw(30, "helper"), draw(40, "helper")}), 0);
  EXPECT_EQ(asked({number("item", 4, 7)}), 0);
}

}  // namespace
}  // namespace assay::verify::diagnosis
