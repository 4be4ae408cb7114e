#include "verify/diagnosis/attribution.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/export_pair.h"
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

/// What all of the attributions are.
std::vector<std::string> classes(const Look& look) {
  std::vector<std::string> out;
  for (const Attribution& a : look.found) out.push_back(a.class_id);
  return out;
}
using Ids = std::vector<std::string>;

TEST(Attribute, RoundsThatFillAListAreAS104WithTheList) {
  auto peaks = [](int n) {
    std::vector<std::string> lines{"%zero : int = prim::Constant[value=0]()"};
    std::string all = "%x", last = "%x";
    for (int k = 0; k < n; ++k) {
      std::string name = "%s" + std::to_string(k);
      lines.push_back(name + " : Tensor = aten::relu(" + last + ") # m.py:5:8");
      all += ", " + name;
      last = name;
    }
    lines.push_back("%l : Tensor[] = prim::ListConstruct(" + all + ")");
    lines.push_back("%y : Tensor = aten::stack(%l, %zero) # m.py:6:4");
    return graph_text(lines, "%y");
  };
  Look look(peaks(2), 2, {{peaks(5), at(5)}, {peaks(3), at(3)}, {peaks(7), at(7)}}, dim());
  ASSERT_EQ(classes(look), Ids{"AS104"});
  EXPECT_EQ(look.found[0].differences.size(), look.view.alignment->differences.size());
  ASSERT_TRUE(look.found[0].fit);
  EXPECT_EQ(look.found[0].fit->text(), "n");
}

TEST(Attribute, RoundsThatGoThroughRowsFromTheLastOneAreAS104) {
  // The first round reads the last row, which is another one where there are more.
  auto backwards = [](int n) {
    std::vector<std::string> lines{"%zero : int = prim::Constant[value=0]()",
                                   "%rows : Tensor[] = aten::unbind(%x, %zero) # m.py:4:4"};
    std::string rows;
    for (int k = 0; k < n; ++k) rows += (k ? ", %r" : "%r") + std::to_string(k) + " : Tensor";
    lines.push_back(rows + " = prim::ListUnpack(%rows)");
    std::string last = "%start";
    lines.push_back("%start : Tensor = aten::relu(%x) # m.py:3:4");
    for (int k = n; k-- > 0;) {
      std::string name = k == 0 ? "%y" : "%s" + std::to_string(k);
      lines.push_back(name + " : Tensor = aten::mul(%r" + std::to_string(k) + ", " + last +
                      ") # m.py:5:8");
      last = name;
    }
    return graph_text(lines, "%y");
  };
  Look look(backwards(3), 3, {{backwards(1), at(1)}, {backwards(5), at(5)}, {backwards(7), at(7)}},
            dim());
  ASSERT_EQ(classes(look), Ids{"AS104"});
  EXPECT_EQ(look.found[0].differences.size(), look.view.alignment->differences.size());
}

/// x beside `n` times the same blank.
std::string padded(int64_t n) {
  std::string all = "%x";
  for (int64_t k = 0; k < n; ++k) all += ", %blank";
  return graph_text(
      {"%zero : int = prim::Constant[value=0]()", "%blank : Tensor = aten::relu(%x) # m.py:5:8",
       "%l : Tensor[] = prim::ListConstruct(" + all + ")",
       "%y : Tensor = aten::cat(%l, %zero) # m.py:6:4"},
      "%y");
}

std::vector<Escape> left_at_4(int64_t number) {
  Escape escape;
  escape.kind = "int";
  escape.place = {"m.py", 4, "forward"};
  escape.value = core::Scalar(number);
  return {escape};
}

/// What left the subject's graph, and which number left at line 4 in each of the other exports.
void let_leave_at_4(const std::vector<Escape>& own, const std::vector<int64_t>& others,
                    Look& look) {
  look.view.subject_escapes = &own;
  for (size_t i = 0; i < look.variants.size(); ++i) {
    std::const_pointer_cast<Export>(look.variants[i].exported)->escapes = left_at_4(others[i]);
  }
}

TEST(Attribute, AListTimesANumberThatLeftTheGraphIsAS102) {
  Look look(padded(2), 2, {{padded(5), at(5)}, {padded(3), at(3)}, {padded(7), at(7)}}, dim());
  ASSERT_EQ(classes(look), Ids{"AS103"}) << "nothing tells where the number came from";
  std::vector<Escape> own = left_at_4(2);
  let_leave_at_4(own, {5, 3, 7}, look);
  look.found = attribute(look.view);
  ASSERT_EQ(classes(look), Ids{"AS102"});
  EXPECT_EQ(look.found[0].literal, "2");
  ASSERT_TRUE(look.found[0].escape);
  EXPECT_EQ(look.found[0].escape->place.line, 4);
  EXPECT_EQ(look.found[0].exports.size(), 3u);
}

