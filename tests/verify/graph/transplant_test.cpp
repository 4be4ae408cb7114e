#include "verify/graph/transplant.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engine/ir/printer.h"
#include "tests/support/graph_model.h"
#include "verify/spec/parser.h"

namespace assay::verify {
namespace {

using testing::graph_text;
using testing::GraphRunner;

/// A traced program: at every place an addition that all traces have (or none has), then a
/// multiplication that only some have: what a branch there does.
struct Places {
  std::vector<bool> fixed, branch;

  std::string text() const {
    std::vector<std::string> lines{"%one : int = prim::Constant[value=1]()"};
    std::string last = "%x";
    auto add = [&](const std::string& name, const std::string& op, size_t number, size_t line) {
      std::string constant = name + "c";
      lines.push_back(constant + " : int = prim::Constant[value=" + std::to_string(number) + "]()");
      lines.push_back(name + " : Tensor = aten::" + op + "(" + last + ", " + constant +
                      (op == "add" ? ", %one" : "") + ") # model.py:" + std::to_string(line) +
                      ":4");
      last = name;
    };
    for (size_t i = 0; i < fixed.size(); ++i) {
      std::string number = std::to_string(i);
      if (fixed[i]) add("%f" + number, "add", i + 2, 2 * i + 1);
      if (branch[i]) add("%b" + number, "mul", i + 3, 2 * i + 2);
    }
    // The input is read again behind all of them.
    lines.push_back("%out : Tensor = aten::sub(%x, " + last + ", %one) # model.py:99:4");
    return graph_text(lines, "%out");
  }

