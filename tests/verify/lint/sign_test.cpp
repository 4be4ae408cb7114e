#include "verify/lint/sign.h"

#include <gtest/gtest.h>

#include "verify/findings/finding.h"

namespace assay::verify::lint {
namespace {

TEST(Strength, HasANameEach) {
  for (Strength s : {Strength::note, Strength::possible, Strength::likely}) {
    EXPECT_EQ(strength_from_name(strength_name(s)), s);
  }
  EXPECT_FALSE(strength_from_name("sure"));
}

TEST(Rules, HaveAClassAndAHint) {
  for (const Rule& rule : rules()) {
    EXPECT_EQ(&rule_of(rule.id), &rule);
    EXPECT_FALSE(rule.hint.empty()) << rule.name;
    EXPECT_TRUE(rule.class_id.empty() || find_failure_class(rule.class_id)) << rule.name;
    EXPECT_TRUE(rule.sentence.ends_with('.')) << rule.name;
  }
}

TEST(Rules, AreToldInWords) {
  EXPECT_EQ(rule_of(RuleId::pinned_size).title(), "AS102 pinned size");
  EXPECT_EQ(rule_of(RuleId::shared_weights).title(), "shared weights");
}

}  // namespace
}  // namespace assay::verify::lint
