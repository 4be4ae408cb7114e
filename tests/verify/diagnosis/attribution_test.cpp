#include "verify/diagnosis/attribution.h"

#include <gtest/gtest.h>

#include "tests/support/graph_model.h"
#include "verify/spec_parser.h"

namespace assay::verify::diagnosis {
namespace {

using testing::graph_export;
using testing::graph_text;

const Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..64"}, {"modes", "eval,train"}});

Case at(int64_t n, const std::string& mode = "eval") {
  return build_case(spec, *settle(spec, Point{{{"n", n}}, {{"mode", mode}}, 0}));
}

/// What the classes make of a subject beside exports made elsewhere; the first is the probe.
struct Look {
  Look(const std::string& subject_text, int64_t example,
       const std::vector<std::pair<std::string, Case>>& others, FeatureAxis axis)
      : subject(graph_export(subject_text)) {
    for (const auto& [text, c] : others) {
      auto made = graph_export(text);
      variants.push_back({made, c, align(subject->program(), made->program())});
    }
    view = {&subject->program(),     &variants[0].made->program(),
            &variants[0].to_subject, std::move(axis),
            &variants[0].at,         &variants,
            {{"n", example}}};
    found = attribute(view);
  }
  Look(const Look&) = delete;

  std::shared_ptr<testing::GraphExport> subject;
  std::vector<Variant> variants;
  View view;
  std::vector<Attribution> found;
};

FeatureAxis dim() { return {"dim", "x", 0, "n"}; }
FeatureAxis kind(const std::string& name) {
  FeatureAxis axis;
  axis.kind = name;
  return axis;
}

std::string literal_graph(const std::string& type, const std::string& literal,
                          const std::string& use) {
  return graph_text(
      {"%c : " + type + " = prim::Constant[value=" + literal + "]()",
       "%none : NoneType = prim::Constant()", "%zero : int = prim::Constant[value=0]()",
       "%f : bool = prim::Constant[value=0]()", use + " # m.py:3:4"},
      "%y");
}

TEST(Attribute, ASizeThatFollowsIsAS102WithItsFit) {
  auto text = [](int64_t n) {
    return literal_graph("int", std::to_string(2 * n),
                         "%y : Tensor = aten::arange(%c, %none, %none, %none, %none)");
  };
  Look look(text(7), 7, {{text(1), at(1)}, {text(5), at(5)}, {text(11), at(11)}, {text(5), at(5)}},
            dim());
  ASSERT_EQ(look.found.size(), 1u);
  const Attribution& a = look.found[0];
  EXPECT_EQ(a.class_id, "AS102");
  EXPECT_EQ(a.role, "end");
  EXPECT_EQ(a.literal, "14");
  ASSERT_TRUE(a.fit);
  EXPECT_EQ(a.fit->text(), "2*n");
  EXPECT_EQ(a.fit_text, "14 = 2*n over 5 exports");
  // Equal exports are told once.
  EXPECT_EQ(a.exports, (std::vector<std::pair<std::string, std::string>>{
                           {"1", "2"}, {"5", "10"}, {"11", "22"}}));
}

TEST(Attribute, ADeviceIsAS106) {
  auto text = [](const std::string& device) {
    return literal_graph("Device", "\"" + device + "\"",
                         "%y : Tensor = aten::arange(%zero, %none, %none, %c, %none)");
  };
  Look look(text("cpu"), 7, {{text("meta"), at(7)}}, kind("device"));
  ASSERT_EQ(look.found.size(), 1u);
  EXPECT_EQ(look.found[0].class_id, "AS106");
  EXPECT_EQ(look.found[0].role, "device");
}

TEST(Attribute, AScalarTypeIsAS107) {
  auto text = [](int type) {
    return literal_graph("int", std::to_string(type),
                         "%y : Tensor = aten::arange(%zero, %c, %none, %none, %none)");
  };
  Look look(text(6), 7, {{text(7), at(7)}}, kind("dtype"));
  ASSERT_EQ(look.found.size(), 1u);
  EXPECT_EQ(look.found[0].class_id, "AS107");
}

TEST(Attribute, WhatDiffersBetweenModesIsAS108) {
  auto text = [](bool train) {
    return graph_text(
        {"%p : float = prim::Constant[value=0.5]()",
         std::string("%t : bool = prim::Constant[value=") + (train ? "1" : "0") + "]()",
         "%y : Tensor = aten::dropout(%x, %p, %t) # m.py:3:4"},
        "%y");
  };
  Look look(text(true), 7, {{text(false), at(7)}}, kind("mode"));
  ASSERT_EQ(look.found.size(), 1u);
  EXPECT_EQ(look.found[0].class_id, "AS108");
  EXPECT_EQ(look.found[0].literal, "True");
}

std::string unpacked(int parts) {
  std::string outputs, sum = "%x";
  std::vector<std::string> lines{"%one : int = prim::Constant[value=1]()",
                                 "%zero : int = prim::Constant[value=0]()",
                                 "%l : Tensor[] = aten::split(%x, %one, %zero) # m.py:3:4"};
  for (int k = 0; k < parts; ++k) {
    outputs += (k ? ", %p" : "%p") + std::to_string(k) + " : Tensor";
  }
  lines.push_back(outputs + " = prim::ListUnpack(%l) # m.py:3:4");
  for (int k = 0; k < parts; ++k) {
    std::string next = "%s" + std::to_string(k);
    lines.push_back(next + " : Tensor = aten::add(" + sum + ", %p" + std::to_string(k) +
                    ", %one) # m.py:4:8");
    sum = next;
  }
  return graph_text(lines, sum);
}

TEST(Attribute, PartsThatAreUnpackedAreAS105) {
  Look look(unpacked(3), 3, {{unpacked(2), at(2)}, {unpacked(5), at(5)}}, dim());
  ASSERT_FALSE(look.found.empty());
  EXPECT_EQ(look.found[0].class_id, "AS105");
  EXPECT_EQ(look.found[0].literal, "3");
  EXPECT_EQ(look.found[0].exports.size(), 2u);
}

std::string chain(const std::vector<std::string>& ops) {
  std::vector<std::string> lines;
  std::string last = "%x";
  for (size_t k = 0; k < ops.size(); ++k) {
    std::string next = "%v" + std::to_string(k);
    lines.push_back(next + " : Tensor = aten::" + ops[k] + "(" + last +
                    ") # m.py:" + std::to_string(3 + k) + ":4");
    last = next;
  }
  return graph_text(lines, last);
}

TEST(Attribute, OtherStepsAreAS103) {
  Look look(chain({"relu", "abs"}), 7, {{chain({"relu", "neg"}), at(2)}}, dim());
  ASSERT_EQ(look.found.size(), 1u);
  EXPECT_EQ(look.found[0].class_id, "AS103");
}

TEST(Attribute, EqualGraphsHaveNothingToAttribute) {
  Look look(chain({"relu"}), 7, {{chain({"relu"}), at(2)}}, dim());
  EXPECT_TRUE(look.found.empty());
}

TEST(FeatureText, IsTheSizeOrTheWord) {
  EXPECT_EQ(feature_text(at(5), dim()), "5");
  EXPECT_EQ(feature_text(at(5, "train"), kind("mode")), "train");
  EXPECT_EQ(feature_text(at(5), kind("device")), "cpu");
}

}  // namespace
}  // namespace assay::verify::diagnosis
