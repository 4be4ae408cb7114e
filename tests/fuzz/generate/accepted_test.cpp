#include "fuzz/generate/accepted.h"

#include <gtest/gtest.h>

#include "tests/support/graph_model.h"
#include "verify/spec/parser.h"

namespace assay::fuzz {
namespace {

using verify::testing::graph_text;
using verify::testing::GraphRunner;

/// The size of the case that a model accepts which wants rows of this many.
std::optional<int64_t> accepted_size(int64_t rows) {
  GraphRunner runner(ir::parse(graph_text(
      {"%r : int = prim::Constant[value=" + std::to_string(rows) + "]()",
       "%c : int = prim::Constant[value=-1]()", "%sizes : int[] = prim::ListConstruct(%r, %c)",
       "%y : Tensor = aten::view(%x, %sizes)"},
      "%y")));
  auto spec = verify::parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..9"}});
  std::optional<Accepted> accepted = accepted_case(runner, spec, 0);
  if (!accepted) return std::nullopt;
  EXPECT_EQ(accepted->result.ending, verify::Ending::returned);
  EXPECT_EQ(accepted->result.outputs.to_tensor().numel(), accepted->at.point.sizes.at("n"));
  return accepted->at.point.sizes.at("n");
}

TEST(AcceptedCase, IsTheSmallestThatIsMet) {
  EXPECT_EQ(accepted_size(1), 1);
  EXPECT_EQ(accepted_size(2), 2);
  EXPECT_EQ(accepted_size(9), 9);
}

TEST(AcceptedCase, IsNoneWhereAllAreRefused) { EXPECT_EQ(accepted_size(10), std::nullopt); }

}  // namespace
}  // namespace assay::fuzz
