#include "verify/diagnosis/diagnose.h"

#include <gtest/gtest.h>

#include "tests/support/fake_model.h"
#include "tests/support/graph_model.h"
#include "verify/graph/substitute.h"

namespace assay::verify {
namespace {

using testing::arange_graph;
using testing::arange_size_graph;
using testing::graph_export;
using testing::graph_text;
using testing::GraphExport;
using testing::GraphExporter;

/// A subject, what the model computes, and a failing case beside the example.
struct Trouble {
  Trouble(const std::string& subject_text, const std::string& reference_text, int64_t example,
          int64_t failing, const std::string& dim = "n=1..16")
      : spec(parse_spec({{"input", "x: f32[n]"}, {"dim", dim}})),
        exported(graph_export(subject_text)),
        model(graph_export(reference_text)) {
    exported->exported_at = at(example);
    reference.runner = model->runner();
    request.spec = &spec;
    request.property = "parity";
    request.subject = exported;
    request.failing = at(failing);
    request.right = at(example);
    request.judge = [this](const std::shared_ptr<Runner>& runner, const Case& c) {
      subject.runner = runner;
      PropertyContext context{&spec, &subject, &reference, {}};
      return Parity().judge(context, c);
    };
    request.judgement = request.judge(exported->runner(), request.failing);
  }
  Trouble(const Trouble&) = delete;

  Case at(int64_t n, uint64_t seed = 0) const {
    return build_case(spec, *nearest_point(spec, Point{{{"n", n}}, {}, seed}));
  }

  Spec spec;
  std::shared_ptr<GraphExport> exported, model;
  Subject subject;
  Reference reference;
  DiagnosisRequest request;
};

std::optional<Finding> first_of(Diagnosis diagnosis) {
  if (diagnosis.findings.empty()) return std::nullopt;
  return std::move(diagnosis.findings[0]);
}

std::string arange_like(const Case& c) { return arange_graph(c.point.sizes.at("n")); }

TEST(Diagnose, APinnedSizeIsFittedProvenAndMeasured) {
  Trouble t(arange_graph(7), arange_size_graph(), 7, 1);
  GraphExporter exporter(arange_like);
  t.request.exporter = &exporter;
  auto f = first_of(diagnose(t.request));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->class_id, "AS102");
  EXPECT_EQ(f->visibility, Visibility::silent);
  EXPECT_EQ(f->axis.letter, "n");
  EXPECT_EQ(f->cause.op, "aten::arange");
  EXPECT_EQ(f->cause.role, "end");
  EXPECT_EQ(f->cause.literal, "7");
  EXPECT_EQ(f->cause.line, 8);
  EXPECT_EQ(f->cause.proof, Proof::proven);
  EXPECT_EQ(f->cause.proof_text, "by substitution of the size itself");
  EXPECT_EQ(f->evidence.fix, "7 -> n");
  ASSERT_EQ(f->boundaries.size(), 1u);
  EXPECT_EQ(
      f->boundaries[0].text(),
      "right only at n = 7; wrong shape without an error at n = 1; error at n in 2..6, 8..16");
  EXPECT_GT(exporter.exports, 2);
}

TEST(Diagnose, WithoutFurtherExportsTheSizeIsAHypothesisThatIsProvenAlike) {
  Trouble t(arange_graph(7), arange_size_graph(), 7, 5);
  auto f = first_of(diagnose(t.request));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->class_id, "AS102");
  EXPECT_EQ(f->cause.proof, Proof::proven);
  EXPECT_EQ(f->visibility, Visibility::loud);
}

/// What a trace of arange_graph tells: by this expression, which left the graph in line 6.
Origins traced_as(const std::string& expression, int64_t value) {
  Origins origins;
  origins.origins = {{"x.size(0)", value, "len", {"folder/model.py", 6, ""}}};
  origins.baked = {{expression, value, "aten::arange", "end", {"folder/model.py", 8, ""}, {0}}};
  return origins;
}

TEST(Diagnose, WhatATraceTellsOfItsLiteralsNeedsNoFit) {
  for (bool exports : {true, false}) {  // Nor anything else than the archive.
    Trouble t(arange_graph(7), arange_size_graph(), 7, 5);
    t.exported->traced = traced_as("x.size(0)", 7);
    GraphExporter exporter(arange_like);
    if (exports) t.request.exporter = &exporter;
    auto f = first_of(diagnose(t.request));
    ASSERT_TRUE(f);
    EXPECT_EQ(f->class_id, "AS102");
    EXPECT_EQ(f->cause.line, 6);
    EXPECT_EQ(f->cause.proof, Proof::proven);
    EXPECT_EQ(f->cause.proof_text, "by substitution of what it was in the trace");
    EXPECT_EQ(f->evidence.fit, "7 = x.size(0), by len at line 6");
    EXPECT_EQ(f->evidence.fix, "7 -> x.size(0)");
  }
}

