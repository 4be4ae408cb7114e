#include "verify/diagnosis/explain.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "fuzz/session.h"
#include "tests/support/fake_model.h"
#include "tests/support/graph_model.h"

namespace assay::verify {
namespace {

using testing::graph_export;
using testing::graph_text;
using testing::GraphExporter;

/// What a trace of the model at n elements records; the model itself is `model()`.
///
///   3  r = abs(x)
///   5  if n > 4: r = r * r
///   8  if n < 3: r = -r   # or, where `stacked`, n > 8
///   9  return r + n        # where `adds_size`
struct TwoFaults {
  bool adds_size = false;  ///< A captured size that every other case shows.
  bool below = true;       ///< The branch at line 8 exists.
  bool stacked = false;    ///< It is taken only where the other one is taken, too.
  std::function<double()> clock = nullptr;
  std::function<void()> exporting = {};  // Hears of each export.

  std::string traced(int64_t n) const {
    std::vector<std::string> lines{"%one : int = prim::Constant[value=1]()",
                                   "%r : Tensor = aten::abs(%x) # model.py:3:4"};
    std::string last = "%r";
    auto add = [&](const std::string& name, const std::string& call) {
      lines.push_back(name + " : Tensor = " + call);
      last = name;
    };
    if (n > 4) add("%square", "aten::mul(%r, %r) # model.py:5:8");
    if (below && (stacked ? n > 8 : n < 3))
      add("%negative", "aten::neg(" + last + ") # model.py:8:8");
    if (adds_size) {
      lines.push_back("%n : int = prim::Constant[value=" + std::to_string(n) + "]()");
      add("%sum", "aten::add(" + last + ", %n, %one) # model.py:9:4");
    }
    return graph_text(lines, last);
  }

  std::string model() const {
    std::vector<std::string> lines{
        "%zero : int = prim::Constant[value=0]()",
        "%one : int = prim::Constant[value=1]()",
        stacked ? "%limit : int = prim::Constant[value=8]()"
                : "%limit : int = prim::Constant[value=3]()",
        "%four : int = prim::Constant[value=4]()",
        "%n : int = aten::size(%x, %zero)",
        "%big : bool = aten::gt(%n, %four)",
        stacked ? "%second : bool = aten::gt(%n, %limit)" : "%second : bool = aten::lt(%n, %limit)",
        "%r : Tensor = aten::abs(%x)",
        "%s : Tensor = prim::If(%big)",
        "  block0():",
        "    %square : Tensor = aten::mul(%r, %r)",
        "    -> (%square)",
        "  block1():",
        "    -> (%r)",
        "%t : Tensor = prim::If(%second)",
        "  block0():",
        below ? "    %negative : Tensor = aten::neg(%s)"
              : "    %negative : Tensor = aten::alias(%s)",
        "    -> (%negative)",
        "  block1():",
        "    -> (%s)"};
    if (!adds_size) return graph_text(lines, "%t");
    lines.push_back("%sum : Tensor = aten::add(%t, %n, %one)");
    return graph_text(lines, "%sum");
  }

  RunReport check(uint64_t seed, int64_t largest_export = 16) const {
    fuzz::SessionRequest request;
    request.spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..16"}});
    auto exported = graph_export(traced(3));
    exported->exported_at = at(request.spec, 3);
    request.exported = exported;
    request.subject.runner = exported->runner();
    request.reference.runner = graph_export(model())->runner();
    GraphExporter exporter([&](const Case& c) {
      int64_t n = c.point.sizes.at("n");
      if (exporting) exporting();
      if (n > largest_export) base::fail("the host is gone");
      return traced(n);
    });
    request.exporter = &exporter;
    request.properties = {std::make_shared<Parity>()};
    request.campaign.seed = seed;
    request.campaign.budget.max_examples = 60;
    if (clock) request.campaign.clock = clock;
    return run_session(request);
  }

