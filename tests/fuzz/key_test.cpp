#include "fuzz/key.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "engine/ir/parser.h"
#include "tests/support/fake_model.h"

namespace assay::fuzz {
namespace {

using verify::Observation;
using verify::testing::gave;
using verify::testing::raised;

std::string key_of(Observation subject, Observation reference) {
  verify::Judgement j;
  j.comparison = compare(subject, reference, {});
  j.subject = std::move(subject);
  j.reference = std::move(reference);
  return failure_key({}, j);
}

std::string loud(const std::string& message, int line = 8, const std::string& file = "m.py") {
  Observation o = raised(message);
  o.failure->place = {file, line, "forward"};
  return key_of(o, gave({1}));
}

TEST(FailureKey, SaysVisibilityLayerAndPlace) {
  EXPECT_EQ(key_of(gave({2}), gave({3})), "silent shape output");
  EXPECT_EQ(key_of(gave({2}, 1), gave({2}, 9)), "silent values output");
}

TEST(FailureKey, ErrorsThatDifferInNumbersOnlyAreOne) {
  EXPECT_EQ(loud("The size of tensor a (5) must match tensor b (7)"),
            loud("The size of tensor a (12) must match tensor b (7)"));
  EXPECT_EQ(loud("shape '[2, 3]' is invalid for input of size 12"),
            loud("shape '[2, 3, 4, 5]' is invalid for input of size 5"));
  EXPECT_EQ(loud("no\n  at line 3"), loud("no\n  at line 4"));
  EXPECT_EQ(loud("no", 8, "/a/m.py"), loud("no", 8, "/b/m.py"));
}

TEST(FailureKey, OtherWordsLinesOrTypesAreOthers) {
  EXPECT_NE(loud("no"), loud("never"));
  EXPECT_NE(loud("no", 8), loud("no", 9));
  Observation value = raised("no"), index = raised("no");
  index.failure->type = "IndexError";
  EXPECT_NE(key_of(value, gave({1})), key_of(index, gave({1})));
}

TEST(FailureKey, NamesLinesByWhatStandsThere) {
  auto key_at = [](int line, int of_abs) {
    std::string graph = fmt::format(
        "graph(%self : NoneType, %x : Tensor):\n"
        "  %y : Tensor = aten::abs(%x) # m.py:{}:4\n"
        "  %z : Tensor = aten::neg(%y) # m.py:{}:4\n"
        "  return (%z)\n",
        of_abs, of_abs + 1);
    verify::Judgement j;
    j.subject = raised("no");
    j.subject.failure->place = {"m.py", line, "forward"};
    j.reference = gave({1});
    j.comparison = compare(j.subject, j.reference, {});
    verify::Program program = verify::flatten(ir::parse(graph));
    return failure_key_by(std::make_shared<PlaceNames>(program, nullptr))({}, j);
  };
  EXPECT_EQ(key_at(8, 8), "loud ending RuntimeError m.py aten::abs no");
  EXPECT_EQ(key_at(11, 11), key_at(8, 8));
  EXPECT_NE(key_at(9, 8), key_at(8, 8));
}

TEST(FailureKey, WhatTheModelRejectsIsKeyedByItsError) {
  std::string key = key_of(gave({1}), raised("too short"));
  EXPECT_EQ(key, "lenient ending RuntimeError too short");
}

}  // namespace
}  // namespace assay::fuzz
