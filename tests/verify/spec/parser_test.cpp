#include "verify/spec/parser.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/base/error.h"
#include "tests/support/spec_gen.h"

namespace assay::verify {

namespace {

std::string error_of(const std::vector<SpecPiece>& pieces) {
  try {
    (void)parse_spec(pieces);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::input);
    return error.message();
  }
  return "no error";
}

/// The character of the piece that the error points at.
std::string pointed_at(const std::string& flag, const std::string& text) {
  try {
    (void)parse_spec({{flag, text}});
  } catch (const base::Error& error) {
    if (!error.range()) return "no place";
    return error.range().source->text.substr(error.range().begin);
  }
  return "no error";
}

TEST(SpecParser, ReadsThePiecesOfACommandLine) {
  Spec spec = parse_spec({{"input", "x: f32[b, 3, h, 2*h+1]"},
                          {"input", "ids: i64[b] in 0..30521"},
                          {"input", "mask: bool[b, h]?"},
                          {"input", "scale= float in 0.5..2"},
                          {"dim", "b=1..8:2"},
                          {"dim", "h=32,64..128:32"},
                          {"modes", "eval,train"},
                          {"dtypes", "x:f32,f64"}});
  ASSERT_EQ(spec.inputs.size(), 4u);
  EXPECT_EQ(spec.inputs[0].tree.shape.size(), 4u);
  EXPECT_EQ(spec.inputs[0].tree.shape[3].size.evaluate({{"h", 32}}), 65);
  EXPECT_EQ(std::get<SizeExpr>(spec.inputs[1].tree.range->high).evaluate({}), 30521);
  EXPECT_TRUE(spec.inputs[2].tree.optional);
  EXPECT_TRUE(spec.inputs[3].keyword);
  EXPECT_EQ(spec.dims[1].domain.size(), 2u);
  EXPECT_EQ(spec.choices.at(CategoricalAxis::modes), (std::vector<std::string>{"eval", "train"}));
  EXPECT_EQ(spec.dtypes.at("x").size(), 2u);
}

TEST(SpecParser, ReadsNestedInputs) {
  Spec spec =
      parse_spec({{"input", "batch: {image: [f32[3, ?, ?]]*n, size?: (i64[], int in 1..5)}"},
                  {"dim", "n=0..3"}});
  const InputTree& batch = spec.inputs[0].tree;
  EXPECT_EQ(batch.keys, (std::vector<std::string>{"image", "size"}));
  EXPECT_EQ(batch.children[0].kind, InputTree::Kind::repeated);
  EXPECT_TRUE(batch.key_optional[1]);
  EXPECT_EQ(batch.children[1].children[0].shape.size(), 0u);
}

TEST(SpecParser, ReadsRecordsAndWhatIsGiven) {
  Spec spec = parse_spec({{"input", "batch: Batch(x: f32[b], sub: Sub(n: -3)?)"},
                          {"input", "words: {\"word-ids\": i64[b], p: 0.5}"},
                          {"input", "flags: (True, False, \"relu\", 1e-3, 2.0)"},
                          {"dim", "b=1..4"}});
  const InputTree& batch = spec.inputs[0].tree;
  EXPECT_EQ(batch.kind, InputTree::Kind::record);
  EXPECT_EQ(batch.class_name, "Batch");
  EXPECT_EQ(batch.keys, (std::vector<std::string>{"x", "sub"}));
  EXPECT_TRUE(batch.children[1].optional);
  EXPECT_TRUE(batch.children[1].children[0].is_given());
  EXPECT_FALSE(batch.children[0].is_given());
  EXPECT_EQ(spec.inputs[1].tree.keys[0], "word-ids");
  std::vector<InputTree::Kind> kinds;
  for (const InputTree& child : spec.inputs[2].tree.children) kinds.push_back(child.kind);
  using Kind = InputTree::Kind;
  EXPECT_EQ(kinds, (std::vector{Kind::boolean, Kind::boolean, Kind::text, Kind::floating,
                                Kind::floating}));
  std::vector<std::string> texts;
  for (const SpecPiece& piece : spec_pieces(spec)) texts.push_back(piece.text);
  EXPECT_EQ(texts[0], "batch: Batch(x: f32[b], sub: Sub(n: -3)?)");
  EXPECT_EQ(texts[1], "words: {\"word-ids\": i64[b], p: 0.5}");
  EXPECT_EQ(texts[2], "flags: (True, False, \"relu\", 0.001, 2.0)");
}

TEST(SpecParser, WhatIsGivenDoesNotVary) {
  auto is_given = [](const std::string& text) {
    return parse_spec({{"input", "x: " + text}, {"dim", "b=1..4"}}).inputs[0].tree.is_given();
  };
  for (const char* text : {"3", "0.5", "True", "\"a\"", "int in 3..3", "str in \"a\""})
    EXPECT_TRUE(is_given(text)) << text;
  for (const char* text : {"int", "int in 1..3", "int in b..b", "bool", "str in \"a\" | \"b\"",
                           "int? in 3..3", "f32[]", "f32[] in 1..1"})
    EXPECT_FALSE(is_given(text)) << text;
}

TEST(SpecParser, PointsAtTheWrongCharacter) {
  EXPECT_EQ(pointed_at("input", "x: f31[2]"), "f31[2]");
  EXPECT_EQ(pointed_at("input", "x: f32[2; 3]"), "; 3]");
  EXPECT_EQ(pointed_at("input", "x: f32[2, 3"), "");
  EXPECT_EQ(pointed_at("input", "x: f32[h/2]"), "/2]");
  EXPECT_EQ(pointed_at("input", "x: f32[b]"), "b]");
  EXPECT_EQ(pointed_at("input", "x: i64[] in 5..2"), "5..2");
  EXPECT_EQ(pointed_at("input", "x: f32[2] extra"), "extra");
  EXPECT_EQ(pointed_at("input", "x: Batch(3)"), "3)");
  EXPECT_EQ(pointed_at("input", "x: Batch(a: 1, a: 2)"), "a: 2)");
  EXPECT_EQ(pointed_at("input", "x: Batch(a: 1"), "");
  EXPECT_EQ(pointed_at("input", "x: 3 4"), "4");
  EXPECT_EQ(pointed_at("input", "x: -"), "-");
  EXPECT_EQ(pointed_at("input", "x: True?"), "?");
  EXPECT_EQ(pointed_at("dim", "b=4..2"), "4..2");
  EXPECT_EQ(pointed_at("dim", "b=1..8:0"), "0");
  EXPECT_EQ(pointed_at("dim", "b=1..c"), "c");
  EXPECT_EQ(pointed_at("devices", "cpu,gpu"), "gpu");
  EXPECT_EQ(pointed_at("modes", "eval,test"), "test");
  EXPECT_EQ(pointed_at("modes", "eval,eval"), "eval");
  EXPECT_EQ(pointed_at("calls", "3..1"), "3..1");
}

TEST(SpecParser, ANumberOfCallsOrExportsMeansAllOfThem) {
  auto read = [](const std::string& flag, const std::string& text) {
    return parse_spec({{"input", "x: f32[2]"}, {flag, text}});
  };
  EXPECT_EQ(read("calls", "3").calls, read("calls", "1..3").calls);
  EXPECT_EQ(read("exports", "2").exports, read("exports", "1..2").exports);
  EXPECT_EQ(read("calls", "3..3").calls, std::pair(int64_t{3}, int64_t{3}));
  EXPECT_EQ(read("seeds", "7").seeds, std::pair(int64_t{7}, int64_t{7}));
}

TEST(SpecParser, RefusesContradictions) {
  EXPECT_NE(error_of({{"dim", "a=1..b"}, {"dim", "b=1..a"}}).find("depends on itself"),
            std::string::npos);
  EXPECT_NE(error_of({{"dim", "a=1"}, {"dim", "a=2"}}).find("already has a range"),
            std::string::npos);
  EXPECT_NE(error_of({{"input", "x: f32[]"}, {"input", "x: f32[]"}}).find("given twice"),
            std::string::npos);
  EXPECT_NE(error_of({{"input", "x: f32[]"}, {"layouts", "y:strided"}}).find("no input 'y'"),
            std::string::npos);
  EXPECT_NE(error_of({{"input", "x= f32[]"}, {"input", "y: f32[]"}}).find("cannot follow"),
            std::string::npos);
  EXPECT_NE(error_of({{"input", "x: " + std::string(100, '[') + std::string(100, ']')}})
                .find("nests too deeply"),
            std::string::npos);
  EXPECT_NE(error_of({{"inputs", "x: f32[]"}}).find("no 'inputs'"), std::string::npos);
}

TEST(SpecParser, FlagsRefineASpec) {
  Spec base = parse_spec({{"input", "x: f32[b]"}, {"dim", "b=1..4"}, {"modes", "train"}});
  Spec spec = parse_spec({{"dim", "b=8..9"}, {"input", "y: f32[b]"}}, base);
  EXPECT_EQ(spec.inputs.size(), 2u);
  EXPECT_EQ(print(spec.dims[0].domain), "8..9");
  EXPECT_EQ(spec.choices.at(CategoricalAxis::modes), std::vector<std::string>{"train"});
}

TEST(SpecParser, JsonSaysWhatTheCommandLineSays) {
  Spec spec = parse_spec_json(R"({
    "inputs": ["x: f32[b, h]", "y: f32[b, h]"],
    "dims": {"b": "1..8", "h": [8, "16..32:8"]},
    "devices": ["cpu", "fake:0"], "layouts": {"x": ["strided"]}, "values": ["normal"],
    "aliases": [["x", "y"]], "calls": "1..2", "atol": 1e-3, "rtol": {"output[0]": 0.5}
  })",
                              "spec.json");
  Spec same = parse_spec({{"input", "x: f32[b, h]"},
                          {"input", "y: f32[b, h]"},
                          {"dim", "b=1..8"},
                          {"dim", "h=8,16..32:8"},
                          {"devices", "cpu,fake:0"},
                          {"layouts", "x:strided"},
                          {"values", "normal"},
                          {"aliases", "x=y"},
                          {"calls", "1..2"},
                          {"atol", "1e-3"},
                          {"rtol", "output[0]:0.5"}});
  EXPECT_EQ(spec, same);
}

