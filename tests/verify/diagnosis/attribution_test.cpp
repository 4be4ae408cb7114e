#include "verify/diagnosis/attribution.h"

#include <gtest/gtest.h>

#include "tests/support/graph_model.h"
#include "verify/spec/parser.h"

namespace assay::verify::diagnosis {
namespace {

using testing::graph_export;
using testing::graph_text;

const Spec spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..64"}, {"modes", "eval,train"}});

Case at(int64_t n, const std::string& mode = "eval") {
  return build_case(spec, *nearest_point(spec, Point{{{"n", n}}, {{"mode", mode}}, 0}));
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
    view = {&subject->program(),     &variants[0].exported->program(),
            &variants[0].to_subject, std::move(axis),
            &variants[0].at,         &variants,
            {{"n", example}}};
    found = attribute(view);
  }
  Look(const Look&) = delete;

  std::shared_ptr<testing::GraphExport> subject;
  std::vector<Variant> variants;
  ExportDiff view;
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

TEST(Located, AStepWithoutALineIsAtItsFirstReaderThatHasOne) {
  auto made = graph_export(
      graph_text({"%a : Tensor = aten::relu(%x)", "%other : Tensor = aten::neg(%x) # m.py:2:4",
                  "%b : Tensor = aten::neg(%a)", "%c : Tensor = aten::mul(%b, %other) # m.py:7:4"},
                 "%c"));
  EXPECT_EQ(located(made->program(), 0).line, 7);
  EXPECT_EQ(located(made->program(), 1).line, 2);
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

/// A chain of unary steps, each "op line".
std::string chain(const std::vector<std::pair<std::string, int>>& steps) {
  std::vector<std::string> lines;
  std::string last = "%x";
  for (const auto& [op, line] : steps) {
    std::string name = "%v" + std::to_string(100 + lines.size());
    lines.push_back(name + " : Tensor = aten::" + op + "(" + last +
                    ") # m.py:" + std::to_string(line) + ":4");
    last = name;
  }
  return graph_text(lines, last);
}

TEST(Attribute, OtherStepsAreAS103) {
  Look look(chain({{"relu", 3}, {"abs", 4}}), 7, {{chain({{"relu", 3}, {"neg", 4}}), at(2)}},
            dim());
  ASSERT_EQ(look.found.size(), 1u);
  EXPECT_EQ(look.found[0].class_id, "AS103");
}

TEST(Attribute, ABranchAtSeveralPlacesIsNoLoop) {
  // A block that is run three times takes its branch (line 5) once, then at two of its places.
  auto text = [](const std::vector<bool>& taken) {
    std::vector<std::pair<std::string, int>> steps;
    for (bool branch : taken) {
      steps.emplace_back("abs", 3);
      if (branch) steps.emplace_back("neg", 5);
    }
    return chain(steps);
  };
  Look look(text({true, false, false}), 7,
            {{text({true, true, false}), at(9)}, {text({true, true, true}), at(20)}}, dim());
  ASSERT_FALSE(look.found.empty());
  for (const Attribution& a : look.found) EXPECT_EQ(a.class_id, "AS103");
}

TEST(Attribute, ALoopThatTheExampleDidNotEnterIsAS104) {
  auto rounds = [](int n) {
    std::vector<std::pair<std::string, int>> steps{{"abs", 3}};
    for (int k = 0; k < n; ++k) {
      steps.emplace_back("neg", 5);
      steps.emplace_back("relu", 6);
    }
    return chain(steps);
  };
  for (int own : {0, 1}) {
    Look look(rounds(own), 1, {{rounds(3), at(9)}, {rounds(5), at(40)}}, dim());
    ASSERT_EQ(look.found.size(), 1u);
    EXPECT_EQ(look.found[0].class_id, "AS104") << own;
    EXPECT_EQ(look.found[0].literal, std::to_string(own));
  }
  // As often wherever it is taken: a branch around a loop of fixed length.
  Look look(rounds(0), 1, {{rounds(3), at(9)}, {rounds(3), at(40)}}, dim());
  ASSERT_EQ(look.found.size(), 1u);
  EXPECT_EQ(look.found[0].class_id, "AS103");
}

TEST(Apart, CutsBranchesThatComeAndGoApart) {
  std::string none = chain({{"abs", 3}}), one = chain({{"abs", 3}, {"neg", 5}, {"relu", 6}}),
              both = chain({{"abs", 3}, {"neg", 5}, {"relu", 6}, {"exp", 8}});
  Look look(none, 1, {{both, at(9)}, {one, at(5)}}, dim());
  auto structures = [](const Alignment& alignment) {
    std::vector<std::pair<size_t, size_t>> out;
    for (const GraphDifference& d : alignment.differences) {
      if (d.kind == GraphDifference::Kind::structure) out.emplace_back(d.begin_b, d.end_b);
    }
    return out;
  };
  using Runs = std::vector<std::pair<size_t, size_t>>;
  EXPECT_EQ(structures(*look.view.alignment), (Runs{{1, 4}}));
  EXPECT_EQ(structures(split_unrelated(look.view)), (Runs{{1, 3}, {3, 4}}));
}

TEST(Attribute, EqualGraphsHaveNothingToAttribute) {
  Look look(chain({{"relu", 3}, {"abs", 4}}), 7, {{chain({{"relu", 3}, {"abs", 4}}), at(2)}},
            dim());
  EXPECT_TRUE(look.found.empty());
}

TEST(FeatureText, IsTheSizeOrTheWord) {
  EXPECT_EQ(feature_text(at(5), dim()), "5");
  EXPECT_EQ(feature_text(at(5, "train"), kind("mode")), "train");
  EXPECT_EQ(feature_text(at(5), kind("device")), "cpu");
}

}  // namespace
}  // namespace assay::verify::diagnosis
