#include "fuzz/generate/reach.h"

#include <gtest/gtest.h>

#include "verify/spec/parser.h"

namespace assay::fuzz {
namespace {

using Words = std::vector<std::string>;

verify::Escape escape(const std::string& kind) {
  verify::Escape out;
  out.kind = kind;
  return out;
}

/// The words of the inputs' values after a trace from which this left.
Words words_of(verify::Spec& spec, const std::string& path, const std::string& kind) {
  reach_further(spec, {escape(kind)});
  for (const verify::ChoiceAxis& axis : choice_axes(spec)) {
    if (axis.key == "value " + path) return axis.choices;
  }
  return {};
}

TEST(ReachFurther, WhereADecisionWasMadeOnTensors) {
  auto spec = verify::parse_spec({{"input", "x: f32[n]"},
                                  {"input", "i: i64[n]"},
                                  {"input", "u: f32[n] in 0..1"},
                                  {"dim", "n=1..4"}});
  Words usual{"normal", "zeros", "ones", "negative"};
  Words all{"normal", "zeros", "ones", "negative", "equal", "huge", "tiny", "ramp"};
  EXPECT_EQ(words_of(spec, "x", "int"), usual) << "a size, as likely as not";
  EXPECT_EQ(words_of(spec, "x", "bool"), all);
  EXPECT_EQ(words_of(spec, "i", "bool"), usual) << "indices, as likely as not";
  EXPECT_EQ(words_of(spec, "u", "bool"), usual) << "its range is declared";
}

TEST(ReachFurther, KeepsWordsThatTheSpecNames) {
  auto spec = verify::parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..4"}});
  spec.input_choices[verify::CategoricalAxis::values]["x"] = {"ones"};
  EXPECT_TRUE(reach_further(spec, {escape("bool")}).empty());
  spec.input_choices[verify::CategoricalAxis::values] = {{"*", {"ones"}}};
  EXPECT_EQ(words_of(spec, "x", "item"), Words{"ones"});
}

}  // namespace
}  // namespace assay::fuzz
