#include "verify/diagnosis/traced_origins.h"

#include <gtest/gtest.h>

#include "tests/support/graph_model.h"

namespace assay::verify::diagnosis {
namespace {

using testing::graph_export;
using testing::graph_text;

SourceLocation line(int number, const std::string& file = "folder/m.py") {
  return {file, number, ""};
}

/// y = zeros(4); y = zeros(4)   both in line 3
std::shared_ptr<testing::GraphExport> two_zeros() {
  return graph_export(
      graph_text({"%c : int = prim::Constant[value=4]()", "%none : NoneType = prim::Constant()",
                  "%a : int[] = prim::ListConstruct(%c)",
                  "%one : Tensor = aten::zeros(%a, %none, %none, %none, %none) # m.py:3:4",
                  "%b : int[] = prim::ListConstruct(%c)",
                  "%y : Tensor = aten::zeros(%b, %none, %none, %none, %none) # m.py:3:4"},
                 "%y"));
}

std::vector<size_t> lists_of(const Program& program) {
  std::vector<size_t> found;
  for (size_t s = 0; s < program.steps.size(); ++s) {
    if (program.steps[s].op == "prim::ListConstruct") found.push_back(s);
  }
  return found;
}

Origins origins_of(const std::vector<std::string>& expressions) {
  Origins origins;
  origins.origins = {{"x.size(0)", int64_t{4}, "len", line(1)},
                     {"x.size(0)", int64_t{4}, "int", line(2)}};
  for (const std::string& expression : expressions) {
    origins.baked.push_back({expression, int64_t{4}, "aten::zeros", "size[0]", line(3), {0, 1}});
  }
  return origins;
}

TEST(TracedOrigins, ALiteralIsWhatTheTraceSaysAtItsPlace) {
  auto made = two_zeros();
  Origins origins = origins_of({"x.size(0)", "x.size(1) + 1"});
  auto lists = lists_of(made->program());
  ASSERT_EQ(lists.size(), 2u);
  auto first = traced_origin(&origins, made->program(), lists[0], 0);
  auto second = traced_origin(&origins, made->program(), lists[1], 0);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->expression.text, "x.size(0)");
  EXPECT_EQ(second->expression.text, "x.size(1) + 1");
  EXPECT_EQ(first->place.line, 2);  // The nearest line above at which numbers had left.
  EXPECT_EQ(first->how, "int");
  EXPECT_EQ(traced_trials(&origins, made->program()).size(), 3u);
}

TEST(TracedOrigins, WhatTheTraceCannotTellApartItDoesNotTell) {
  auto made = two_zeros();
  size_t list = lists_of(made->program())[0];
  Origins one = origins_of({"x.size(0)"});
  EXPECT_TRUE(traced_origin(&one, made->program(), list, 0));
  Origins three = origins_of({"x.size(0)", "x.size(1)", "x.size(0)"});
  EXPECT_FALSE(traced_origin(&three, made->program(), list, 0));
  one.baked[0].place.line = 9;
  EXPECT_FALSE(traced_origin(&one, made->program(), list, 0));
  EXPECT_FALSE(traced_origin(nullptr, made->program(), list, 0));
}

TEST(TracedOrigins, AConditionIsTheOneThatWasAnsweredOtherwise) {
  Origins subject, other;
  subject.guards = {{"x.size(0) > 3", true, line(2)},
                    {"x.size(1) > 3", true, line(4)},
                    {"x.dim() == 2", true, line(5)}};
  other.guards = {{"x.size(0) > 3", false, line(2)}, {"x.size(1) > 3", true, line(4)}};
  const auto* guard = decided_otherwise(&subject, &other, line(6));
  ASSERT_NE(guard, nullptr);
  EXPECT_EQ(guard_sentence(*guard),
            "x.size(0) > 3 was True in the export under test, and is False here (m.py:2)");
  other.guards.push_back({"x.size(0) > 3", true, line(2)});  // Asked twice, answered both ways.
  EXPECT_EQ(decided_otherwise(&subject, &other, line(6)), nullptr);
  EXPECT_EQ(decided_otherwise(&subject, nullptr, line(6)), nullptr);
}

TEST(TracedOrigins, RoundsAreCountedByWhatALoopRanOver) {
  Origins subject, other;
  subject.origins = {{"x.size(0)", int64_t{4}, "int", line(1)},
                     {"x.size(0)", int64_t{4}, "range", line(2)}};
  other.origins = {{"x.size(0)", int64_t{7}, "int", line(1)},
                   {"x.size(0)", int64_t{7}, "range", line(2)}};
  const auto* count = turned_otherwise(&subject, &other, line(3));
  ASSERT_NE(count, nullptr);
  EXPECT_EQ(count->place.line, 2);
  EXPECT_EQ(turned_otherwise(&subject, &subject, line(3)), nullptr);
}

TEST(TracedOrigins, ALookThatWasAnsweredOtherwiseIsTold) {
  Origins subject, other;
  subject.escapes = {{"dim", "x.dim()", "2", line(2)},
                     {"dtype", "x.dtype", "torch.float32", line(3)},
                     {"random", "random.random()", "0.5", line(4)}};
  other.escapes = {{"dim", "x.dim()", "2", line(2)},
                   {"dtype", "x.dtype", "torch.float64", line(3)},
                   {"random", "random.random()", "0.7", line(4)}};
  EXPECT_EQ(
      look_sentence(&subject, &other, line(5)),
      "x.dtype was torch.float32 in the export under test, and is torch.float64 here (m.py:3)");
  EXPECT_EQ(look_sentence(&subject, &subject, line(5)), "");
  EXPECT_EQ(look_sentence(&subject, nullptr, line(5)), "");
}

TEST(TracedOrigins, LooksAtATypeAreFoundAboveTheirReader) {
  Origins origins;
  origins.escapes = {{"dtype", "x.dtype", "torch.float32", line(3)},
                     {"random", "random.random()", "0.5", line(4)}};
  ASSERT_TRUE(looked_at_type(&origins, line(5)));
  EXPECT_EQ(looked_at_type(&origins, line(5))->line, 3);
  EXPECT_FALSE(looked_at_type(&origins, line(2)));
  EXPECT_TRUE(has_other_ways(origins));
  origins.escapes.pop_back();
  EXPECT_FALSE(has_other_ways(origins));
}

TEST(TracedOrigins, WhatWasWrittenHandedOutOrDrawnIsToldByItsLine) {
  Origins origins;
  origins.escapes = {{"attribute", "self.calls", "1", line(2)},
                     {"numpy", "x.numpy()", "", line(3)},
                     {"random", "random.random()", "0.5", line(4)}};
  EXPECT_EQ(told_by_trace(&origins, "AS109")->line, 2);
  EXPECT_EQ(told_by_trace(&origins, "AS110")->line, 3);
  EXPECT_EQ(told_by_trace(&origins, "AS113")->line, 4);
  EXPECT_FALSE(told_by_trace(&origins, "AS102"));
  EXPECT_FALSE(told_by_trace(nullptr, "AS109"));
  origins.escapes.push_back({"attribute", "self.seen", "2", line(9)});
  EXPECT_FALSE(told_by_trace(&origins, "AS109"));
}

TEST(TracedOrigins, ADifferenceThatOnlyTheTraceExplainsHasItsClass) {
  Origins origins;
  EXPECT_EQ(class_told_by_trace(nullptr), "AS103");
  EXPECT_EQ(class_told_by_trace(&origins), "AS103");
  origins.escapes = {{"data", "x.data", "", line(3)}};
  EXPECT_EQ(class_told_by_trace(&origins), "AS110");
  origins.guards = {{"x.size(0) > 3", true, line(2)}};  // That speaks for a branch.
  EXPECT_EQ(class_told_by_trace(&origins), "AS103");
}

}  // namespace
}  // namespace assay::verify::diagnosis
