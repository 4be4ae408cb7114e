#include "verify/cases/case.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/core/host_access.h"
#include "tests/support/spec_gen.h"
#include "verify/cases/binding.h"
#include "verify/spec/parser.h"

namespace assay::verify {

namespace {

Case case_at(const std::vector<SpecPiece>& pieces, Bindings sizes,
             base::FlatMap<std::string> choices = {}, uint64_t seed = 5) {
  Spec spec = parse_spec(pieces);
  return build_case(spec, *nearest_point(spec, Point{std::move(sizes), std::move(choices), seed}));
}

float at(const core::Tensor& tensor, std::vector<int64_t> index) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * tensor.stride(d);
  return tensor.data<float>()[offset];
}

std::vector<std::string> type_fields(const core::TypePtr& type) {
  return core::as_tuple(type)->fields;
}

const std::vector<SpecPiece> image{
    {"input", "x: f32[b, c, h, w]"},
    {"dim", "b=0..4"},
    {"dim", "c=1..4"},
    {"dim", "h=1..8"},
    {"dim", "w=1..8"},
    {"layouts", "contiguous,channels_last,transposed,strided,expanded"}};

TEST(Case, ElementsKeepTheirValuesWhenAShapeShrinks) {
  core::Tensor large =
      materialize(case_at(image, {{"b", 3}, {"c", 4}, {"h", 8}, {"w", 7}})).args[0].to_tensor();
  core::Tensor small =
      materialize(case_at(image, {{"b", 2}, {"c", 3}, {"h", 5}, {"w", 2}})).args[0].to_tensor();
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t h = 0; h < 5; ++h) EXPECT_EQ(at(large, {b, 2, h, 1}), at(small, {b, 2, h, 1}));
  }
}

TEST(Case, LayoutsHoldTheSameElements) {
  Bindings sizes{{"b", 2}, {"c", 3}, {"h", 4}, {"w", 5}};
  core::Tensor plain = materialize(case_at(image, sizes)).args[0].to_tensor();
  for (const char* layout : {"channels_last", "transposed", "strided"}) {
    core::Tensor other =
        materialize(case_at(image, sizes, {{"layout x", layout}})).args[0].to_tensor();
    EXPECT_FALSE(other.is_contiguous()) << layout;
    EXPECT_EQ(other.sizes(), plain.sizes());
    for (int64_t w = 0; w < 5; ++w) EXPECT_EQ(at(plain, {1, 2, 3, w}), at(other, {1, 2, 3, w}));
  }
  core::Tensor expanded =
      materialize(case_at(image, sizes, {{"layout x", "expanded"}})).args[0].to_tensor();
  EXPECT_EQ(expanded.stride(0), 0);
}

// Two dimensions can be viewed as one where one step of the outer is all steps of the inner: a view
// that fails on other layouts has to fail here.
TEST(Case, NoTwoDimensionsOfAStridedLayoutCanBeViewedAsOne) {
  core::Tensor x = materialize(case_at(image, {{"b", 2}, {"c", 3}, {"h", 4}, {"w", 5}},
                                       {{"layout x", "strided"}}))
                       .args[0]
                       .to_tensor();
  EXPECT_EQ(x.stride(3), 2);
  for (size_t d = 0; d < 3; ++d) EXPECT_GT(x.stride(d), x.size(d + 1) * x.stride(d + 1)) << d;
}

TEST(Case, ValuesFollowTheirProfileAndRange) {
  std::vector<SpecPiece> pieces{{"input", "i: i64[n] in 3..n+3"},
                                {"input", "x: f32[n]"},
                                {"input", "m: bool[n]"},
                                {"input", "s: int in 2..4"},
                                {"dim", "n=0..1000"},
                                {"values", "normal,zeros,ones,negative,equal,huge,tiny,ramp"}};
  for (const char* word :
       {"normal", "zeros", "ones", "negative", "equal", "huge", "tiny", "ramp"}) {
    Call call = materialize(
        case_at(pieces, {{"n", 500}},
                {{"value i", word}, {"value x", word}, {"value m", word}, {"value s", word}}));
    std::string name = word;
    core::Tensor i = call.args[0].to_tensor(), x = call.args[1].to_tensor();
    for (int64_t k = 0; k < 500; ++k) {
      int64_t v = i.data<int64_t>()[k];
      EXPECT_TRUE(v >= 3 && v <= 503) << name << v;
      float f = x.data<float>()[k];
      EXPECT_TRUE(std::isfinite(f));
      if (name == "zeros") {
        EXPECT_EQ(f, 0);
      }
      if (name == "negative") {
        EXPECT_LE(f, 0);
      }
      if (name == "equal") {
        EXPECT_EQ(f, x.data<float>()[0]);
      }
      if (name == "ones") {
        EXPECT_TRUE(call.args[2].to_tensor().data<core::Bool>()[k]);
      }
    }
    EXPECT_TRUE(call.args[3].to_int() >= 2 && call.args[3].to_int() <= 4);
  }
}

