#include "engine/ir/kinds.h"

#include <gtest/gtest.h>

#include "engine/ops/catalog.h"

namespace assay::ir {
namespace {

TEST(Kinds, AreNoOperators) {
#define KIND(identifier, name, effect, sharing) \
  EXPECT_TRUE(ops::overloads(kinds().identifier).empty()) << name;
#include "engine/ir/kinds.def"
#undef KIND
}

TEST(Kinds, HaveFactsWhereOperatorsHaveNone) {
  ASSERT_NE(structure_of(kinds().list), nullptr);
  EXPECT_EQ(structure_of(kinds().list)->effect, ops::Effect::none);
  EXPECT_EQ(structure_of(kinds().list)->sharing, Sharing::inputs);
  EXPECT_EQ(structure_of(kinds().call_method)->effect, ops::Effect::calls);
  EXPECT_EQ(structure_of("aten::add"), nullptr);
  EXPECT_EQ(structure_of("mystery::op"), nullptr);
}

}  // namespace
}  // namespace assay::ir