  static Case at(const Spec& spec, int64_t n) {
    return build_case(spec, *nearest_point(spec, Point{{{"n", n}}, {}, 0}));
  }
};

std::map<int, const Finding*> by_line(const RunReport& r) {
  std::map<int, const Finding*> found;
  for (const Finding& f : r.findings) {
    EXPECT_TRUE(found.emplace(f.cause.line, &f).second) << "line " << f.cause.line << " twice";
  }
  return found;
}

int64_t size_of(const std::optional<Case>& c) { return c ? c->point.sizes.at("n") : -1; }

// Both go wrong silently, in the values of the one output: a walk to the smallest case of the one
// fault would pass the other by.
RC_GTEST_PROP(Explain, TwoSilentFaultsOfOneOutputAreTwoFindingsEachShrunkByItself,
              (uint32_t seed)) {
  RunReport r = TwoFaults().check(seed);
  auto found = by_line(r);
  RC_ASSERT(found.size() == 2u);
  RC_ASSERT(found.count(5) == 1u && found.count(8) == 1u);
  for (const auto& [line, f] : found) {
    RC_ASSERT(f->class_id == "AS103");
    RC_ASSERT(f->visibility == Visibility::silent);
    RC_ASSERT(f->cause.proof == Proof::proven);
  }
  RC_ASSERT(size_of(found[5]->smallest_case) == 5);
  RC_ASSERT(size_of(found[8]->smallest_case) == 1);
  // As first met, each is a case of its own fault.
  RC_ASSERT(size_of(found[5]->first_case) > 4);
  RC_ASSERT(size_of(found[8]->first_case) < 3);
  RC_ASSERT(found[5]->count + found[8]->count == r.totals.failed);
}

/// Which of a finding's notes tell that its smallest case has another fault, too.
std::string companions(const Finding& f) {
  std::string all;
  for (const std::string& note : f.evidence.notes) {
    if (note.starts_with("the smallest case needs")) all += note + "\n";
  }
  return all;
}

TEST(Explain, AFaultThatOnlyShowsBesideAnotherIsAFindingToo) {
  TwoFaults model{true, false};
  RunReport r = model.check(1);
  auto found = by_line(r);
  ASSERT_EQ(found.count(9), 1u);
  EXPECT_EQ(found[9]->class_id, "AS102");
  EXPECT_EQ(size_of(found[9]->smallest_case), 1);
  ASSERT_EQ(found.count(5), 1u) << "hidden behind the captured size";
  EXPECT_EQ(found[5]->class_id, "AS103");
  EXPECT_EQ(found[5]->cause.proof, Proof::proven);
  EXPECT_EQ(size_of(found[5]->smallest_case), 5);
  EXPECT_EQ(found.size(), 2u);
  EXPECT_EQ(companions(*found[9]), "");
  EXPECT_EQ(companions(*found[5]),
            "the smallest case needs this repair and that of AS102 at model.py:9, aten::add\n");
}

// The size spoils every case but that of the export's own size, and hides where the branches do.
TEST(Explain, EachFaultIsToldAsItShowsWithTheOthersRepaired) {
  RunReport r = TwoFaults{true, true}.check(1);
  auto found = by_line(r);
  ASSERT_EQ(found.size(), 3u);
  auto text = [&](int line) { return found.at(line)->boundaries.at(0).text(); };
  EXPECT_EQ(text(9), "right only at n = 3; wrong values without an error at n in 1..2, 4..16");
  EXPECT_EQ(text(5), "right only at n in 1..4; wrong values without an error at n in 5..16");
  EXPECT_EQ(text(8), "right only at n in 3..16; wrong values without an error at n in 1..2");
  EXPECT_EQ(size_of(found[9]->smallest_case), 1);
  EXPECT_EQ(size_of(found[5]->smallest_case), 5);
  EXPECT_EQ(size_of(found[8]->smallest_case), 1);
  // Both at one element, where the model is held against two different repairs.
  EXPECT_NE(found[9]->subject_gave, found[8]->subject_gave);
  EXPECT_EQ(found[9]->reference_gave, found[8]->reference_gave);
}

TEST(Explain, EachFailingCaseBelongsToAFindingWhoseBoundaryAgrees) {
  RunReport r = TwoFaults{false, true}.check(1);
  auto found = by_line(r);
  ASSERT_EQ(found.size(), 2u);
  for (const JudgedPoint& p : r.points) {
    if (p.verdict != "violated") continue;  // Zeros and ones hide both.
    int64_t n = p.sizes.at("n");
    EXPECT_EQ(p.finding, found.at(n > 4 ? 5 : 8)->id) << n;
  }
}

TEST(Explain, ABranchThatIsTakenOnlyBesideAnotherIsAFindingToo) {
  TwoFaults model{false, true, true};
  RunReport r = model.check(1);
  auto found = by_line(r);
  ASSERT_EQ(found.count(5), 1u);
  EXPECT_EQ(size_of(found[5]->smallest_case), 5);
  ASSERT_EQ(found.count(8), 1u);
  EXPECT_EQ(found[8]->class_id, "AS103");
  EXPECT_EQ(found[8]->cause.proof, Proof::proven);
  EXPECT_EQ(size_of(found[8]->smallest_case), 9);
  EXPECT_EQ(found.size(), 2u);
}

/// What a trace of a model that takes the sine in training, and before negates more than two
/// elements, has.
std::string traced_in(const Case& c) {
  bool train = c.setting("mode") == "train";
  std::vector<std::string> lines{"%r : Tensor = aten::abs(%x) # model.py:3:4"};
  std::string last = "%r";
  if (train && c.point.sizes.at("n") > 2) {
    lines.push_back("%negative : Tensor = aten::neg(%r) # model.py:5:8");
    last = "%negative";
  }
  lines.push_back("%angle : Tensor = aten::atan(" + last + ") # model.py:6:4");
  last = "%angle";
  if (train) {
    lines.push_back("%sine : Tensor = aten::sin(%angle) # model.py:8:8");
    last = "%sine";
  }
  return graph_text(lines, last);
}

// The example shows both in training, and the smallest case one of them.
TEST(Explain, ACauseIsToldAtACaseThatHasIt) {
  fuzz::SessionRequest request;
  request.spec = parse_spec({{"input", "x: f32[n]"}, {"dim", "n=1..6"}, {"modes", "eval,train"}});
  Case example = TwoFaults::at(request.spec, 3);
  auto exported = graph_export(traced_in(example));
  exported->exported_at = example;
  request.exported = exported;
  request.subject.runner = exported->runner();
  request.reference.runner = std::make_shared<testing::FakeRunner>(
      [](const Case& c) { return graph_export(traced_in(c))->runner()->run(c); });
  GraphExporter exporter(traced_in);
  request.exporter = &exporter;
  request.properties = {std::make_shared<Parity>()};
  request.campaign.budget.max_examples = 60;
  RunReport r = run_session(request);
  auto found = by_line(r);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(size_of(found.at(5)->smallest_case), 3);
  EXPECT_EQ(companions(*found.at(5)),
            "the smallest case needs this repair and that of AS108 at model.py:8, aten::sin\n");
  EXPECT_EQ(size_of(found.at(8)->smallest_case), 1);
  EXPECT_EQ(companions(*found.at(8)), "");
}

TEST(Explain, AHostThatGoesLosesNothingThatWasFound) {
  RunReport r = TwoFaults().check(1, 13);
  auto found = by_line(r);
  ASSERT_EQ(found.count(8), 1u);
  EXPECT_EQ(found[8]->cause.proof, Proof::proven);
  const std::vector<std::string>& notes = found[8]->evidence.notes;
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes.back(), "not all of its cases were looked into: the host is gone");
}

TEST(Explain, TheCaseOfTheProofCountsHoweverSlowAllElseIs) {
  TwoFaults branch{false, false};
  double now = 0;
  branch.clock = [&now] { return now += 4; };
  RunReport r = branch.check(1);
  ASSERT_EQ(r.findings.size(), 1u);
  const Cause& cause = r.findings[0].cause;
  EXPECT_EQ(cause.proof, Proof::proven) << cause.reach.text();
  EXPECT_EQ(cause.reach.text(), "cures 1 of 1 failing case");
}

TEST(Explain, WhatIsSlowIsDiagnosedOnceAndSaysSo) {
  TwoFaults both;
  double now = 0;
  both.clock = [&now] { return now; };
  both.exporting = [&now] { now += 40; };
  RunReport r = both.check(1);
  ASSERT_FALSE(r.findings.empty());
  const std::vector<std::string>& notes = r.findings[0].evidence.notes;
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes.back(), "not all of its cases were looked into: each takes too long");
}