TEST(Attribute, ALiteralThatComesWithOtherWeightsIsAnotherLayersAS103) {
  auto text = [](const std::string& layer, int stride) {
    return graph_text({"%w : Tensor = prim::GetAttr[name=\"" + layer + "\"](%self)",
                       "%c : int = prim::Constant[value=" + std::to_string(stride) + "]()",
                       "%y : Tensor = aten::add(%x, %w, %c) # m.py:3:4"},
                      "%y");
  };
  Look look(text("a", 1), 1, {{text("b", 2), at(2)}, {text("c", 4), at(4)}}, dim());
  for (const Attribution& a : look.found) EXPECT_EQ(a.class_id, "AS103");
  EXPECT_EQ(look.found.size(), 2u);
}

TEST(Attribute, RoundsOfWhichOneIsShorterAreAS104) {
  // What the last round of a loop computes in vain is nowhere in the graph, so that of two rounds
  // every step of line 6 is there once.
  auto rounds = [](int n) {
    std::vector<std::pair<std::string, int>> steps{{"abs", 3}};
    for (int k = 0; k < n; ++k) {
      steps.emplace_back("neg", 5);
      if (k + 1 < n) steps.emplace_back("relu", 6);
      steps.emplace_back("sin", 7);
    }
    return chain(steps);
  };
  Look look(rounds(2), 2, {{rounds(1), at(1)}, {rounds(3), at(3)}, {rounds(5), at(5)}}, dim());
  ASSERT_FALSE(look.found.empty());
  for (const Attribution& a : look.found) EXPECT_EQ(a.class_id, "AS104");
}

TEST(Attribute, WhatIsReplacedByOtherStepsEverywhereIsABranch) {
  std::string own = chain({{"neg", 5}, {"neg", 5}}), other = chain({{"relu", 7}, {"sin", 7}});
  Look look(own, 2, {{other, at(3)}, {other, at(5)}, {other, at(9)}}, dim());
  ASSERT_FALSE(look.found.empty());
  for (const Attribution& a : look.found) EXPECT_EQ(a.class_id, "AS103");
}

TEST(Attribute, WhatIsPreparedForRoundsBelongsToThem) {
  // Two slices of what the loop goes over, which are nowhere where there are no rounds.
  auto rounds = [](int n) {
    std::vector<std::pair<std::string, int>> steps{{"abs", 3}};
    for (int k = 0; k < 2 && n > 0; ++k) steps.emplace_back("cos", 4);
    for (int k = 0; k < n; ++k) {
      steps.emplace_back("neg", 5);
      steps.emplace_back("relu", 6);
    }
    return chain(steps);
  };
  Look look(rounds(2), 3, {{rounds(0), at(1)}, {rounds(4), at(5)}, {rounds(6), at(7)}}, dim());
  ASSERT_FALSE(look.found.empty());
  for (const Attribution& a : look.found) EXPECT_EQ(a.class_id, "AS104");
}

TEST(Attribute, NothingIsDoneAsOftenAsAnOptionSays) {
  auto text = [](int n) {
    return chain(std::vector<std::pair<std::string, int>>(static_cast<size_t>(n), {"neg", 5}));
  };
  for (const char* axis : {"option", "dtype", "grad"}) {
    Look look(text(2), 7, {{text(1), at(7)}}, kind(axis));
    for (const Attribution& a : look.found) EXPECT_NE(a.class_id, "AS104") << axis;
  }
}

TEST(Attribute, RoundsThatDependOnValuesAreNoFunctionOfSizes) {
  auto rounds = [](int n) {
    std::vector<std::pair<std::string, int>> steps{{"abs", 3}};
    for (int k = 0; k < n; ++k) steps.emplace_back("neg", 5);
    return chain(steps);
  };
  Look look(rounds(2), 2, {{rounds(5), at(5)}, {rounds(3), at(3)}, {rounds(7), at(7)}},
            kind("value"));
  ASSERT_EQ(classes(look), Ids{"AS104"});
  EXPECT_FALSE(look.found[0].fit);
}

TEST(Attribute, WhatDiffersBetweenLayoutsIsAS112) {
  auto text = [](int stride) {
    return literal_graph("int", std::to_string(stride),
                         "%y : Tensor = aten::select(%x, %zero, %c)");
  };
  EXPECT_EQ(classes({text(1), 7, {{text(2), at(7)}}, kind("layout")}), Ids{"AS112"});
  EXPECT_EQ(
      classes(
          {chain({{"relu", 3}}), 7, {{chain({{"abs", 2}, {"relu", 3}}), at(7)}}, kind("layout")}),
      Ids{"AS112"});
}