TEST(Diagnose, WhatATraceTellsIsNotBelievedButTried) {
  Trouble t(arange_graph(7), arange_size_graph(), 7, 5);
  t.exported->traced = traced_as("x.size(0) * 0 + 7", 7);
  auto f = first_of(diagnose(t.request));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->cause.proof_text, "by substitution of the size itself");
  EXPECT_EQ(f->cause.line, 8);
}

/// Elements above 0 doubled by a branch that the trace left out: relu(x) * factor.
std::string doubled(bool twice) {
  std::vector<std::string> lines{"%r : Tensor = aten::relu(%x) # model.py:4:4"};
  if (!twice) return graph_text(lines, "%r");
  lines.push_back("%y : Tensor = aten::mul(%r, %r) # model.py:6:8");
  return graph_text(lines, "%y");
}

TEST(Diagnose, AStepThatOnlyTheOtherExportHasIsAFrozenBranch) {
  // The model squares where n > 4; the export was made at 3.
  std::string model = graph_text(
      {"%zero : int = prim::Constant[value=0]()", "%four : int = prim::Constant[value=4]()",
       "%n : int = aten::size(%x, %zero)", "%big : bool = aten::gt(%n, %four)",
       "%r : Tensor = aten::relu(%x)", "%out : Tensor = prim::If(%big)", "  block0():",
       "    %y : Tensor = aten::mul(%r, %r)", "    -> (%y)", "  block1():", "    -> (%r)"},
      "%out");
  Trouble t(doubled(false), model, 3, 9);
  GraphExporter exporter([](const Case& c) { return doubled(c.point.sizes.at("n") > 4); });
  t.request.exporter = &exporter;
  auto f = first_of(diagnose(t.request));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->class_id, "AS103");
  EXPECT_EQ(f->cause.line, 6);
  EXPECT_EQ(f->cause.proof, Proof::proven);
  EXPECT_EQ(f->boundaries[0].text(),
            "right only at n in 1..4; wrong values without an error at n in 5..16");
}

/// x + 1 + 1 + ...: a loop over rows, unrolled.
std::string repeated(int64_t times) {
  std::vector<std::string> lines{"%one : int = prim::Constant[value=1]()"};
  std::string last = "%x";
  for (int64_t k = 0; k < times; ++k) {
    std::string name = "%r" + std::to_string(100 + k);
    lines.push_back(name + " : Tensor = aten::add(" + last + ", %one, %one) # model.py:5:8");
    last = name;
  }
  return graph_text(lines, last);
}

TEST(Diagnose, RepetitionsThatFollowASizeAreAnUnrolledLoop) {
  std::string model = graph_text(
      {"%zero : int = prim::Constant[value=0]()", "%one : int = prim::Constant[value=1]()",
       "%n : int = aten::size(%x, %zero)", "%out : Tensor = aten::add(%x, %n, %one)"},
      "%out");
  Trouble t(repeated(5), model, 5, 8);
  GraphExporter exporter([](const Case& c) { return repeated(c.point.sizes.at("n")); });
  t.request.exporter = &exporter;
  auto f = first_of(diagnose(t.request));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->class_id, "AS104");
  EXPECT_EQ(f->cause.literal, "5");
  EXPECT_EQ(f->cause.role, "repetitions");
  EXPECT_EQ(f->cause.proof, Proof::proven);
  EXPECT_EQ(f->evidence.fit.substr(0, 17), "5 repetitions = n");
}

TEST(Diagnose, EqualGraphsAndAWrongValueAreNoDriftUnlessTheErrorIsSmall) {
  // The model does what no export shows; the values differ by far more than rounding.
  std::string relu = graph_text({"%r : Tensor = aten::relu(%x)"}, "%r");
  std::string square = graph_text({"%r : Tensor = aten::mul(%x, %x)"}, "%r");
  Trouble t(relu, square, 7, 3);
  GraphExporter exporter([&](const Case&) { return relu; });
  t.request.exporter = &exporter;
  auto f = first_of(diagnose(t.request));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->class_id, "AS121");
  EXPECT_EQ(find_failure_class(f->class_id)->level, Level::fail);
}

TEST(Diagnose, EqualGraphsAreExplainedByWhatTheTracerCannotSee) {
  std::string relu = graph_text({"%r : Tensor = aten::relu(%x)"}, "%r");
  std::string square = graph_text({"%r : Tensor = aten::mul(%x, %x)"}, "%r");
  for (auto [kind, class_id] : {std::pair{"data", "AS110"},
                                {"numpy", "AS110"},
                                {"is_tracing", "AS103"},
                                {"item", "AS121"}}) {
    Trouble t(relu, square, 7, 3);
    GraphExporter exporter([&](const Case&) { return relu; });
    exporter.escapes = {{kind, std::nullopt, {"model.py", 5, "forward"}}};
    t.request.exporter = &exporter;
    auto f = first_of(diagnose(t.request));
    ASSERT_TRUE(f);
    EXPECT_EQ(f->class_id, class_id);
    EXPECT_EQ(f->cause.line, std::string_view(class_id) == "AS121" ? 0 : 5);
  }
}