TEST(Case, SomeElementsAreNotFiniteWhereThatIsAskedFor) {
  std::vector<SpecPiece> pieces{{"input", "x: f32[n] in -1.0..1.0"},
                                {"input", "i: i64[n]"},
                                {"dim", "n=1..1000"},
                                {"values", "normal,nan,inf"}};
  for (int64_t n : {1, 400}) {  // One at least.
    for (const char* word : {"nan", "inf"}) {
      Call call = materialize(case_at(pieces, {{"n", n}}, {{"value x", word}, {"value i", word}}));
      core::Tensor x = call.args[0].to_tensor();
      int64_t nan = 0, inf = 0, below = 0;
      for (int64_t k = 0; k < n; ++k) {
        float f = x.data<float>()[k];
        nan += std::isnan(f) ? 1 : 0;
        inf += std::isinf(f) ? 1 : 0;
        below += std::isinf(f) && f < 0 ? 1 : 0;
        EXPECT_TRUE(!std::isfinite(f) || (f >= -1 && f <= 1));
      }
      int64_t wanted = word == std::string("nan") ? nan : inf;
      EXPECT_EQ(nan + inf, wanted);
      EXPECT_GE(wanted, n == 1 ? 1 : n / 8);
      EXPECT_LE(wanted, n == 1 ? 1 : n / 2);
      EXPECT_EQ(below > 0, n > 1 && word == std::string("inf"));
    }
  }
}

TEST(Case, NormalValuesHaveMeanZeroAndVarianceOne) {
  core::Tensor x = materialize(case_at({{"input", "x: f64[100000]"}}, {})).args[0].to_tensor();
  double sum = 0, squares = 0;
  for (int64_t k = 0; k < x.numel(); ++k) {
    sum += x.data<double>()[k];
    squares += x.data<double>()[k] * x.data<double>()[k];
  }
  // Standard errors at 1e5 samples: 0.003 for the mean, 0.004 for the variance.
  EXPECT_NEAR(sum / 1e5, 0, 0.02);
  EXPECT_NEAR(squares / 1e5, 1, 0.02);
}

TEST(Case, TheModelIsCastWhereAllItsFloatingInputsGetAnotherType) {
  std::vector<SpecPiece> two{
      {"input", "x: f32[2]"}, {"input", "n: i64[2]"}, {"dtypes", "x:f32,f16"}};
  auto cast = [&](const std::string& dtype, const std::string& word = "follow") {
    return case_at(two, {}, {{"dtype x", dtype}, {"cast", word}}).cast;
  };
  two.push_back({"casts", "follow,keep"});
  EXPECT_EQ(cast("f32"), std::nullopt);
  EXPECT_EQ(cast("f16"), core::DType::float16);
  EXPECT_EQ(cast("f16", "keep"), std::nullopt);
  Case c = case_at(two, {}, {{"dtype x", "f16"}});
  EXPECT_EQ(case_from_json(to_json(c)), c);
  EXPECT_NE(describe(c).find("model cast to f16"), std::string::npos);
  // Beside an input that keeps its type the model goes with the one that does not, or stays.
  two.push_back({"input", "y: f32[2]"});
  EXPECT_EQ(cast("f16"), core::DType::float16);
  EXPECT_EQ(cast("f16", "keep"), std::nullopt);
  two.push_back({"dtypes", "y:f32,f64"});
  EXPECT_EQ(cast("f16"), std::nullopt);  // Both vary, and are of two types: none is the model's.
}

TEST(Case, AliasesAreTheSameTensor) {
  std::vector<SpecPiece> pieces{
      {"input", "x: f32[n]"}, {"input", "y: f32[n]"}, {"dim", "n=1..4"}, {"aliases", "x=y"}};
  Call apart = materialize(case_at(pieces, {{"n", 3}}));
  EXPECT_FALSE(apart.args[0].to_tensor().same(apart.args[1].to_tensor()));
  Call same = materialize(case_at(pieces, {{"n", 3}}, {{"alias x=y", "same"}}));
  EXPECT_TRUE(same.args[0].to_tensor().same(same.args[1].to_tensor()));
}

