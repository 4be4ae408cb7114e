#include "verify/diagnosis/further_numbers.h"

#include <gtest/gtest.h>

#include "tests/support/graph_model.h"

namespace assay::verify::diagnosis {
namespace {

using verify::testing::graph_export;
using verify::testing::graph_text;

/// What a trace at h and w records of:
///
///   3  y = x.reshape(h, w)
///   4  return y.reshape(w, h)
std::shared_ptr<const Export> traced(int64_t h, int64_t w) {
  return graph_export(graph_text({"%h : int = prim::Constant[value=" + std::to_string(h) + "]()",
                                  "%w : int = prim::Constant[value=" + std::to_string(w) + "]()",
                                  "%rows : int[] = prim::ListConstruct(%h, %w)",
                                  "%y : Tensor = aten::reshape(%x, %rows) # model.py:3:4",
                                  "%columns : int[] = prim::ListConstruct(%w, %h)",
                                  "%z : Tensor = aten::reshape(%y, %columns) # model.py:4:4"},
                                 "%z"));
}

/// The proof's text where these exports differ, and all is exchanged.
std::string told(int64_t h, int64_t w, int64_t other_h, int64_t other_w) {
  auto subject = traced(h, w), other = traced(other_h, other_w);
  Exchange all{subject, other, align(subject->program(), other->program()), {}};
  for (size_t i = 0; i < all.alignment.differences.size(); ++i) all.exchanged.push_back(i);
  Finding finding;
  finding.cause.literal = std::to_string(h);
  finding.cause.role = "shape[0]";
  finding.cause.proof_text = "by substitution";
  name_further_numbers(*subject, {all}, finding);
  return finding.cause.proof_text;
}

TEST(FurtherNumbers, EachIsToldWhereItIsReadFirst) {
  EXPECT_EQ(told(3, 5, 7, 11),
            "by substitution; exchanged, too: literal 5 in aten::reshape (shape[1])");
}

TEST(FurtherNumbers, EqualEntriesOfOneListAreTwoNumbers) {
  EXPECT_EQ(told(3, 3, 7, 11),
            "by substitution; exchanged, too: literal 3 in aten::reshape (shape[1])");
}

TEST(FurtherNumbers, TheOneThatTheFindingNamesIsNone) {
  EXPECT_EQ(told(3, 5, 7, 5), "by substitution");
}

}  // namespace
}  // namespace assay::verify::diagnosis