TEST(Attribute, KeysOfAnInputThatDifferAreAS115WhereTheyAreRead) {
  auto text = [](const std::string& key) {
    return "graph(%self : NoneType,\n      %d : Dict(str, Tensor)):\n"
           "  %k : str = prim::Constant[value=\"" +
           key +
           "\"]()\n"
           "  %e : Tensor = aten::__getitem__(%d, %k) # export.py:99:4\n"
           "  %y : Tensor = aten::relu(%e) # m.py:4:4\n"
           "  return (%y)\n";
  };
  Look look(text("width"), 7, {{text("height"), at(7)}}, kind("option"));
  ASSERT_EQ(classes(look), Ids{"AS115"});
  EXPECT_EQ(look.subject->program().steps[look.found[0].step].line, 4);
}

/// The least and the greatest of each row, in this order or the other.
std::string two_outputs(const std::string& order) {
  return graph_text(
      {"%dim : int = prim::Constant[value=1]()", "%f : bool = prim::Constant[value=0]()",
       "%low : Tensor = aten::amin(%x, %dim, %f) # m.py:3:4",
       "%high : Tensor = aten::amax(%x, %dim, %f) # m.py:4:4",
       "%both : (Tensor, Tensor) = prim::TupleConstruct(" + order + ")"},
      "%both");
}

TEST(Attribute, OutputsInAnotherOrderInEveryExportAreAS115) {
  std::string model = two_outputs("%low, %high"), subject = two_outputs("%high, %low");
  Look look(subject, 7, {{model, at(7)}, {model, at(5)}, {model, at(3)}}, kind("value"));
  ASSERT_EQ(classes(look), Ids{"AS115"});
  EXPECT_EQ(look.found[0].role, "output[0], output[1]");
  EXPECT_EQ(look.found[0].differences.size(), 2u);
}

TEST(Attribute, OutputsInAnotherOrderInSomeExportsAreABranchs) {
  std::string model = two_outputs("%low, %high"), subject = two_outputs("%high, %low");
  Look look(subject, 7, {{model, at(7)}, {subject, at(5)}, {model, at(3)}}, dim());
  ASSERT_FALSE(look.found.empty());
  EXPECT_EQ(look.found[0].class_id, "AS103");
}

TEST(Attribute, AnOutputGivenTwiceIsNoOtherOrder) {
  Look look(two_outputs("%low, %low"), 7, {{two_outputs("%low, %high"), at(7)}}, kind("value"));
  ASSERT_FALSE(look.found.empty());
  EXPECT_EQ(look.found[0].class_id, "AS103");
}

/// A graph that reads `use`'s %c: computed by `making`.
std::string made_by(const std::vector<std::string>& making) {
  std::vector<std::string> lines{
      "%f : bool = prim::Constant[value=0]()", "%none : NoneType = prim::Constant()",
      "%six : int = prim::Constant[value=6]()", "%half : int = prim::Constant[value=15]()",
      "%cpu : Device = prim::Constant[value=\"cpu\"]()"};
  lines.insert(lines.end(), making.begin(), making.end());
  return graph_text(lines, "%y");
}

TEST(Attribute, AMoveThatTheOtherDeviceDoesNotNeedIsAS106) {
  std::string use = "%y : Tensor = aten::neg(";
  Look look(made_by({"%c : Tensor = aten::to(%x, %cpu, %six, %f, %f, %none) # m.py:3:4",
                     use + "%c) # m.py:4:4"}),
            7, {{made_by({use + "%x) # m.py:4:4"}), at(7)}}, kind("device"));
  ASSERT_EQ(classes(look), Ids{"AS106"});
  EXPECT_EQ(look.found[0].literal, "'cpu'");
  EXPECT_EQ(look.found[0].role, "device");
}

TEST(Attribute, CastsThatOnlyTheSubjectHasAreAS107) {
  std::vector<std::string> cast{"%a : Tensor = aten::to(%x, %half, %f, %f, %none) # m.py:3:4",
                                "%b : Tensor = aten::to(%a, %half, %f, %f, %none) # m.py:3:4",
                                "%y : Tensor = aten::neg(%b) # m.py:3:4"};
  std::vector<std::string> bare{"%y : Tensor = aten::neg(%x) # m.py:3:4"};
  EXPECT_EQ(classes({made_by(cast), 7, {{made_by(bare), at(9)}}, kind("value")}), Ids{"AS107"});
  // Sides of a condition: `if x.dtype == torch.float64: x = x.half()`.
  EXPECT_EQ(classes({made_by(cast), 7, {{made_by(bare), at(9)}}, kind("dtype")}), Ids{"AS103"});
  EXPECT_EQ(classes({made_by(bare), 7, {{made_by(cast), at(9)}}, kind("device")}), Ids{"AS103"});
  EXPECT_EQ(classes({made_by(bare), 7, {{made_by(cast), at(9)}}, kind("autocast")}), Ids{"AS107"});
}