TEST(Case, OptionsChangeTheTree) {
  std::vector<SpecPiece> pieces{{"input", "b: {x: f32[2], m?: bool[2]?}"},
                                {"options", "tensor,none,absent,reversed"}};
  EXPECT_EQ(describe(case_at(pieces, {})), "b.x f32[2], b.m bool[2], eval, cpu");
  EXPECT_EQ(describe(case_at(pieces, {}, {{"option b.m", "none"}})),
            "b.x f32[2], b.m None, eval, cpu");
  EXPECT_EQ(describe(case_at(pieces, {}, {{"option b.m", "absent"}})), "b.x f32[2], eval, cpu");
  EXPECT_EQ(describe(case_at(pieces, {}, {{"option b", "reversed"}})),
            "b.m bool[2], b.x f32[2], eval, cpu");
}

TEST(Case, PacksAndRepeatsGetTheirSizes) {
  std::vector<SpecPiece> pieces{{"input", "xs: [f32[3, ?]]*n"},
                                {"input", "y: f32[n, *rest]"},
                                {"input", "z: f32[*rest]"},
                                {"dim", "n=0..3"}};
  Case c = case_at(
      pieces, {{"n", 2}, {"xs.0.1", 4}, {"xs.1.1", 6}, {"*rest", 2}, {"rest.0", 5}, {"rest.1", 8}});
  EXPECT_EQ(describe(c), "xs.0 f32[3,4], xs.1 f32[3,6], y f32[2,5,8], z f32[5,8], eval, cpu");
}

TEST(Case, RecordsAreNamedTuplesAndWhatIsGivenIsTheSameInEveryCase) {
  std::vector<SpecPiece> pieces{{"input", "batch: Batch(x: f32[b, ?], flag: True, n: -3, p: 0.25)"},
                                {"input", "off: False"},
                                {"input", "act: \"relu\""},
                                {"dim", "b=1..4"}};
  for (uint64_t seed : {1, 2, 3}) {
    Case c = case_at(pieces, {{"b", 3}, {"batch.x.1", 5}}, {}, seed);
    EXPECT_EQ(describe(c),
              "batch.x f32[3,5], batch.flag True, batch.n -3, batch.p 0.25, off False, act 'relu', "
              "eval, cpu");
    EXPECT_EQ(case_from_json(to_json(c)), c);
    Call call = materialize(c);
    const core::TupleType* type = core::as_tuple(call.args[0].tuple().named);
    ASSERT_NE(type, nullptr);
    EXPECT_EQ(type->name(), "Batch");
    EXPECT_EQ(type->fields, (std::vector<std::string>{"x", "flag", "n", "p"}));
    const core::Values& items = call.args[0].tuple().items;
    EXPECT_TRUE(items[1].to_bool());
    EXPECT_EQ(items[2].to_int(), -3);
    EXPECT_EQ(items[3].to_float(), 0.25);
    EXPECT_FALSE(call.args[1].to_bool());
    EXPECT_EQ(call.args[2].to_string(), "relu");
  }
}

TEST(Case, RecordsThatAreGivenOutrightArePlacedAndReadBack) {
  Spec spec = parse_spec(
      {{"input", "batch: Batch(y: f32[b], x: f32[t])"}, {"dim", "b=1..4"}, {"dim", "t=1..4"}});
  auto type = core::named_tuple("Batch", {core::tensor_type(), core::tensor_type()}, {"x", "y"});
  core::Values items{core::Tensor::empty(core::Dims{2}, core::DType::float32),
                     core::Tensor::empty(core::Dims{3}, core::DType::float32)};
  for (const core::Value& item : items) core::fill_bytes(item.to_tensor().storage(), 0, 8, {});
  core::fill_bytes(items[1].to_tensor().storage(), 0, 12, {});
  core::Value batch = base::make_ref<core::TupleObject>(items, type);
  Case c = bind_case(spec, Call{{batch}, {}});
  EXPECT_EQ(c.point.sizes, (Bindings{{"b", 3}, {"t", 2}}));  // By field, not by position.
  Case again = case_from_json(to_json(c));
  EXPECT_EQ(again, c);
  EXPECT_EQ(core::as_tuple(materialize(again).args[0].tuple().named)->fields, type_fields(type));
  core::Value tuple = core::make_tuple({items[0], items[1]});
  EXPECT_THROW(bind_case(spec, Call{{tuple}, {}}), base::Error);
}

