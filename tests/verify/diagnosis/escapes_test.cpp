#include "verify/diagnosis/escapes.h"

#include <gtest/gtest.h>

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

TEST(DecidedAt, is_the_first_condition_that_differs) {
  EXPECT_EQ(
      decided({decision(true, 4), decision(true, 6)}, {decision(true, 4), decision(false, 6)}), 6);
  EXPECT_EQ(decided({decision(true, 4)}, {decision(true, 4)}), 0);
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

}  // namespace
}  // namespace assay::verify::diagnosis