TEST(Diagnose, GraphsThatDifferWithoutEffectAreExplainedSo) {
  // As where contiguous() gives its own argument back at one size and a copy at another.
  auto reads = [](const std::string& what) {
    return graph_text({"%copy : Tensor = aten::alias(%x) # model.py:4:4",
                       "%r : Tensor = aten::relu(" + what + ") # model.py:4:9"},
                      "%r");
  };
  // The copy cures nothing: it is where the graphs part, and no cause.
  for (auto [kind, class_id, line] : {std::tuple{"data", "AS110", 5}, {"item", "AS121", 4}}) {
    Trouble t(reads("%x"), graph_text({"%r : Tensor = aten::mul(%x, %x)"}, "%r"), 7, 3);
    GraphExporter exporter([&](const Case&) { return reads("%copy"); });
    exporter.escapes = {{kind, std::nullopt, {"model.py", 5, "forward"}}};
    t.request.exporter = &exporter;
    auto f = first_of(diagnose(t.request));
    ASSERT_TRUE(f);
    EXPECT_EQ(f->class_id, class_id);
    EXPECT_EQ(f->cause.line, line);
    EXPECT_EQ(f->cause.proof, Proof::suspected);
  }
}

TEST(Diagnose, AFitThatCuresNothingIsNoCause) {
  // zeros(len(x)).sum() follows the size and does no harm; the model does what no export shows.
  auto pinned = [](int64_t n) {
    return graph_text(
        {"%n : int = prim::Constant[value=" + std::to_string(n) + "]()",
         "%none : NoneType = prim::Constant()", "%one : int = prim::Constant[value=1]()",
         "%list : int[] = prim::ListConstruct(%n)",
         "%z : Tensor = aten::zeros(%list, %none, %none, %none, %none) # model.py:4:4",
         "%s : Tensor = aten::sum(%z, %none) # model.py:4:9",
         "%r : Tensor = aten::add(%x, %s, %one) # model.py:6:4"},
        "%r");
  };
  Trouble t(pinned(7), graph_text({"%r : Tensor = aten::mul(%x, %x)"}, "%r"), 7, 3);
  GraphExporter exporter([&](const Case& c) { return pinned(c.point.sizes.at("n")); });
  t.request.exporter = &exporter;
  auto f = first_of(diagnose(t.request));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->class_id, "AS121");
  EXPECT_EQ(f->evidence.fit, "");
  EXPECT_EQ(f->cause.literal, "");
}

TEST(Diagnose, AnUnclassifiedDifferenceIsToldWhereWhatDiffersIsMade) {
  std::string relu = graph_text({"%r : Tensor = aten::relu(%x) # model.py:3:4"}, "%r");
  Trouble t(relu, graph_text({"%r : Tensor = aten::mul(%x, %x)"}, "%r"), 7, 3);
  GraphExporter exporter([&](const Case&) { return relu; });
  t.request.exporter = &exporter;
  auto f = first_of(diagnose(t.request));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->class_id, "AS121");
  EXPECT_EQ(f->cause.line, 3);
}

TEST(Diagnose, WhatTheModelRejectsAndTheExportAcceptsIsALostGuard) {
  std::string lenient = graph_text({"%r : Tensor = aten::relu(%x)"}, "%r");
  std::string guarded = graph_text(
      {"%one : int = prim::Constant[value=1]()", "%seven : int = prim::Constant[value=7]()",
       "%s : int[] = prim::ListConstruct(%seven)", "%v : Tensor = aten::view(%x, %s)",
       "%r : Tensor = aten::relu(%v)"},
      "%r");
  Trouble t(lenient, guarded, 7, 3);
  auto f = first_of(diagnose(t.request));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->class_id, "AS114");
  EXPECT_EQ(f->visibility, Visibility::lenient);
  EXPECT_EQ(f->boundaries[0].text(),
            "right only at n = 7; accepts what the model rejects at n in 1..6, 8..16");
}

TEST(Diagnose, TheFingerprintDoesNotDependOnSizesOrLines) {
  Trouble a(arange_graph(7), arange_size_graph(), 7, 1);
  std::string moved = arange_graph(9);
  moved.replace(moved.find("model.py:8"), 10, "model.py:3");
  Trouble b(moved, arange_size_graph(), 9, 1);
  auto fa = first_of(diagnose(a.request)), fb = first_of(diagnose(b.request));
  ASSERT_TRUE(fa && fb);
  EXPECT_EQ(fa->fingerprint, fb->fingerprint);
}

}  // namespace
}  // namespace assay::verify
