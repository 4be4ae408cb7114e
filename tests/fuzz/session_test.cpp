#include "fuzz/session.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/fake_model.h"
#include "tests/support/graph_model.h"

namespace assay::fuzz {
namespace {

using verify::Case;
using verify::testing::arange_graph;
using verify::testing::arange_size_graph;
using verify::testing::graph_export;
using verify::testing::graph_text;
using verify::testing::GraphExporter;
using verify::testing::GraphRunner;

/// One check of a graph against another.
struct Check {
  Check(const std::string& subject, const std::string& reference,
        const std::string& dim = "1..12") {
    request.header.model.name = "model.pt";
    request.spec = verify::parse_spec({{"input", "x: f32[n]"}, {"dim", "n=" + dim}});
    auto exported = graph_export(subject);
    exported->exported_at = at(7);
    request.exported = exported;
    request.subject.runner = exported->runner();
    reference_runner = std::static_pointer_cast<GraphRunner>(graph_export(reference)->runner());
    request.reference.runner = reference_runner;
    request.reference.name = "model.py:Net";
    request.properties = {std::make_shared<verify::Parity>()};
    request.campaign.budget.max_examples = 40;
  }

  Case at(int64_t n) const {
    return build_case(request.spec, *nearest_point(request.spec, verify::Point{{{"n", n}}, {}, 0}));
  }
  verify::RunReport run() const { return run_session(request); }

