#include "verify/diagnosis/changed_sizes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/graph_model.h"
#include "verify/spec/parser.h"

namespace assay::verify::diagnosis {
namespace {

using testing::graph_export;
using testing::graph_text;

/// n = m = x.shape[0]; n += 1; y = x * (m / n): a trace reads what was changed both times.
std::shared_ptr<testing::GraphExport> counted_up() {
  return graph_export(graph_text(
      {"%zero : int = prim::Constant[value=0]()", "%one : int = prim::Constant[value=1]()",
       "%size : int = aten::size(%x, %zero) # m.py:1:4",
       "%n : Tensor = prim::NumToTensor(%size) # m.py:1:4",
       "%more : Tensor = aten::add_(%n, %one, %one) # m.py:2:4",
       "%part : Tensor = aten::div(%more, %more) # m.py:3:4",
       "%y : Tensor = aten::mul(%x, %part) # m.py:3:4"},
      "%y"));
}

/// The first element that a graph of the export gives for x = [1, 1, 1]; -1 where it fails.
float first_of(const testing::GraphExport& made, std::shared_ptr<ir::Graph> graph) {
  Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=3"}});
  Case c = build_case(spec, *nearest_point(spec, Point{{}, {{"value x", "ones"}}, 0}));
  Observation o = made.run_with(std::move(graph))->run(c);
  return o.outputs.is_tensor() ? o.outputs.to_tensor().data<float>()[0] : -1;
}

TEST(ChangedSizes, EveryChoiceOfReadsMayHaveMeantTheSizeAsItWas) {
  auto sizes = changed_sizes(counted_up()->program());
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_EQ(counted_up()->program().steps[sizes[0].changed].line, 2);
  // The dividend, the divisor, both.
  ASSERT_EQ(sizes[0].trials.size(), 3u);
  EXPECT_EQ(sizes[0].trials[0].size(), 1u);
  EXPECT_EQ(sizes[0].trials[2].size(), 2u);
}

TEST(ChangedSizes, AReadOfTheSizeAsItWasIsWhatPythonComputes) {
  auto made = counted_up();
  EXPECT_FLOAT_EQ(first_of(*made, made->program().graph->copy()), 1);
  auto groups = size_groups(made->program());
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_FLOAT_EQ(first_of(*made, read_unchanged(made->program(), groups[0], 0)), 3.0f / 4);
}

TEST(ChangedSizes, ThoseOfOneLineAreAlsoRepairedTogether) {
  // The lines of counted_up() run twice, as those of a layer that is called twice do.
  auto made = graph_export(graph_text(
      {"%zero : int = prim::Constant[value=0]()", "%one : int = prim::Constant[value=1]()",
       "%size : int = aten::size(%x, %zero) # m.py:1:4",
       "%n : Tensor = prim::NumToTensor(%size) # m.py:1:4",
       "%more : Tensor = aten::add_(%n, %one, %one) # m.py:2:4",
       "%part : Tensor = aten::div(%more, %more) # m.py:3:4",
       "%y : Tensor = aten::mul(%x, %part) # m.py:3:4",
       "%size2 : int = aten::size(%y, %zero) # m.py:1:4",
       "%n2 : Tensor = prim::NumToTensor(%size2) # m.py:1:4",
       "%more2 : Tensor = aten::add_(%n2, %one, %one) # m.py:2:4",
       "%part2 : Tensor = aten::div(%more2, %more2) # m.py:3:4",
       "%z : Tensor = aten::mul(%y, %part2) # m.py:3:4"},
      "%z"));
  auto groups = size_groups(made->program());
  ASSERT_EQ(groups.size(), 3u);
  ASSERT_EQ(groups[2].size(), 2u);
  EXPECT_FLOAT_EQ(first_of(*made, read_unchanged(made->program(), groups[2], 0)), 9.0f / 16);
}

/// lo = hi = 0, then twice: hi += x.shape[0]; y = x * ((hi - lo) / hi); lo = hi. What `lo` names is
/// changed along with `hi`.
TEST(ChangedSizes, AnOffsetThatRunsAlongIsReadAsItWasBeforeTheLastChange) {
  auto made = graph_export(graph_text(
      {"%zero : int = prim::Constant[value=0]()", "%one : int = prim::Constant[value=1]()",
       "%size : int = aten::size(%x, %zero) # m.py:2:4",
       "%n : Tensor = prim::NumToTensor(%size) # m.py:2:4",
       "%hi : Tensor = aten::add(%n, %zero, %one) # m.py:2:4",
       "%part : Tensor = aten::div(%hi, %hi) # m.py:3:4",
       "%y : Tensor = aten::mul(%x, %part) # m.py:3:4",
       "%size2 : int = aten::size(%y, %zero) # m.py:2:4",
       "%n2 : Tensor = prim::NumToTensor(%size2) # m.py:2:4",
       "%hi2 : Tensor = aten::add_(%hi, %n2, %one) # m.py:2:4",
       "%step2 : Tensor = aten::sub(%hi2, %hi2, %one) # m.py:3:4",
       "%y2 : Tensor = aten::mul(%y, %step2) # m.py:3:4",
       "%hi3 : Tensor = aten::add_(%hi2, %n2, %one) # m.py:2:4",
       "%step3 : Tensor = aten::sub(%hi3, %hi3, %one) # m.py:3:4",
       "%z : Tensor = aten::mul(%y2, %step3) # m.py:3:4"},
      "%z"));
  EXPECT_FLOAT_EQ(first_of(*made, made->program().graph->copy()), 0);
  auto groups = size_groups(made->program());
  // All reads after the first change; those after either; both changes of the line together.
  ASSERT_EQ(groups.size(), 4u);
  ASSERT_EQ(groups[3].size(), 2u);
  EXPECT_FLOAT_EQ(first_of(*made, read_unchanged(made->program(), groups[3], 1)), 9);  // 3 * 3.
}

/// lo = hi = x.shape[0]; hi += 1; lo -= 1; y = x * (hi / lo): a trace reads one number twice.
TEST(ChangedSizes, NamesThatAreChangedApartAreReadAsEachWasChanged) {
  auto made = graph_export(graph_text(
      {"%zero : int = prim::Constant[value=0]()", "%one : int = prim::Constant[value=1]()",
       "%size : int = aten::size(%x, %zero) # m.py:1:4",
       "%n : Tensor = prim::NumToTensor(%size) # m.py:1:4",
       "%hi : Tensor = aten::add_(%n, %one, %one) # m.py:2:4",
       "%lo : Tensor = aten::sub_(%hi, %one, %one) # m.py:3:4",
       "%part : Tensor = aten::div(%lo, %lo) # m.py:4:4",
       "%y : Tensor = aten::mul(%x, %part) # m.py:4:4"},
      "%y"));
  EXPECT_FLOAT_EQ(first_of(*made, made->program().graph->copy()), 1);
  auto groups = size_groups(made->program());
  auto apart =
      std::ranges::find_if(groups, [](const SizeGroup& g) { return g[0].apart.has_value(); });
  ASSERT_NE(apart, groups.end());
  EXPECT_EQ(made->program().steps[(*apart)[0].changed].line, 2);
  // The dividend alone is of the first name.
  EXPECT_FLOAT_EQ(first_of(*made, read_unchanged(made->program(), *apart, 0)), 4.0f / 2);
}

TEST(ChangedSizes, WhatIsNotWrittenToIsNone) {
  auto out_of_place = graph_export(graph_text(
      {"%zero : int = prim::Constant[value=0]()", "%one : int = prim::Constant[value=1]()",
       "%size : int = aten::size(%x, %zero)", "%n : Tensor = prim::NumToTensor(%size)",
       "%more : Tensor = aten::add(%n, %one, %one)", "%y : Tensor = aten::mul(%x, %more)"},
      "%y"));
  EXPECT_TRUE(changed_sizes(out_of_place->program()).empty());
  // The model's own update of a tensor is none of a size.
  auto of_a_tensor = graph_export(
      graph_text({"%one : int = prim::Constant[value=1]()", "%copy : Tensor = aten::relu(%x)",
                  "%y : Tensor = aten::add_(%copy, %one, %one)"},
                 "%y"));
  EXPECT_TRUE(changed_sizes(of_a_tensor->program()).empty());
}

}  // namespace
}  // namespace assay::verify::diagnosis