TEST(Attribute, ATableThatTheOtherExportMakesIsAS101WhereItIsMade) {
  std::string use = "%y : Tensor = aten::mul(%x, %t) # m.py:9:4";
  Look look(graph_text({"%t : Float(2) = prim::Constant[value=<Tensor>]()", use}, "%y"), 7,
            {{graph_text({"%t : Tensor = aten::cos(%x) # m.py:4:4", use}, "%y"), at(9)}}, dim());
  ASSERT_EQ(classes(look), Ids{"AS101"});
  EXPECT_TRUE(look.found[0].in_probe);
  EXPECT_EQ(look.view.probe->steps[look.found[0].step].line, 4);
}

TEST(Attribute, AConstantThatDiffersInItsTypeAloneIsAS107) {
  auto text = [](const std::string& type, const std::string& number) {
    return graph_text(
        {"%c : " + type + "(requires_grad=0, device=cpu) = prim::Constant[value={" + number +
             "}]()",
         "%t : Tensor = aten::neg(%c) # m.py:3:4", "%y : Tensor = aten::mul(%x, %t) # m.py:3:4"},
        "%y");
  };
  auto found = [&](const std::string& of_probe, const std::string& number) {
    return classes({text("Float", "0.25"), 7, {{text(of_probe, number), at(7)}}, kind("dtype")});
  };
  EXPECT_EQ(found("Double", "0.25"), Ids{"AS107"});
  EXPECT_EQ(found("Double", "0.25000000001"), Ids{"AS107"});
  EXPECT_EQ(found("Double", "0.5"), Ids{"AS101"});
  EXPECT_EQ(found("Float", "0.5"), Ids{"AS101"});
}

TEST(Attribute, ANumberBesideTheElementTypeIsAS103AndItsLimitAS107) {
  auto text = [](double number) {
    return graph_text({fmt::format("%c : float = prim::Constant[value={:.17g}]()", number),
                       "%y : Tensor = aten::mul(%x, %c) # m.py:3:4"},
                      "%y");
  };
  auto found = [&](double a, double b, const std::string& axis) {
    return classes({text(a), 7, {{text(b), at(7)}}, kind(axis)});
  };
  EXPECT_EQ(found(1e-3, 1e-9, "dtype"), Ids{"AS103"});
  EXPECT_EQ(found(-3.4028234663852886e38, -1.7976931348623157e308, "dtype"), Ids{"AS107"});
  EXPECT_EQ(found(-3.4028234663852886e38, -1.7976931348623157e308, "value"), Ids{"AS107"});
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

// int(x.shape[0] % 3) at 2, 3, 6 and 7 elements: no form that is tried gives the number from sizes.
TEST(CapturedValue, IsNoneWhereSizesDecide) {
  auto text = [](int64_t n) {
    return literal_graph("int", std::to_string(n % 3),
                         "%y : Tensor = aten::arange(%c, %none, %none, %none, %none)");
  };
  Look look(text(2), 2, {{text(3), at(3)}, {text(6), at(6)}, {text(7), at(7)}}, dim());
  std::vector<Escape> own = left_at_4(2);
  let_leave_at_4(own, {0, 0, 1}, look);
  look.found = attribute(look.view);
  ASSERT_EQ(classes(look), Ids{"AS102"});
  ASSERT_TRUE(look.found[0].escape);
  EXPECT_EQ(look.found[0].kind, nullptr);
  look.view.axis = kind("value");
  look.found = attribute(look.view);
  ASSERT_EQ(classes(look), Ids{"AS102"});
  EXPECT_EQ(look.found[0].kind, &captured_value);
}

/// round(float(x.max()), 4) / 127: no form that is tried gives the number from what left the graph.
TEST(CapturedValue, IsAtTheOneLineAboveWhoseNumbersDifferAsTheInputsValues) {
  auto text = [](const std::string& number) {
    return literal_graph("float", number, "%y : Tensor = aten::mul(%x, %c)");
  };
  auto left = [](double value) {
    return Escape{"float", core::Scalar(value), {"m.py", 2, "forward"}};
  };
  testing::ExportPair pair(text("17.25"), text("91.5"), at(7), {left(2.2)}, {left(5)});
  ExportDiff view = pair.view();
  view.axis = kind("value");
  std::vector<Attribution> found = attribute(view);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].class_id, "AS102");
  EXPECT_EQ(found[0].kind, &captured_value);
  ASSERT_TRUE(found[0].escape);
  EXPECT_EQ(found[0].escape->place.line, 2);
}

}  // namespace
}  // namespace assay::verify::diagnosis
