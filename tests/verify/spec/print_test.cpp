#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/spec_gen.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

RC_GTEST_PROP(SpecPrint, PiecesReadBack, (const Spec& spec)) {
  RC_ASSERT(parse_spec(spec_pieces(spec)) == spec);
}

std::string printed(const std::string& tree) {
  Spec spec = parse_spec({{"input", "x: " + tree}, {"dim", "n=1..4"}});
  return print(spec.inputs[0].tree);
}

TEST(SpecPrint, KeepsTheNotation) {
  for (const char* tree : {"f32[n, 3, ?]", "i64[2*n] in 0..n-1", "f64[*rest, n]?", "int in 1..4",
                           "bool", "float?", "str in \"a\" | \"b\"", "[f32[n], int]", "[f32[n]]*n",
                           "(f32[n], bool[n])?", "{k: f32[n], m?: bool[n]}"}) {
    EXPECT_EQ(printed(tree), tree);
  }
}

TEST(SpecPrint, DomainsKeepRangesStepsAndSingleSizes) {
  Spec spec =
      parse_spec({{"input", "x: f32[h, w]"}, {"dim", "h=1,2,8..64:8"}, {"dim", "w=h..2*h"}});
  EXPECT_EQ(print(spec.dims[0].domain), "1,2,8..64:8");
  EXPECT_EQ(print(spec.dims[1].domain), "h..2*h");
}

TEST(SpecPrint, TextIsShellWords) {
  Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..4"}});
  EXPECT_EQ(spec_text(spec), "--input 'x: f32[n]'\n--dim n=1..4\n");
}

}  // namespace
}  // namespace assay::verify