TEST(SpecParser, JsonTakesOneWordForAListAndAliasesAsTheFlagHasThem) {
  Spec one = parse_spec({{"input", "x: f32[3]"}});
  EXPECT_EQ(parse_spec_json(R"({"inputs": "x: f32[3]"})", "spec.json"), one);
  Spec two = parse_spec({{"input", "x: f32[3]"}, {"input", "y: f32[3]"}, {"aliases", "x=y"}});
  for (const char* aliases : {R"([["x", "y"]])", R"(["x=y"])", R"("x=y")"}) {
    std::string text =
        fmt::format(R"({{"inputs": ["x: f32[3]", "y: f32[3]"], "aliases": {}}})", aliases);
    EXPECT_EQ(parse_spec_json(text, "spec.json"), two);
  }
}

TEST(SpecParser, JsonErrorsSayWhere) {
  auto message = [](const char* text) -> std::string {
    try {
      (void)parse_spec_json(text, "spec.json");
    } catch (const base::Error& error) {
      return error.describe();
    }
    return "no error";
  };
  EXPECT_NE(message(R"({"inputs": ["x: f33[2]"]})").find("spec.json: inputs[0]"),
            std::string::npos);
  EXPECT_NE(message(R"({"inputz": []})").find("no \"inputz\""), std::string::npos);
  EXPECT_NE(message(R"({"dims": {}, "dims": {}})").find("given twice"), std::string::npos);
  EXPECT_NE(message("{\"dims\": }").find("not JSON"), std::string::npos);
  EXPECT_NE(message("[[[[[[[[[[[[[[1]]]]]]]]]]]]]]").find("nests too deeply"), std::string::npos);
}

