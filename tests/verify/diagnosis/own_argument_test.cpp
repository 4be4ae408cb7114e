#include <gtest/gtest.h>

#include "tests/support/graph_model.h"
#include "verify/diagnosis/attribution.h"
#include "verify/spec/parser.h"

namespace assay::verify::diagnosis {
namespace {

using testing::graph_export;
using testing::graph_text;

/// y = x.to(float32), y written to (by `add_`) or not; what is read behind it at line 3, as y or as
/// x.
std::shared_ptr<testing::GraphExport> cast_then(const std::string& write, const std::string& read) {
  return graph_export(graph_text(
      {"%six : int = prim::Constant[value=6]()", "%one : int = prim::Constant[value=1]()",
       "%no : bool = prim::Constant[value=0]()", "%none : NoneType = prim::Constant()",
       "%y : Tensor = aten::to(%x, %six, %no, %no, %none) # m.py:1:4",
       "%w : Tensor = aten::" + write + "(%y, %one, %one) # m.py:2:4",
       "%z : Tensor = aten::mul(%w, %" + read + ") # m.py:3:4"},
      "%z"));
}

std::vector<Attribution> found_between(const std::string& write, const std::string& axis = "",
                                       const std::string& taken = "w") {
  auto subject = cast_then(write, taken), probe = cast_then(write, "x");
  Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=3"}});
  Case at = build_case(spec, *nearest_point(spec, Point{}));
  std::vector<Variant> variants{{probe, at, align(subject->program(), probe->program())}};
  FeatureAxis along;
  along.kind = axis;
  return attribute(
      {&subject->program(), &probe->program(), &variants[0].to_subject, along, &at, &variants, {}});
}

TEST(OwnArgument, AResultThatIsReadWhereItsArgumentIsMeantIsNamedAtTheOperatorThatGaveIt) {
  auto found = found_between("add_");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].class_id, "AS111");
  EXPECT_EQ(cast_then("add_", "w")->program().steps[found[0].step].line, 1);
  found = found_between("add_", "layout");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].class_id, "AS112");
  EXPECT_EQ(cast_then("add_", "w")->program().steps[found[0].step].line, 1);
}

TEST(OwnArgument, AResultThatNobodyWritesToIsOfTheAxisAlongWhichItDiffers) {
  const std::pair<const char*, const char*> by_axis[] = {
      {"layout", "AS112"}, {"dtype", "AS107"}, {"device", "AS106"}, {"value", "AS111"}};
  for (auto [axis, class_id] : by_axis) {
    auto found = found_between("add", axis, "y");
    ASSERT_EQ(found.size(), 1u) << axis;
    EXPECT_EQ(found[0].class_id, class_id);
    EXPECT_EQ(cast_then("add", "y")->program().steps[found[0].step].line, 1);
    if (axis != std::string("layout")) {
      EXPECT_EQ(found_between("add_", axis)[0].class_id, "AS111") << axis;
    }
  }
}

TEST(OwnArgument, AResultOfItsOwnIsABranchs) {
  auto found = found_between("add");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].class_id, "AS103");
}

}  // namespace
}  // namespace assay::verify::diagnosis