TEST(Case, GivenArgumentsAreCopiedForEachRun) {
  core::Tensor x = core::Tensor::empty(core::Dims{2}, core::DType::float32);
  x.data<float>()[0] = x.data<float>()[1] = 1;
  Case c = given_case({{x, core::Value(3)}, {{"y", x}}});
  Call first = materialize(c);
  first.args[0].to_tensor().data<float>()[0] = 9;
  EXPECT_EQ(first.kwargs[0].second.to_tensor().data<float>()[0], 9);  // Shared as given.
  EXPECT_EQ(materialize(c).args[0].to_tensor().data<float>()[0], 1);
  EXPECT_FALSE(has_text(c));  // The text of two tensors would not say that they are one.
  EXPECT_THROW(to_json(c), base::Error);
}

TEST(Case, GivenArgumentsReadBackElementByElement) {
  core::Tensor x =
      core::Tensor::empty_strided(core::Dims{2, 3}, core::Dims{1, 2}, core::DType::float32);
  for (int k = 0; k < 6; ++k) x.data<float>()[k] = 0.1f * static_cast<float>(k);
  core::DictRef dict = core::make_dict(core::string_type(), core::any_type());
  dict->set("b", core::make_tuple({core::Value(true), core::Value(2.0)}));
  dict->set("a", core::make_list(core::int_type(), {core::Value(7)}));
  Case c = given_case({{x, core::Value(dict), core::Value()}, {{"k", core::Value("text")}}});
  ASSERT_TRUE(has_text(c));
  Case back = case_from_json(to_json(c));
  EXPECT_EQ(back, c);
  EXPECT_EQ(back.given->args[0].to_tensor().stride(1), 2);
  EXPECT_TRUE(back.given->args[1].dict().find("b")->tuple().items[1].is_float());
  x.data<float>()[3] = 9;
  EXPECT_FALSE(back == c);
  Case large = given_case({{core::Tensor::empty(core::Dims{100, 200}, core::DType::float32)}, {}});
  EXPECT_FALSE(has_text(large));
}

RC_GTEST_PROP(Case, JsonReadsBack, (const Spec& spec, uint64_t seed)) {
  std::optional<Point> point = nearest_point(spec, Point{{}, {}, seed});
  RC_PRE(point.has_value());
  Case c = build_case(spec, *point);
  RC_ASSERT(case_from_json(to_json(c)) == c);
}

TEST(Case, RefusesWhatIsNoCase) {
  for (
      const char* text :
      {"", "[]", "{}", R"({"inputs":[{"name":"x"}]})",
       R"({"inputs":[{"name":"x","value":{"kind":"tensor","dtype":"f32","shape":[-1]}}]})",
       R"({"inputs":[{"name":"x","value":{"kind":"tensor","dtype":"f32","shape":[100000,100000]}}]})",
       R"({"inputs":[{"name":"x","value":{"kind":"tensor","dtype":"f99","shape":[]}}]})",
       R"({"inputs":[{"name":"x","value":{"kind":"dict","keys":["a"]}}]})",
       R"({"inputs":[],"choices":{"device":"gpu"}})", R"({"inputs":[],"seed":-1})",
       R"({"inputs":[],"sizes":{"b":99999999999999999999}})"}) {
    EXPECT_THROW(case_from_json(text), base::Error) << text;
  }
}

TEST(Case, EachCallOfSeveralHasValuesOfItsOwn) {
  Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..9"}, {"calls", "1..3"}});
  Point wanted{{{"n", 5}}, {{"call", "3"}}, 7};
  Case c = build_case(spec, *nearest_point(spec, wanted));
  ASSERT_EQ(c.calls(), 3);
  auto elements = [](const Call& call) {
    const float* x = call.args[0].to_tensor().data<float>();
    return std::vector<float>(x, x + 5);
  };
  std::vector<float> first = elements(materialize(c, 0)), second = elements(materialize(c, 1)),
                     last = elements(materialize(c, 2));
  EXPECT_EQ(last, elements(materialize(c)));
  EXPECT_NE(first, second);
  EXPECT_NE(second, last);
  EXPECT_NE(first, last);
  EXPECT_EQ(elements(materialize(c, 0)), first);
}

}  // namespace
}  // namespace assay::verify