TEST(Explain, OneFaultIsOneFinding) {
  TwoFaults branch{false, false};
  RunReport r = branch.check(1);
  ASSERT_EQ(r.findings.size(), 1u);
  // Every failing case is larger than 4 elements, every other one holds.
  const Reach& reach = r.findings[0].cause.reach;
  EXPECT_TRUE(reach.complete()) << reach.text();
  EXPECT_GE(reach.failing, r.totals.failed);
  EXPECT_GT(reach.right, 0);
  EXPECT_EQ(r.findings[0].count, r.totals.failed);
  EXPECT_EQ(size_of(r.findings[0].smallest_case), 5);
}

/// What a trace of `(x + n) * m`, in one line, records of the sizes n and m.
std::string sum_and_product(const std::string& n, const std::string& m) {
  return graph_text({"%zero : int = prim::Constant[value=0]()",
                     "%one : int = prim::Constant[value=1]()", "%n : int = " + n, "%m : int = " + m,
                     "%sum : Tensor = aten::add(%x, %n, %one) # model.py:9:4",
                     "%product : Tensor = aten::mul(%sum, %m) # model.py:9:4"},
                    "%product");
}

// Each case needs other numbers of the line repaired.
TEST(Explain, TwoNumbersOfOneLineAreOneFindingThatNamesBoth) {
  auto traced = [](int64_t n, int64_t m) {
    return sum_and_product(fmt::format("prim::Constant[value={}]()", n),
                           fmt::format("prim::Constant[value={}]()", m));
  };
  fuzz::SessionRequest request;
  request.spec = parse_spec({{"input", "x: f32[n, m]"}, {"dim", "n=1..9"}, {"dim", "m=1..9"}});
  auto exported = graph_export(traced(3, 5));
  exported->exported_at =
      build_case(request.spec, *nearest_point(request.spec, Point{{{"n", 3}, {"m", 5}}, {}, 0}));
  request.exported = exported;
  request.subject.runner = exported->runner();
  request.reference.runner =
      graph_export(sum_and_product("aten::size(%x, %zero)", "aten::size(%x, %one)"))->runner();
  GraphExporter exporter(
      [&](const Case& c) { return traced(c.point.sizes.at("n"), c.point.sizes.at("m")); });
  request.exporter = &exporter;
  request.properties = {std::make_shared<Parity>()};
  request.campaign.budget.max_examples = 60;
  RunReport r = run_session(request);
  ASSERT_EQ(r.findings.size(), 1u);
  const Cause& cause = r.findings[0].cause;
  EXPECT_EQ(cause.line, 9);
  std::string other = cause.literal == "3" ? "literal 5 in aten::mul" : "literal 3 in aten::add";
  EXPECT_NE(cause.proof_text.find("exchanged, too: " + other), std::string::npos)
      << cause.literal << ": " << cause.proof_text;
}

}  // namespace
}  // namespace assay::verify