  Program program() const { return flatten(ir::parse(text())); }
};

double result_of(const std::shared_ptr<ir::Graph>& graph) {
  static const Spec spec = parse_spec({{"input", "x: f64[]"}, {"values", "x:ones"}});
  Observation o = GraphRunner(graph).run(build_case(spec, *nearest_point(spec, Point{})));
  EXPECT_EQ(o.ending, Ending::returned);
  return *o.outputs.to_tensor().data<double>();
}

/// Cuts runs of steps of one program into single steps: here each is a branch of its own.
Alignment into_steps(const Alignment& alignment) {
  Alignment out = alignment;
  out.differences.clear();
  for (GraphDifference d : alignment.differences) {
    bool in_a = d.begin_b == d.end_b, in_b = d.begin_a == d.end_a;
    if (d.kind != GraphDifference::Kind::structure || in_a == in_b) {
      out.differences.push_back(d);
      continue;
    }
    size_t& begin = in_a ? d.begin_a : d.begin_b;
    size_t& end = in_a ? d.end_a : d.end_b;
    for (size_t stop = end; begin < stop; ++begin) {
      end = begin + 1;
      out.differences.push_back(d);
    }
  }
  return out;
}

RC_GTEST_PROP(Transplant, GivesWhatATraceWithJustTheseBranchesIs, ()) {
  auto size = *rc::gen::inRange<size_t>(1, 7);
  auto flags = [&] {
    return *rc::gen::container<std::vector<bool>>(size, rc::gen::arbitrary<bool>());
  };
  Places a{flags(), flags()}, b{a.fixed, flags()}, wanted = a;
  Program in_a = a.program(), in_b = b.program();
  Alignment alignment = into_steps(align(in_a, in_b));
  std::vector<size_t> keep;
  for (size_t i = 0; i < alignment.differences.size(); ++i) {
    const GraphDifference& d = alignment.differences[i];
    if (d.kind != GraphDifference::Kind::structure || !*rc::gen::arbitrary<bool>()) continue;
    keep.push_back(i);
    auto place = [](const Step& s) { return static_cast<size_t>(s.line) / 2 - 1; };
    for (size_t s = d.begin_a; s < d.end_a; ++s) wanted.branch[place(in_a.steps[s])] = false;
    for (size_t s = d.begin_b; s < d.end_b; ++s) wanted.branch[place(in_b.steps[s])] = true;
  }
  auto graph = transplant(in_a, in_b, alignment, keep);
  RC_ASSERT(graph != nullptr);
  RC_ASSERT(result_of(graph) == result_of(wanted.program().graph));
  RC_ASSERT(result_of(in_a.graph) == result_of(a.program().graph));  // The original is whole.
}

TEST(Transplant, BringsLiteralsThatAreAskedForAlone) {
  auto text = [](int64_t added, int64_t factor) {
    return graph_text({"%one : int = prim::Constant[value=1]()",
                       "%a : int = prim::Constant[value=" + std::to_string(added) + "]()",
                       "%f : int = prim::Constant[value=" + std::to_string(factor) + "]()",
                       "%s : Tensor = aten::add(%x, %a, %one) # model.py:3:4",
                       "%m : Tensor = aten::mul(%s, %f) # model.py:4:4"},
                      "%m");
  };
  Program a = flatten(ir::parse(text(1, 2))), b = flatten(ir::parse(text(4, 10)));
  Alignment alignment = align(a, b);
  ASSERT_EQ(alignment.differences.size(), 2u);
  EXPECT_EQ(result_of(transplant(a, b, alignment, {})), 4);
  EXPECT_EQ(result_of(transplant(a, b, alignment, {0})), 10);
  EXPECT_EQ(result_of(transplant(a, b, alignment, {1})), 20);
  EXPECT_EQ(result_of(transplant(a, b, alignment, {0, 1})), 50);
}

TEST(Transplant, GivesNothingWhereAValueHasNoCounterpart) {
  // Two values go into what only b has at line 5, so none can stand for its result.
  auto text = [](bool fifth, bool sixth) {
    std::vector<std::string> lines{"%one : int = prim::Constant[value=1]()",
                                   "%y : Tensor = aten::add(%x, %one, %one) # model.py:3:4"};
    std::string last = "%y";
    if (fifth) lines.push_back("%z : Tensor = aten::mul(%x, %y) # model.py:5:4"), last = "%z";
    if (sixth) lines.push_back("%w : Tensor = aten::neg(" + last + ") # model.py:6:4"), last = "%w";
    return flatten(ir::parse(graph_text(lines, last)));
  };
  Program a = text(false, false), b = text(true, true);
  Alignment alignment = into_steps(align(a, b));
  ASSERT_GE(alignment.differences.size(), 2u);
  EXPECT_NE(transplant(a, b, alignment, {0}), nullptr);
  EXPECT_EQ(transplant(a, b, alignment, {1}), nullptr);
}

/// A sum over the rows of a list, unrolled, and a branch behind it.
std::string summed(int rows, bool branch) {
  std::string parts, last = "%x";
  for (int k = 0; k < rows; ++k) {
    parts += (k ? ", %p" : "%p") + std::to_string(k) + " : Tensor";
  }
  std::vector<std::string> lines{"%one : int = prim::Constant[value=1]()",
                                 "%zero : int = prim::Constant[value=0]()",
                                 "%l : Tensor[] = aten::unbind(%x, %zero) # model.py:3:4",
                                 parts + " = prim::ListUnpack(%l) # model.py:3:4"};
  for (int k = 0; k < rows; ++k) {
    std::string number = std::to_string(k);
    lines.push_back("%s" + number + " : Tensor = aten::add(" + last + ", %p" + number +
                    ", %one) # model.py:4:8");
    last = "%s" + number;
  }
  lines.push_back("%a : Tensor = aten::abs(" + last + ") # model.py:5:4");
  if (branch) lines.push_back("%n : Tensor = aten::neg(%a) # model.py:7:8");
  return graph_text(lines, branch ? "%n" : "%a");
}

TEST(Transplant, TakesAListApartIntoAsManyPartsAsTheRoundsNeed) {
  static const Spec spec = parse_spec({{"input", "x: f64[n]"}, {"dim", "n=1..9"}});
  auto sum_at = [&](const std::shared_ptr<ir::Graph>& graph, int64_t n) {
    Point point{{{"n", n}}, {{"value x", "ones"}}, 0};
    Observation o = GraphRunner(graph).run(build_case(spec, *nearest_point(spec, point)));
    if (o.ending != Ending::returned) return 0.0;
    return *o.outputs.to_tensor().data<double>();
  };
  for (auto [from, to] : {std::pair{3, 5}, std::pair{5, 3}}) {
    Program a = flatten(ir::parse(summed(from, false)));
    Program b = flatten(ir::parse(summed(to, true)));
    Alignment alignment = align(a, b);
    std::vector<size_t> rounds, branch;
    for (size_t i = 0; i < alignment.differences.size(); ++i) {
      const GraphDifference& d = alignment.differences[i];
      if (d.kind != GraphDifference::Kind::structure) continue;
      bool negates = d.begin_b < d.end_b && b.steps[d.end_b - 1].op == "aten::neg";
      (negates ? branch : rounds).push_back(i);
    }
    ASSERT_FALSE(rounds.empty());
    ASSERT_FALSE(branch.empty());
    EXPECT_EQ(sum_at(transplant(a, b, alignment, rounds), to), 1 + to);
    EXPECT_EQ(sum_at(transplant(a, b, alignment, branch), to), 0);  // Raises: the list is longer.
    EXPECT_EQ(sum_at(transplant(a, b, alignment, branch), from), -1 - from);
  }
}

/// Powers in a list, each of the one before, and a branch behind it.
std::string listed(int powers, bool branch) {
  std::vector<std::string> lines{"%one : int = prim::Constant[value=1]()",
                                 "%zero : int = prim::Constant[value=0]()"};
  std::string all = "%x", last = "%x";
  for (int k = 0; k < powers; ++k) {
    std::string name = "%s" + std::to_string(k);
    lines.push_back(name + " : Tensor = aten::add(" + last + ", %one, %one) # model.py:4:8");
    all += ", " + name;
    last = name;
  }
  lines.push_back("%l : Tensor[] = prim::ListConstruct(" + all + ")");
  lines.push_back("%t : Tensor = aten::stack(%l, %zero) # model.py:5:4");
  lines.push_back("%a : Tensor = aten::sum(%t, %none) # model.py:5:4");
  lines.insert(lines.begin(), "%none : NoneType = prim::Constant()");
  if (branch) lines.push_back("%n : Tensor = aten::neg(%a) # model.py:7:8");
  return graph_text(lines, branch ? "%n" : "%a");
}

TEST(Transplant, ListsHoldAsManyAsTheRoundsGive) {
  for (auto [from, to] : {std::pair{1, 3}, std::pair{3, 1}}) {
    Program a = flatten(ir::parse(listed(from, false)));
    Program b = flatten(ir::parse(listed(to, true)));
    Alignment alignment = align(a, b);
    std::vector<size_t> rounds, branch;
    auto from_what = dependencies_of(a, b, alignment);
    for (size_t i = 0; i < alignment.differences.size(); ++i) {
      const GraphDifference& d = alignment.differences[i];
      if (d.kind != GraphDifference::Kind::structure) continue;
      bool negates = d.begin_b < d.end_b && b.steps[d.end_b - 1].op == "aten::neg";
      (negates ? branch : rounds).push_back(i);
    }
    ASSERT_EQ(rounds.size(), 1u);
    // Of 1, 2, ..., the first being the input.
    auto sum = [](int n) { return (n + 1) * (n + 2) / 2.0; };
    EXPECT_EQ(result_of(transplant(a, b, alignment, rounds)), sum(to));
    EXPECT_EQ(result_of(transplant(a, b, alignment, branch)), -sum(from));
    for (size_t i = 0; i < alignment.differences.size(); ++i) {
      bool list = alignment.differences[i].kind == GraphDifference::Kind::wiring &&
                  a.steps[alignment.differences[i].step_a].op == "prim::ListConstruct";
      if (list) {
        EXPECT_EQ(from_what[i].back(), rounds[0]);
      }
    }
  }
}

TEST(Followed, AreTheStepsWhoseResultIsReadInstead) {
  Program a = Places{{true, true}, {false, false}}.program();
  Program b = Places{{true, true}, {true, false}}.program();
  Alignment alignment = align(a, b);
  ASSERT_EQ(alignment.differences.size(), 2u);
  EXPECT_EQ(alignment.differences[0].kind, GraphDifference::Kind::structure);
  EXPECT_EQ(dependencies_of(a, b, alignment), (std::vector<std::vector<size_t>>{{}, {0}}));
}

}  // namespace
}  // namespace assay::verify
