#include "fuzz/generate/reach.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/graph_model.h"
#include "verify/spec/parser.h"

namespace assay::fuzz {
namespace {

using verify::testing::graph_text;
using Words = std::vector<std::string>;

/// A model that doubles what is larger than a million, and halves all else.
std::string text_at(const verify::Case& c) {
  bool large = false;
  for (const auto& [key, word] : c.point.choices)
    large = large || (key == "value x" && word == "huge");
  std::string op = large ? "mul" : "div";
  return graph_text({"%two : int = prim::Constant[value=2]()",
                     "%out : Tensor = aten::" + op + "(%x, %two) # model.py:9:4"},
                    "%out");
}

/// The words that are added for a model from whose trace one number leaves.
Words added(verify::Spec& spec, const verify::testing::GraphExporter::Text& text,
            bool leaves = true) {
  verify::testing::GraphExporter exporter(text);
  if (leaves) exporter.escapes = {{"bool", core::Scalar(false), {"model.py", 8, "forward"}}};
  verify::Case example = build_case(spec, {{{"n", 2}}, {}, 0});
  auto subject = exporter.export_at(example, false).exported;
  Words words = reach_further(spec, *subject, exporter);
  if (!leaves) {
    EXPECT_EQ(exporter.exports, 1) << "nothing to look for";
  }
  return words;
}

verify::Spec spec_of(const std::string& input) {
  return verify::parse_spec({{"input", input}, {"dim", "n=1..4"}});
}

TEST(ReachFurther, AddsTheWordsAtWhichTheModelGoesAnotherWay) {
  verify::Spec spec = spec_of("x: f32[n]");
  EXPECT_EQ(added(spec, text_at), Words{"huge"});
  Words wanted{"normal", "zeros", "ones", "negative", "huge"};
  EXPECT_EQ(spec.input_choices.at(verify::CategoricalAxis::values).at("x"), wanted);
}

TEST(ReachFurther, AddsNothingWhereTheGraphStaysAsItIs) {
  verify::Spec spec = spec_of("x: f32[n]"), before = spec;
  auto usual = [](const verify::Case& c) {
    verify::Case plain = c;
    plain.point.choices.clear();
    return text_at(plain);
  };
  EXPECT_TRUE(added(spec, usual).empty());
  EXPECT_TRUE(added(spec, text_at, false).empty());
  EXPECT_EQ(spec, before);
}

TEST(ReachFurther, KeepsToWhatTheSpecSays) {
  for (const char* input : {"x: f32[n] in 0..1", "x: i64[n]"}) {
    verify::Spec spec = spec_of(input);
    EXPECT_TRUE(added(spec, text_at).empty()) << input;
  }
  verify::Spec named = spec_of("x: f32[n]");
  named.input_choices[verify::CategoricalAxis::values]["*"] = {"ones"};
  EXPECT_TRUE(added(named, text_at).empty());
}

/// A model that goes one way at these words of x and another one at all others.
verify::testing::GraphExporter::Text other_at(const Words& words) {
  return [words](const verify::Case& c) {
    bool other = false;
    for (const auto& [key, word] : c.point.choices) {
      bool named = std::find(words.begin(), words.end(), word) != words.end();
      other = other || (key == "value x" && named);
    }
    std::string op = other ? "mul" : "div";
    return graph_text({"%two : int = prim::Constant[value=2]()",
                       "%out : Tensor = aten::" + op + "(%x, %two) # model.py:9:4"},
                      "%out");
  };
}

TEST(ReachFurther, AddsNaNWhereTheModelHasAWayOfItsOwnForIt) {
  verify::Spec spec = spec_of("x: f32[n]");
  EXPECT_EQ(added(spec, other_at({"nan"})), Words{"nan"});
  spec = spec_of("x: f32[n]");
  EXPECT_EQ(added(spec, other_at({"nan", "inf"})), (Words{"nan", "inf"}));
}

TEST(ReachFurther, AConditionThatNaNMakesFalseIsNoneOnNaN) {
  // As `if x.mean() > 0`: negative numbers go the same way.
  verify::Spec spec = spec_of("x: f32[n]");
  EXPECT_TRUE(added(spec, other_at({"negative", "nan", "inf"})).empty());
}

}  // namespace
}  // namespace assay::fuzz
