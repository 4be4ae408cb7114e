#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/base/error.h"
#include "tests/support/spec_gen.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

RC_GTEST_PROP(SpecJson, ReadsBackWhatItWrites, (const Spec& spec)) {
  std::string text = spec_json(spec);
  RC_ASSERT(parse_spec_json(text, "spec.json") == spec);
  RC_ASSERT(spec_json(parse_spec_json(text, "spec.json")) == text);
}

TEST(SpecJson, SaysTheSameAsTheFlags) {
  Spec spec = parse_spec_json(R"({
    "inputs": ["x: f32[b, 3]", "m: bool[b]?"],
    "dims": {"b": "1..8"},
    "modes": ["eval", "train"],
    "layouts": {"x": ["strided"]},
    "atol": {"*": 0.001}
  })",
                              "s.json");
  EXPECT_EQ(spec, parse_spec({{"input", "x: f32[b, 3]"},
                              {"input", "m: bool[b]?"},
                              {"dim", "b=1..8"},
                              {"modes", "eval,train"},
                              {"layouts", "x:strided"},
                              {"atol", "0.001"}}));
}

std::string error_of(const std::string& text) {
  try {
    parse_spec_json(text, "s.json");
  } catch (const base::Error& e) {
    EXPECT_EQ(e.kind(), base::ErrorKind::input);
    return e.describe();
  }
  return {};
}

TEST(SpecJson, ErrorsNameTheFileAndThePlace) {
  for (const char* bad :
       {"", "[]", "{", R"({"inputs": "x"})", R"({"inputs": [1]})", R"({"unknown": 1})",
        R"({"inputs": ["x: f32[n]"]})", R"({"inputs": ["x: f32["], "dims": {}})",
        R"({"dims": {"n": "9..1"}, "inputs": ["x: f32[n]"]})", R"({"modes": ["sleep"]})",
        R"({"inputs": [], "inputs": []})"}) {
    EXPECT_NE(error_of(bad).find("s.json"), std::string::npos) << bad << '\n' << error_of(bad);
  }
}

TEST(SpecJson, DoesNotNestWithoutEnd) {
  EXPECT_FALSE(error_of(R"({"dims": )" + std::string(100000, '[')).empty());
}

}  // namespace
}  // namespace assay::verify
