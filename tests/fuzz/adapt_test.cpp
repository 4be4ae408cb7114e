#include "fuzz/adapt.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "engine/base/error.h"
#include "fuzz/generate/points.h"
#include "tests/support/spec_gen.h"

namespace assay::fuzz {
namespace {

using verify::Bindings;
using verify::Case;
using verify::CaseInput;
using verify::Point;
using verify::Spec;
using verify::SpecPiece;

/// A case anywhere in the spec; nothing where it would be too large or the spec has none.
std::optional<Case> drawn(const Spec& spec, uint64_t seed) {
  Point point = points(spec, {})(rc::Random(seed), 80).value();
  if (!in_domain(spec, point)) return std::nullopt;
  try {
    return build_case(spec, point);
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

RC_GTEST_PROP(Adapt, ACaseOfTheSameSpecStaysAsItIs, (const Spec& spec, uint64_t seed)) {
  auto old = drawn(spec, seed);
  RC_PRE(old.has_value());
  Adapted now = adapt(spec, *old);
  RC_ASSERT(now.fitting.has_value());
  RC_ASSERT(*now.fitting == *old);
  RC_ASSERT(now.whole);
}

RC_GTEST_PROP(Adapt, TheOrderOfInputsIsOfNoAccount, (Spec spec, uint64_t seed)) {
  auto old = drawn(spec, seed);
  RC_PRE(old.has_value());
  std::reverse(spec.inputs.begin(), spec.inputs.end());
  Adapted now = adapt(spec, *old);
  RC_ASSERT(now.fitting.has_value());
  std::reverse(now.fitting->inputs.begin(), now.fitting->inputs.end());
  RC_ASSERT(now.fitting->inputs == old->inputs);
  RC_ASSERT(now.whole);
}

RC_GTEST_PROP(Adapt, WhatFitsIsACaseOfTheSpec,
              (const Spec& before, const Spec& after, uint64_t seed)) {
  auto old = drawn(before, seed);
  RC_PRE(old.has_value());
  Adapted now = adapt(after, *old);
  RC_ASSERT(now.fitting.has_value() == now.why.empty());
  if (!now.fitting) return;
  RC_ASSERT(in_domain(after, now.fitting->point));
  RC_ASSERT(build_case(after, now.fitting->point) == *now.fitting);
}

Spec spec_with_letters(const std::vector<std::string>& l) {
  std::vector<SpecPiece> pieces{{"input", fmt::format("x: f32[{0}, 3, {1}]", l[0], l[1])},
                                {"input", fmt::format("y: f32[{1}, 2*{2}]", l[0], l[1], l[2])}};
  for (const std::string& letter : l) pieces.push_back({"dim", letter + "=1..30"});
  return verify::parse_spec(pieces);
}

RC_GTEST_PROP(Adapt, LettersMayBeRenamedAndSwapped, (uint64_t seed)) {
  Case old = drawn(spec_with_letters({"a", "b", "c"}), seed).value();
  std::vector<std::string> letters{"a", "b", "p", "q", "r"};
  // "c" stands in arithmetic alone and would keep its size by name: it is renamed, not swapped.
  for (size_t k = letters.size(); k > 1; --k) {
    std::swap(letters[k - 1], letters[*rc::gen::inRange<size_t>(0, k)]);
  }
  RC_PRE(letters[2] != "a" && letters[2] != "b");
  letters.resize(3);
  Adapted now = adapt(spec_with_letters(letters), old);
  RC_ASSERT(now.fitting.has_value());
  RC_ASSERT(now.fitting->inputs == old.inputs);
  RC_ASSERT(now.whole);
}

RC_GTEST_PROP(Adapt, ASizeOutsideItsRangeDoesNotFit, ()) {
  auto spec_to = [](int64_t most) {
    return verify::parse_spec({{"input", "x: f32[n]"}, {"dim", fmt::format("n=1..{}", most)}});
  };
  auto n = *rc::gen::inRange<int64_t>(1, 60), most = *rc::gen::inRange<int64_t>(1, 60);
  Spec wide = spec_to(60);
  Case old = build_case(wide, *nearest_point(wide, Point{{{"n", n}}, {}, 3}));
  Adapted now = adapt(spec_to(most), old);
  RC_ASSERT(now.fitting.has_value() == (n <= most));
  if (n > most) RC_ASSERT(now.why == fmt::format("n = {} lies outside its range", n));
}

/// What became of the case at this point of one spec in another.
Adapted moved(const std::vector<SpecPiece>& before, const Point& point,
              const std::vector<SpecPiece>& after) {
  Spec spec = verify::parse_spec(before);
  return adapt(verify::parse_spec(after), build_case(spec, *nearest_point(spec, point)));
}

const std::vector<SpecPiece> image{{"input", "x: f32[b, 3, h]"},
                                   {"dim", "b=1..9"},
                                   {"dim", "h=1..99"},
                                   {"modes", "eval,train"},
                                   {"layouts", "x:contiguous,strided"}};
const Point at_image{{{"b", 5}, {"h", 77}}, {{"mode", "train"}, {"layout x", "strided"}}, 11};

TEST(Adapt, AnInputThatIsNewIsPlain) {
  Adapted now = moved(image, at_image,
                      {{"input", "mask: bool[m]"},
                       {"input", "x: f32[b, 3, h]"},
                       {"dim", "m=4..9"},
                       {"dim", "b=1..9"},
                       {"dim", "h=1..99"},
                       {"modes", "eval,train"},
                       {"layouts", "x:contiguous,strided"}});
  ASSERT_TRUE(now.fitting) << now.why;
  EXPECT_EQ(now.fitting->point.sizes, (Bindings{{"b", 5}, {"h", 77}, {"m", 4}}));
  EXPECT_EQ(now.fitting->point.choices.at("mode"), "train");
  EXPECT_EQ(now.fitting->point.choices.at("layout x"), "strided");
  EXPECT_EQ(now.fitting->point.seed, 11u);
  EXPECT_FALSE(now.whole);
}

TEST(Adapt, AnInputThatIsRenamedIsKnownByItsForm) {
  Adapted now = moved(image, at_image,
                      {{"input", "ids: i64[b]"},
                       {"input", "photo: f32[b, 3, h]"},
                       {"dim", "b=1..9"},
                       {"dim", "h=1..99"},
                       {"layouts", "photo:contiguous,strided"}});
  ASSERT_TRUE(now.fitting) << now.why;
  EXPECT_EQ(now.fitting->inputs[1].value.shape, (core::Dims{5, 3, 77}));
  EXPECT_EQ(now.fitting->inputs[1].value.layout, "strided");
  EXPECT_EQ(now.fitting->setting("mode"), "eval");  // The spec has no other any more.
  EXPECT_FALSE(now.whole);
}

TEST(Adapt, WhereTheRankChangesLettersKeepTheirSizesByName) {
  Adapted now = moved(
      image, at_image,
      {{"input", "x: f32[b, 3, h, w]"}, {"dim", "b=1..9"}, {"dim", "h=1..99"}, {"dim", "w=2..9"}});
  ASSERT_TRUE(now.fitting) << now.why;
  EXPECT_EQ(now.fitting->inputs[0].value.shape, (core::Dims{5, 3, 77, 2}));
  EXPECT_FALSE(now.whole);
}

TEST(Adapt, PathsLeadIntoContainers) {
  std::string tree = "batch: {{image: f32[{0}], boxes: [f32[?, 4]]*{1}, mask?: bool[{0}]}}";
  std::vector<SpecPiece> before{
      {"input", fmt::format(fmt::runtime(tree), "n", "k")}, {"dim", "n=1..9"}, {"dim", "k=1..4"}};
  std::string renamed = "batch: {{mask?: bool[{0}], boxes: [f32[?, 4]]*{1}, image: f32[{0}]}}";
  std::vector<SpecPiece> after{{"input", "scale: 2.0"},
                               {"input", fmt::format(fmt::runtime(renamed), "m", "count")},
                               {"dim", "m=1..9"},
                               {"dim", "count=1..4"}};
  Point point{{{"n", 7}, {"k", 2}, {"batch.boxes.0.0", 3}, {"batch.boxes.1.0", 6}},
              {{"option batch.mask", "absent"}},
              0};
  Adapted now = moved(before, point, after);
  ASSERT_TRUE(now.fitting) << now.why;
  const verify::CaseValue& batch = now.fitting->inputs[1].value;
  EXPECT_EQ(batch.keys, (std::vector<std::string>{"boxes", "image"}));
  EXPECT_EQ(batch.children[0].children[1].shape, (core::Dims{6, 4}));
  EXPECT_EQ(batch.children[1].shape, (core::Dims{7}));
}

TEST(Adapt, WhatIsOneTensorStaysOne) {
  std::vector<SpecPiece> before{{"input", "x: f32[3]"}, {"input", "y: f32[3]"}, {"aliases", "x=y"}};
  std::vector<SpecPiece> after{{"input", "x: f32[3]"}, {"input", "z: f32[3]"}, {"aliases", "x=z"}};
  Adapted now = moved(before, Point{{}, {{"alias x=y", "same"}}, 0}, after);
  ASSERT_TRUE(now.fitting) << now.why;
  EXPECT_EQ(now.fitting->aliases, (std::vector<std::vector<std::string>>{{"x", "z"}}));
}

TEST(Adapt, SaysWhyNothingFits) {
  std::vector<SpecPiece> two{
      {"input", "x: f32[a]"}, {"input", "y: f32[b]"}, {"dim", "a=1..9"}, {"dim", "b=1..9"}};
  Point point{{{"a", 3}, {"b", 5}}, {}, 0};
  std::vector<SpecPiece> equal{{"input", "x: f32[n]"}, {"input", "y: f32[n]"}, {"dim", "n=1..9"}};
  EXPECT_EQ(moved(two, point, equal).why, "n would be 3 and 5");
  std::vector<SpecPiece> other{
      {"input", "times: int"}, {"input", "ids: i64[k]"}, {"dim", "k=1..9"}};
  EXPECT_EQ(moved(two, point, other).why, "none of its inputs is declared any more");
  Spec spec = verify::parse_spec(two);
  Case given = build_case(spec, *nearest_point(spec, point));
  given.given = std::make_shared<verify::Call>(materialize(given));
  EXPECT_EQ(adapt(spec, given).why, "its arguments were given by a recording");
}

}  // namespace
}  // namespace assay::fuzz
