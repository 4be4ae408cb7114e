#include "fuzz/draw.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "verify/cases/case.h"
#include "verify/spec/parser.h"

namespace assay::fuzz {
namespace {

using verify::Case;

verify::Spec spec_of(const std::vector<verify::SpecPiece>& pieces) {
  return verify::parse_spec(pieces);
}

RC_GTEST_PROP(Drawer, GivesTheSameCaseWhoeverDraws, (uint64_t seed)) {
  verify::Spec spec = spec_of({{"input", "x: f32[b, n]"}, {"dim", "b=1..9"}, {"dim", "n=2..900"}});
  Draw draw{rc::Random(seed), *rc::gen::inRange(0, 101)};
  std::optional<Case> first = Drawer(spec, {}).make(draw), second = Drawer(spec, {}).make(draw);
  RC_ASSERT(first.has_value());
  RC_ASSERT(first == second);
  RC_ASSERT(in_domain(spec, first->point));
}

TEST(Drawer, GivesAKnownCaseAsItIs) {
  verify::Spec spec = spec_of({{"input", "x: f32[n]"}, {"dim", "n=1..9"}});
  Case known = build_case(spec, *nearest_point(spec, verify::Point{{{"n", 4}}, {}, 3}));
  EXPECT_EQ(Drawer(spec, {}).make(known), known);
}

TEST(Drawer, GivesNothingWhereTheSpecHasNoPoint) {
  verify::Spec spec = spec_of({{"input", "x: f32[n]"}, {"dim", "n=m-9"}, {"dim", "m=1..3"}});
  EXPECT_EQ(Drawer(spec, {}).make(Draw{rc::Random(1), 10}), std::nullopt);
}

}  // namespace
}  // namespace assay::fuzz
