#include "verify/cases/binding.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

using core::Dims;
using core::DType;
using core::Tensor;

Tensor empty(Dims sizes, DType dtype = DType::float32) { return Tensor::empty(sizes, dtype); }

TEST(BindCase, LettersGetTheSizesThatTheyStandAt) {
  Spec spec = parse_spec({{"input", "x: f32[b, 3, t]"}, {"dim", "b=1..4"}, {"dim", "t=1..9"}});
  Case c = bind_case(spec, Call{{empty({2, 3, 7})}, {}});
  EXPECT_EQ(c.point.sizes, (Bindings{{"b", 2}, {"t", 7}}));
  EXPECT_EQ(c.inputs[0].name, "x");
  EXPECT_THROW(bind_case(spec, Call{{empty({2, 3})}, {}}), base::Error);
}

TEST(BindCase, ALetterInArithmeticIsSolvedFor) {
  Spec spec = parse_spec({{"input", "x: f32[b, s*s+1]"},
                          {"input", "y: f32[b*k]"},
                          {"dim", "b=1..4"},
                          {"dim", "s=1..9"},
                          {"dim", "k=1..9"}});
  Case c = bind_case(spec, Call{{empty({2, 50}), empty({6})}, {}});
  EXPECT_EQ(c.point.sizes, (Bindings{{"b", 2}, {"k", 3}, {"s", 7}}));
  Case none = bind_case(spec, Call{{empty({2, 51}), empty({6})}, {}});
  EXPECT_EQ(none.point.sizes.count("s"), 0u);
}

TEST(BindCase, EachElementOfAListHasItsOwnFreeSizes) {
  Spec spec =
      parse_spec({{"input", "rows: [f32[?, 3]]*n"}, {"dim", "n=1..4"}, {"dtypes", "rows:f32,f64"}});
  Tensor all[] = {empty({4, 3}, DType::float64), empty({6, 3}, DType::float64)};
  Case c = bind_case(spec, Call{{core::make_list(core::tensor_type(), {all[0], all[1]})}, {}});
  EXPECT_EQ(c.point.sizes, (Bindings{{"n", 2}, {"rows.0.0", 4}, {"rows.1.0", 6}}));
  EXPECT_EQ(c.point.choices.at("dtype rows"), "f64");
}

TEST(BindCase, WhatTheSpecVariesIsWhatItIsInTheCall) {
  Spec spec = parse_spec({{"input", "x: f32[2, 3, 4, 5]"},
                          {"dtypes", "x:f32,f64"},
                          {"layouts", "x:contiguous,channels_last"}});
  Tensor x = empty({2, 3, 4, 5}, DType::float64);
  Case c = bind_case(spec, Call{{x}, {}});
  EXPECT_EQ(c.point.choices.at("dtype x"), "f64");
  EXPECT_EQ(c.point.choices.at("layout x"), "contiguous");
  Tensor last = x.view(Dims{2, 3, 4, 5}, Dims{60, 1, 15, 3}, 0);
  EXPECT_EQ(bind_case(spec, Call{{last}, {}}).point.choices.at("layout x"), "channels_last");
  // What it does not vary says nothing.
  Spec plain = parse_spec({{"input", "x: f64[2, 3, 4, 5]"}});
  EXPECT_EQ(bind_case(plain, Call{{x}, {}}).point.choices.count("dtype x"), 0u);
}

TEST(BindCase, ALayoutHasTheNarrowestWordThatIsDeclared) {
  auto layout = [](const std::string& words, const Dims& sizes, const Dims& strides) {
    Spec spec = parse_spec({{"input", "x: f32[n, m]"},
                            {"dim", "n=1..9"},
                            {"dim", "m=1..9"},
                            {"layouts", "x:contiguous," + words}});
    Tensor x = empty({9, 9}).view(sizes, strides, 0);
    auto choices = bind_case(spec, Call{{x}, {}}).point.choices;
    auto found = choices.find("layout x");
    return found == choices.end() ? "" : std::string(found->second);
  };
  const Dims sizes{3, 4};
  EXPECT_EQ(layout("strided,transposed,expanded", sizes, {4, 1}), "contiguous");
  EXPECT_EQ(layout("strided,transposed,expanded", sizes, {1, 3}), "transposed");
  EXPECT_EQ(layout("strided,transposed,expanded", sizes, {0, 1}), "expanded");
  EXPECT_EQ(layout("strided,transposed,expanded", sizes, {9, 2}), "strided");
  EXPECT_EQ(layout("strided", sizes, {1, 3}), "strided");
  EXPECT_EQ(layout("transposed", sizes, {9, 2}), "");
  // A stride of 0 that no step follows repeats nothing.
  EXPECT_EQ(layout("expanded", {1, 4}, {0, 1}), "contiguous");
}

TEST(BindCase, InputsThatAreOneTensorAreTheSame) {
  Spec spec = parse_spec(
      {{"input", "x: f32[n]"}, {"input", "y: f32[n]"}, {"dim", "n=1..9"}, {"aliases", "x=y"}});
  auto alias = [&](const Tensor& x, const Tensor& y) {
    return std::string(bind_case(spec, Call{{x, y}, {}}).point.choices.at("alias x=y"));
  };
  Tensor x = empty({4});
  EXPECT_EQ(alias(x, x), "same");
  EXPECT_EQ(alias(x, empty({4})), "apart");
  Tensor pair = empty({8});
  EXPECT_EQ(alias(pair.view(Dims{4}, Dims{1}, 0), pair.view(Dims{4}, Dims{1}, 4)), "apart");
}

TEST(BindCase, InputsThatAreLeftOutAreNone) {
  Spec spec = parse_spec({{"input", "x: f32[4]"}, {"input", "skip: f32[4]?"}});
  Case c = bind_case(spec, Call{{empty({4})}, {}});
  EXPECT_EQ(c.point.choices.at("option skip"), "none");
  ASSERT_EQ(c.given->args.size(), 2u);
  EXPECT_TRUE(c.given->args[1].is_none());
  Case both = bind_case(spec, Call{{empty({4}), empty({4})}, {}});
  EXPECT_EQ(both.point.choices.count("option skip"), 0u);
}

TEST(BindCase, WholeRunsAreTheSpecsFirstWord) {
  Spec spec = parse_spec({{"input", "x: f32[4]"}, {"modes", "train,eval"}, {"strict", "off"}});
  Case c = bind_case(spec, Call{{empty({4})}, {}});
  EXPECT_EQ(c.setting("mode"), "train");
  EXPECT_EQ(c.setting("strict"), "off");
}

}  // namespace
}  // namespace assay::verify