TEST(SpecParser, TheSchemaKnowsEveryKey) {
  std::ifstream file("verify/spec/spec.schema.json");
  std::stringstream text;
  text << file.rdbuf();
  auto schema = nlohmann::json::parse(text.str());
  for (const SpecFlag& flag : spec_flags()) {
    std::string key = flag.flag == "input" || flag.flag == "dim" ? flag.flag + "s" : flag.flag;
    EXPECT_TRUE(schema["properties"].contains(key)) << key;
  }
  EXPECT_EQ(schema["properties"].size(), spec_flags().size() + 1);  // and "$schema"
}

TEST(SpecParser, TheCorpusReadsAndPrints) {
  int specs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("corpus")) {
    if (entry.path().filename() != "spec.json") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    Spec spec = parse_spec_json(text.str(), entry.path().string());
    EXPECT_EQ(parse_spec(spec_pieces(spec)), spec) << entry.path();
    ++specs;
  }
  EXPECT_GE(specs, 20);
}

RC_GTEST_PROP(SpecParser, PrintedPiecesReadBack, (const Spec& spec)) {
  RC_ASSERT(parse_spec(spec_pieces(spec)) == spec);
}

RC_GTEST_PROP(SpecParser, PrintedJsonReadsBack, (const Spec& spec)) {
  RC_ASSERT(parse_spec_json(spec_json(spec), "spec.json") == spec);
}

RC_GTEST_PROP(SpecParser, AnyTextIsReadOrRefused, (const std::string& text)) {
  for (const char* flag : {"input", "dim", "devices", "dtypes", "atol", "aliases"}) {
    try {
      (void)parse_spec({{flag, text}});
    } catch (const base::Error& error) {
      RC_ASSERT(error.kind() == base::ErrorKind::input);
    }
  }
}

TEST(ProposeSpec, SharedSizesBecomeLetters) {
  core::Tensor ids = core::Tensor::empty(core::Dims{2, 7}, core::DType::int64);
  for (int64_t i = 0; i < 14; ++i) ids.data<int64_t>()[i] = i;
  core::Tensor mask = core::Tensor::empty(core::Dims{2, 7}, core::DType::boolean);
  core::Tensor x = core::Tensor::empty(core::Dims{2, 3}, core::DType::float32);
  Spec spec = propose_spec({{"ids", ids}, {"mask", mask}, {"x", x}, {"none", core::Value()}});
  ASSERT_EQ(spec.inputs.size(), 3u);
  EXPECT_EQ(print(spec.inputs[0].tree), "i64[b, t] in 0..13");
  EXPECT_EQ(print(spec.inputs[1].tree), "bool[b, t]");
  EXPECT_EQ(print(spec.inputs[2].tree), "f32[b, 3]");
  EXPECT_EQ(spec.dims.size(), 2u);
}

}  // namespace
}  // namespace assay::verify