  SessionRequest request;
  std::shared_ptr<GraphRunner> reference_runner;
};

/// (relu(x) + 2, x * 3) with what a broken engine or export could do to it.
struct Mutation {
  std::string added = "2", factor = "3";
  bool relu = true, swapped = false;
};

std::string two_outputs(const Mutation& m = {}) {
  return graph_text({"%one : int = prim::Constant[value=1]()",
                     "%added : int = prim::Constant[value=" + m.added + "]()",
                     "%factor : int = prim::Constant[value=" + m.factor + "]()",
                     m.relu ? "%r : Tensor = aten::relu(%x) # model.py:4:4"
                            : "%r : Tensor = aten::neg(%x) # model.py:4:4",
                     "%a : Tensor = aten::add(" + std::string(m.relu ? "%r" : "%x") +
                         ", %added, %one) # model.py:5:4",
                     "%b : Tensor = aten::mul(%x, %factor) # model.py:6:4",
                     m.swapped ? "%out : (Tensor, Tensor) = prim::TupleConstruct(%b, %a)"
                               : "%out : (Tensor, Tensor) = prim::TupleConstruct(%a, %b)"},
                    "%out");
}

TEST(Session, ACleanGraphRaisesNoAlarm) {
  for (const std::string& text : {two_outputs(), arange_size_graph()}) {
    verify::RunReport r = Check(text, text).run();
    EXPECT_TRUE(r.gate.passed);
    EXPECT_EQ(r.gate.exit_code, verify::exit_passed);
    EXPECT_TRUE(r.findings.empty());
    EXPECT_EQ(r.totals.valid, 40);
  }
}

TEST(Session, EveryMutationOfAGraphFailsTheGate) {
  Mutation flipped, other_output, dropped, swapped;
  flipped.added = "3";
  other_output.factor = "4";
  dropped.relu = false;
  swapped.swapped = true;
  for (const Mutation& m : {flipped, other_output, dropped, swapped}) {
    verify::RunReport r = Check(two_outputs(m), two_outputs()).run();
    EXPECT_EQ(r.gate.exit_code, verify::exit_failed) << two_outputs(m);
    ASSERT_FALSE(r.findings.empty());
    EXPECT_EQ(r.findings[0].visibility, verify::Visibility::silent);
    EXPECT_EQ(r.outcomes[0].status, verify::Status::failed);
  }
}

TEST(Session, EveryLetterIsMeasuredWhereSomethingFails) {
  // What n pins hides that m is pinned at the same line; k is free.
  std::string pinned = graph_text(
      {"%n : int = prim::Constant[value=2]()", "%m : int = prim::Constant[value=3]()",
       "%k : int = prim::Constant[value=-1]()", "%sizes : int[] = prim::ListConstruct(%n, %m, %k)",
       "%out : Tensor = aten::view(%x, %sizes) # model.py:4:4"},
      "%out");
  Check check(pinned, graph_text({"%out : Tensor = aten::alias(%x) # model.py:4:4"}, "%out"));
  check.request.spec = verify::parse_spec(
      {{"input", "x: f32[n, m, k]"}, {"dim", "n=1..3"}, {"dim", "m=1..9"}, {"dim", "k=1..4"}});
  auto exported = graph_export(pinned);
  verify::Point example{{{"n", 2}, {"m", 3}, {"k", 2}}, {}, 0};
  exported->exported_at =
      build_case(check.request.spec, *nearest_point(check.request.spec, example));
  check.request.exported = exported;
  verify::RunReport r = check.run();
  ASSERT_GE(r.axes.size(), 3u);
  EXPECT_EQ(r.axes[0].boundary.substr(0, 34), "with m = 3, k = 2: right only at n");
  EXPECT_EQ(r.axes[0].verdict, "wrong");
  EXPECT_EQ(r.axes[1].boundary.substr(0, 38), "with n = 2, k = 2: right only at m = 3");
  EXPECT_EQ(r.axes[1].verdict, "wrong");
  EXPECT_EQ(r.axes[2].verdict, "right");
  EXPECT_EQ(r.axes[2].boundary, "with n = 2, m = 3: right at k in 1..4");
  // What was run for a boundary is no case of the campaign.
  int64_t met = 0;
  for (const verify::Finding& f : r.findings) met += f.count;
  EXPECT_EQ(met, r.totals.failed);
}

TEST(Session, ALetterIsNotBlamedForWhatTheValuesDecide) {
  std::string kept = graph_text({"%y : Tensor = aten::abs(%x) # model.py:5:8"}, "%y");
  std::string chosen =
      graph_text({"%none : NoneType = prim::Constant()", "%zero : int = prim::Constant[value=0]()",
                  "%s : Tensor = aten::sum(%x, %none)", "%more : Tensor = aten::gt(%s, %zero)",
                  "%positive : bool = aten::Bool(%more)", "%y : Tensor = prim::If(%positive)",
                  "  block0():", "    %a : Tensor = aten::abs(%x)", "    -> (%a)",
                  "  block1():", "    %b : Tensor = aten::neg(%x)", "    -> (%b)"},
                 "%y");
  Check branch(kept, chosen, "2..9");  // One element: both branches give the same.
  verify::RunReport r = branch.run();
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(r.findings[0].axis.kind, "value");
  EXPECT_EQ(r.axes[0].boundary, "right at n in 2..9");
  EXPECT_EQ(r.axes[0].verdict, "right");

  // No drawing is right, so nothing can be said of the sizes.
  std::string constant = graph_text(
      {"%c : float = prim::Constant[value=1000.]()", "%y : Tensor = aten::mul(%x, %c)"}, "%y");
  std::string model =
      graph_text({"%none : NoneType = prim::Constant()", "%s : Tensor = aten::sum(%x, %none)",
                  "%y : Tensor = aten::mul(%x, %s)"},
                 "%y");
  Check captured(constant, model);
  verify::Call call = materialize(captured.at(2));
  call.args[0].to_tensor().data<float>()[0] = 600;
  call.args[0].to_tensor().data<float>()[1] = 400;
  auto exported = graph_export(constant);
  exported->exported_at = verify::given_case(call);
  exported->exported_at->point = captured.at(2).point;
  captured.request.exported = exported;
  r = captured.run();
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(r.findings[0].axis.kind, "value");
  EXPECT_EQ(r.axes[0].verdict, "not tested");
  EXPECT_EQ(r.axes[0].boundary,
            "not told apart from the values, which decide first, at n in 1..12");
}

TEST(Session, OneCauseIsOneFindingWithBothVisibilitiesCounted) {
  Check check(arange_graph(7), arange_size_graph());
  GraphExporter exporter([](const Case& c) { return arange_graph(c.point.sizes.at("n")); });
  check.request.exporter = &exporter;
  verify::RunReport r = check.run();
  ASSERT_EQ(r.findings.size(), 1u);  // Silent at 1, loud elsewhere: the silent one leads.
  const verify::Finding& f = r.findings[0];
  EXPECT_EQ(f.id, "F1");
  EXPECT_EQ(f.class_id, "AS102");
  EXPECT_EQ(f.visibility, verify::Visibility::silent);
  EXPECT_EQ(f.count, r.totals.failed);
  EXPECT_EQ(f.repro.rfind("ASSAY1:", 0), 0u);
  EXPECT_EQ(f.smallest_case->point.sizes.at("n"), 1);
  EXPECT_EQ(r.gate.rules[0], "F1: AS102 pinned size (silent, elsewhere loud)");
  ASSERT_FALSE(r.axes.empty());
  EXPECT_EQ(r.axes[0].verdict, "wrong");
  EXPECT_EQ(r.axes[0].boundary, f.boundaries[0].text());
  for (const verify::JudgedPoint& p : r.points) {
    bool fails = p.sizes.at("n") != 7;
    EXPECT_EQ(p.finding, fails ? "F1" : "");
    EXPECT_EQ(p.visibility, !fails                 ? verify::Visibility::none
                            : p.sizes.at("n") == 1 ? verify::Visibility::silent
                                                   : verify::Visibility::loud);
  }
  EXPECT_EQ(r.reference, "archive: model.py:Net");
}

TEST(Session, OneLineIsOneFindingWhateverShowsIt) {
  // Right at the example's values alone, and wrong at other sizes: one constant behind both.
  std::string captured = graph_text(
      {"%c : float = prim::Constant[value=1000.]()", "%one : int = prim::Constant[value=1]()",
       "%y : Tensor = aten::add(%x, %c, %one) # model.py:8:4"},
      "%y");
  std::string model =
      graph_text({"%one : int = prim::Constant[value=1]()", "%s : Tensor = aten::sum(%x, %none)",
                  "%y : Tensor = aten::add(%x, %s, %one) # model.py:8:4"},
                 "%y");
  model.insert(model.find("  %one"), "  %none : NoneType = prim::Constant()\n");
  Check check(captured, model);
  GraphExporter exporter([&](const Case& c) {
    std::string text = captured;
    std::string number = std::to_string(c.point.sizes.at("n")) + std::to_string(c.point.seed % 7);
    return text.replace(text.find("1000."), 5, number + ".");
  });
  check.request.exporter = &exporter;
  verify::RunReport r = check.run();
  std::set<int> lines;
  for (const verify::Finding& f : r.findings) EXPECT_TRUE(lines.insert(f.cause.line).second);
  EXPECT_EQ(r.gate.exit_code, verify::exit_failed);
}

TEST(Session, WhereNothingIsComparedTheGateIsUndecided) {
  Check refused(two_outputs(), two_outputs());
  refused.reference_runner->refusal = "no device";
  verify::RunReport r = refused.run();
  EXPECT_EQ(r.gate.exit_code, verify::exit_undecided);
  EXPECT_FALSE(r.gate.passed);
  EXPECT_EQ(r.totals.valid, 0);
  Check alone(two_outputs(), two_outputs());
  alone.request.reference = {};
  EXPECT_EQ(alone.run().gate.exit_code, verify::exit_undecided);
  Check without(two_outputs(), two_outputs());
  without.request.properties.clear();
  EXPECT_EQ(without.run().gate.exit_code, verify::exit_nothing_collected);
  Check empty(two_outputs(), two_outputs(), "0");  // Every output is empty.
  EXPECT_EQ(empty.run().gate.exit_code, verify::exit_undecided);
}

TEST(Session, AnInterruptedRunTellsWhatItFoundAndIsNoPass) {
  Check clean(two_outputs(), two_outputs());
  int asked = 0;
  clean.request.campaign.interrupted = [&] { return ++asked > 6; };
  verify::RunReport r = clean.run();
  EXPECT_EQ(r.totals.stopped_by, "interrupt");
  EXPECT_EQ(r.gate.exit_code, verify::exit_undecided);

  Check faulty(arange_graph(7), arange_size_graph());
  bool found = false;
  struct Watch : verify::Listener {
    explicit Watch(bool& f) : found(f) {}
    void failure_found(const verify::Property&, const Case&, const verify::Judgement&,
                       const std::string&) override {
      found = true;
    }
    bool& found;
  } watch(found);
  faulty.request.campaign.listeners = {&watch};
  faulty.request.campaign.interrupted = [&] { return found; };
  r = faulty.run();
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(r.findings[0].evidence.notes[0], "interrupted before it was diagnosed");
  EXPECT_EQ(r.gate.exit_code, verify::exit_failed);  // Not explained is not excused.
}

TEST(Session, ADiagnosisThatFailsStillFailsTheGate) {
  Check check(arange_graph(7), arange_size_graph());
  struct Broken : verify::Exporter {
    verify::ExportResult export_at(const Case&, bool) override { base::fail("the host is gone"); }
  } broken;
  check.request.exporter = &broken;
  verify::RunReport r = check.run();
  EXPECT_EQ(r.gate.exit_code, verify::exit_failed);
  ASSERT_FALSE(r.findings.empty());
  EXPECT_NE(r.findings[0].evidence.notes[0].find("the host is gone"), std::string::npos);
}

TEST(Session, WhatIsNotDiagnosedStillFailsTheGate) {
  Check check(arange_graph(7), arange_size_graph());
  check.request.max_diagnoses = 0;
  verify::RunReport r = check.run();
  EXPECT_EQ(r.gate.exit_code, verify::exit_failed);
  EXPECT_FALSE(r.findings.empty());
  EXPECT_EQ(r.not_tested.back(), "2 further kinds of failure were not diagnosed");
}

/// A check in which time goes on with each run of the reference and each export alone.
struct TimedCheck : Check {
  TimedCheck() : Check(arange_graph(7), arange_size_graph(), "1..40") {
    request.reference.runner = std::make_shared<Slow>(reference_runner, now);
    request.exporter = &exporter;
    request.campaign.clock = [this] { return now; };
    request.campaign.budget.max_examples = unlimited;
  }

