#include "verify/diagnosis/lost_updates.h"

#include <gtest/gtest.h>

#include "tests/support/export_pair.h"
#include "verify/spec/parser.h"

namespace assay::verify::diagnosis {
namespace {

using testing::ExportPair;
using testing::graph_text;
using testing::GraphExporter;

const Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..64"}});
const Case at = build_case(spec, *nearest_point(spec, Point{{{"n", 9}}, {}, 0}));
const Case right = build_case(spec, *nearest_point(spec, Point{{{"n", 3}}, {}, 0}));

/// y = 2 x, of which the first elements are clamped: at line 2, in place.
std::string clamped() {
  return graph_text(
      {"%two : int = prim::Constant[value=2]()", "%zero : int = prim::Constant[value=0]()",
       "%one : int = prim::Constant[value=1]()", "%y : Tensor = aten::mul(%x, %two) # m.py:1:4",
       "%part : Tensor = aten::slice(%y, %zero, %zero, %two, %one) # m.py:2:4",
       "%w : Tensor = aten::clamp_(%part, %zero, %one) # m.py:2:4",
       "%z : Tensor = aten::exp(%y) # m.py:3:4"},
      "%z");
}

/// The same without that; `write` is another line of the graph.
std::string unclamped(const std::string& write = "") {
  std::vector<std::string> lines{"%two : int = prim::Constant[value=2]()",
                                 "%y : Tensor = aten::mul(%x, %two) # m.py:1:4"};
  if (!write.empty()) lines.push_back(write);
  lines.push_back("%z : Tensor = aten::exp(%y) # m.py:3:4");
  return graph_text(lines, "%z");
}

/// The class and line of what the subject lacks of the probe, where the model exports so at
/// `right`.
std::pair<std::string, int> named(const std::string& subject, const std::string& where_right,
                                  const std::optional<Case>& holds = right) {
  ExportPair pair(subject, clamped(), at);
  GraphExporter exporter([&](const Case&) { return where_right; });
  auto found = attribute(pair.view());
  name_lost_updates(pair.view(), exporter, holds, found);
  if (found.size() != 1) return {"", 0};
  const auto& steps = (found[0].in_probe ? pair.view().probe : pair.view().subject)->steps;
  return {found[0].class_id, steps[found[0].step].line};
}

using Named = std::pair<std::string, int>;

TEST(LostUpdates, AWriteThatTheModelMakesEverywhereIsLostByASubjectThatWritesNowhere) {
  EXPECT_EQ(named(unclamped(), clamped()), (Named{"AS110", 2}));
  EXPECT_EQ(named(unclamped(), clamped(), std::nullopt), (Named{"AS110", 2}));
}

TEST(LostUpdates, AWriteThatTheModelDoesNotMakeWhereItIsRightIsABranchs) {
  EXPECT_EQ(named(unclamped(), unclamped()).first, "AS103");
}

TEST(LostUpdates, ASubjectThatWritesElsewhereWasNotExportedOutOfPlace) {
  EXPECT_EQ(named(unclamped("%w : Tensor = aten::relu_(%y) # m.py:1:4"), clamped()).first, "AS103");
}

}  // namespace
}  // namespace assay::verify::diagnosis
