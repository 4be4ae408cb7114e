#include "verify/diagnosis/draws.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/export_pair.h"
#include "verify/spec/parser.h"

namespace assay::verify::diagnosis {
namespace {

using testing::cropped_graph;
using testing::ExportPair;
using testing::graph_export;
using testing::GraphExporter;

const Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..64"}});
const Case at = build_case(spec, *nearest_point(spec, Point{{{"n", 9}}, {}, 0}));

/// Exports that hold these numbers, one after the other; the last one again and again.
GraphExporter drawing(std::vector<std::pair<int64_t, int64_t>> numbers) {
  auto next = std::make_shared<size_t>(0);
  return GraphExporter([=](const Case&) {
    auto [start, more] = numbers[std::min((*next)++, numbers.size() - 1)];
    return cropped_graph(start, more);
  });
}

/// The classes of the two literals, which differ between the subject (3, 10) and the probe (5, 20).
std::vector<std::string> classes(GraphExporter exporter, const std::vector<Escape>& in_subject = {},
                                 const std::vector<Escape>& in_probe = {}) {
  ExportPair pair(cropped_graph(3, 10), cropped_graph(5, 20), at, in_subject, in_probe);
  auto found = attribute(pair.view());
  Draws(exporter, at).name(pair.view(), pair.escapes(), found);
  std::vector<std::string> out;
  for (const Attribution& a : found) out.push_back(a.class_id);
  return out;
}

using Classes = std::vector<std::string>;

TEST(Draws, NumbersThatStayAreCaptured) {
  EXPECT_EQ(classes(drawing({{5, 20}})), (Classes{"AS102", "AS102"}));
}

TEST(Draws, EachNumberIsFoundThatAnExportAtTheSameInputsHasOtherwise) {
  EXPECT_EQ(classes(drawing({{5, 20}, {5, 20}, {6, 20}})), (Classes{"AS113", "AS102"}));
  EXPECT_EQ(classes(drawing({{5, 20}, {6, 20}, {5, 21}})), (Classes{"AS113", "AS113"}));
}

TEST(Draws, AGeneratorsNumberIsDrawnWithoutFurtherExportsAndWhatElseComesFromItsLine) {
  auto draw = [](int64_t value) {
    return Escape{"random", core::Scalar(value), {"m.py", 3, "forward"}};
  };
  EXPECT_EQ(classes(drawing({{5, 20}}), {draw(3)}, {draw(5)}), (Classes{"AS113", "AS113"}));
}

TEST(Draws, ANumberOfWhichOnlyTheCallWasSeenIsPlacedThere) {
  Escape draw{"random", std::nullopt, {"m.py", 3, "forward"}};
  ExportPair pair(cropped_graph(3, 10), cropped_graph(5, 20), at, {draw}, {draw});
  auto found = attribute(pair.view());
  auto exporter = drawing({{5, 20}, {6, 20}});
  Draws(exporter, at).name(pair.view(), pair.escapes(), found);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].class_id, "AS113");
  ASSERT_TRUE(found[0].place);
  EXPECT_EQ(found[0].place->line, 3);
  // The other number stays the same in further exports: nothing says that it was drawn.
  EXPECT_EQ(found[1].class_id, "AS102");
}

TEST(Draws, WhatAnotherSeedAloneChangesWasDrawn) {
  // Two numbers that a tensor operator drew and that left the graph.
  auto drawn = [](int64_t value) {
    return Escape{"int", core::Scalar(value), {"m.py", 2, "forward"}};
  };
  ExportPair pair(cropped_graph(3, 10), cropped_graph(5, 20), at, {drawn(3)}, {drawn(5)});
  auto view = pair.view();
  view.axis.kind = "seed";
  auto found = attribute(view);
  auto exporter = drawing({{5, 20}});
  Draws(exporter, at).name(view, pair.escapes(), found);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].class_id, "AS113");
  EXPECT_EQ(found[1].class_id, "AS113");
}

TEST(Draws, AnExportThatDrewTheSubjectsNumbersByChanceIsReplaced) {
  auto subject = graph_export(cropped_graph(3, 10));
  auto drawn = drawing({{3, 10}, {3, 10}, {4, 10}});
  auto other = Draws(drawn, at).other_than(subject->program());
  ASSERT_TRUE(other);
  EXPECT_FALSE(align(subject->program(), other->program()).equal());
  auto still = drawing({{3, 10}});
  EXPECT_FALSE(Draws(still, at).other_than(subject->program()));
}

/// Whether further exports keep to the steps that the probe has, or draw others.
std::string class_of_steps(bool drawn, const std::vector<Escape>& escapes) {
  auto of = [](const char* op) {
    return testing::graph_text({fmt::format("%y : Tensor = aten::{}(%x) # m.py:3:4", op)}, "%y");
  };
  ExportPair pair(of("relu"), of("tanh"), at, escapes, escapes);
  auto found = attribute(pair.view());
  GraphExporter exporter([=](const Case&) { return of(drawn ? "sigmoid" : "tanh"); });
  Draws(exporter, at).name(pair.view(), pair.escapes(), found);
  return found.empty() ? "" : found[0].class_id;
}

TEST(Draws, StepsThatAnExportAtTheSameInputsHasOtherwiseWereDrawn) {
  Escape shuffle;
  shuffle.kind = "random";
  shuffle.place = {"m.py", 9, "order"};  // Below: no condition above asks it.
  EXPECT_EQ(class_of_steps(true, {shuffle}), "AS113");
  EXPECT_EQ(class_of_steps(false, {shuffle}), "AS103");
  EXPECT_EQ(class_of_steps(true, {}), "AS103");
}

}  // namespace
}  // namespace assay::verify::diagnosis