  static constexpr double of_a_run = 0.1, of_an_export = 1;

  struct Slow : verify::Runner {
    Slow(std::shared_ptr<verify::Runner> inner, double& clock)
        : runner(std::move(inner)), now(clock) {}
    verify::Observation run(const Case& c) override {
      now += of_a_run;
      return runner->run(c);
    }
    std::string name() const override { return "slow"; }
    std::shared_ptr<verify::Runner> runner;
    double& now;
  };

  struct SlowExporter : verify::Exporter {
    explicit SlowExporter(double& clock) : now(clock) {}
    verify::ExportResult export_at(const Case& c, bool meta) override {
      now += of_an_export;
      return inner.export_at(c, meta);
    }
    GraphExporter inner{[](const Case& c) { return arange_graph(c.point.sizes.at("n")); }};
    double& now;
  };

  double now = 100;
  SlowExporter exporter{now};
};

// A few seconds: for explaining, and for the step that was under way.
TEST(Session, EndsAFewSecondsAfterItsTime) {
  constexpr double few = 4 + TimedCheck::of_an_export + TimedCheck::of_a_run;
  TimedCheck without_limit;
  without_limit.request.campaign.budget.max_examples = 200;
  verify::RunReport whole = without_limit.run();
  ASSERT_FALSE(whole.findings.empty());
  EXPECT_EQ(whole.findings[0].cause.proof, verify::Proof::proven);
  for (double most : {1.0, 4.0, 12.0}) {
    TimedCheck check;
    check.request.campaign.budget.max_seconds = most;
    verify::RunReport r = check.run();
    EXPECT_LE(check.now - 100, most + few);
    EXPECT_LT(check.now, without_limit.now);
    EXPECT_EQ(r.gate.exit_code, verify::exit_failed);
    EXPECT_FALSE(r.findings.empty());
  }
}

TEST(Session, TimeThatWasSpentBeforeCounts) {
  TimedCheck fresh, late;
  for (TimedCheck* check : {&fresh, &late}) {
    check->request.campaign.budget.max_seconds = 20;
    check->request.max_diagnoses = 0;
  }
  late.request.seconds_spent = 10;
  fresh.run();
  late.run();
  EXPECT_NEAR(fresh.now - late.now, 10, 2 * TimedCheck::of_a_run);
  // What began far too late still compares something.
  TimedCheck too_late;
  too_late.request.campaign.budget.max_seconds = 20;
  too_late.request.seconds_spent = 100;
  EXPECT_GT(too_late.run().outcomes.at(0).valid, 0);
}

TEST(Session, WhatTimeWasTooShortToDiagnoseIsToldAndNotGuessed) {
  TimedCheck check;
  check.request.campaign.budget.max_seconds = 2;
  check.exporter.now = 100;
  struct Late : verify::Exporter {
    explicit Late(double& clock) : now(clock) {}
    verify::ExportResult export_at(const Case&, bool) override {
      now += 60;
      return {nullptr, "it took too long"};
    }
    double& now;
  } late(check.now);
  check.request.exporter = &late;
  verify::RunReport r = check.run();
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(r.findings[0].class_id, "AS121");
  EXPECT_EQ(r.findings[0].evidence.notes[0],
            "the time of the check was over before it was diagnosed");
  EXPECT_EQ(r.not_tested.back(),
            "not everything was explained and measured: the time of the check was over (--time)");
  EXPECT_EQ(r.gate.exit_code, verify::exit_failed);
}

TEST(Session, NamesTheSourceLineWhereItIsAtHand) {
  Check check(arange_graph(7), arange_size_graph());
  check.request.source_line = [](const std::string& file, int line) {
    return file + " line " + std::to_string(line);
  };
  verify::RunReport r = check.run();
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(r.findings[0].cause.source, "model.py line 8");
}

}  // namespace
}  // namespace assay::fuzz
